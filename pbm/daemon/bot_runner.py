"""The bots of a running server: a thread finds boards where a bot is to move, has a process of its
own think, and submits the move as a command. While no bot is to move, boards that are over are
analysed there.

The process runs only while boards wait. What a bot may do is decided in
`pbm.core.house_players`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog
from msgspec.structs import replace
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core import house_players as bot_players
from pbm.core.command import Command
from pbm.core.house_players import CLAIM, BotBoard, BotQuestion
from pbm.core.storing import Unplayable
from pbm.core.submit import CommandService, Submission, send_unless_refused
from pbm.daemon.analyst import Analyst
from pbm.daemon.engine_process import EngineSpec, TurnAnswer, TurnRequest, describe_engine
from pbm.daemon.processes import HelperProcess
from pbm.logs import Outage
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.migrate import SchemaError
from pbm.store.transaction import Session

log = structlog.get_logger()
_MOST = 50
_IDLE = 2.0
"""Seconds between looks at the database when nothing wakes the thread."""
_REST = 0.2
"""Least seconds between two looks at the database."""
_KEEP = 20.0
"""Seconds until an idle process is ended."""
_PATIENCE = 5.0
"""Seconds that `stop` waits for the thread."""
_GRACE = 60.0
"""Seconds beyond its time after which a process is killed."""
_SUBSTITUTE = "mcts"
"""The bot that replaces a failing engine."""
_LAST_RESORT = "random"
"""The bot that replaces one that does not answer, or lacks memory."""
_FAILURES = 3
"""Failures in a row after which an engine rests."""
_REST_OF_ENGINE = 600.0
"""Seconds for which a failing engine rests."""
_NO_ANSWER = "no answer"


class BotRunner:
    """The thread. `done` is called when there is mail to send."""

    def __init__(
        self,
        config: Config,
        store: Store,
        writer: CommitThread,
        service: CommandService,
        clock: Callable[[], float],
        done: Callable[[], object],
    ) -> None:
        self._config = config
        self._store = store
        self._writer = writer
        self._service = service
        self._clock = clock
        self._done = done
        self._thinker = HelperProcess("pbm.daemon.bot_process")
        self._stuck: dict[int, tuple[int, str]] = {}
        self._failures: dict[str, tuple[int, float]] = {}
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._analyst = Analyst(
            config, store, writer, service, clock, done, self._thinker, self._stopping
        )
        self._thread = threading.Thread(target=self._run, name="bot runner", daemon=True)

    def start(self) -> None:
        """Create the bots' accounts and start the thread."""
        engines = self._config.bots.list_engine_players()
        with self._store.writing() as session:
            taken = bot_players.enrol(session, self._clock(), engines)
        for userid in taken:
            log.error("userid of an engine belongs to a player", userid=userid)
        self._thread.start()

    def wake(self) -> None:
        """Look for boards now."""
        self._wake.set()

    def stop(self) -> None:
        """End at once; the next start finds the boards that still wait."""
        self._stopping.set()
        self._wake.set()
        self._thinker.interrupt()
        if self._thread.is_alive():
            self._thread.join(_PATIENCE)

    def _run(self) -> None:
        worked, outage = time.monotonic(), Outage("bot runner failed")
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                is_busy = bool(self.work()) or self.analyse()
                outage.end()
                if is_busy:
                    worked = time.monotonic()
                    continue
            except Exception as error:
                outage.report(error)
            if time.monotonic() - worked > _KEEP:
                self._thinker.end()
            self._stopping.wait(_REST)
            self._wake.wait(_IDLE)
        self._thinker.end()
        self._leave_analysis()

    def _leave_analysis(self) -> None:
        try:
            self._analyst.give_up()
        except (DBAPIError, SchemaError) as error:  # it is taken over after a while
            log.warning("analysis not given up", error=type(error).__name__)

    def work(self) -> int:
        """Play one turn on each board that waits for a bot. Return how many there were."""
        with self._store.reading() as session:
            boards = bot_players.find_waiting(session, _MOST)
        boards = [wait for wait in boards if self._stuck.get(wait.board) != _get_state(wait)]
        for wait in boards:
            if self._stopping.is_set():
                break
            if not self._is_answered(wait) and not self._stopping.is_set():
                log.error("bot has no move", board=wait.board, game=wait.game)
                self._stuck[wait.board] = _get_state(wait)
        return len(boards)

    def analyse(self) -> bool:
        """Do one step of the analysis of a board. Return whether there was one to do."""
        return not self._stopping.is_set() and self._analyst.work()

    def _is_answered(self, wait: BotBoard) -> bool:
        try:
            return self._answer(wait)
        except (DBAPIError, SchemaError):
            raise  # not the board's fault: it is tried again
        except Unplayable:
            return False
        except Exception as error:
            log.error("bot failed", board=wait.board, exc_info=error)
            return False

    def _answer(self, wait: BotBoard) -> bool:
        """Choose and submit a move. Return False when there is none, or it was refused."""
        with self._store.reading() as session:
            answer = bot_players.answer_or_ask(session, wait)
        if isinstance(answer, BotQuestion):
            text = self._ask(wait, answer)
            if not text:
                return False
            claims = text == CLAIM
            answer = (
                bot_players.build_command(wait, CLAIM)
                if claims
                else bot_players.build_command(wait, "move", text)
            )
        done = self._writer.submit(self._build_job(wait, answer)).result()
        self._done()
        return bool(done)

    def _ask(self, wait: BotBoard, question: BotQuestion) -> str:
        """Return the bot's moves as text, `propose` to claim a draw, or "" when it did not answer
        in time."""
        seconds = self._config.bots.seconds
        engine = self._find_engine(wait) if question.first else None
        name = _SUBSTITUTE if question.first else wait.name
        variants = tuple(self._config.games.variants)
        request = TurnRequest(name, wait.game, wait.seat, seconds, question, engine, variants)
        patience = seconds + (engine.limit_seconds if engine is not None else 0.0)
        answer = self._thinker.ask(request, TurnAnswer, 2 * patience + _GRACE)
        if engine is not None:
            self._note_health(wait, _NO_ANSWER if answer is None else answer.fault)
            if answer is None:  # the process itself hung or died: the same without the engine
                request = replace(request, engine=None)
                answer = self._thinker.ask(request, TurnAnswer, 2 * seconds + _GRACE)
        if (answer is None or answer.text is None) and not self._stopping.is_set():
            fault = _NO_ANSWER if answer is None else answer.fault
            log.error("bot plays any move", bot=wait.name, board=wait.board, fault=fault)
            self._thinker.end()
            any_move = replace(question, may_claim=False)
            request = replace(request, name=_LAST_RESORT, question=any_move)
            answer = self._thinker.ask(request, TurnAnswer, _GRACE)
        return "" if answer is None else answer.text or ""

    def _find_engine(self, wait: BotBoard) -> EngineSpec | None:
        """Return the engine whose turn it is, unless it is no longer configured or rests."""
        player = self._config.bots.find_engine_player(wait.name)
        failures, rests_until = self._failures.get(wait.name, (0, 0.0))
        if player is None or (failures >= _FAILURES and time.monotonic() < rests_until):
            return None
        return describe_engine(player, self._config.bots.seconds)

    def _note_health(self, wait: BotBoard, fault: str) -> None:
        """Log why an engine failed. After several failures in a row it rests for a while."""
        if not fault:
            self._failures.pop(wait.name, None)
            return
        failures = self._failures.get(wait.name, (0, 0.0))[0] + 1
        self._failures[wait.name] = failures, time.monotonic() + _REST_OF_ENGINE
        log.error(
            "engine failed", engine=wait.name, board=wait.board, fault=fault, failures=failures
        )

    def _build_job(self, wait: BotBoard, command: Command) -> Callable[[Session], object]:
        """Return the transaction that executes the command, unless the board has changed in the
        meantime."""

        def execute(session: Session) -> bool:
            if not bot_players.is_current(session, wait):
                return True
            now = self._clock()
            submission = Submission((command,), now, send_unless_refused)
            return not self._service.submit(session, submission, now).is_refused

        return execute


def _get_state(wait: BotBoard) -> tuple[int, str]:
    return wait.number, wait.proposal
