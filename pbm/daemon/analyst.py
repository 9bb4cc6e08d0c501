"""Analyses boards that are over, in the process in which bots think, while nobody else needs it.

What waits is a queue in the database. Work is done in steps of a few seconds, so that a bot whose
turn it is need not wait long; what was begun when a daemon ends is begun anew by the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import structlog
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import DBAPIError

from pbm.bots.analysis.plan import Act, Judgement, Step, Turn, get_played
from pbm.bots.simple import shares
from pbm.config import Config
from pbm.core.notices import Notice
from pbm.core.storing import Unplayable
from pbm.core.submit import CommandService, Submission
from pbm.daemon.engine_process import EngineSpec, EngineTalk, describe_engine, open_engine
from pbm.daemon.processes import HelperProcess
from pbm.engines.dialogue import Effort, EngineError, PlayedLine, Thought
from pbm.engines.setup import EnginePlayer
from pbm.features.analysis import commands as analyses
from pbm.features.analysis import queue as analysis_queue
from pbm.features.analysis.commands import AnalysedBoard
from pbm.features.analysis.views import Analysis
from pbm.rules import Position
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.migrate import SchemaError
from pbm.store.transaction import Session

T = TypeVar("T")
log = structlog.get_logger()
_SLOWEST, _GRACE = 40.0, 300.0
"""A process that takes longer than these times the usual time, and these seconds, is killed, and
the board is not analysed: a partial search would mislead."""
_RENEWED = 60.0
"""Seconds after which a claim is renewed."""


class AnalysisRequest(Struct, frozen=True, tag="analysis"):
    """Positions `at` acts of a game to be assessed, and turns to be judged, each with the given
    seconds of work; by an engine if one is named. `variants` as in TurnRequest."""

    game: str
    first: str
    acts: Sequence[Act]
    at: Sequence[int]
    turns: Sequence[Turn]
    seconds: float
    engine: EngineSpec | None = None
    variants: tuple[str, ...] = ()


class AnalysisAnswer(Struct, frozen=True):
    """Each seat's chances in each position, and the value of each turn; or the error."""

    shares: Sequence[tuple[float, ...]] = ()
    judgements: Sequence[Judgement] = ()
    fault: str = ""


class Analyst:
    """Works on one board at a time. `done` is called when there is mail to send."""

    def __init__(
        self,
        config: Config,
        store: Store,
        writer: CommitThread,
        service: CommandService,
        clock: Callable[[], float],
        done: Callable[[], object],
        thinker: HelperProcess,
        stopping: threading.Event,
    ) -> None:
        self._config = config
        self._store = store
        self._writer = writer
        self._service = service
        self._clock = clock
        self._done = done
        self._thinker = thinker
        self._stopping = stopping
        self._subject: AnalysedBoard | None = None
        self._engine: EnginePlayer | None = None
        self._claimed = 0.0

    def work(self) -> bool:
        """Do one step of an analysis. Return whether there was one to do."""
        if self._subject is None and not self._take_next():
            return False
        subject = self._subject
        if subject is None:
            return True
        try:
            self._go_on(subject)
        except (DBAPIError, SchemaError):
            raise  # not the board's fault: it is tried again
        except Exception as error:
            log.error("analysis failed", board=subject.board, exc_info=error)
            self._finish(subject.board, subject.number, None)
        return True

    def _go_on(self, subject: AnalysedBoard) -> None:
        step = subject.plan.find_next_step()
        if step is None:
            by = self._engine.userid if self._engine is not None else ""
            self._finish(subject.board, subject.number, analyses.summarize(subject, by))
            return
        answer = self._ask(subject, step)
        if self._stopping.is_set():
            return
        if answer is None or answer.fault:
            self._start_again(subject, "no answer" if answer is None else answer.fault)
            return
        subject.plan.note(step, answer.shares, answer.judgements)
        self._keep_claim(subject)

    def give_up(self) -> None:
        """Release the claim, for another daemon or the next start."""
        subject, self._subject = self._subject, None
        if subject is not None:
            self._write(lambda s: analysis_queue.keep_analysis(s, subject.board, None))

    def end(self) -> None:
        """End the process, and release the claim."""
        self._thinker.end()
        self.give_up()

    def _take_next(self) -> bool:
        """Claim the analysis that has waited longest. Return whether there is one. One that cannot
        be done is finished at once."""
        now = self._clock()
        with self._store.reading() as session:
            row = analysis_queue.find_next_analysis(session, now)
        if row is None:
            return False
        board, number = row.board_id, row.number
        if not self._write(lambda s: analysis_queue.claim_analysis(s, board, number, now)):
            return True
        self._claimed = now
        self._engine = None
        try:
            with self._store.reading() as session:
                subject = analyses.open_subject(
                    session, board, number, self._config.bots.analysis_seconds, now
                )
        except (DBAPIError, SchemaError):
            raise
        except Unplayable:
            subject = None
        except Exception as error:
            log.error("analysis failed", board=board, exc_info=error)
            subject = None
        if subject is None:
            self._finish(board, number, None)
            return True
        self._subject, self._engine = subject, self._find_engine(subject.game)
        return True

    def _find_engine(self, game: str) -> EnginePlayer | None:
        """Return the strongest level of the first engine that plays a game and reports
        evaluations."""
        for setup in self._config.bots.engine:
            if game in setup.games and setup.protocol in PROTOCOLS:
                return [*setup.list_players()][-1]
        return None

    def _ask(self, subject: AnalysedBoard, step: Step) -> AnalysisAnswer | None:
        """Return the process's answer to a step; None when it is late. An engine plays at full
        strength, and thinks as long as the step allows; a turn takes two searches."""
        count = len(step.at) + len(step.turns)
        patience = _SLOWEST * count * step.seconds + _GRACE
        engine = None
        if self._engine is not None:
            seconds = step.seconds / 2 if step.turns else step.seconds
            spec = describe_engine(self._engine, seconds)
            engine = replace(spec, effort=Effort(seconds=seconds))
            patience += spec.limit_seconds
        request = AnalysisRequest(
            *(subject.game, subject.first, subject.acts, step.at, step.turns, step.seconds),
            engine,
            tuple(self._config.games.variants),
        )
        return self._thinker.ask(request, AnalysisAnswer, patience)

    def _start_again(self, subject: AnalysedBoard, fault: str) -> None:
        """Continue with the search in place of an engine that failed; give up without one."""
        engine, self._engine, self._subject = self._engine, None, None
        log.error(
            "analysis failed",
            board=subject.board,
            engine=engine.userid if engine is not None else "",
            fault=fault,
        )
        if engine is None:
            self._finish(subject.board, subject.number, None)
            return
        with self._store.reading() as session:
            self._subject = analyses.open_subject(
                session,
                subject.board,
                subject.number,
                self._config.bots.analysis_seconds,
                self._clock(),
            )

    def _keep_claim(self, subject: AnalysedBoard) -> None:
        now = self._clock()
        if abs(now - self._claimed) > _RENEWED:
            self._claimed = now
            self._write(lambda s: analysis_queue.keep_analysis(s, subject.board, now))

    def _finish(self, board: int, number: int, analysis: Analysis | None) -> None:
        """Store the result and mail it to everybody who asked."""
        self._subject = None
        now = self._clock()

        def write(session: Session) -> None:
            def finish(session: Session) -> Sequence[Notice]:
                return analyses.finish(session, board, number, analysis, now)

            self._service.submit(session, Submission((finish,), now), now)

        self._write(write)
        self._done()

    def _write(self, job: Callable[[Session], T]) -> T:
        return self._writer.submit(job).result()


# What an engine thinks of the positions and turns of a game that is over.

PROTOCOLS = frozenset({"uci", "usi", "ucci"})
"""Protocols in which an engine reports evaluations within any given time."""


class EngineAnalyst:
    """A running engine that analyses one game. Every failure is an EngineError."""

    def __init__(
        self, talk: EngineTalk, positions: Sequence[Position], acts: Sequence[Act]
    ) -> None:
        self._talk = talk
        self._positions = positions
        self._acts = acts

    @classmethod
    @contextmanager
    def open(
        cls, spec: EngineSpec, positions: Sequence[Position], acts: Sequence[Act]
    ) -> Iterator[EngineAnalyst]:
        """Start the engine for a game; it is ended on exit."""
        with open_engine(spec, positions[0]) as talk:
            yield cls(talk, positions, acts)

    def assess(self, place: int) -> tuple[float, ...]:
        """Return the chances of the two seats, from 0 to 1, in the position after `at` acts."""
        outcome = self._positions[place].outcome
        if outcome is not None:
            return shares(outcome)
        line, _, share = self._think(place)
        return (1 - share, share) if line.seat else (share, 1 - share)

    def judge(self, turn: Turn) -> Judgement:
        """Return the engine's judgement of a turn."""
        played, seat = get_played(self._acts, turn), self._acts[turn.start][0]
        _, thought, before = self._think(turn.start)
        after = before if thought.moves == played else self.assess(turn.end)[seat]
        if after >= before:
            return Judgement(played, after, after)
        return Judgement(thought.moves, before, after)

    def _think(self, place: int) -> tuple[PlayedLine, Thought, float]:
        """Return the game up to a position, the engine's result there, and the chances of the seat
        to move."""
        moves = [(seat, move) for seat, move in self._acts[:place] if move is not None]
        line = PlayedLine(self._positions[: place + 1], moves)
        thought = self._talk.think(line)
        if thought.share is None:
            raise EngineError("it does not say what it expects")
        return line, thought, thought.share
