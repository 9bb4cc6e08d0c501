"""The order that an example of a turn goes on with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pbm.games.spacefighters.battle import NUMBER, FightersState
from pbm.rules import Position

END = "end"


def suggest_order(position: FightersState) -> str:
    """Return the best order for the first ship that has one that does not make the outlook worse,
    in the order of the turn; a fight, whose dice would interrupt the turn, once no fighter moves.
    `end` when there is none."""
    seat, now, fight = position.seat, _rate(position, position.seat), ""
    for orders in _list_by_ship(position):
        if fight and not _is_of_fighter(position, orders[0]):
            break
        rated = {order: _rate(position.play(seat, order), seat) for order in orders}
        best = max(orders, key=lambda order: rated[order])
        if rated[best] < now:
            continue
        if "x" not in best:
            return best
        fight = fight or best
    return fight or END


def _list_by_ship(position: FightersState) -> Iterator[list[str]]:
    """Yield the orders of each ship, deployed, moved or bought, in the order of the turn."""
    orders = [order for order in position.legal_moves(position.seat) if order != END]
    for _ship, group in groupby(orders, key=_find_ship):
        yield [*group]


def _find_ship(order: str) -> str:
    """Return what tells the orders of a ship from those of others: its kind, or where it is."""
    word, _, rest = order.partition(" ")
    return f"{word} {rest[:1]}" if rest else word.replace("x", "-").partition("-")[0]


def _is_of_fighter(position: FightersState, order: str) -> bool:
    place = NUMBER.get(_find_ship(order))
    return place is not None and position.kind_on(place) == "f"


def _rate(position: Position, seat: int) -> float:
    """Return by how much a team is ahead of the next one."""
    outlook = position.outlook or ()
    others = [value for number, value in enumerate(outlook) if number != seat]
    return outlook[seat] - max(others)
