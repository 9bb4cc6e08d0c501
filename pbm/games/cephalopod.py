"""Cephalopod by Mark Steere (2006): dice capture the dice beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from pbm.rules import AmbiguousMove, Option, OptionError, Value
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.scene import Panel, Piece, tally
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import CELL, MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import join_phrases, phrase
from pbm.rules.typed import listing

HELP = """\
CEPHALOPOD, 2 players, by Mark Steere (2006)

AIM. Own most of the dice when the board is full.

MOVES. The first player (X) begins. A move puts one of your dice on an empty
square.
  Nothing to capture: when no two or more of the dice beside the square (over
  an edge, of either colour) add up to six or less, your die shows one.
  Capture: otherwise you must capture two or more of the dice beside it that
  add up to six or less. They leave the board, and your die shows their sum.
You never have to choose a square where there is something to capture.

WRITING MOVES. The square, and after a colon the dice you capture. If there is
only one choice, or nothing to capture, the square alone is enough:
  > c3
  > c3:c2+b3

THE END. When the board is full, the player with more dice wins, whatever they
show. The number of squares is odd, so there are no draws. Resigning loses.
"""
DICE = {0: "ABCDEF", 1: "abcdef"}
"""The dice of each side by their numbers, 1 to 6."""
PIPS = {die: pips for dice in DICE.values() for pips, die in enumerate(dice, 1)} | {EMPTY: 7}


class DiceBoard(Grid):
    """A board with, for each square, all sets of two or more squares beside it and the notation of
    capturing them."""

    def __init__(self, width: int, height: int) -> None:
        Grid.__init__(self, width, height)
        self.sets = tuple(
            tuple(
                (some, self.spell(cell, some))
                for count in range(2, len(around) + 1)
                for some in combinations(sorted(around), count)
            )
            for cell, around in enumerate(self.orthogonal)
        )

    def spell(self, cell: int, dice: Sequence[int]) -> str:
        """Return the notation of putting a die on a square and capturing those dice."""
        return f"{self.names[cell]}:" + "+".join(self.names[die] for die in dice)


@cache
def dice_board(width: int, height: int) -> DiceBoard:
    """Return the board of that size."""
    return DiceBoard(width, height)


@dataclass(frozen=True, slots=True)
class Cephalopod(OnSquares, MoveListPosition):
    """A position of the game."""

    form = re.compile(r"([a-z][0-9]{1,2})((?:[:+x/]?[a-z][0-9]{1,2}){0,4})")

    layout = TextLayout(across=4, empty={"": " ."})

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Cephalopod:
        columns, rows = int(options["columns"]), int(options["rows"])
        for name, count in (("columns", columns), ("rows", rows)):
            if count % 2 == 0:
                raise OptionError(
                    phrase(
                        "{option} is an odd number, not {number}", option=f"-{name}", number=count
                    )
                )
        return cls(options, EMPTY * (columns * rows))

    @property
    def geometry(self) -> DiceBoard:
        return dice_board(int(self.options["columns"]), int(self.options["rows"]))

    def list_moves(self) -> list[str]:
        geometry = self.geometry
        pips, moves = [PIPS[die] for die in self.board], []
        for cell, die in enumerate(self.board):
            if die == EMPTY:
                captures = [
                    name for some, name in geometry.sets[cell] if sum([pips[n] for n in some]) <= 6
                ]
                moves += captures or [geometry.names[cell]]
        return moves

    def canonicalize(self, match: re.Match[str]) -> str:
        number = self.geometry.number
        dice = sorted(number[name] for name in CELL.findall(match[2]))
        if dice:
            return self.geometry.spell(number[match[1]], dice)
        choices = [move for move in self.moves() if move.startswith(match[1] + ":")]
        if len(choices) > 1:
            raise AmbiguousMove(
                phrase(
                    "{match} can capture in several ways: {choices}",
                    match=match[1],
                    choices=listing(choices, "or"),
                )
            )
        return choices[0] if choices else match[1]

    def find_fault(self, move: str) -> str:
        name, _, rest = move.partition(":")
        number, dice = self.geometry.number, CELL.findall(rest)
        if why := self.find_target_fault(name):
            return why
        for die in dice:
            if number[die] not in self.geometry.orthogonal[number[name]]:
                return phrase("{die} is not beside {name}", die=die, name=name)
            if self.board[number[die]] == EMPTY:
                return phrase("there is no die on {die}", die=die)
        if len(set(dice)) < len(dice):
            return phrase("a die is named twice")
        if not dice:
            return phrase("you must capture on that square")
        if len(dice) == 1:
            return phrase("you must capture two dice or more")
        total = sum(PIPS[self.board[number[die]]] for die in dice)
        return phrase("those dice add up to {total}, more than 6", total=total)

    def make_move(self, move: str) -> Cephalopod:
        name, _, rest = move.partition(":")
        number, row = self.geometry.number, list(self.board)
        shown, taken = 0, [number[die] for die in CELL.findall(rest)]
        for cell in taken:
            shown += PIPS[row[cell]]
            row[cell] = EMPTY
        row[number[name]] = DICE[self.side][max(shown, 1) - 1]
        board, side, turn = "".join(row), 1 - self.side, self.turn + 1
        news = self.tell_captured(taken)
        after = replace(self, board=board, side=side, turn=turn, news=news)
        if EMPTY in board:
            return after
        first, second = after._dice()
        return after.win(
            int(second > first),
            phrase("dice: first {first}, second {second}", first=first, second=second),
        )

    def _dice(self) -> tuple[int, int]:
        first = sum(die in DICE[0] for die in self.board)
        return first, len(self.board) - self.board.count(EMPTY) - first

    def scene_pieces(self) -> tuple[Piece, ...]:
        return tuple(
            Piece(name, "die", int(die in DICE[1]), label=str(PIPS[die]))
            for name, die in zip(self.geometry.names, self.board, strict=True)
            if die != EMPTY
        )

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("dice"), self.colours, self._dice()),)

    def sign(self, piece: Piece) -> str:
        return f"{STONES[piece.seat or 0]}{piece.label}"

    def note(self) -> str:
        return join_phrases("; ", (OnSquares.note(self), phrase("X3 is a die of X at 3")))


GAMES = (
    two_player_game(
        Cephalopod,
        "cephalopod",
        "Cephalopod",
        ("first", "second"),
        "put dice on a small board; they capture neighbours",
        HELP,
        Option("columns", "int", "squares in a row, an odd number", 5, low=3, high=9),
        Option("rows", "int", "rows, an odd number", 5, low=3, high=9),
        family="territory",
        is_decisive=True,
        length="short",
    ),
)
