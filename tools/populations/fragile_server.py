"""A server in this process on an SQLite file, which dies at commits: what was not committed is
lost, and what was is not reported. A new one goes on from the file."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import event, insert

from pbm.config import Config, Database, Events, Limits
from pbm.core.command import Command, Sender
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import get_player
from pbm.core.submit import Submission, Submitted
from pbm.core.words import get_verb
from pbm.daemon.keys import load_secrets
from pbm.daemon.scheduler import Scheduler
from pbm.features.accounts.erasing import close_account
from pbm.features.events import admin as event_acts
from pbm.mail.compose import build_service
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import addresses, players
from pbm.store.transaction import Session


class Crash(Exception):
    """The server died, before a commit or after it."""


class Killed(BaseException):
    """The same in the main thread, where what catches errors must not catch it."""


class FragileStore(Store):
    """A database whose user dies at so many commits; `odds` 0: at none. The machine does not die,
    so nothing is forced to the disk."""

    def __init__(self, url: str, dice: random.Random, odds: float) -> None:
        super().__init__(url)
        self._dice = dice
        self.odds = odds

        @event.listens_for(self.engine, "connect")
        def connect(connection: Any, _record: object) -> None:
            connection.execute("PRAGMA synchronous=OFF").close()

    @contextlib.contextmanager
    def writing(self, *, flushes: bool = True) -> Iterator[Session]:
        with super().writing(flushes=flushes) as session:
            yield session
            self._may_crash()
        self._may_crash()

    def _may_crash(self) -> None:
        if self.odds and self._dice.random() < self.odds / 2:
            raise Crash if threading.current_thread() is not threading.main_thread() else Killed


class FragileServer:
    """What a daemon has inside: the service, the writer and the scheduler. After a Crash it is
    closed, and another one is made."""

    def __init__(
        self, path: Path, clock: Callable[[], float], dice: random.Random, odds: float
    ) -> None:
        self._clock = clock
        self._config = Config(
            database=Database(f"sqlite:///{path}"),
            limits=Limits(open_boards=0, mails_a_day=0),
            events=Events(open_events=0),
        )
        is_new = not path.exists()
        self.store = FragileStore(self._config.database.url, dice, odds)
        if is_new:
            migrate.create(self.store)
        self._secrets = load_secrets(self.store, dice.randbytes)
        self._service = build_service(self._config, self._secrets)
        self._writer = CommitThread(self.store)
        self._writer.start()

    def sign_up(self, userid: str, number: int) -> None:
        """Make an account with an address, which is player `number`."""
        now = self._clock()
        with self.store.writing() as session:
            session.execute(
                insert(players).values(
                    id=number, userid=userid, name=userid, password="", state="active",
                    created=now, seen=now,
                )
            )  # fmt: skip
            session.execute(
                insert(addresses).values(
                    player_id=number, address=f"{userid}@example.org", confirmed=now
                )
            )

    def submit(
        self, player: int, verb: str, *words: str, game: str = "", board: int = 0
    ) -> Submitted:
        """Return a command of a player who is known by a secret link."""
        command = _build_command(player, verb, words, game, board)
        with self.store.writing() as session:
            return self._service.submit(session, command, self._clock())

    def show(self, session: Session, verb: str, *words: str) -> Sequence[Notice]:
        """Return what a command shows that changes nothing."""
        return self._service.show(session, _build_command(0, verb, words), self._clock())

    def close_account(self, player: int) -> None:
        """Have a player leave the server."""

        def close(act: OperatorAct) -> list[Notice]:
            leaver = get_player(act.session, player)
            assert leaver is not None
            return close_account(act.build_call(0), leaver) if leaver.is_active else []

        self._act(close)

    def set_result(self, event: int, board: int, points: Sequence[float]) -> None:
        """Decide as the operator a board of an event."""
        self._act(lambda act: event_acts.set_result(act, event, board, points))

    def _act(self, do: Callable[[OperatorAct], list[Notice]]) -> None:
        now = self._clock()

        def act(session: Session) -> list[Notice]:
            return do(OperatorAct(session, "root", "", now, self._secrets, self._config))

        with self.store.writing() as session:
            self._service.submit(session, Submission((act,), now), now)

    def tick(self, every: float) -> None:
        """Run the scheduler; its last tick was at most `every` seconds ago."""
        scheduler = Scheduler(self._service, self._writer, self._clock, lambda: None, every)
        asyncio.run(scheduler.run_once())

    def close(self) -> None:
        """Stop."""
        self._writer.stop()
        self.store.close()


def _build_command(
    player: int, verb: str, words: Sequence[str], game: str = "", board: int = 0
) -> Command:
    return Command(
        get_verb(verb),
        Sender(via="web", player=player),
        game=game,
        board=board,
        words=tuple(words),
        rest=" ".join(words),
    )
