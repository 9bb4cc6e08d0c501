"""Pictures that explain a rule: a position to which a few moves lead, and what to see in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pbm.rules.drawing.scene import Label, Place, Point, Scene

if TYPE_CHECKING:
    from pbm.rules.game import Game, Position
    from pbm.rules.options import Value

_GAP = 0.5
"""The distance of a label from the board, in cells."""
_NO_OPTIONS: Mapping[str, Value] = MappingProxyType({})


class Lesson(NamedTuple):
    """One picture.

    caption  what it shows, in a sentence or two that say it without the picture, too
    moves    what leads there from the start, the outcomes of chance among them; the last is marked
    scene    what is shown in place of a position, if anything
    players  how many play it, 0 for the usual number, and with which `options`
    area     the places that are shown; all of them without any
    can      moves that the caption calls legal in the position, and `cannot` those that it does not
    is_before  it shows what may come next: the last move is not marked
    """

    caption: str
    moves: Sequence[str] = ()
    scene: Scene | None = None
    players: int = 0
    options: Mapping[str, Value] = _NO_OPTIONS
    area: Sequence[str] = ()
    can: Sequence[str] = ()
    cannot: Sequence[str] = ()
    is_before: bool = False


def list_area(first: str, last: str) -> tuple[str, ...]:
    """Return the squares of a part of a board from its lower left to its upper right one."""
    columns = range(ord(first[0]), ord(last[0]) + 1)
    rows = range(int(first[1:]), int(last[1:]) + 1)
    return tuple(f"{chr(column)}{row}" for row in rows for column in columns)


def play_lesson(game: Game, lesson: Lesson) -> Position:
    """Return the position to which the moves of a lesson lead; MoveError where one is not legal.
    Where several seats are on the move, the first that can make it does."""
    position = game.setup(lesson.players, lesson.options)
    for move in lesson.moves:
        movers = sorted(position.to_move)
        seat = next((each for each in movers if move in position.legal_moves(each)), movers[0])
        position = position.play(seat, move)
    return position


def build_lesson_scene(game: Game, lesson: Lesson) -> Scene:
    """Return the scene of a lesson, without panels."""
    if lesson.scene is not None:
        return replace(lesson.scene, labels=(), panels=())
    last = () if lesson.is_before else tuple(lesson.moves[-1:])
    scene = play_lesson(game, lesson).scene(None, last)
    return replace(_cut(scene, frozenset(lesson.area)) if lesson.area else scene, panels=())


def _cut(scene: Scene, area: frozenset[str]) -> Scene:
    """Return a part of a board: these places, and what belongs to them alone. The labels of its
    columns and rows come along."""
    places = tuple(place for place in scene.places if place.name in area)
    corners = [corner for place in places for corner in _list_corners(place)]
    columns, rows = [x for x, _ in corners], [y for _, y in corners]
    box = (min(columns), max(columns)), (min(rows), max(rows))
    named = (label for label in scene.labels if _is_named(label.text.lower(), area))
    moved = (_move_label(label, *box) for label in named)
    return replace(
        scene,
        places=places,
        pieces=tuple(piece for piece in scene.pieces if piece.place in area),
        marks=tuple(mark for mark in scene.marks if area.issuperset(mark.places)),
        labels=tuple(label for label in moved if label is not None),
        lines=tuple(line for line in scene.lines if area.issuperset(line)),
        regions=(),
        strokes=tuple(
            stroke
            for stroke in scene.strokes
            if all(_is_within(x, box[0]) and _is_within(y, box[1]) for x, y in stroke.points)
        ),
    )


def _is_named(text: str, area: frozenset[str]) -> bool:
    """Whether a label is the name of one of these places, or of a column or row of theirs."""
    return any(name.startswith(text) or name.endswith(text) for name in area)


def _list_corners(place: Place) -> Sequence[Point]:
    if not isinstance(place.shape, float | int):
        return place.shape
    (x, y), far = place.centre, place.shape
    return (x - far, y - far), (x + far, y + far)


def _move_label(
    label: Label, columns: tuple[float, float], rows: tuple[float, float]
) -> Label | None:
    """Return a label where it stands beside the part of the board; None if it names another."""
    x, y = label.centre
    is_column, is_row = _is_within(x, columns), _is_within(y, rows)
    if not (is_column or is_row):
        return None
    if not is_row:
        y = rows[0] - _GAP if y < rows[0] else rows[1] + _GAP
    elif not is_column:
        x = columns[0] - _GAP if x < columns[0] else columns[1] + _GAP
    return replace(label, centre=(x, y))


def _is_within(number: float, span: tuple[float, float]) -> bool:
    return span[0] <= number <= span[1]
