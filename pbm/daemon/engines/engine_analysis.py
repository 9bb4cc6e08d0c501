"""What an engine thinks of the positions and turns of a game that is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pbm.bots.analysis.played_turns import Act, Judgement, Turn, get_played
from pbm.bots.simple import shares
from pbm.daemon.engines.engine_turns import EngineTalk, open_engine
from pbm.engines.dialogue import EngineError, Line, Thought
from pbm.rules import Position

PROTOCOLS = frozenset({"uci", "usi", "ucci"})
"""Those in which an engine says what it expects, after any time that it is given."""


class EngineAnalyst:
    """A running engine that looks at one game. Every failure is an EngineError."""

    def __init__(
        self, talk: EngineTalk, positions: Sequence[Position], acts: Sequence[Act]
    ) -> None:
        self._talk = talk
        self._positions = positions
        self._acts = acts

    @classmethod
    @contextmanager
    def open(
        cls, spec: Mapping[str, Any], positions: Sequence[Position], acts: Sequence[Act]
    ) -> Iterator[EngineAnalyst]:
        """Open the analyst of a game, with an engine that ends with it."""
        with open_engine(spec, positions[0]) as talk:
            yield cls(talk, positions, acts)

    def assess(self, place: int) -> tuple[float, ...]:
        """Return what each of the two seats gets in the position after so many acts, from 0 to
        1."""
        outcome = self._positions[place].outcome
        if outcome is not None:
            return shares(outcome)
        line, _, share = self._think(place)
        return (1 - share, share) if line.seat else (share, 1 - share)

    def judge(self, turn: Turn) -> Judgement:
        """Return what it thinks of a turn."""
        played, seat = get_played(self._acts, turn), self._acts[turn.start][0]
        _, thought, before = self._think(turn.start)
        after = before if thought.moves == played else self.assess(turn.end)[seat]
        if after >= before:
            return Judgement(played, after, after)
        return Judgement(thought.moves, before, after)

    def _think(self, place: int) -> tuple[Line, Thought, float]:
        """Return the game up to a position, what it thinks there, and what the seat to move
        gets."""
        moves = [(seat, move) for seat, move in self._acts[:place] if move is not None]
        line = Line(self._positions[: place + 1], moves)
        thought = self._talk.think(line)
        if thought.share is None:
            raise EngineError("it does not say what it expects")
        return line, thought, thought.share
