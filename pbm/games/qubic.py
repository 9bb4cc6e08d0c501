"""Qubic: four in a row in a cube of 64 cells.

Published under that name by Parker Brothers, who let the trademark lapse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from pbm.rules import IllegalMove, InvalidMove, Option, Value
from pbm.rules.boards.squares import cached_grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import CROSSES, Label, Region, Scene, join_scenes, shifted
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.families.board_positions import OnBoard
from pbm.rules.families.placement import CUBE_AXES, Axes, PlacementPosition, axes, row_lengths
from pbm.rules.families.two_player import EMPTY, TwoPlayerPosition, two_player_game
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

HELP = """\
QUBIC, 2 players: tic-tac-toe in a cube of 4 x 4 x 4

AIM. Get four of your signs in a straight row. There are 76 rows: along the
three directions of the cube, diagonally within a plane, and through the cube
from corner to corner.

MOVES. X begins. Players take turns putting their sign on an empty cell. A
cell is named by level, column and row: 2b3 is on level 2, the board headed
"level 2". Cells of the same column and row lie above each other.

WRITING MOVES. Level, column and row:
  > 2b3
  > 1A1

THE END. A row wins at once. A full cube without one is a draw. Resigning
loses.

KNOWN. Whoever begins can force a win (Oren Patashnik, 1980).
"""
SIDE = 4
_CELL = re.compile(r"[0-9][a-z][0-9]")


class Cube:
    """The cells (level, row, column), level by level and row by row."""

    def __init__(self) -> None:
        self.cells = list(product(range(SIDE), repeat=3))
        self.names = tuple(f"{level + 1}{'abcd'[col]}{row + 1}" for level, row, col in self.cells)
        self.number = {name: cell for cell, name in enumerate(self.names)}
        self.axes: Axes = axes(self.cells, CUBE_AXES)


@cache
def cube() -> Cube:
    """Return the only board."""
    return Cube()


@cache
def level_scene(beside: int = 2, apart: float = SIDE + 2) -> Scene:
    """Return the scene of the empty cube: `beside` of its levels in a row, and from
    one to the next `apart` cells."""
    scenes = list[Scene]()
    for level in range(SIDE):
        right, down = level % beside * apart, level // beside * (SIDE + 3)
        name = str(level + 1)
        flat = shifted(grid_scene(cached_grid(SIDE, SIDE)), right, down, name)
        title = Label(phrase("level {number}", number=name), (right + SIDE / 2, down - 1.4))
        cells = Region("level", name, tuple(place.name for place in flat.places))
        scenes.append(replace(flat, labels=(title, *flat.labels), regions=(cells, *flat.regions)))
    return join_scenes(scenes)


@dataclass(frozen=True, slots=True)
class QubicPosition(OnBoard, PlacementPosition):
    """A position of Qubic."""

    kinds = CROSSES
    layout = TextLayout(left=7, gaps=(2, 3))

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> QubicPosition:
        return cls(options, EMPTY * SIDE**3)

    @property
    def geometry(self) -> Cube:
        return cube()

    def read(self, word: str) -> str:
        if not _CELL.fullmatch(word):
            raise InvalidMove(
                phrase(
                    "{word} is not a cell; name level, column and row, as in 2b3", word=quoted(word)
                )
            )
        return word

    def advance(self, move: str) -> TwoPlayerPosition:
        if _CELL.fullmatch(move) and move not in self.geometry.number:
            raise IllegalMove(
                phrase(
                    "{move} is outside the cube: levels are 1 to 4, columns a to d, rows 1 to 4",
                    move=move,
                )
            )
        return PlacementPosition.advance(self, move)

    def place(self, cell: int) -> QubicPosition:
        following = self.put_stone(cell)
        if max(row_lengths(following.board, cell, self.geometry.axes)) >= SIDE:
            return following.win_by_goal(
                self.side, phrase("four in a row for {colour}", colour=self.colour(self.side))
            )
        return following.draw_if_full()

    @property
    def empty_scene(self) -> Scene:
        return level_scene()

    def text_scene(self, viewer: int | None, last: Sequence[str]) -> Scene:
        beside = level_scene(SIDE, 8.5)
        return replace(self.scene(viewer, last), places=beside.places, labels=beside.labels)


GAMES = (
    two_player_game(
        QubicPosition,
        "qubic",
        "Qubic",
        ("crosses", "noughts"),
        "four in a row in a cube",
        HELP,
        Option("misere", "flag", "completing a row loses"),
        aliases=("tictactoe3d", "fourinacube"),
        family="lines",
        length="short",
    ),
)
