"""Engines as computer players: an ordinary board by mail, and one whose engine fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from pbm.config import Bots, Config, Database
from pbm.config import Server as Address
from pbm.core import fsck
from pbm.engines.setup import EngineLevel, EngineSetup
from tests.engines.matches import find_engine
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import Sockets


@pytest.fixture
def talk(sqlite_url: str) -> Iterator[Conversation]:
    """A server behind real sockets, with Stockfish in two levels and a program that only ends."""
    engines = (
        EngineSetup(
            "Fish",
            "uci",
            find_engine("stockfish"),
            ("chess",),
            (EngineLevel(skill=0, nodes=100), EngineLevel(nodes=1000)),
        ),
        EngineSetup("brute", "uci", "true", ("chess", "chess960")),
    )
    config = Config(
        server=Address(address=SERVER),
        database=Database(sqlite_url),
        bots=Bots(seconds=0.05, engine=engines),
    )
    clock = Clock()
    server = Sockets(config, clock)
    talk = Conversation(server, clock, confirms=True)
    yield talk
    try:
        talk.nothing_more()
    finally:
        server.close()


def test_engines_play_by_mail_and_one_that_fails_does_not_hold_the_board(
    talk: Conversation,
) -> None:
    talk.signup("ann")
    talk.proves("ann", "chess challenge ann fish2")
    assert talk.awaited_mail("ann").subject == "[chess 1] new board: ann, Fish2"
    talk.proves("ann", "chess challenge brute ann")
    with capture_logs() as logs:
        assert "[chess 2] your move (2), brute played" in talk.awaited_mail("ann").subject
    failed = [entry for entry in logs if entry["event"] == "engine failed"]
    assert [(entry["engine"], entry["board"]) for entry in failed] == [("brute", 2)]
    assert "ended in the middle" in failed[0]["fault"]
    ann = talk.password("ann")
    talk.mails("ann", f"chess move 1 ann {ann} e4")
    assert "[chess 1] your move (3), Fish2 played" in talk.awaited_mail("ann").subject
    talk.proves("ann", "hex challenge ann fish1")
    talk.receives("ann", "[pbm] not done: the computer player Fish1 plays chess")
    with talk.server.store.reading() as session:
        assert list(fsck.find_differences(session)) == []
