"""Games of discs that outflank and turn over others: flips, passing, counting, the record.

Bitboards find the moves, rays of the grid find the discs that turn over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

from pbm.rules.boards.bitboards import mask_of, select
from pbm.rules.boards.goban import NamedGrid, top_down
from pbm.rules.drawing.scene import Panel, both_sides, tally
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES
from pbm.rules.formats import sgf
from pbm.rules.options import Option, Value
from pbm.rules.outcome import Played
from pbm.rules.phrases import combine, phrase

PAGE = """\
{title}, {players} players

AIM. Have more discs of your colour than your opponent when nobody can move.

MOVES. Black begins{start}.
A move puts a disc of your colour on an empty
square so that it outflanks at least one opposing disc: in one or more of the
eight directions a straight unbroken row of opposing discs lies between the
new disc and another of yours. All discs that the new one outflanks are turned
over, in every direction; those turned over outflank nothing themselves.

PASSING. A player who cannot outflank anything is skipped, without having to
send a mail; a player who can must move. There is no move "pass".

{crowd}WRITING MOVES. The square; row 1 is the top one:
  > {example}

THE END. When neither side can outflank anything (the board full, one colour
gone, or both stuck) the discs are counted. Empty squares count for nobody.
More discs win, equal numbers are a draw. Resigning loses.
"""
OPTIONS = (
    Option("size", "choice", "squares along a side", "8", choices=("6", "8", "10", "12")),
    Option("misere", "flag", "fewer discs win"),
)


class OutflankingBoard(NamedGrid):
    """A board with the tables that its bitboards need."""

    def __init__(self, size: int) -> None:
        plain = top_down(size, size)
        NamedGrid.__init__(self, plain.columns, plain.rows)
        self.full = (1 << size * size) - 1
        inner = sum(
            1 << row * size + column for row in range(size) for column in range(1, size - 1)
        )
        # (distance, cells that may lie between): the first cell is the highest bit.
        self.ways = ((1, inner), (size, self.full), (size + 1, inner), (size - 1, inner))
        self.span = range(size - 3)

    def outflanking(self, own: int, other: int) -> int:
        """Return the empty cells on which a disc of `own` outflanks discs of `other`."""
        targets = 0
        for step, between in self.ways:
            some = other & between
            up, down = (own << step) & some, (own >> step) & some
            for _ in self.span:
                up |= (up << step) & some
                down |= (down >> step) & some
            targets |= up << step | down >> step
        return targets & self.full & ~(own | other)

    def outflanked(self, board: str, cell: int, own: str) -> list[int]:
        """Return the cells of the discs that a disc on `cell` turns over."""
        turned: list[int] = []
        for ray in self.rays[cell]:
            row: list[int] = []
            for there in ray:
                if board[there] == EMPTY:
                    break
                if board[there] == own:
                    turned += row
                    break
                row.append(there)
        return turned


@cache
def outflanking_board(size: int) -> OutflankingBoard:
    """Return the board of that size."""
    return OutflankingBoard(size)


@dataclass(frozen=True, slots=True)
class OutflankingPosition(OnSquares, MoveListPosition):
    """A position of such a game; `start` are the discs in the middle at the start, from the lower
    left."""

    start: ClassVar[str] = EMPTY * 4
    ground = "felt"

    form = re.compile(r"[a-z][0-9]{1,2}")
    kinds = both_sides("disc")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> OutflankingPosition:
        geometry = outflanking_board(int(options["size"]))
        row = dict(zip(geometry.middle, cls.start, strict=True))
        return cls(options, "".join(row.get(cell, EMPTY) for cell in range(len(geometry))))

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in SGF."""
        grid = outflanking_board(int(played.options["size"]))
        setup = sgf.setup_of(grid, cls.initial(played.options).board)
        turns = [("BW"[seat], sgf.point_on(grid, move)) for seat, move in played.moves]
        return sgf.sgf(sgf.OTHELLO, grid.width, turns, played, setup=setup)

    @property
    def geometry(self) -> OutflankingBoard:
        return outflanking_board(int(self.options["size"]))

    @property
    def opening(self) -> list[int]:
        """The middle squares that must be filled before any other."""
        return [cell for cell in self.geometry.middle if self.board[cell] == EMPTY]

    def list_moves(self) -> list[str]:
        geometry = self.geometry
        if middle := self.opening:
            return [geometry.names[cell] for cell in middle]
        own, other = STONES[self.side], STONES[1 - self.side]
        mask = geometry.outflanking(mask_of(self.board, own), mask_of(self.board, other))
        return select(geometry.names, mask)

    def find_fault(self, move: str) -> str:
        if why := self.find_target_fault(move):
            return why
        if self.opening:
            return phrase("the first four discs go on the four middle squares")
        return phrase("a {colour} disc there outflanks nothing", colour=self.colour(self.side))

    def make_move(self, move: str) -> OutflankingPosition:
        geometry, own = self.geometry, STONES[self.side]
        cell = geometry.number[move]
        row = list(self.board)
        turned = [] if self.opening else geometry.outflanked(self.board, cell, own)
        for there in (cell, *turned):
            row[there] = own
        board, news = "".join(row), self.tell_turned(turned)
        after = replace(self, board=board, side=1 - self.side, turn=self.turn + 1, news=news)
        if after.moves():
            return after
        again = replace(after, side=self.side)
        if again.moves():
            return replace(
                again,
                news=(
                    *news,
                    phrase(
                        "{colour} cannot move and is skipped", colour=self.colour(1 - self.side)
                    ),
                ),
            )
        return after._end_by_count()

    def _end_by_count(self) -> OutflankingPosition:
        black, white = (self.board.count(stone) for stone in STONES)
        reason = combine(
            "{first} {black}, {second} {white}",
            first=self.colour(0),
            black=black,
            second=self.colour(1),
            white=white,
        )
        if black == white:
            return self.end_in_draw(reason)
        fewer = bool(self.options["misere"])
        if fewer:
            reason = phrase("{count}, fewer discs win", count=reason)
        return self.win(int((white > black) != fewer), reason)

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("discs"), self.colours, self.counts()),)

    @property
    def remark(self) -> str:
        black, white = self.counts()
        return phrase("discs: black {black}, white {white}", black=black, white=white)
