"""Five and Pairs, also known as Pente (a trademark of Hasbro): five in a row, or five captured
pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbm.rules import IllegalMove, Option
from pbm.rules.boards.stone_groups import clear_cells
from pbm.rules.drawing.grid_scene import CROSSINGS
from pbm.rules.drawing.scene import Panel, tally
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.placement import PlacementPosition, row_lengths
from pbm.rules.families.two_player import STONES, two_player_game
from pbm.rules.phrases import combine, phrase

HELP = """\
FIVE AND PAIRS, 2 players; also known as Pente

AIM. Get five or more of your stones in an unbroken row (horizontal, vertical
or diagonal), or capture ten stones.

MOVES. White (X) begins, in the centre of the board. Players take turns
putting a stone on an empty point, named by column and row; a1 is at the
bottom left. If your stone encloses a pair of opposing stones between itself
and another stone of yours, in a straight line without a gap, the pair is
captured: both leave the board, and their points are free again. One stone may
capture several pairs. It is safe to put a stone between two opposing ones:
only the player who moves captures. Three stones in a line are not captured,
but see the option keryo.

WRITING MOVES. The point:
  > k10
  > L11

THE END. A row of five, or the tenth captured stone (keryo: fifteenth), wins
at once. A full board without either is a draw. Resigning loses.
"""


@dataclass(frozen=True, slots=True)
class FivePairsPosition(OnSquares, PlacementPosition):
    """A position of Five and Pairs; `taken` counts the stones that each side has captured."""

    moves_once = True
    look = CROSSINGS
    taken: tuple[int, int] = (0, 0)

    def _opening_fault(self, cell: int) -> str:
        """Return why the opening rules forbid a cell; "" if they do not."""
        grid, middle = self.geometry, self.geometry.width // 2
        away = max(abs(part - middle) for part in divmod(cell, grid.width))
        if self.turn == 0 and away:
            centre = grid.names[middle * (grid.width + 1)]
            return phrase("the first stone goes to the centre, {cell}", cell=centre)
        if self.turn == 2 and self.options["tournament"] and away < 3:
            return phrase("white's second stone must be three lines or more away from the centre")
        return ""

    def moves(self) -> Sequence[str]:
        names, number = PlacementPosition.moves(self), self.geometry.number
        free = self.turn not in (0, 2)
        return names if free else [name for name in names if not self._opening_fault(number[name])]

    is_read_as_sgf = True

    def place(self, cell: int) -> FivePairsPosition:
        if self.turn in (0, 2) and (why := self._opening_fault(cell)):
            raise IllegalMove(combine("{name}: {why}", name=self.geometry.names[cell], why=why))
        following, side, grid = self.put_stone(cell), self.side, self.geometry
        if caught := self._captured(cell):
            count = self.taken[side] + len(caught)
            taken = (self.taken[0], count) if side else (count, self.taken[1])
            board = clear_cells(following.board, caught)
            following = replace(
                following, board=board, taken=taken, news=self.tell_captured(caught)
            )
        if max(row_lengths(following.board, cell, grid.axes)) >= 5:
            return following.win(
                side, phrase("five in a row for {colour}", colour=self.colour(side))
            )
        if (count := following.taken[side]) >= (15 if self.options["keryo"] else 10):
            return following.win(
                side,
                phrase(
                    "{number} captured stones for {colour}", number=count, colour=self.colour(side)
                ),
            )
        return following.draw_if_full()

    def _captured(self, cell: int) -> list[int]:
        """Return the stones captured by a stone of the side to move put on `cell`."""
        board, own, other = self.board, STONES[self.side], STONES[1 - self.side]
        return [
            caught
            for ray in self.geometry.rays[cell]
            for count in ((2, 3) if self.options["keryo"] else (2,))
            if len(ray) > count and board[ray[count]] == own
            if all(board[there] == other for there in ray[:count])
            for caught in ray[:count]
        ]

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("captured"), self.colours, self.taken, "stone"),)

    @property
    def remark(self) -> str:
        white, black = self.taken
        return phrase("captured stones: white {white}, black {black}", white=white, black=black)


GAMES = (
    two_player_game(
        FivePairsPosition,
        "fivepairs",
        "Five and Pairs",
        ("white", "black"),
        "five in a row, or five captured pairs (Pente)",
        HELP,
        Option(
            "size",
            "int",
            "rows and columns; an even board has its centre up and right",
            default=19,
            low=9,
            high=19,
        ),
        Option("tournament", "flag", "white's second stone is three lines or more from the centre"),
        Option("keryo", "flag", "three stones in a line are captured too, and fifteen stones win"),
        aliases=("pente",),
        family="lines",
    ),
)
