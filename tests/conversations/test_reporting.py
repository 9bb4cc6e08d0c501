"""Reports of abuse, and the terms of the house."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.store.tables import audit
from tests.harness.conversation import Conversation

OPERATOR = "owner@club.example"
TERMS = "Be kind.\nNo cheating with engines."


@pytest.mark.config(house={"operator": OPERATOR})
def test_the_operator_gets_one_mail_with_what_was_written_at_the_board(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first, _ = talk.challenge("hex", "ann", "bob")
    talk.mails("bob", f"hex chat 1 bob {talk.password('bob')}", "You are an idiot.")
    talk.receives("bob", "[hex 1] passed on to ann")
    mail = talk.any_mail("ann")
    talk.replies(mail, "report bob\nHe insults me, see below.")
    talk.receives("ann", "[pbm] your report about bob", "block bob")
    mail = talk.receives(
        OPERATOR, "[pbm] ann reports bob", "after a mail of board 1", "He insults me"
    )
    assert "> You are an idiot." in mail.lines
    assert "ann@example.org" not in mail.text
    assert first.subject
    with talk.server.store.reading() as session:
        query = select(audit.c.actor, audit.c.action, audit.c.board_id, audit.c.reason)
        assert session.tuples(query) == [("ann", "report", 1, "He insults me, see below.")]


@pytest.mark.config(limits={"reports_a_day": 1})
def test_without_an_address_reports_are_recorded(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.mails("ann", f"report ann {ann} bob")
    talk.receives(
        "ann",
        "[pbm] not done: name one player, and write in the body of the mail what has happened",
    )
    talk.mails("ann", f"report ann {ann} bobb", "He cheats.")
    talk.receives("ann", "[pbm] not done: there is no player with that userid: did you mean bob?")
    talk.mails("eve", "report ann wrong-word bob", "He cheats.")
    talk.receives("eve", "[pbm] how to play board games by mail")
    talk.mails("ann", f"report ann {ann} bob", "He cheats.")
    talk.receives("ann", "[pbm] your report about bob")
    talk.mails("ann", f"signup eva {ann}")
    talk.replies(talk.any_mail("ann"), "yes")
    talk.any_mail("ann")
    for userid in ("ann", "eva"):  # of one mailbox
        talk.mails("ann", f"report {userid} {ann} bob", "Again.")
        talk.receives(
            "ann",
            "[pbm] not done: you have sent as many reports as a day allows (1): "
            "send the rest tomorrow ...",
        )
    with talk.server.store.reading() as session:
        assert session.tuples(select(audit.c.actor, audit.c.reason)) == [("ann", "He cheats.")]


@pytest.mark.postgresql
@pytest.mark.config(house={"terms": TERMS, "terms_version": "2026-11"})
def test_terms_are_shown_and_accepted_by_the_code(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] confirm this address", "also accept the terms", "Be kind.")
    with talk.server.store.reading() as session:
        assert session.tuples(select(audit.c.action)) == []
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")
    with talk.server.store.reading() as session:
        ((actor, action, player),) = session.tuples(
            select(audit.c.actor, audit.c.action, audit.c.player_id)
        )
    assert (actor, action) == ("ann", "accept terms 2026-11 fdbdecfad86b")
    assert player is not None
    talk.mails("ann", f"add ann {talk.password('ann')} ann@spare.example")
    talk.receives("ann", "[pbm] addresses of ann")
    mail = talk.receives("ann@spare.example", "[pbm] confirm this address")
    assert "terms" not in mail.text
