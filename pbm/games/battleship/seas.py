"""The scene and the picture of a position of Battleship: both seas as far as the viewer may see
them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from pbm.games.battleship.battleship_state import SEATS, BattleshipState, ship_cells
from pbm.rules import Canvas, Picture
from pbm.rules.boards.squares import cached_grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.picture import LABEL
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Mark,
    Panel,
    Piece,
    Scene,
    join_scenes,
    remark,
    shifted,
)
from pbm.rules.drawing.scene_text import draw_scene
from pbm.rules.drawing.sentences import EMPTY, find_runs, join_places, name_kind
from pbm.rules.phrases import (
    Phrase,
    SeatName,
    Sentence,
    combine,
    join_phrases,
    phrase,
    phrase_number,
    tell_end,
)

_APART, _BESIDE = 4, 19.5
"""The distance of the seas when one lies below the other, and when they lie side by side."""
_SHOTS = {"hit": "X", "miss": "o", "shot": "?"}


def cell_name(seat: int, cell: str) -> str:
    """Return the name of a cell in the sea of a seat."""
    return f"{SEATS[seat]} {cell}"


def build_scene(position: BattleshipState, viewer: int | None, last: Sequence[str]) -> Scene:
    """Return both seas, a player's own one below, and what the viewer may know about the fleets. A
    player who is placing ships sees their own sea alone."""
    order = (1, 0) if viewer == 0 else (0, 1)
    is_first = position.is_placing and position.winner is None and viewer is not None
    return _build(position, viewer, last, order, shown=order[1:] if is_first else order)


def draw_seas(position: BattleshipState, viewer: int | None, last: Sequence[str]) -> Picture:
    """Return both seas in characters, a player's own one on the left, and what the viewer may know
    about the fleets."""
    order = (1, 0) if viewer == 1 else (0, 1)
    scene = _build(position, viewer, last, order, shown=order, is_level=True)
    canvas = draw_scene(scene, sign=lambda piece: _SHOTS.get(piece.kind, "#"))
    canvas.line()
    for seat in order:
        _caption(position, canvas, seat, viewer)
    if position.outcome:
        canvas.paragraph(tell_end(position.outcome.reason))
    return canvas.picture()


def _build(
    position: BattleshipState,
    viewer: int | None,
    last: Sequence[str],
    order: tuple[int, int],
    *,
    shown: tuple[int, ...],
    is_level: bool = False,
) -> Scene:
    pieces = (piece for seat in shown for piece in _pieces(position, seat, viewer))
    marked = position.last_shots(last)
    return replace(
        seas(position.size, shown, viewer, is_level=is_level),
        pieces=tuple(pieces),
        marks=tuple(Mark((cell_name(seat, cell),), "last") for seat, cell in marked),
        panels=tuple(panel for seat in order for panel in _panels(position, seat, viewer)),
        ground="sea",
    )


def describe_seas(scene: Scene) -> list[str]:
    """Return each ship, and the shots in each sea, as a sentence."""
    groups: dict[tuple[str, int, str], list[str]] = {}
    for piece in scene.pieces:
        sea = piece.place.partition(" ")[0]
        groups.setdefault((sea, piece.body, piece.kind), []).append(piece.place)
    sentences = list[str]()
    for (sea, body, kind), cells in groups.items():
        owner = SeatName(sea, SEATS.index(sea))
        runs = find_runs(scene.regions, cells)
        where = join_places([[cell.removeprefix(f"{sea} ") for cell in run] for run in runs])
        what: str = phrase("{seat} {ship}", seat=owner, ship=name_kind(kind))
        if not body:
            shots = name_kind(kind, many=len(cells) > 1)
            what = phrase("{shots} in {seat}", shots=shots, seat=owner)
        sentences.append(Sentence(phrase("{pieces} on {places}.", pieces=what, places=where)))
    return sentences or [EMPTY]


@cache
def seas(
    size: int, order: tuple[int, ...], viewer: int | None = None, *, is_level: bool = False
) -> Scene:
    """Return the scene of empty seas in that order, one below the other or side by side."""
    scenes: list[Scene] = []
    for number, seat in enumerate(order):
        right = _BESIDE * number if is_level else 0
        down = 0 if is_level else (size + _APART) * number
        sea = shifted(grid_scene(cached_grid(size, size)), right, down, SEATS[seat] + " ")
        owner = SeatName(SEATS[seat], seat)
        name: str = phrase("{seat}'s sea", seat=owner)
        if seat == viewer:
            name = phrase("{seat}'s sea (you)", seat=owner) if is_level else phrase("your own sea")
        title = Label(name, (right + size / 2, down - 1.4))
        scenes.append(replace(sea, labels=(title, *sea.labels)))
    return join_scenes(scenes)


def _pieces(position: BattleshipState, seat: int, viewer: int | None) -> Iterable[Piece]:
    """Yield what the viewer sees in the sea of a seat: ships, and on them or in the water the
    shots."""
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
    """Yield what the viewer may know about a fleet."""
    placed, fleet = len(position.ships[seat]), position.fleet
    if placed < len(fleet) and position.winner is None:
        yield from remark(_tell_placed(position, seat))
        if seat == viewer:
            yield from remark(position.placing_hint(seat))
            yield from _counted(phrase("then"), seat, fleet[placed + 1 :])
        return
    sunk = set(position.sunk(seat))
    afloat = [ship for number, ship in enumerate(fleet[:placed]) if number not in sunk]
    owner, left = position.seat_name(seat), position.left
    yield from _counted(phrase("{seat}, afloat", seat=owner), seat, afloat)
    sunken = [fleet[number] for number in sorted(sunk)]
    yield from _counted(phrase("{seat}, sunk", seat=owner), seat, sunken)
    if position.options["salvo"] and left and seat == position.side:
        yield from remark(
            phrase_number("{seat} has {count} shot", "{seat} has {count} shots", left, seat=owner)
        )


def _tell_placed(position: BattleshipState, seat: int) -> str:
    """Return the number of ships of a fleet that are on the board."""
    return phrase(
        "{seat} has placed {placed} of {all} ships",
        seat=position.seat_name(seat),
        placed=len(position.ships[seat]),
        all=len(position.fleet),
    )


def _counted(title: str, seat: int, ships: Iterable[tuple[str, int]]) -> Iterable[Panel]:
    """Yield a panel of ships; none if there are none."""
    counts = Counter(ships).items()
    entries = (
        Entry(combine("{ship} {length}", ship=Phrase(ship), length=length), "ship", seat, many)
        for (ship, length), many in counts
    )
    if counts:
        yield Panel(title, tuple(entries), seat)


def _caption(position: BattleshipState, canvas: Canvas, seat: int, viewer: int | None) -> None:
    """Write what the viewer may know about a seat's fleet."""
    name, placed = position.seat_name(seat), len(position.ships[seat])
    if placed < len(position.fleet) and position.winner is None:
        canvas.paragraph(_tell_placed(position, seat), LABEL)
        if seat == viewer:
            canvas.paragraph(position.placing_hint(seat), LABEL)
            rest = position.fleet[placed + 1 :]
            if rest:
                canvas.paragraph(phrase("then {ships}", ships=_list_ships(rest)), LABEL)
        return
    sunk = set(position.sunk(seat))
    ships = [ship for n, ship in enumerate(position.fleet) if n < placed]
    afloat = [ship for n, ship in enumerate(ships) if n not in sunk]
    on_move = position.winner is None and seat == position.side and not position.is_placing
    title: str = name
    if on_move and position.options["salvo"]:
        title = phrase_number(
            "{seat} to shoot, {count} shot",
            "{seat} to shoot, {count} shots",
            position.left,
            seat=name,
        )
    elif on_move:
        title = phrase("{seat} to shoot", seat=name)
    canvas.put(canvas.height, 3, combine("{title}:", title=title), seat_role(seat))
    canvas.paragraph(phrase("afloat {ships}", ships=_list_ships(afloat)), LABEL, indent=6, width=72)
    if sunk:
        lost = _list_ships(position.fleet[n] for n in sorted(sunk))
        canvas.paragraph(phrase("sunk {ships}", ships=lost), LABEL, indent=6, width=72)


def _list_ships(ships: Iterable[tuple[str, int]]) -> str:
    """List ships in words: `cruiser 3 x2, destroyer 2`."""
    texts = [
        combine("{ship} {length} x{many}", ship=Phrase(ship), length=length, many=many)
        if many > 1
        else combine("{ship} {length}", ship=Phrase(ship), length=length)
        for (ship, length), many in Counter(ships).items()
    ]
    return join_phrases(", ", texts) or phrase("nothing")
