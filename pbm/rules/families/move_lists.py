"""Games of two sides whose moves are listed once for a position and looked up when one is played.

A move is legal when it is in the list; what is said of any other is the game's `fault`. It knows no
game, and of a board only that its cells have names."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeVar

from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition
from pbm.rules.game import IllegalMove, InvalidMove, MoveError
from pbm.rules.typed import quoted

CELL = re.compile(r"[a-z][0-9]{1,2}")
"""The name of a cell as it stands in a move."""
FROM_TO = re.compile(r"([a-z][0-9]{1,2})[-x]?([a-z][0-9]{1,2})")
"""The form of a move from one cell to another."""
L = TypeVar("L", bound="MoveListPosition")


class Geometry(Protocol):
    """What such a game needs to know of its board."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells."""

    @property
    def number(self) -> Mapping[str, int]:
        """The numbers of the cells by name, those that do not exist left out."""


@dataclass(frozen=True, slots=True)
class MoveListPosition(TwoPlayerPosition):
    """A moment of such a game."""

    form: ClassVar[re.Pattern[str]]
    """What a typed move looks like, blanks gone and in lower case."""
    listed: list[str] = field(default_factory=list, init=False, compare=False, repr=False)
    """The moves, once they have been asked for."""

    @property
    @abstractmethod
    def geometry(self) -> Geometry:
        """The board."""

    @abstractmethod
    def list_moves(self) -> list[str]:
        """Every canonical move of the side on the move."""

    @abstractmethod
    def make_move(self: L, move: str) -> L:
        """The position after a legal move."""

    @abstractmethod
    def find_fault(self, move: str) -> str:
        """Why a move that is well formed and names cells of the board is not legal."""

    def canonicalize(self, match: re.Match[str]) -> str:
        """The canonical spelling of a typed move that has the form: its groups joined by `-`, the
        whole where it has none."""
        return "-".join(filter(None, match.groups())) or match[0]

    def canonicalize_capture(self, match: re.Match[str]) -> str:
        """The same for a form of two groups, with `x` between them where a stone of the other side
        stands on the second cell."""
        taking = self.board[self.geometry.number[match[2]]] == STONES[1 - self.side]
        return f"{match[1]}{'x' if taking else '-'}{match[2]}"

    def moves(self) -> Sequence[str]:
        if not self.listed:
            self.listed.extend(self.list_moves())
        return self.listed

    def read(self, word: str) -> str:
        match = self.form.fullmatch(word)
        if not match:
            raise InvalidMove(f"{quoted(word)} is not a move; a move is like {self.example}")
        numbers = self.geometry.number
        for name in CELL.findall(word):
            if name not in numbers:
                raise InvalidMove(f"{name} is not on the board: {self.extent}")
        return self.canonicalize(match)

    @property
    def extent(self) -> str:
        """Where the board ends, for refusals."""
        names = list(self.geometry.number)
        return f"it goes from {names[0]} to {names[-1]}"

    def advance(self: L, move: str) -> L:
        if move not in self.moves():
            raise self.build_refusal(move)
        return self.make_move(move)

    def build_refusal(self, move: str) -> MoveError:
        """Why a move that is not listed is refused."""
        spelled = self.read(move)
        if spelled != move:
            return InvalidMove(f"{quoted(move)} is written {spelled}")
        return IllegalMove(f"{move}: {self.find_fault(move)}")

    def lose_if_stuck(self: L) -> L:
        """The same, or won by the other side when the side on the move has no move."""
        if self.moves():
            return self
        return self.win_by_goal(1 - self.side, f"{self.colour(self.side)} cannot move")

    def find_source_fault(self, name: str) -> str:
        """Why the side on the move has nothing to move on a cell; "" when its stone is there."""
        sign = self.board[self.geometry.number[name]]
        if sign == EMPTY:
            return f"{name} is empty"
        if sign == STONES[1 - self.side]:
            return f"the piece on {name} is {self.colour(1 - self.side)}'s, not yours"
        return "" if sign == STONES[self.side] else f"{name} is no piece"

    def find_target_fault(self, name: str) -> str:
        """Why nothing can be put on a cell; "" when it is empty."""
        return "" if self.board[self.geometry.number[name]] == EMPTY else f"{name} is not empty"

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        """The cells that moves name, for marking them."""
        number = self.geometry.number
        return {number[name] for move in moves for name in CELL.findall(move) if name in number}
