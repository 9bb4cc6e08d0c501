"""Two-player games that list their legal moves once per position and look up the move played.

A move is legal if it is in the list; for any other move the game's `find_fault` gives the
reason."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeVar

from pbm.rules.errors import IllegalMove, InvalidMove, MoveError
from pbm.rules.families.two_player import EMPTY, STONES, TwoPlayerPosition
from pbm.rules.phrases import combine, phrase
from pbm.rules.typed import quoted

CELL = re.compile(r"[a-z][0-9]{1,2}")
"""The name of a cell in a move."""
FROM_TO = re.compile(r"([a-z][0-9]{1,2})[-x]?([a-z][0-9]{1,2})")
"""The form of a typed move from one cell to another."""
L = TypeVar("L", bound="MoveListPosition")


class Geometry(Protocol):
    """The properties of the board that such a game needs."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all cells."""

    @property
    def number(self) -> Mapping[str, int]:
        """The number of each cell by name, without cells that do not exist."""


@dataclass(frozen=True, slots=True)
class MoveListPosition(TwoPlayerPosition):
    """A position of such a game."""

    form: ClassVar[re.Pattern[str]]
    """The form of a typed move without blanks, in lower case."""
    _moves: list[str] = field(default_factory=list, init=False, compare=False, repr=False)
    """The cached list of moves, filled on first use."""

    @property
    @abstractmethod
    def geometry(self) -> Geometry:
        """The geometry of the board."""

    @abstractmethod
    def list_moves(self) -> list[str]:
        """Return every canonical move of the side on the move."""

    @abstractmethod
    def make_move(self: L, move: str) -> L:
        """Return the position after a legal move."""

    @abstractmethod
    def find_fault(self, move: str) -> str:
        """Return why a well-formed move between existing cells is illegal."""

    def canonicalize(self, match: re.Match[str]) -> str:
        """Return the canonical form of a typed move that matches `form`: its groups joined by `-`,
        or the whole match if it has no groups."""
        return "-".join(filter(None, match.groups())) or match[0]

    def canonicalize_capture(self, match: re.Match[str]) -> str:
        """Return the canonical form of a typed move of two groups, with `x` between them if the
        second cell holds a stone of the other side."""
        taking = self.board[self.geometry.number[match[2]]] == STONES[1 - self.side]
        return f"{match[1]}{'x' if taking else '-'}{match[2]}"

    def moves(self) -> Sequence[str]:
        if not self._moves:
            self._moves.extend(self.list_moves())
        return self._moves

    def read(self, word: str) -> str:
        match = self.form.fullmatch(word)
        if not match:
            raise InvalidMove(
                phrase(
                    "{word} is not a move; a move looks like {example}",
                    word=quoted(word),
                    example=self.example,
                )
            )
        numbers = self.geometry.number
        for name in CELL.findall(word):
            if name not in numbers:
                raise InvalidMove(
                    phrase("{name} is not on the board: {extent}", name=name, extent=self.extent)
                )
        return self.canonicalize(match)

    @property
    def extent(self) -> str:
        """The limits of the board, for refusals."""
        names = list(self.geometry.number)
        return phrase("it runs from {name} to {name_2}", name=names[0], name_2=names[-1])

    def advance(self: L, move: str) -> L:
        if move not in self.moves():
            raise self.build_refusal(move)
        return self.make_move(move)

    def build_refusal(self, move: str) -> MoveError:
        """Return why a move that is not in the list is refused."""
        canonical = self.read(move)
        if canonical != move:
            return InvalidMove(
                phrase("{move} is written {canonical}", move=quoted(move), canonical=canonical)
            )
        return IllegalMove(combine("{move}: {fault}", move=move, fault=self.find_fault(move)))

    def lose_if_stuck(self: L) -> L:
        """Return the position, lost by the side to move if it has no move."""
        if self.moves():
            return self
        return self.win_by_goal(
            1 - self.side, phrase("{colour} cannot move", colour=self.colour(self.side))
        )

    def find_source_fault(self, name: str) -> str:
        """Return why the side to move has nothing to move on a cell; "" if its stone is there."""
        sign = self.board[self.geometry.number[name]]
        if sign == EMPTY:
            return phrase("{name} is empty", name=name)
        if sign == self.stones[self.side]:
            return ""
        if sign in self.stones:
            return phrase(
                "the piece on {name} is {colour}'s, not yours",
                name=name,
                colour=self.colour(self.stones.index(sign)),
            )
        return phrase("{name} is no piece", name=name)

    def find_target_fault(self, name: str) -> str:
        """Return why nothing can be put on a cell; "" if it is empty."""
        return (
            ""
            if self.board[self.geometry.number[name]] == EMPTY
            else phrase("{name} is not empty", name=name)
        )

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        """Return the cells named in moves, for marking them."""
        number = self.geometry.number
        return {number[name] for move in moves for name in CELL.findall(move) if name in number}
