"""Mails that come twice have one effect, also those of programs that write no Message-ID."""

from __future__ import annotations

from tests.harness.conversation import SERVER, Conversation

DATE = "Date: Mon, 02 Mar 2026 12:00:00 +0000"
ID = "Message-ID: <1@example.org>"


def sends(talk: Conversation, subject: str, *fields: str) -> None:
    head = ["From: ann@example.org", f"To: {SERVER}", f"Subject: {subject}", *fields, "", ""]
    talk.server.take("ann@example.org", SERVER, "\r\n".join(head).encode())


def test_a_move_that_is_delivered_again_is_played_once(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for fields in ((ID, DATE), (ID,), (DATE,), ()):
        line = f"rating ann {' '.join(field[:4] for field in fields)}"
        sends(talk, line, *fields)
        talk.any_mail("ann")
        talk.clock.advance(seconds=599)
        sends(talk, line, *fields)
        assert talk.waiting("ann") == 0, fields


def test_only_without_message_id_and_date_it_is_another_mail_later(talk: Conversation) -> None:
    talk.signup("ann")
    for fields, answers in (((ID,), 0), ((DATE,), 0), ((), 1)):
        line = f"rating ann {' '.join(field[:4] for field in fields)}"
        sends(talk, line, *fields)
        talk.any_mail("ann")
        talk.clock.advance(seconds=601)
        sends(talk, line, *fields)
        assert talk.waiting("ann") == answers, fields
        talk.everything()
