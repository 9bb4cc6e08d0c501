"""A server of its own in a process of its own: it drains on SIGTERM, and after a restart the board
goes on. Mails leave to Maildirs here."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.store.engine import Store
from tests.games.cradles import FINISHED
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.databases import create_database
from tests.harness.servers import ServerProcess, await_rest

ROOT = Path(__file__).parents[2]
CONFIG = f"""
[server]
address = "{SERVER}"
[smtp]
listen = "127.0.0.1:0"
[players]
confirm_addresses = true
"""


class Process:
    """`pbm serve` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "pbm.toml").write_text(CONFIG)
        create_database(f"sqlite:///{folder}/var/pbm.db")
        self.store = Store(f"sqlite:///{folder}/var/pbm.db")
        self.start()

    def start(self) -> None:
        """Run it until it says that it is ready."""
        self._server = ServerProcess(
            self._folder / "pbm.toml", PYTHONPATH=f"{ROOT}:{ROOT / 'tests' / 'plugin'}"
        ).await_ready()

    def stop(self) -> None:
        """SIGTERM; it has to drain and end."""
        self._server.end()

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", self._server.port(), timeout=60) as client:
            client.sendmail(envelope_from, [recipient], raw)

    def settle(self) -> list[tuple[str, bytes]]:
        """What is in the Maildirs, when a running server has come to rest."""
        if self._server.is_running:
            await_rest(self.store, time.time)
        return self._arrived()

    def _arrived(self) -> list[tuple[str, bytes]]:
        found = []
        for path in (self._folder / "var" / "mail").glob("*/new/*"):
            found.append((path.parts[-3], path.read_bytes()))
            path.unlink()
        return found

    def tick(self, every: float) -> None:
        raise NotImplementedError("its clock is the real one")

    def close(self) -> None:
        if self._server.is_running:
            self.stop()
        self.store.close()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    made = Process(tmp_path)
    yield made
    made.close()


def test_a_board_goes_on_after_a_restart(process: Process) -> None:
    talk = Conversation(process, Clock(), confirms=True)
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    latest = talk.plays(FINISHED[:4], "ann", "bob", latest=latest)
    process.stop()
    process.start()
    latest = talk.plays(FINISHED[4:], "ann", "bob", latest=latest)
    assert [mail.subject for mail in latest] == ["[cradle 1] ann won (7)"] * 2


def test_what_was_taken_before_sigterm_is_answered_before_the_end(process: Process) -> None:
    talk = Conversation(process, Clock(), confirms=True)
    for number in range(20):
        talk.mails(f"player{number}", f"signup player{number} {talk.password(str(number))}")
    process.stop()
    for number in range(20):
        talk.receives(f"player{number}", "[pbm] confirm this address")
    talk.nothing_more()
