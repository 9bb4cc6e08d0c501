"""Games of two sides whose moves are listed once for a position and looked up when one is played.

A move is legal when it is in the list; what is said of any other is the game's `fault`. It knows no
game, and of a board only that its cells have names."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeVar

from pbm.rules.families.two_player import EMPTY, STONES, Duel
from pbm.rules.game import IllegalMove, InvalidMove, MoveError
from pbm.rules.typed import quoted

CELL = re.compile(r"[a-z][0-9]{1,2}")
"""The name of a cell as it stands in a move."""
FROM_TO = re.compile(r"([a-z][0-9]{1,2})[-x]?([a-z][0-9]{1,2})")
"""The form of a move from one cell to another."""
L = TypeVar("L", bound="Listed")


class Surface(Protocol):
    """What such a game needs to know of its board."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells."""

    @property
    def number(self) -> Mapping[str, int]:
        """The numbers of the cells by name, those that do not exist left out."""


@dataclass(frozen=True, slots=True)
class Listed(Duel):
    """A moment of such a game."""

    form: ClassVar[re.Pattern[str]]
    """What a typed move looks like, blanks gone and in lower case."""
    listed: list[str] = field(default_factory=list, init=False, compare=False, repr=False)
    """The moves, once they have been asked for."""

    @property
    @abstractmethod
    def surface(self) -> Surface:
        """The board."""

    @abstractmethod
    def every(self) -> list[str]:
        """Every canonical move of the side on the move."""

    @abstractmethod
    def made(self: L, move: str) -> L:
        """The position after a legal move."""

    @abstractmethod
    def fault(self, move: str) -> str:
        """Why a move that is well formed and names cells of the board is not legal."""

    def spelled(self, found: re.Match[str]) -> str:
        """The canonical spelling of a typed move that has the form: its groups joined by `-`, the
        whole where it has none."""
        return "-".join(filter(None, found.groups())) or found[0]

    def crossed(self, found: re.Match[str]) -> str:
        """The same for a form of two groups, with `x` between them where a stone of the other side
        stands on the second cell."""
        taking = self.board[self.surface.number[found[2]]] == STONES[1 - self.side]
        return f"{found[1]}{'x' if taking else '-'}{found[2]}"

    def moves(self) -> Sequence[str]:
        if not self.listed:
            self.listed.extend(self.every())
        return self.listed

    def read(self, word: str) -> str:
        found = self.form.fullmatch(word)
        if not found:
            raise InvalidMove(f"{quoted(word)} is not a move; a move is like {self.example}")
        known = self.surface.number
        for name in CELL.findall(word):
            if name not in known:
                raise InvalidMove(f"{name} is not on the board: {self.extent}")
        return self.spelled(found)

    @property
    def extent(self) -> str:
        """Where the board ends, for refusals."""
        known = list(self.surface.number)
        return f"it goes from {known[0]} to {known[-1]}"

    def after(self: L, move: str) -> L:
        if move not in self.moves():
            raise self.refusal(move)
        return self.made(move)

    def refusal(self, move: str) -> MoveError:
        """Why a move that is not listed is refused."""
        spelled = self.read(move)
        if spelled != move:
            return InvalidMove(f"{quoted(move)} is written {spelled}")
        return IllegalMove(f"{move}: {self.fault(move)}")

    def or_stuck(self: L) -> L:
        """The same, or won by the other side when the side on the move has no move."""
        if self.moves():
            return self
        return self.reached(1 - self.side, f"{self.colour(self.side)} cannot move")

    def foreign(self, name: str) -> str:
        """Why the side on the move has nothing to move on a cell; "" when its stone is there."""
        sign = self.board[self.surface.number[name]]
        if sign == EMPTY:
            return f"{name} is empty"
        if sign == STONES[1 - self.side]:
            return f"the piece on {name} is {self.colour(1 - self.side)}'s, not yours"
        return "" if sign == STONES[self.side] else f"{name} is no piece"

    def taken(self, name: str) -> str:
        """Why nothing can be put on a cell; "" when it is empty."""
        return "" if self.board[self.surface.number[name]] == EMPTY else f"{name} is not empty"

    def cells_of(self, moves: Sequence[str]) -> set[int]:
        """The cells that moves name, for marking them."""
        number = self.surface.number
        return {number[name] for move in moves for name in CELL.findall(move) if name in number}
