"""The talk with an engine, as generators: each `yield` sends a text, perhaps an empty one, and gets
the next line that the engine prints."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pbm.rules import Game, Position

T = TypeVar("T")
Dialogue = Generator[str, str, T]
_PAWN = 200.0
"""Centipawns that are worth as much as the hyperbolic tangent of 1."""


class EngineError(Exception):
    """The engine said what the protocol does not allow; the text is for the operator."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard an engine tries about a move.

    skill    a level as the engine counts them; None for its best
    nodes    positions that it looks at; 0 for no such limit
    seconds  thinking time, where `nodes` does not limit it
    """

    skill: int | None = None
    nodes: int = 0
    seconds: float = 1.0


@dataclass(frozen=True)
class PlayedLine:
    """A game as far as it was played: its positions, the first and the present one included, and
    the moves between them, each with its seat."""

    positions: Sequence[Position]
    moves: Sequence[tuple[int, str]] = ()

    @cached_property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]

    @cached_property
    def seat(self) -> int:
        """The seat to move."""
        return min(self.position.to_move)


def replay(first: Position, moves: Iterable[tuple[int, str]]) -> PlayedLine:
    """Return the line that these moves make from a first position."""
    positions, played = [first], list(moves)
    for seat, move in played:
        positions.append(positions[-1].play(seat, move))
    return PlayedLine(positions, played)


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine thinks of a position: the moves of the seat to move, legal one after another,
    and what that seat gets if it is right, from 0 (loses) to 1 (wins); None if it did not say."""

    moves: tuple[str, ...]
    share: float | None = None


class Engine(ABC):
    """An engine as one protocol speaks to it. `games` are those that the translation covers."""

    games: frozenset[str] = frozenset()
    opens_socket = ""
    """What makes the program open a socket at {path} for the dialogue; "" where pipes serve."""

    def plays(self, game: Game) -> bool:
        """Whether the translation covers a game."""
        return game.info.name in self.games

    def write_files(self, first: Position) -> Mapping[str, str]:
        """Return the files that the program needs in its folder for a game, by name."""
        return {}

    @abstractmethod
    def greet(self, first: Position, effort: Effort) -> Dialogue[None]:
        """Make the engine ready for a game with that first position. EngineError if it cannot
        play it."""

    @abstractmethod
    def think(self, line: PlayedLine, effort: Effort) -> Dialogue[Thought]:
        """Have the engine choose a move. EngineError for an answer that is not one."""


def read_until(words: Iterable[str], text: str = "") -> Dialogue[list[str]]:
    """Send a text, then read lines up to the first that begins with one of the words."""
    wanted, lines = {*words}, [(yield text)]
    while not wanted.intersection(lines[-1].split()[:1]):
        lines.append((yield ""))
    return lines


def share_of_score(centipawns: float) -> float:
    """Return what a seat that is ahead by some hundredths of a pawn can expect, from 0 to 1."""
    return 0.5 + math.tanh(centipawns / _PAWN / 2) / 2


def find_move(spelled: Iterable[tuple[str, str]], answer: str) -> str:
    """Return the move whose spelling is the answer, of pairs of spelling and move. EngineError if
    it is none of them."""
    for spelling, move in spelled:
        if spelling == answer:
            return move
    raise EngineError(f"illegal move {answer[:40]!r}")
