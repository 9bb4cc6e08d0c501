"""A game in which thinking eats memory costs a house player its turn, and nobody else anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbm.config import Config, Database
from pbm.config import Server as Address
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.packages import Packages
from tests.harness.servers import Sockets

_GLUTTON = """\
from dataclasses import dataclass, replace

from tests.rules.nim import Nim, NimPosition


@dataclass(frozen=True, slots=True)
class Position(NimPosition):
    def apply(self, seat, move):
        eaten.append(b"x" * (64 << 20))
        return NimPosition.apply(self, seat, move)


class Game(Nim):
    position = Position
    info = replace(Nim.info, name="glutton", title="Glutton")


eaten = []
Position.game = GAME = Game()
"""


def test_who_cannot_think_for_want_of_memory_plays_any_move(
    packages: Packages,
    sqlite_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packages.install("glutton", _GLUTTON)
    monkeypatch.setenv("PYTHONPATH", f"{Path.cwd()}:{tmp_path / 'site'}")
    clock = Clock()
    config = Config(server=Address(address=SERVER), database=Database(sqlite_url))
    server = Sockets(config, clock)
    talk = Conversation(server, clock, confirms=True)
    talk.signup("ann")
    with capture_logs() as logs:
        talk.proves("ann", "glutton challenge mcts ann")
        talk.proves("ann", "tictactoe challenge level1 ann")
        subjects = [talk.awaited_mail("ann").subject for _ in range(2)]
    assert sum("played" in subject for subject in subjects) == 2
    server.close()
    (said,) = (entry for entry in logs if entry["event"] == "bot plays any move")
    assert (said["bot"], said["board"], said["fault"]) == ("mcts", 1, "out of memory")
