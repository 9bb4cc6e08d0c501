"""A game whose moves hang, eat memory or end their process, on a daemon that finds them waiting
when it starts: all in one batch."""

from __future__ import annotations

import mmap
import time
from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import func, select

from pbm.cli import cli
from pbm.config import Config, Database, Players
from pbm.config import Server as Address
from pbm.daemon.attempts import Attempt, WorkerSlot
from pbm.store.tables import boards, inbound, moves, outbound
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.packages import Packages
from tests.harness.servers import InProcess, ServerProcess, until
from tools.faults.kill_rig import ROOT

_GAME = """\
import mmap
import os
from dataclasses import dataclass, replace

from tests.rules.nim import Nim, NimPosition


@dataclass(frozen=True, slots=True)
class Position(NimPosition):
    def parse(self, text, seat):
        word = text.strip()
        while word == "loop":
            pass
        if word == "grow":
            word = len(b"x" * (4 << 30)) and "take-1"
        if word == "share":
            memory = mmap.mmap(-1, 4 << 30)
            for at in range(0, len(memory), 1 << 20):
                memory[at : at + (1 << 20)] = bytes(1 << 20)
        if word == "abort":
            os.abort()
        if word == "leave":
            os._exit(0)
        return NimPosition.parse(self, word, seat)


class Game(Nim):
    position = Position
    info = replace(Nim.info, name="poison", title="Poison")


Position.game = GAME = Game()
"""
_CONFIG = """
[server]
address = "{address}"
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:0"
[relay]
url = "maildir:{folder}/mail"
[players]
confirm_addresses = false
pictures = false
[bots]
enabled = false
[limits]
seconds_a_mail = {seconds}
[workers]
processes = {processes}
memory_mib = 256
"""


class Poisoned:
    """Boards of the game between ann and bob, ann to move, and the daemon that serves them."""

    def __init__(self, folder: Path, url: str, packages: Packages, tables: int) -> None:
        packages.install("poison", _GAME)
        self._folder = folder
        self._url = url
        self._clock = Clock()
        self._clock.now = time.time()
        config = Config(
            server=Address(address=SERVER),
            database=Database(url),
            players=Players(confirm_addresses=False),
        )
        self._rooms = InProcess(config, self._clock)
        self.store = self._rooms.store
        talk = Conversation(self._rooms, self._clock, confirms=False)
        talk.signup("ann", "bob")
        begun = [talk.challenge("poison", "ann", "bob") for _ in range(tables)]
        self._mails = [mails[0] for mails in begun]
        self._talk = talk
        with self.store.reading() as session:
            self._first = session.execute(select(func.max(inbound.c.id))).scalar_one()
            self._last = session.execute(select(func.max(outbound.c.id))).scalar_one()
        self.server: ServerProcess | None = None

    def plays(self, *texts: str) -> None:
        """Ann answers the mails of the boards in turn with these moves, which wait."""
        for text in texts:
            self._talk.replies(self._mails.pop(0), text)

    def start(self, *, seconds: float = 1, processes: int = 1) -> None:
        """Start the daemon and wait until it is ready."""
        config = self._folder / "pbm.toml"
        config.write_text(
            _CONFIG.format(
                address=SERVER,
                url=self._url,
                folder=self._folder,
                seconds=seconds,
                processes=processes,
            ),
            encoding="utf-8",
        )
        self.server = ServerProcess(
            config,
            PYTHONPATH=f"{ROOT}:{self._folder / 'site'}",
            STATE_DIRECTORY=str(self._folder),
        ).await_ready()

    def admin(self, *words: str) -> str:
        """What `pbm admin` prints, run in this process."""
        config = str(self._folder / "pbm.toml")
        env = {"PBM_DATABASE_URL": None, "PBM_CONFIG": None}
        result = CliRunner().invoke(
            cli, ["--config", config, "admin", *words], env=env, catch_exceptions=False
        )
        assert result.exit_code == 0, result.output
        return result.stdout

    def log(self) -> str:
        """What the daemon has said, in all its runs."""
        return (self._folder / "log").read_text(encoding="utf-8")

    def rests(self) -> None:
        """Wait until no mail waits to be executed."""
        until(lambda: "waiting" not in self.states(), f"mails wait: {self.log()}")

    def states(self) -> list[str]:
        """The states of the moves that were mailed."""
        return [state for state, _, _ in self.outcomes()]

    def outcomes(self) -> list[tuple[str, str, int]]:
        """State, code and attempts of the moves that were mailed."""
        query = select(inbound.c.state, inbound.c.code, inbound.c.attempts)
        query = query.where(inbound.c.id > self._first).order_by(inbound.c.id)
        with self.store.reading() as session:
            rows = session.execute(query).mappings()
            return [(row["state"], row["code"], row["attempts"]) for row in rows]

    def mails(self) -> list[int]:
        """The numbers of the moves that were mailed."""
        query = select(inbound.c.id).where(inbound.c.id > self._first).order_by(inbound.c.id)
        with self.store.reading() as session:
            return list(session.execute(query).scalars())

    def played(self) -> list[int]:
        """How many moves each board has."""
        query = (
            select(func.count(moves.c.number))
            .select_from(boards.outerjoin(moves, moves.c.board_id == boards.c.id))
            .group_by(boards.c.id)
            .order_by(boards.c.id)
        )
        with self.store.reading() as session:
            return list(session.execute(query).scalars())

    def mailed(self) -> list[int]:
        """How many mails each board has caused since its beginning."""
        about = select(outbound.c.board_id).where(outbound.c.id > self._last)
        with self.store.reading() as session:
            numbers = list(session.execute(about).scalars())
            tables = list(session.execute(select(boards.c.id).order_by(boards.c.id)).scalars())
        return [numbers.count(number) for number in tables]

    def writers_told(self) -> list[str]:
        """Who was told that a mail was set aside."""
        query = select(outbound.c.recipient, outbound.c.message).where(outbound.c.id > self._last)
        with self.store.reading() as session:
            rows = session.tuples(query)
        return [recipient for recipient, message in rows if b"could not be handled" in message]

    def attempt(self) -> Attempt | None:
        """What the first worker is executing."""
        for path in self._folder.glob("*-attempts-*"):
            with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
                return WorkerSlot(memory, 0).get_current()
        return None

    def hangs(self, mail: int) -> bool:
        """Whether that mail has been executed for a while."""
        attempt = self.attempt()
        return (
            attempt is not None and attempt.mail == mail and time.monotonic() - attempt.began > 0.5
        )

    def children(self) -> list[int]:
        """The processes that the daemon has started."""
        assert self.server is not None
        tasks = Path(f"/proc/{self.server.pid}/task").iterdir()
        texts = [(task / "children").read_text(encoding="ascii") for task in tasks]
        return [int(child) for text in texts for child in text.split()]

    def kill(self) -> None:
        """kill -9 the daemon; its processes go with it."""
        assert self.server is not None
        others = self.children()
        self.server.kill()
        until(lambda: not any(map(_is_running, others)), "a worker outlives the server")

    def stop(self) -> None:
        """SIGTERM; it has to end by itself."""
        if self.server is not None and self.server.is_running:
            self.server.end()

    def close(self) -> None:
        """End what still runs."""
        if self.server is not None:
            self.server.kill()
        self._rooms.close()


def _is_running(pid: int) -> bool:
    """Whether there is such a process that has not ended; nobody may have buried it yet."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
