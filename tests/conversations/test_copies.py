"""Mails that come twice have one effect, also those of programs that write no Message-ID."""

from __future__ import annotations

from tests.conversations.conversation import SERVER, Conversation

DATE = "Date: Mon, 02 Mar 2026 12:00:00 +0000"
ID = "Message-ID: <1@example.org>"


def sends(house: Conversation, subject: str, *fields: str) -> None:
    head = ["From: ann@example.org", f"To: {SERVER}", f"Subject: {subject}", *fields, "", ""]
    house.server.take("ann@example.org", SERVER, "\r\n".join(head).encode())


def test_a_move_that_is_delivered_again_is_played_once(house: Conversation) -> None:
    house.signup("ann", "bob")
    for fields in ((ID, DATE), (ID,), (DATE,), ()):
        line = f"rating ann {' '.join(field[:4] for field in fields)}"
        sends(house, line, *fields)
        house.any_mail("ann")
        house.clock.advance(seconds=599)
        sends(house, line, *fields)
        assert house.waiting("ann") == 0, fields


def test_only_without_message_id_and_date_it_is_another_mail_later(house: Conversation) -> None:
    house.signup("ann")
    for fields, answers in (((ID,), 0), ((DATE,), 0), ((), 1)):
        line = f"rating ann {' '.join(field[:4] for field in fields)}"
        sends(house, line, *fields)
        house.any_mail("ann")
        house.clock.advance(seconds=601)
        sends(house, line, *fields)
        assert house.waiting("ann") == answers, fields
        house.everything()
