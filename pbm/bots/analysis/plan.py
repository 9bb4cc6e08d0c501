"""How the time for the analysis of a game is spent: every position is assessed, then the turns
after which their players had lost most are judged, and those that cost most are the result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
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


_SUSPECTS = 8
"""Turns that are judged."""
_SHOWN = 3
_LEAST_COST = 0.04
"""What a turn must have cost to be shown: less may be chance."""
_LONGEST = 3.0
"""Seconds of a step."""


class Step(NamedTuple):
    """What is to be done next: positions to assess and turns to judge, each with the work of so
    many seconds."""

    at: Sequence[int]
    turns: Sequence[Turn]
    seconds: float


class AnalysisPlan:
    """The analysis of one game in steps of a few seconds, with the work of `seconds` in all. The
    turns that begin at an act in `withheld` are not judged."""

    def __init__(
        self,
        positions: Sequence[Position],
        acts: Sequence[Act],
        seconds: float,
        withheld: Collection[int] = (),
    ) -> None:
        self._acts = acts
        self._seconds = seconds / 2
        self.turns = list_turns(positions, acts)
        self._judged = [turn for turn in self.turns if turn.start not in withheld]
        self._places = sorted({place for turn in self.turns for place in turn})
        self.shares: dict[int, Sequence[float]] = {}
        self._judgements: dict[Turn, Judgement] = {}

    def find_next_step(self) -> Step | None:
        """Return what is to be done next; None when all is done."""
        if places := [place for place in self._places if place not in self.shares]:
            seconds = min(self._seconds / len(self._places), _LONGEST)
            return Step(places[: max(1, int(_LONGEST / seconds))], (), seconds)
        suspects = self._list_suspects()
        if turns := [turn for turn in suspects if turn not in self._judgements]:
            seconds = min(self._seconds / len(suspects), _LONGEST)
            return Step((), turns[: max(1, int(_LONGEST / seconds))], seconds)
        return None

    def note(
        self, step: Step, shares: Sequence[Sequence[float]], judgements: Sequence[Judgement]
    ) -> None:
        """Note what came of a step."""
        self.shares.update(zip(step.at, shares, strict=True))
        self._judgements.update(zip(step.turns, judgements, strict=True))

    def _list_suspects(self) -> list[Turn]:
        def find_loss(turn: Turn) -> float:
            seat = self._acts[turn.start][0]
            return self.shares[turn.start][seat] - self.shares[turn.end][seat]

        return sorted(self._judged, key=find_loss, reverse=True)[:_SUSPECTS]

    def list_worst(self) -> list[tuple[Turn, Judgement]]:
        """Return the turns that cost most, that which cost most first."""
        costly = sorted(self._judgements.items(), key=lambda pair: -pair[1].cost)
        return list(islice((pair for pair in costly if pair[1].cost >= _LEAST_COST), _SHOWN))

    def count_withheld(self) -> int:
        """Return how many turns were not to be judged."""
        return len(self.turns) - len(self._judged)
