"""Moderators have some of the operator's acts, by mail, each with a reason that players read."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.store.tables import audit
from tests.harness.conversation import Conversation
from tests.harness.statements import all_rows

OPERATOR = "operator@example.org"


@pytest.mark.postgresql
@pytest.mark.config(house={"operator": OPERATOR, "moderators": ("Ann", "dora")})
def test_a_moderator_bans_cancels_and_answers_with_a_reason(talk: Conversation) -> None:
    talk.passes(days=0.25)
    talk.signup("ann", "bob", "eve", "dora")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.challenge("tictactoe", "bob", "eve")

    # Nobody else may, nobody may without a reason, against another moderator or a whole domain.
    talk.mails("bob", f"moderate bob {bob} ban eve", "She is rude.")
    talk.receives("bob", "[pbm] not done: only moderators of this server may do this")
    talk.mails("ann", f"moderate ann {ann} ban eve")
    told = talk.any_mail("ann")
    assert told.subject.startswith("[pbm] not done: write in the body of the mail why")
    assert "moderate ann PASSWORD ban USERID|ADDRESS|@DOMAIN" in told.text
    for words, says in (
        ("ban dora", "only the operator may act against a moderator"),
        ("ban @example.org", "only the operator may ban whole domains"),
        ("rollback 1 0", "a moderator's acts are adjudicate, answer, ban, cancel, unban"),
        ("cancel x", "NUMBER is a number"),
        ("cancel", "cancel needs NUMBER"),
        ("answer bob", "bob has reported nobody"),
    ):
        talk.mails("ann", f"moderate ann {ann} {words}", "because")
        talk.receives("ann", f"[pbm] not done: {says}")

    talk.mails("ann", f"moderate ann {ann} cancel 1", "It was begun by mistake.")
    talk.receives("ann", "[pbm] done: cancel 1")
    for who in ("bob", "eve"):
        talk.receives(who, "[tictactoe 1] cancelled (0)", "mistake")
    talk.mails("ann", f"moderate ann {ann} ban eve", "She is rude.")
    talk.receives("ann", "[pbm] done: ban eve")
    talk.receives("eve", "[pbm] your account is banned", "rude")
    talk.mails("bob", f"report bob {bob} eve", "She is rude.")
    talk.receives("bob", "[pbm] your report about eve")
    talk.receives(OPERATOR, "[pbm] bob reports eve")
    talk.mails("ann", f"moderate ann {ann} answer bob", "She is gone. Thank you!")
    talk.receives("ann", "[pbm] done: answer bob")
    talk.receives("bob", "[pbm] your report", "She is gone.")

    with talk.server.store.reading() as session:
        rows = list(all_rows(session, select(audit).order_by(audit.c.id)))
    assert [(row.actor, row.action, row.reason) for row in rows if row.actor != "bob"] == [
        ("moderator ann", "cancel", "It was begun by mistake."),
        ("moderator ann", "ban", "She is rude."),
        ("moderator ann", "answer a report", "She is gone. Thank you!"),
    ]
    talk.passes(days=2)
    for who in (OPERATOR, "ann", "dora"):
        talk.receives(who, "[pbm] what is worth a look")
