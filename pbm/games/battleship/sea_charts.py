"""The picture of a position of Battleship: both seas as far as the viewer may see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pbm.games.battleship.battleship_state import BattleshipState
from pbm.games.battleship.fleets import SEATS
from pbm.rules import Canvas, Picture
from pbm.rules.boards.squares import cached_grid
from pbm.rules.drawing.grid_drawing import draw
from pbm.rules.drawing.picture import LABEL
from pbm.rules.drawing.picture import seat as seat_role

WATER, SHIP, HIT, MISS, FIRED = ".#Xo?"


def draw_seas(position: BattleshipState, viewer: int | None, last: Sequence[str]) -> Picture:
    """Draw both seas, a player's own one on the left, and what the viewer may know about the
    fleets."""
    canvas = Canvas()
    order = (1, 0) if viewer == 1 else (0, 1)
    for place, seat in enumerate(order):
        _draw(position, canvas, 39 * place, seat, viewer, last)
    canvas.line()
    for seat in order:
        _caption(position, canvas, seat, viewer)
    if position.outcome:
        canvas.line(f"   the game is over: {position.outcome.reason}")
    return canvas.picture()


def _draw(
    position: BattleshipState,
    canvas: Canvas,
    at: int,
    seat: int,
    viewer: int | None,
    last: Sequence[str],
) -> None:
    """Draw the sea of a seat, starting at that column of the canvas."""
    grid = cached_grid(position.size, position.size)
    signs = [WATER] * len(grid)
    ship_map = position.ship_map(seat)
    for cell in ship_map if position.sees(viewer, seat) else ():
        signs[cell] = SHIP
    shots = position.shots[1 - seat]
    for name in shots:
        signs[grid.number[name]] = FIRED
    for name in position.revealed_shots(1 - seat):
        cell = grid.number[name]
        signs[cell] = HIT if cell in ship_map else MISS
    marked = {grid.number[shot] for sea, shot in position.last_shots(last) if sea == seat}
    roles = {SHIP: seat_role(seat), HIT: seat_role(1 - seat)}
    sea = Canvas()
    sea.line(f"     {SEATS[seat]}'s sea{' (you)' if seat == viewer else ''}", LABEL)
    draw(grid, signs, marked, roles=roles, canvas=sea, indent=1)
    for row, runs in enumerate(sea.picture().rows):
        column = at
        for text, role in runs:
            canvas.put(row, column, text, role)
            column += len(text)


def _caption(position: BattleshipState, canvas: Canvas, seat: int, viewer: int | None) -> None:
    """Write what the viewer may know about a seat's fleet."""
    name, placed = SEATS[seat], len(position.ships[seat])
    if placed < len(position.fleet) and position.winner is None:
        canvas.line(f"   {name} has placed {placed} of {len(position.fleet)} ships", LABEL)
        if seat == viewer:
            canvas.line(f"   {position.placing_hint(seat)}", LABEL)
            rest = position.fleet[placed + 1 :]
            if rest:
                canvas.line(f"   then {_counted(rest)}", LABEL)
        return
    sunk = set(position.sunk(seat))
    ships = [ship for n, ship in enumerate(position.fleet) if n < placed]
    afloat = [ship for n, ship in enumerate(ships) if n not in sunk]
    left = position.left
    salvo = f", {left} shot{'s' * (left > 1)}" if position.options["salvo"] else ""
    to_move = f" to shoot{salvo}:"
    on_move = position.winner is None and seat == position.side and not position.is_placing
    canvas.put(canvas.height, 3, f"{name}{to_move if on_move else ':'}", seat_role(seat))
    canvas.line(f"      afloat {_counted(afloat)}", LABEL)
    if sunk:
        canvas.line(f"      sunk {_counted(position.fleet[n] for n in sorted(sunk))}", LABEL)


def _counted(ships: Iterable[tuple[str, int]]) -> str:
    """Ships in words: `cruiser 3 x2, destroyer 2`."""
    texts = (f"{s} {n}{f' x{many}' if many > 1 else ''}" for (s, n), many in Counter(ships).items())
    return ", ".join(texts) or "nothing"
