"""The Game of the Amazons by Walter Zamkauskas (1988): queens that shoot arrows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from pbm.rules import Option, OptionError, Played, Value
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import move_sign, put_sign
from pbm.rules.drawing.grid_scene import CHEQUERED
from pbm.rules.drawing.scene import Panel, both_sides
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.many_sides import SIGNS, ManySides, all_sides
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.phrases import phrase

HELP = """\
AMAZONS, 2 to 4 players, by Walter Zamkauskas (1988)

AIM. Be the last player who can move.

MOVES. White (X) begins. A move has two parts: one of your amazons moves like
a queen in chess, any number of empty squares straight or diagonally; then it
shoots an arrow from where it now stands, which flies the same way and stays
on an empty square of your choice (the square the amazon came from is empty
now). Nothing may move onto or past an amazon or an arrow (# in the picture).
Nothing is captured.

WRITING MOVES. From, to and where the arrow lands:
  > d1-d7/g7
  > d1d7g7

MORE PLAYERS. On ten by ten squares three have three amazons each: white (X)
begins at the bottom, red (O) is on the left, black (%) on the right. Four
have two each: white at the bottom, red on the left, black (%) at the top,
blue (@) on the right. They move in this order. Whoever cannot move in turn is
out, and so is whoever resigns; their amazons stay where they are. The last
one wins, and whoever is out later ranks higher.

THE END. A player who cannot move loses. There are no draws. Resigning loses.
"""
ARROW = "#"
FULL = 10
AMAZONS = {10: "a4 d1 g1 j4", 8: "a3 c1 f1 h3", 6: "a2 b1 e1 f2"}
"""The squares of the white amazons; the black ones stand opposite."""
CROWDED = {
    3: ("b1 f1 i1", "a5 a8 c10", "h10 j8 j5"),
    4: ("d1 g1", "a4 a7", "d10 g10", "j7 j4"),
}
"""The same for three and four, as on Richard's PBeM Server: for four, those of two shared out."""


def queen_targets(grid: Grid, board: Sequence[str], cell: int) -> list[int]:
    """Return the empty cells that a queen can reach from a cell."""
    targets = []
    for ray in grid.rays[cell]:
        for there in ray:
            if board[there] != EMPTY:
                break
            targets.append(there)
    return targets


@dataclass(frozen=True, slots=True)
class Amazons(OnSquares, MoveListPosition):
    """A position of the game."""

    moves_once = True
    form = re.compile(r"([a-z][0-9]{1,2})-?([a-z][0-9]{1,2})[/x(-]?([a-z][0-9]{1,2})\)?")
    remark = phrase("# arrows")
    look = CHEQUERED
    kinds = MappingProxyType({**both_sides("amazon"), ARROW: ("arrow", None)})

    def panels(self) -> tuple[Panel, ...]:
        return ()

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Amazons:
        size = int(options["size"])
        row, number = [EMPTY] * size**2, cached_grid(size, size).number
        for cell in (number[name] for name in AMAZONS[size].split()):
            row[cell], row[-1 - cell] = STONES[0], STONES[1]
        return cls(options, "".join(row))

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in SGF, where the side that begins is B and three points are a move."""
        first = cls.initial(played.options)
        grid, setup = first.geometry, sgf.setup_of(first.geometry, first.board)
        turns = [
            ("BW"[seat], "".join(sgf.point_on(grid, name) for name in re.split("[-/]", move)))
            for seat, move in played.moves
        ]
        return sgf.sgf(sgf.AMAZONS, grid.width, turns, played, setup=setup)

    def list_moves(self) -> list[str]:
        geometry, row, moves = self.geometry, list(self.board), list[str]()
        names, own = geometry.names, self.stones[self.side]
        for cell, stone in enumerate(self.board):
            if stone == own:
                row[cell] = EMPTY
                for there in queen_targets(geometry, row, cell):
                    head = f"{names[cell]}-{names[there]}/"
                    moves += [head + names[arrow] for arrow in queen_targets(geometry, row, there)]
                row[cell] = stone
        return moves

    def canonicalize(self, match: re.Match[str]) -> str:
        return f"{match[1]}-{match[2]}/{match[3]}"

    def find_fault(self, move: str) -> str:
        start, end, arrow = re.split("[-/]", move)
        if why := self.find_source_fault(start):
            return why
        number = self.geometry.number
        board = put_sign(self.board, number[start], EMPTY)
        for one, other, what in (
            (start, end, phrase("the amazon")),
            (end, arrow, phrase("the arrow")),
        ):
            here, there = number[one], number[other]
            if board[there] != EMPTY or here == there:
                return phrase(
                    "{what} cannot go to {other}, which is not empty", what=what, other=other
                )
            if not any(there in ray for ray in self.geometry.rays[here]):
                return phrase(
                    "{what} does not come from {one} to {other} in a straight line",
                    what=what,
                    one=one,
                    other=other,
                )
            if there not in queen_targets(self.geometry, board, here):
                return phrase(
                    "something is in the way of {what} from {one} to {other}",
                    what=what,
                    one=one,
                    other=other,
                )
        return phrase("not now")

    def make_move(self, move: str) -> Amazons:
        start, end, arrow = (self.geometry.number[name] for name in re.split("[-/]", move))
        after = self.end_turn(put_sign(move_sign(self.board, start, end), arrow, ARROW))
        return after if after._can_move() else after.lose_if_stuck()

    def _can_move(self) -> bool:
        """Whether an amazon of the side to move has an empty square beside it: the arrow can always
        fly to the square that the amazon left."""
        board, near, own = self.board, self.geometry.king, self.stones[self.side]
        return any(
            stone == own and any(board[there] == EMPTY for there in near[cell])
            for cell, stone in enumerate(board)
        )


@dataclass(frozen=True, slots=True)
class CrowdedAmazons(ManySides, Amazons):
    """A position for three or four, by the rules of Richard's PBeM Server: who cannot move is out
    for good.

    count  how many play
    left   the seats that are out, the first to leave first
    """

    kinds = MappingProxyType(
        {
            **all_sides("amazon"),
            ARROW: ("arrow", None),
        }
    )
    count: int = 4
    left: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedAmazons:
        size = int(options["size"])
        if size != FULL:
            raise OptionError(
                phrase("with {players} players the board has ten squares", players=players)
            )
        row, number = [EMPTY] * size**2, cached_grid(size, size).number
        for side, squares in enumerate(CROWDED[players]):
            for name in squares.split():
                row[number[name]] = SIGNS[side]
        return cls(options, "".join(row), count=players)

    def make_move(self, move: str) -> CrowdedAmazons:
        start, end, arrow = (self.geometry.number[name] for name in re.split("[-/]", move))
        after = self.end_turn(put_sign(move_sign(self.board, start, end), arrow, ARROW))
        return after.leave_out_stuck()

    def leave_out_stuck(self) -> CrowdedAmazons:
        """Return the position without seats on the move that cannot move, left out one after the
        other."""
        after, news = self, list[str]()
        while len(after.playing) > 1 and not after._can_move():
            stuck = after.side
            news.append(phrase("{colour} cannot move", colour=after.colour(stuck)))
            after = ManySides.remove(after, stuck)
        if len(after.playing) == 1:
            return after.win(after.side, news[-1]) if news else after
        return replace(after, news=tuple(news))

    def remove(self, seat: int) -> CrowdedAmazons:
        after = ManySides.remove(self, seat)
        return after.leave_out_stuck() if seat == self.side else after


GAMES = (
    two_player_game(
        Amazons,
        "amazons",
        "Amazons",
        ("white", "black"),
        "move an amazon, shoot an arrow; the last to move wins",
        HELP,
        Option("size", "choice", "squares along a side", "10", choices=("6", "8", "10")),
        family="blocking",
        is_decisive=True,
        crowd=CrowdedAmazons,
        crowds=(("white", "red", "black"), ("white", "red", "black", "blue")),
    ),
)
