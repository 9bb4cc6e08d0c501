"""Pictures of how pieces move, for the page of a variant: a piece in the middle of a small board,
with the squares that it goes to marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.chess.variants.equipment import Equipment
from pbm.rules.chess.variants.move_diagrams import describe_moves
from pbm.rules.chess.variants.moves_in_betza import Step, Way, read_betza
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Piece, Scene, marks_on
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import combine

_REACH = 3
"""How many squares are shown on each side of the piece."""
_HURDLE = 2
"""How far away a man stands that is hopped over."""


def draw_lessons(equipment: Equipment, left_out: set[str]) -> Iterator[Lesson]:
    """Yield a picture of each piece but those that everybody knows."""
    rules = equipment.rules
    for letter, slot in rules.slots.items():
        if slot in left_out and not (slot == "king" and rules.king_moves):
            continue
        ways = read_betza(rules.betza(slot))
        if ways:
            name = equipment.name_of(letter)
            how = describe_moves(rules, slot)
            caption = combine("{letter} ({piece}): {how}.", letter=letter, piece=name, how=how)
            yield Lesson(caption, (), _draw(equipment, letter, ways))


def _draw(equipment: Equipment, letter: str, ways: tuple[Way, ...]) -> Scene:
    grid = cached_grid(2 * _REACH + 1, 2 * _REACH + 1)
    goals, taken, hurdles = set[Step](), set[Step](), set[Step]()
    for way in ways:
        for step in way.steps:
            reached = _reach(way, step)
            goals.update(reached)
            if way.hops:
                hurdles.add((_HURDLE * step[0], _HURDLE * step[1]))
            if not way.moves:
                taken.update(reached)
    for way in ways:
        if way.moves:
            taken -= {one for step in way.steps for one in _reach(way, step)}
    goals -= hurdles
    names = grid.names
    pieces = [Piece(names[_find(grid, (0, 0))], equipment.name_of(letter), 0, label=letter)]
    pieces += [_place(equipment, names[_find(grid, one)], 0) for one in sorted(hurdles)]
    pieces += [_place(equipment, names[_find(grid, one)], 1) for one in sorted(taken - hurdles)]
    empty = grid_scene(grid, equipment.look)
    marks = marks_on(names, [_find(grid, one) for one in sorted(goals)])
    return replace(empty, pieces=tuple(pieces), marks=marks, style=equipment.style)


def _reach(way: Way, step: Step) -> list[Step]:
    """Return where a way leads in one direction, on the squares that are shown."""
    first, last = (_HURDLE + 1, _REACH) if way.hops else (1, min(way.reach, _REACH))
    if way.hops == "g":
        last = first
    steps = [(step[0] * number, step[1] * number) for number in range(first, last + 1)]
    return [one for one in steps if max(map(abs, one)) <= _REACH]


def _find(grid: Grid, step: Step) -> int:
    """Return the cell so far from the middle."""
    return (_REACH + step[1]) * grid.width + _REACH + step[0]


def _place(equipment: Equipment, name: str, side: int) -> Piece:
    """Return a man that is hopped over or taken."""
    letter = next((one for one, slot in equipment.slots.items() if "awn" in slot), "")
    letter = letter or next(iter(equipment.slots))
    return Piece(name, equipment.name_of(letter), side, label=letter)
