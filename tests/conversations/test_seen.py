"""When a player was last seen: what proves to come from the player counts, and nothing else."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.store.tables import players
from tests.conversations.conversation import Conversation


def seen(house: Conversation, who: str) -> float:
    """How many days ago the player was seen."""
    with house.server.store.reading() as session:
        query = select(players.c.seen).where(players.c.name == who)
        return (house.clock.now - float(session.execute(query).scalar_one())) / 86400


@pytest.mark.postgresql
def test_a_command_with_proof_is_a_sign_of_life(house: Conversation) -> None:
    house.signup("ann", "bob")
    board = house.challenge("tictactoe", "ann", "bob")
    house.clock.advance(days=3)
    house.replies(board[0], "b2")
    after = [house.any_mail(who) for who in ("ann", "bob")]
    assert (seen(house, "ann"), seen(house, "bob")) == (0, 3)
    house.mails("bob", f"set bob {house.password('bob')}")
    house.receives("bob", "[pbm] preferences of bob")
    assert seen(house, "bob") == 0
    house.clock.advance(days=1)
    house.replies(after[1], "b2")
    house.any_mail("bob")
    assert seen(house, "bob") == 0, "a refused command is one too"


def test_what_proves_nothing_is_no_sign_of_life(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.clock.advance(days=3)
    house.mails("ann", "games")
    house.any_mail("ann")
    house.mails("bob", f"set ann {house.secret('Sesame-guess')}")
    house.receives("bob", "[pbm] not done: wrong userid or password")
    house.mails("ann", f"set bob {house.password('bob')}")
    house.receives("bob", "[pbm] preferences of bob")
    assert seen(house, "ann") == 3


def test_it_is_noted_once_an_hour(house: Conversation) -> None:
    """Most commands write nothing for it."""
    house.signup("ann")
    for minutes, noted in ((50, 50), (70, 0), (100, 30)):
        house.clock.advance(seconds=60 * minutes - (house.clock.now - 1772452800.0))
        house.mails("ann", f"set ann {house.password('ann')}")
        house.receives("ann", "[pbm] preferences of ann")
        assert round(seen(house, "ann") * 1440) == noted
