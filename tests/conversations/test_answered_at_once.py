"""Where a computer player answers at once, there is one mail that tells both, and never none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbm.config import Config, Database, Players, Trust
from pbm.config import Server as Address
from pbm.core import house_players
from pbm.core.submit import Submission, send_unless_refused
from pbm.mail.compose import WAIT
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess


@pytest.fixture(params=["sqlite", "postgresql"])
def alone(request: pytest.FixtureRequest) -> Iterator[Conversation]:
    """A server without the thread that has bots think: they move when the test says so."""
    database = Database(request.getfixturevalue(f"{request.param}_url"))
    players = Players(pictures=False)
    config = Config(
        server=Address(address=SERVER),
        database=database,
        players=players,
        trust=Trust(newcomer=0),
    )
    clock = Clock()
    server = InProcess(config, clock)
    talk = Conversation(server, clock, confirms=True)
    try:
        yield talk
        talk.nothing_more()
    finally:
        server.close()


def _enrol(talk: Conversation) -> None:
    with talk.server.store.writing() as session:
        house_players.enrol(session, talk.clock())


def _bot_moves(talk: Conversation, move: str) -> None:
    """The computer player that is to move, or is asked, does that at the only board."""
    server = talk.server
    assert isinstance(server, InProcess)
    server._execute()
    with server.store.writing() as session:
        (wait,) = house_players.find_waiting(session, 2)
        verb = ("move", move) if move not in ("accept", "reject") else (move,)
        submission = Submission(
            (house_players.build_command(wait, *verb),), talk.clock(), send_unless_refused
        )
        assert not server.services.service.submit(session, submission, talk.clock()).is_refused


def test_one_mail_tells_both(alone: Conversation) -> None:
    talk = alone
    _enrol(talk)
    talk.signup("ann")
    talk.proves("ann", "hex challenge level1 ann -size=5")
    talk.clock.advance(seconds=1)
    assert not talk.waiting("ann")
    _bot_moves(talk, "a1")
    first = talk.receives(
        "ann",
        "[hex 1] your move (2), level1 played a1",
        "Your move in 21 days. New game of Hex: level1 (red) against ann (blue). level1 played a1.",
    )
    sent = talk.replies(first, "b2\nsee you\n/ resign")
    assert not talk.waiting("ann")
    talk.clock.advance(seconds=5)
    _bot_moves(talk, "c3")
    both = talk.receives(
        "ann",
        "[hex 1] your move (4), level1 played c3",
        "Your move in 21 days: you played b2. level1 played c3.",
    )
    assert both.in_reply_to == sent
    talk.replies(both, "d4")
    assert not talk.waiting("ann")
    talk.clock.advance(seconds=WAIT - 1)
    _bot_moves(talk, "e5")
    talk.clock.advance(seconds=2)
    talk.receives("ann", "[hex 1] level1 to move (5), you played d4", "It is level1's turn")
    late = talk.receives("ann", "[hex 1] your move (6), level1 played e5")
    assert "d4" not in late.lines[0]


def test_the_others_get_one_mail_too(alone: Conversation) -> None:
    talk = alone
    _enrol(talk)
    talk.signup("ann", "bob")
    talk.proves("ann", "cradle challenge ann level1 bob")
    first, _ = talk.any_mail("ann"), talk.any_mail("bob")
    talk.replies(first, "b1,c1,d1,d2\nHello Bob!")
    assert not talk.waiting("ann")
    _bot_moves(talk, "a2,b2,a3,b3")
    both = "ann played b1,c1,d1,d2. level1 played a2,b2,a3,b3."
    theirs = talk.receives("bob", "[cradle 1] your move (3), level1 played a2,b2,a3,b3", both)
    assert "ann writes: > Hello Bob!" in " ".join(theirs.text.split())
    own = talk.any_mail("ann")
    assert "You played b1,c1,d1,d2. level1 played a2,b2,a3,b3." in " ".join(own.text.split())
    assert "Passed on to bob: > Hello Bob!" in " ".join(own.text.split())
