"""When a player was last seen: what proves to come from the player counts, and nothing else."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.store.tables import players
from tests.harness.conversation import Conversation


def seen(talk: Conversation, who: str) -> float:
    """How many days ago the player was seen."""
    with talk.server.store.reading() as session:
        query = select(players.c.seen).where(players.c.name == who)
        return (talk.clock.now - float(session.execute(query).scalar_one())) / 86400


@pytest.mark.postgresql
def test_a_command_with_proof_is_a_sign_of_life(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    board = talk.challenge("tictactoe", "ann", "bob")
    talk.clock.advance(days=3)
    talk.replies(board[0], "b2")
    after = [talk.any_mail(who) for who in ("ann", "bob")]
    assert (seen(talk, "ann"), seen(talk, "bob")) == (0, 3)
    talk.mails("bob", f"set bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] preferences of bob")
    assert seen(talk, "bob") == 0
    talk.clock.advance(days=1)
    talk.replies(after[1], "b2")
    talk.any_mail("bob")
    assert seen(talk, "bob") == 0, "a refused command is one too"


def test_what_proves_nothing_is_no_sign_of_life(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.clock.advance(days=3)
    talk.mails("ann", "games")
    talk.any_mail("ann")
    talk.mails("bob", f"set ann {talk.secret('Sesame-guess')}")
    talk.receives("bob", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"set bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] preferences of bob")
    assert seen(talk, "ann") == 3


def test_it_is_noted_once_a_minute(talk: Conversation) -> None:
    """The second of two quick commands writes nothing for it."""
    talk.signup("ann")
    for seconds, noted in ((50, 50), (70, 0), (100, 30)):
        talk.clock.advance(seconds=seconds - (talk.clock.now - 1772452800.0))
        talk.mails("ann", f"set ann {talk.password('ann')}")
        talk.receives("ann", "[pbm] preferences of ann")
        assert round(seen(talk, "ann") * 86400) == noted
