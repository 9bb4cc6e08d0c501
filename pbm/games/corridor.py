"""Corridor, also known as Quoridor (a trademark of Gigamic): cross the board, put up walls.

Walls and paths are in `pbm.rules.boards.walls`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import Option, Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import clear_cells, put_sign
from pbm.rules.boards.walls import Walls, WallSet, wall_set, walls_of
from pbm.rules.drawing.edge_scene import wall_scene, wall_shape
from pbm.rules.drawing.scene import Mark, Panel, Piece, Scene, both_sides, remark, tally
from pbm.rules.errors import InvalidMove
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.many_sides import SIGNS, ManySides, all_sides
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import Listing, phrase

HELP = """\
CORRIDOR, 2 to 4 players; also known as Quoridor

AIM. Be the first to bring your pawn to the row on the far side.

MOVES. White (X) begins at the bottom and goes up, Black (O) starts at the top
and goes down. In your turn either move your pawn or put up a wall. The pawn
moves one square up, down, left or right, but not through walls. If the other
pawn is there, you jump over it to the square behind it. If a wall or the edge
of the board is behind it, you go to the square to the left or right of it
instead, unless a wall is in between. A wall is two squares long and stands
between squares. It is named by the square at its lower left and h
(horizontal) or v (vertical): e3h is above e3 and f3, e3v is to the right of
e3 and e4. Walls may not overlap or cross, and each pawn must keep some way to
its goal; the other pawn does not count as being in the way.

WRITING MOVES. The square that the pawn goes to, or the wall:
  > e2
  > e3h
  > D4V

MORE PLAYERS. With four, white begins at the bottom, red (O) on the left,
black (%) at the top, blue (@) on the right, and they move in this order; each
goes to the opposite side. With three nobody begins on the right. The walls of
two players are shared: of 20 each has 6 or 5. A pawn never jumps over two
pawns in a row. Whoever can do nothing passes: pass. Whoever resigns takes the
pawn away; its walls stay. The others share the second place.

THE END. The first pawn on its goal row wins. When a position occurs for the
third time with the same player to move, the game is drawn. There is always a
legal move. Resigning loses.
"""


AIM = phrase("white goes up, black goes down")
AIMS = {
    3: phrase("white goes up, red goes right, black goes down"),
    4: phrase("white goes up, red goes right, black goes down, blue goes left"),
}
PASSING = "pass"


@dataclass(frozen=True, slots=True)
class CorridorPosition(OnSquares, MoveListPosition):
    """A position of Corridor.

    walls    the walls on the board, as bits; see `pbm.rules.boards.walls`
    stock    the number of walls each side has left
    history  the fingerprints of the positions since the last wall
    """

    moves_once = True
    form = re.compile(r"[a-z][0-9]{1,2}[hv]?")
    kinds = both_sides("pawn")
    walls: int = 0
    stock: tuple[int, ...] = (0, 0)
    history: History = ()

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> CorridorPosition:
        size, walls = int(options["size"]), int(options["walls"])
        middle, high = size // 2, size * (size - 1)
        board = put_sign(put_sign(EMPTY * (size * size), middle, "X"), high + middle, "O")
        first = cls(options, board, stock=(walls, walls))
        return replace(first, history=record_position((), first.key))

    @property
    def geometry(self) -> Grid:
        size = int(self.options["size"])
        return cached_grid(size, size)

    @property
    def key(self) -> str:
        return f"{self.board}{self.walls}/{self.stock}{self.side}"

    def read(self, word: str) -> str:
        if word[-1:] in ("h", "v") and self.form.fullmatch(word):
            if word not in walls_of(self.geometry.width).number:
                raise InvalidMove(
                    phrase(
                        "{word} does not fit: walls go from a1 to {last_wall}",
                        word=word,
                        last_wall=self._last_wall,
                    )
                )
            return word
        return MoveListPosition.read(self, word)

    @property
    def _last_wall(self) -> str:
        return walls_of(self.geometry.width).names[-1][:-1]

    @property
    def _pawns(self) -> dict[int, int]:
        """The square of each pawn, by side."""
        return {side: self.board.index(STONES[side]) for side in (0, 1)}

    def _goal(self, side: int) -> int:
        size = self.geometry.width
        row = (1 << size) - 1
        return row if side else row << size * (size - 1)

    def list_moves(self) -> list[str]:
        names = self.geometry.names
        moves = [names[cell] for cell in self._steps()]
        if self.stock[self.side]:
            board = walls_of(self.geometry.width)
            moves += [board.names[wall] for wall in self._places()]
        # Never empty: a pawn that is not cut off can step, or jump if the other pawn is in its way.
        return moves

    def _steps(self) -> list[int]:
        """Return the squares to which the pawn of the side to move may go."""
        grid = self.geometry
        size = grid.width
        now = wall_set(size, self.walls)
        pawns = self._pawns
        here, taken = pawns[self.side], {*pawns.values()}
        targets: list[int] = []
        for step in _open(here, size, now):
            there = here + step
            if there not in taken:
                targets.append(there)
                continue
            beyond = _open(there, size, now)
            # Straight over the other pawn, or to the side if that is blocked by no pawn.
            ways = [step] if step in beyond else [each for each in beyond if each != -step]
            targets += [there + each for each in ways if there + each not in taken]
        return list(dict.fromkeys(targets))

    def _places(self) -> Iterable[int]:
        """Yield the walls that the side to move may put up."""
        size = self.geometry.width
        board, now = walls_of(size), wall_set(size, self.walls)
        pawns = [(1 << cell, self._goal(side)) for side, cell in self._pawns.items()]
        over = beside = 0
        for start, goal in pawns:
            above, right = board.way(start, goal, now.above, now.right)
            over, beside = over | above, beside | right
        for wall in range(len(board.names)):
            if now.blocked >> wall & 1:
                continue
            above, right = board.edges[wall]
            # Only a wall across a path that touches other walls or the edge can cut something off.
            closing = above & over or right & beside
            if closing and (board.ends[wall] & now.posts).bit_count() > 1:
                closing = not self._passable(board, now, wall, pawns)
            else:
                closing = 0
            if not closing:
                yield wall

    @staticmethod
    def _passable(board: Walls, now: WallSet, wall: int, pawns: Sequence[tuple[int, int]]) -> bool:
        above, right = now.above | board.edges[wall][0], now.right | board.edges[wall][1]
        return all(board.reaches(start, goal, above, right) for start, goal in pawns)

    def find_fault(self, move: str) -> str:
        size = self.geometry.width
        board, now = walls_of(size), wall_set(size, self.walls)
        if move in board.number:
            if not self.stock[self.side]:
                return phrase("you have no walls left")
            if now.blocked >> board.number[move] & 1:
                return phrase("another wall is in the way")
            return phrase("it would cut a pawn off from its goal")
        cell = self.geometry.number[move]
        if self.board[cell] != EMPTY:
            return phrase("a pawn stands there")
        pawn = self.geometry.names[self._pawns[self.side]]
        return phrase("your pawn on {pawn} cannot go there", pawn=pawn)

    def make_move(self, move: str) -> CorridorPosition:
        side, size = self.side, self.geometry.width
        board, walls, stock = self.board, self.walls, self.stock
        cell, news = self.geometry.number.get(move), tuple[str, ...]()
        if cell is not None:
            pawn = self._pawns[side]
            board = put_sign(clear_cells(board, [pawn]), cell, board[pawn])
        elif move != PASSING:
            walls |= 1 << walls_of(size).number[move]
            stock = tuple(left - (each == side) for each, left in enumerate(stock))
            news = (self._tell_wall(move),)
        after = self.end_turn(board, walls=walls, stock=stock)
        after = replace(
            after,
            news=news,
            history=record_position(self.history, after.key, final=walls != self.walls),
        )
        if cell is not None and self._goal(side) >> cell & 1:
            return after.win(
                side, phrase("{colour} is on the other side", colour=self.colour(side))
            )
        if count_repetitions(after.history) >= 3:
            return after.end_in_draw(phrase("the position occurred for the third time"))
        return after

    def _tell_wall(self, name: str) -> str:
        first, names = self.geometry.number[name[:-1]], self.geometry.names
        if name.endswith("h"):
            return phrase("the wall is above {places}", places=Listing(names[first : first + 2]))
        beside = Listing(names[first :: self.geometry.width][:2])
        return phrase("the wall is to the right of {places}", places=beside)

    @property
    def empty_scene(self) -> Scene:
        return wall_scene(self.geometry.width)

    def walls_up(self) -> list[str]:
        """Return the names of the walls on the board."""
        names = walls_of(self.geometry.width).names
        return [name for wall, name in enumerate(names) if self.walls >> wall & 1]

    def scene_pieces(self) -> tuple[Piece, ...]:
        size = self.geometry.width
        walls = (Piece(name, "wall", shape=wall_shape(size, name)) for name in self.walls_up())
        return (*OnSquares.scene_pieces(self), *walls)

    @property
    def aim(self) -> str:
        """Which way each pawn goes, in words."""
        return AIM

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("walls left"), self.colours, self.stock, "wall"), *remark(self.aim))

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        scene = OnSquares.scene(
            self, viewer, [move for move in last if move in self.geometry.number]
        )
        walls = tuple(Mark((move,), "last") for move in last if move in self.walls_up())
        return replace(scene, marks=scene.marks + walls)


@dataclass(frozen=True, slots=True)
class CrowdedCorridor(ManySides, CorridorPosition):
    """A position for three or four, by the rules of the publisher for four, with the fences shared
    out and no jump over two pawns; for three as in OpenSpiel, without the last of the four.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    form = re.compile(r"[a-z][0-9]{1,2}[hv]?|pass")
    kinds = all_sides("pawn")
    count: int = 4
    left: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedCorridor:
        size, walls = int(options["size"]), int(options["walls"])
        middle, last = size // 2, size - 1
        starts = (middle, size * middle, size * last + middle, size * middle + last)
        board = EMPTY * (size * size)
        for side, cell in enumerate(starts[:players]):
            board = put_sign(board, cell, SIGNS[side])
        stock = (2 * walls // players,) * players
        first = cls(options, board, stock=stock, count=players)
        return replace(first, history=record_position((), first.key))

    @property
    def _pawns(self) -> dict[int, int]:
        return {side: self.board.index(SIGNS[side]) for side in sorted(self.playing)}

    def _goal(self, side: int) -> int:
        size = self.geometry.width
        row, column = (1 << size) - 1, sum(1 << size * line for line in range(size))
        return (row << size * (size - 1), column << size - 1, row, column)[side]

    @property
    def aim(self) -> str:
        return AIMS[self.count]

    def list_moves(self) -> list[str]:
        return CorridorPosition.list_moves(self) or [PASSING]

    def read(self, word: str) -> str:
        return word if word == PASSING else CorridorPosition.read(self, word)

    def find_fault(self, move: str) -> str:
        if move == PASSING:
            return phrase("you can move, so you must")
        return CorridorPosition.find_fault(self, move)

    def remove(self, seat: int) -> CrowdedCorridor:
        board = clear_cells(self.board, [self._pawns[seat]])
        return replace(ManySides.remove(self, seat), board=board, history=())


def _open(cell: int, size: int, now: WallSet) -> list[int]:
    """Return the steps (differences of squares) from a square that no wall or edge blocks: up,
    right, down, left."""
    row, column = divmod(cell, size)
    steps: list[int] = []
    if row < size - 1 and not now.above >> cell & 1:
        steps.append(size)
    if column < size - 1 and not now.right >> cell & 1:
        steps.append(1)
    if row and not now.above >> cell - size & 1:
        steps.append(-size)
    if column and not now.right >> cell - 1 & 1:
        steps.append(-1)
    return steps


GAMES = (
    two_player_game(
        CorridorPosition,
        "corridor",
        "Corridor",
        ("white", "black"),
        "cross the board and put up walls (Quoridor)",
        HELP,
        Option("size", "choice", "rows and columns", default="9", choices=("5", "7", "9", "11")),
        Option(
            "walls",
            "int",
            "walls of each player, of two; three or four share as many",
            default=10,
            low=0,
            high=20,
        ),
        aliases=("quoridor",),
        family="race",
        crowd=CrowdedCorridor,
        crowds=(("white", "red", "black"), ("white", "red", "black", "blue")),
    ),
)
