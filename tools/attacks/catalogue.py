"""The table of attacks, a run that counts tries, and servers to attack."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import func, select
from sqlalchemy.sql import ColumnElement

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.tables import counters
from tests.harness.conversation import Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.mail_room import Room
from tests.harness.shell import environment
from tools.attacks.attacked_server import Served

T = TypeVar("T")
DAY = 86400.0


class Unavailable(Exception):
    """The attack needs a program that is not installed."""


class Run:
    """One run of an attack: `some` and `tries` count, `talk` and `room` are what it attacks."""

    def __init__(
        self, folder: Path, stack: ExitStack, *, short: bool, minutes: float = 2.5
    ) -> None:
        self.folder = folder
        self.short = short
        self.minutes = minutes
        self.tries = 0
        self._stack = stack
        self._servers = 0

    def some(self, cases: Iterable[T], most: int = 4) -> Iterator[T]:
        """Yield the cases, counted; in a short run about `most` of them, spread evenly."""
        listed = list(cases)
        step = max(1, len(listed) // most) if self.short else 1
        for case in listed[::step]:
            self.tries += 1
            yield case

    def server(self, *, days: float = 0.0, **sections: dict[str, Any]) -> Served:
        """Return a daemon whose clock is `days` ahead, stopped at the end of the run."""
        sections.setdefault("trust", {"newcomer": 0})
        self._servers += 1
        folder = self.folder / str(self._servers)
        folder.mkdir()
        served = Served(folder, sections, days)
        self._stack.callback(served.close)
        return served

    def talk(self, *, days: float = 0.0, **sections: dict[str, Any]) -> Conversation:
        """Return a conversation with such a daemon."""
        served = self.server(days=days, **sections)
        confirms = sections.get("players", {}).get("confirm_addresses", True)
        return Conversation(served, Clock(), confirms=confirms)

    def room(self) -> Room:
        """Return a mail handler in this process, whose cost can be measured."""
        store = Store(f"sqlite:///{self.folder / 'room.db'}")
        self._stack.callback(store.close)
        migrate.create(store)
        return Room(store)

    def callback(self, ends: Callable[[], object]) -> None:
        """Do something at the end of the run."""
        self._stack.callback(ends)


Tried = Callable[[Run], str]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: its name in the findings, its goal, how it is tried, and whether the suite tries a
    little of it."""

    name: str
    after: str
    family: str
    tried: Tried
    in_suite: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an attack."""

    attack: Attack
    tries: int
    said: str
    state: str
    seconds: float

    @property
    def row(self) -> str:
        """The row of the results table."""
        said = re.sub(r"\s+", " ", self.said).replace("|", "/")[:300]
        return (
            f"| {self.attack.name} | {self.attack.after} | {self.tries:,} | {said} | {self.state} |"
        )


HEAD = "| attack | what it is after | tries | what happened | |\n| --- | --- | ---: | --- | --- |"
OK, BROKEN, SKIPPED = "ok", "BROKEN", "not tried"
ATTACKS: list[Attack] = []


def attack(name: str, after: str, *, in_suite: bool = False) -> Callable[[Tried], Tried]:
    """Add the function to the table of attacks."""

    def enlist(tried: Tried) -> Tried:
        family = tried.__module__.rpartition(".")[2]
        ATTACKS.append(Attack(name, after, family, tried, in_suite))
        return tried

    return enlist


def carry_out(chosen: Attack, *, short: bool, minutes: float = 2.5) -> Result:
    """Try an attack in a folder of its own and end everything it started."""
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="pbm-attack-") as folder,
        ExitStack() as stack,
    ):
        run = Run(Path(folder), stack, short=short, minutes=minutes)
        try:
            said, state = chosen.tried(run), OK
        except Unavailable as missing:
            said, state = f"needs {missing}", SKIPPED
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)
            where = next((frame for frame in reversed(at) if "attacks" in frame.filename), at[-1])
            said = f"{Path(where.filename).name}:{where.lineno} {type(error).__name__}: {error}"
            state = BROKEN
    return Result(chosen, run.tries, said, state, time.monotonic() - began)


# What attacks look at


def run_admin(config: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `pbm admin` at the operator's terminal."""
    return subprocess.run(
        [sys.executable, "-m", "pbm", "--config", str(config), "admin", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        cwd=config.parent,
    )


def served(talk: Conversation) -> Served:
    """Return the daemon of a conversation."""
    server = talk.server
    assert isinstance(server, Served)
    return server


def count(talk: Conversation, table: Any, *where: ColumnElement[bool]) -> int:
    """Return the number of rows of a table, once the server is idle."""
    served(talk).rests()
    with talk.server.store.reading() as session:
        query = select(func.count()).select_from(table).where(*where)
        return int(session.execute(query).scalar_one())


def column(talk: Conversation, wanted: Any, *where: ColumnElement[bool]) -> list[Any]:
    """Return a column, once the server is idle."""
    served(talk).rests()
    with talk.server.store.reading() as session:
        return list(session.execute(select(wanted).where(*where)).scalars())


def counted(talk: Conversation, name: str) -> int:
    """Return what a limit has counted under a name, on all days."""
    return sum(column(talk, counters.c.count, counters.c.name == name))


def shape(mails: Sequence[Mail]) -> list[tuple[str, str, str]]:
    """Return the mails without what always differs: numbers, hashes and dates."""
    return sorted((mail.address, _plain(mail.subject), _plain(mail.text)) for mail in mails)


def _plain(text: str) -> str:
    text = re.sub(r"\b[0-9a-f]{16,}\b", "H", text)
    return re.sub(r"[0-9]+", "0", text)


def free_of(text: str | bytes, words: Iterable[str]) -> bool:
    """Whether the text contains none of the words."""
    if isinstance(text, bytes):
        return not any(word.encode() in text for word in words)
    return not any(word in text for word in words)
