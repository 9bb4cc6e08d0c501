"""Random pairs of games of Diplomacy that a viewer must not be able to tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from pbm.games import get_game
from pbm.rules import Position

_Moment = tuple[Position, Sequence[str], str]


def dips(rng: random.Random) -> Iterator[tuple[int | None, _Moment, _Moment]]:
    """The moments of a phase and of another in which one power orders its units something else and
    votes otherwise. Some phases are played before."""
    position = get_game("dip").setup(
        rng.choice((2, 3, 7)), {"draw": rng.choice(("any", "survivors"))}
    )
    for _ in range(rng.randint(0, 6)):
        position = _order_all(position, rng)
    if not position.to_move:
        return
    hidden = rng.choice(sorted(position.to_move))
    viewer = rng.choice([None, *(seat for seat in range(position.players) if seat != hidden)])
    one = other = position
    for move, different in _choose(position, hidden, rng):
        said = [
            own.describe(hidden, text, viewer) for own, text in ((one, move), (other, different))
        ]
        one, other = one.play(hidden, move), other.play(hidden, different)
        if one.turn != position.turn or one.outcome or other.outcome:
            return
        yield viewer, (one, (move,), said[0]), (other, (different,), said[1])


def _order_all(position: Position, rng: random.Random) -> Position:
    """The position after a phase in which computer players and chance give the orders."""
    turn = position.turn
    for seat in sorted(position.to_move):
        orders = [*position.advise(seat)]
        if rng.random() < 0.5:
            legal = [
                move for move in position.legal_moves(seat) if " " in move and "vote" not in move
            ]
            orders = [*rng.sample(legal, min(3, len(legal))), "ready"]
        for order in orders:
            if position.turn == turn and seat in position.to_move:
                position = position.play(seat, order)
    return position


def _choose(position: Position, seat: int, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Pairs of orders to the same unit, or of votes."""
    units = dict[str, list[str]]()
    for move in position.legal_moves(seat):
        words = move.split()
        if len(words) > 1 and words[0] in ("a", "f"):
            units.setdefault(words[1], []).append(move)
    yield "vote draw", "vote concede"
    for moves in units.values():
        yield rng.choice(moves), rng.choice(moves)
