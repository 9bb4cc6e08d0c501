"""Once a day the operator gets a mail of what is worth a look; nothing when there is nothing."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation

OPERATOR = "operator@example.org"


@pytest.mark.postgresql
@pytest.mark.config(house={"operator": OPERATOR})
def test_the_operator_hears_of_new_players_and_reports_once_a_day(talk: Conversation) -> None:
    talk.passes(days=0.25)
    talk.signup("ann", "bob")
    talk.passes(days=1)
    told = talk.receives(
        OPERATOR,
        "[pbm] what is worth a look",
        "New players: ann, bob (pbm admin players).",
    )
    assert "Reports" not in told.text
    talk.passes(days=2)  # nothing has happened, and no mail comes
    talk.mails("ann", f"report ann {talk.password('ann')} bob", "He is rude.")
    talk.receives("ann", "[pbm] your report about bob")
    talk.receives(OPERATOR, "[pbm] ann reports bob")
    talk.passes(days=1)
    told = talk.receives(
        OPERATOR,
        "[pbm] what is worth a look",
        "Reports of players: 1 (pbm admin audit --action report).",
    )
    assert "New players" not in told.text


@pytest.mark.config(house={"operator": OPERATOR, "digest": False})
def test_it_can_be_ended(talk: Conversation) -> None:
    talk.passes(days=0.25)
    talk.signup("ann")
    talk.passes(days=2)
