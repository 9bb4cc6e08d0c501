"""The scene of a position of Battleship: both seas as far as the viewer may see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from pbm.games.battleship.battleship_state import BattleshipState
from pbm.games.battleship.fleets import SEATS, ship_cells
from pbm.rules.boards.squares import cached_grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Entry, Label, Mark, Panel, Piece, Scene, remark, shifted
from pbm.rules.drawing.sentences import capitalize, join_runs, plural

_APART = 4
"""The distance of the seas."""


def cell_name(seat: int, cell: str) -> str:
    """The name of a cell in the sea of a seat."""
    return f"{SEATS[seat]} {cell}"


def build_scene(position: BattleshipState, viewer: int | None, last: Sequence[str]) -> Scene:
    """Both seas, a player's own one below, and what the viewer may know about the fleets."""
    order = (1, 0) if viewer == 0 else (0, 1)
    pieces = (piece for seat in order for piece in _pieces(position, seat, viewer))
    marked = position.last_shots(last)
    return replace(
        seas(position.size, order),
        pieces=tuple(pieces),
        marks=tuple(Mark((cell_name(seat, cell),), "last") for seat, cell in marked),
        panels=tuple(panel for seat in order for panel in _panels(position, seat, viewer)),
    )


def describe_seas(scene: Scene) -> list[str]:
    """Each ship, and the shots in each sea, as a sentence."""
    groups: dict[tuple[str, int, str], list[str]] = {}
    for piece in scene.pieces:
        sea = piece.place.partition(" ")[0]
        groups.setdefault((sea, piece.body, piece.kind), []).append(piece.place)
    sentences = []
    for (sea, body, kind), cells in groups.items():
        what = f"{sea} {kind}" if body else f"{plural(kind) if len(cells) > 1 else kind} in {sea}"
        where = join_runs(scene, cells).replace(f"{sea} ", "")
        sentences.append(f"{capitalize(what)} on {where}.")
    return sentences or ["The board is empty."]


@cache
def seas(size: int, order: tuple[int, int]) -> Scene:
    """The scene of two empty seas, one below the other in that order."""
    scenes: list[Scene] = []
    for number, seat in enumerate(order):
        down = (size + _APART) * number
        sea = shifted(grid_scene(cached_grid(size, size)), 0, down, SEATS[seat] + " ")
        title = Label(f"{SEATS[seat]}'s sea", (size / 2, down - 1.4))
        scenes.append(replace(sea, labels=(title, *sea.labels)))
    upper, lower = scenes
    return Scene(
        upper.places + lower.places,
        labels=upper.labels + lower.labels,
        regions=upper.regions + lower.regions,
    )


def _pieces(position: BattleshipState, seat: int, viewer: int | None) -> Iterable[Piece]:
    """What the viewer sees in the sea of a seat: ships, and on them or in the water the shots."""
    grid = cached_grid(position.size, position.size)
    bodies = {
        cell: (number, position.fleet[number - 1][0])
        for number, ship in enumerate(position.ships[seat], 1)
        for cell in ship_cells(position.size, ship)
    }
    shots, revealed = position.shots[1 - seat], position.revealed_shots(1 - seat)
    for cell, name in enumerate(grid.names):
        number, kind = bodies.get(cell, (0, ""))
        is_shown = number > 0 and position.sees(viewer, seat)
        if is_shown:
            yield Piece(cell_name(seat, name), kind, seat, body=number)
        if name in shots:
            shot = "shot" if name not in revealed else "hit" if number else "miss"
            yield Piece(cell_name(seat, name), shot, height=int(is_shown))


def _panels(position: BattleshipState, seat: int, viewer: int | None) -> Iterable[Panel]:
    """What the viewer may know about a fleet."""
    placed, fleet = len(position.ships[seat]), position.fleet
    if placed < len(fleet) and position.winner is None:
        yield from remark(f"{SEATS[seat]} has placed {placed} of {len(fleet)} ships")
        if seat == viewer:
            yield from remark(position.placing_hint(seat))
            yield from _counted("then", seat, fleet[placed + 1 :])
        return
    sunk = set(position.sunk(seat))
    afloat = [ship for number, ship in enumerate(fleet[:placed]) if number not in sunk]
    yield from _counted(f"{SEATS[seat]}, afloat", seat, afloat)
    yield from _counted(f"{SEATS[seat]}, sunk", seat, [fleet[number] for number in sorted(sunk)])
    if position.options["salvo"] and position.left and seat == position.side:
        yield from remark(f"{SEATS[seat]} has {position.left} shot{'s' * (position.left > 1)}")


def _counted(title: str, seat: int, ships: Iterable[tuple[str, int]]) -> Iterable[Panel]:
    """A panel of ships; none if there are none."""
    counts = Counter(ships).items()
    entries = (Entry(f"{ship} {length}", ship, seat, many) for (ship, length), many in counts)
    if counts:
        yield Panel(title, tuple(entries), seat)
