"""A game that is over, as the acts and turns that an analysis judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbm.rules import CHANCE, Position

Act = tuple[int, str | None]
"""What happened in a game: a seat, CHANCE included, and its move; None if it left the game."""


class Turn(NamedTuple):
    """Moves of one seat without chance between them: the acts from `start` up to `end`."""

    start: int
    end: int


class Judgement(NamedTuple):
    """What a turn was worth to its player, from 0 (loses) to 1 (wins).

    best    the best turn, as its moves: those that were played if nothing better was found
    before  after the best turn
    after   after the turn that was played, never more
    """

    best: tuple[str, ...]
    before: float
    after: float

    @property
    def cost(self) -> float:
        """What the turn gave away."""
        return self.before - self.after


def retrace(first: Position, acts: Iterable[Act]) -> list[Position]:
    """Return the first position of a game, and the one after each act."""
    positions = [first]
    for seat, move in acts:
        position = positions[-1]
        positions.append(position.resign(seat) if move is None else position.play(seat, move))
    return positions


def list_turns(positions: Sequence[Position], acts: Sequence[Act]) -> list[Turn]:
    """Return the turns of a game, in order; one that chance interrupts counts as several."""
    turns: list[Turn] = []
    for number, (seat, move) in enumerate(acts):
        if seat == CHANCE or move is None:
            continue
        last = turns[-1] if turns else None
        if (
            last is not None
            and last.end == number
            and acts[last.start][0] == seat
            and positions[last.start].turn == positions[number].turn
        ):
            turns[-1] = Turn(last.start, number + 1)
        else:
            turns.append(Turn(number, number + 1))
    return turns


def get_played(acts: Sequence[Act], turn: Turn) -> tuple[str, ...]:
    """Return the moves of a turn."""
    return tuple(move for _, move in acts[turn.start : turn.end] if move is not None)
