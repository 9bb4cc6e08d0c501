"""Bounces: matched, counted a day at a time, and the address given up when they keep coming."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from pbm.mail.bounces import forget_score, submit_refusal
from pbm.store.engine import Store
from pbm.store.tables import addresses, audit, outbound
from pbm.store.transaction import Session
from tests.harness.databases import all_rows, one_row
from tests.harness.mail import mail
from tests.harness.mail_room import PASSWORD, Room
from tests.mail.test_corpus import MAILS, arrived

DAY = 86400.0


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    """Ann has two addresses and plays bob on two boards; carl plays nobody."""
    room = Room(sqlite_store)
    with room.kept() as session:
        room.player(session, "ann", "ann@example.org", "ann@home.example")
        room.player(session, "bob")
        room.player(session, "carl")
        room.takes(
            session,
            mail("", sender="ann@example.org", subject="cradle challenge ann bob"),
            "ann@example.org",
            room.proves(1),
        )
        room.ours = room.takes(
            session,
            mail("", sender="ann@example.org", subject="cradle challenge bob ann"),
            "ann@example.org",
            room.proves(1),
        )
    return room


def dsn(
    address: str, *, action: str = "failed", status: str = "5.1.1", enclosed: str = ""
) -> bytes:
    """A delivery report as RFC 3464 says it."""
    body = [
        "--frontier",
        "Content-Type: text/plain",
        "",
        "It could not be delivered.",
        "",
        "--frontier",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mx.example",
        "",
        f"Final-Recipient: rfc822; {address}",
        f"Action: {action}",
        f"Status: {status}",
        "",
        "--frontier",
        "Content-Type: text/rfc822-headers",
        "",
        enclosed or "Subject: x",
        "",
        "--frontier--",
    ]
    return mail(
        *body,
        sender="Mail Delivery System <MAILER-DAEMON@mx.example>",
        subject="Undelivered Mail Returned to Sender",
        headers=(
            'Content-Type: multipart/report; report-type=delivery-status; boundary="frontier"',
        ),
    )


def row_of(session: Session, address: str) -> Any:
    return one_row(session, select(addresses).where(addresses.c.address == address))


def to_ann(room: Room) -> dict[str, Any]:
    return next(row for row in room.ours if row["recipient"] == "ann@example.org")


def test_the_token_of_the_envelope_sender_tells_the_address(room: Room) -> None:
    """The report names another address, to which ann's is forwarded."""
    with room.tried() as session:
        sent = room.takes(session, dsn("x@elsewhere.example"), "", to_ann(room)["envelope_from"])
        assert sent == []
        assert row_of(session, "ann@example.org").bounce_score == 2
        assert row_of(session, "ann@home.example").bounce_score == 0
        assert room.last.outcome == "bounce: ann@example.org failed"


def test_the_words_of_the_server_that_refused_it_are_recorded(room: Room) -> None:
    raw = dsn("ann@example.org").replace(
        b"Status: 5.1.1\r\n",
        b"Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such\r\n user; see\xff help\r\n",
    )
    with room.tried() as session:
        room.takes(session, raw, "", to_ann(room)["envelope_from"])
        assert room.last.outcome == (
            "bounce: ann@example.org failed: 550 5.1.1 no such user; see? help"
        )


def test_a_forged_envelope_token_proves_nothing(room: Room) -> None:
    sender = to_ann(room)["envelope_from"]
    local, _, host = sender.partition("@")
    forged = f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{host}"
    with room.tried() as session:
        room.takes(session, dsn("x@elsewhere.example"), "", forged)
        assert row_of(session, "ann@example.org").bounce_score == 0


def test_a_report_without_our_token_is_noted_and_counts_nothing(room: Room) -> None:
    """Anybody can write one, from nobody, with the Message-ID of a mail that was passed on."""
    head = to_ann(room)["message"].partition(b"\r\n\r\n")[0].decode()
    own = next(line for line in head.split("\r\n") if line.startswith("Message-ID"))
    with room.tried() as session:
        for _ in range(4):
            assert room.takes(session, dsn("ANN@example.org", enclosed=own), "") == []
            assert room.last.outcome == ("bounce without our token, not counted: ann@example.org")
            room.now += DAY
        row = row_of(session, "ann@example.org")
        assert (row.bounce_score, row.stopped) == (0, None)


def test_a_report_counts_for_the_address_of_its_mail_alone(room: Room) -> None:
    raw = dsn("ann@example.org").replace(
        b"Final-Recipient",
        b"Final-Recipient: rfc822; bob@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        b"Final-Recipient",
    )
    with room.tried() as session:
        room.takes(session, raw, "", to_ann(room)["envelope_from"])
        assert row_of(session, "ann@example.org").bounce_score == 2
        assert row_of(session, "bob@example.org").bounce_score == 0


@pytest.mark.parametrize(("action", "status"), [("delayed", "4.4.1"), ("delivered", "2.0.0")])
def test_only_failures_count(room: Room, action: str, status: str) -> None:
    with room.tried() as session:
        for _ in range(4):
            raw = dsn("ann@example.org", action=action, status=status)
            assert room.takes(session, raw, "", to_ann(room)["envelope_from"]) == []
            room.now += DAY
        row = row_of(session, "ann@example.org")
        assert (row.bounce_score, row.stopped) == (0, None)


def returned(room: Room, session: Session, address: str) -> list[dict[str, Any]]:
    """A mail to that address comes back; what is sent then."""
    columns = select(outbound.c.envelope_from).where(outbound.c.recipient == address)
    envelope = session.execute(columns.order_by(outbound.c.id)).scalars().first()
    assert envelope is not None
    return room.takes(session, dsn(address), "", envelope)


def bounced(room: Room, session: Session, address: str) -> list[dict[str, Any]]:
    """Hard bounces of an address, twice a day on three days."""
    sent: list[dict[str, Any]] = []
    for _ in range(3):
        for _ in range(2):
            sent += returned(room, session, address)
        room.now += DAY
    return sent


def complaint(*, kind: str = "message/feedback-report", form: str = "report") -> bytes:
    """A complaint, as RFC 5965 says it or with our mail alone enclosed."""
    report = ["--x", f"Content-Type: {kind}", "", "Feedback-Type: abuse", "Version: 1", ""]
    enclosed = ["--x", "Content-Type: message/rfc822", "", "Subject: [pbm] x", "", "text", "--x--"]
    return mail(
        *(report if kind else []),
        *enclosed,
        sender="Feedback <staff@loop.example>",
        subject="complaint about a message",
        headers=("MIME-Version: 1.0", f"Content-Type: multipart/{form}; boundary=x"),
    )


@pytest.mark.parametrize(("kind", "form"), [("message/feedback-report", "report"), ("", "mixed")])
def test_a_complaint_stops_mail_to_whoever_complained(room: Room, kind: str, form: str) -> None:
    with room.tried() as session:
        raw = complaint(kind=kind, form=form)
        sent = room.takes(session, raw, "staff@loop.example", to_ann(room)["envelope_from"])
        assert {row["recipient"] for row in sent} == {"ann@home.example", "bob@example.org"}
        told = next(row for row in sent if row["recipient"] == "ann@home.example")
        assert b"was reported as spam" in told["message"]
        assert row_of(session, "ann@example.org").stopped is not None
        assert row_of(session, "ann@home.example").stopped is None
        assert room.last.code == "complaint"
        assert "reported as spam" in all_rows(session, select(audit))[-1].reason
        assert room.takes(session, raw, "staff@loop.example", to_ann(room)["envelope_from"]) == []


def test_a_complaint_without_our_token_is_listed_and_stops_nothing(room: Room) -> None:
    with room.tried() as session:
        assert room.takes(session, complaint(), "staff@loop.example") == []
        assert room.last.code == "complaint"
        assert row_of(session, "ann@example.org").stopped is None


def test_a_bounce_that_encloses_our_mail_is_no_complaint(room: Room) -> None:
    with room.tried() as session:
        raw = complaint(kind="", form="mixed")
        assert room.takes(session, raw, "", to_ann(room)["envelope_from"]) == []
        assert row_of(session, "ann@example.org").stopped is None


def test_after_three_days_mail_stops_and_all_are_told_once(room: Room) -> None:
    with room.tried() as session:
        assert [returned(room, session, "ann@example.org") for _ in range(5)] == [[]] * 5
        assert row_of(session, "ann@example.org").bounce_score == 2
        room.now += DAY
        assert returned(room, session, "ann@example.org") == []
        room.now += DAY
        sent = returned(room, session, "ann@example.org")
        assert row_of(session, "ann@example.org").stopped == room.now
        assert sorted(row["recipient"] for row in sent) == ["ann@home.example", "bob@example.org"]
        texts = {row["recipient"]: row["message"].decode() for row in sent}
        assert "ann@example.org" in texts["ann@home.example"]
        assert "add ann PASSWORD ann@example.org" in texts["ann@home.example"]
        assert "@example.org" not in texts["bob@example.org"].partition("\r\n\r\n")[2]
        assert "boards: 1, 2" in texts["bob@example.org"]
        written = all_rows(session, select(audit))
        assert [(row.actor, row.action) for row in written] == [("pbm", "stop address")]
        room.now += DAY
        assert returned(room, session, "ann@example.org") == []
        raw = mail("", sender="bob@example.org", subject="cradle challenge ann bob")
        told = {
            row["recipient"] for row in room.takes(session, raw, "bob@example.org", room.proves(2))
        }
        assert told == {"ann@home.example", "bob@example.org"}


def test_a_player_without_another_address(room: Room) -> None:
    with room.tried() as session:
        sent = bounced(room, session, "bob@example.org")
        assert {row["recipient"] for row in sent} == {"ann@example.org", "ann@home.example"}
        assert all(b"Mail to bob bounces" in row["message"] for row in sent)
        raw = mail("", sender="carl@example.org", subject="help")
        room.takes(session, raw, "carl@example.org")
        assert bounced(room, session, "carl@example.org") == []
        assert row_of(session, "carl@example.org").stopped is not None


def test_days_that_lie_far_apart_do_not_add_up(room: Room) -> None:
    with room.tried() as session:
        for _ in range(5):
            returned(room, session, "ann@example.org")
            room.now += 15 * DAY
        assert row_of(session, "ann@example.org").bounce_score == 2


def test_a_mailbox_that_stays_full_is_given_up_later_and_forgiven_sooner(room: Room) -> None:
    """Each failure adds a point, and a week takes one away."""
    with room.tried() as session:

        def is_full() -> float:
            raw = dsn("ann@example.org", status="5.2.2")
            room.takes(session, raw, "", to_ann(room)["envelope_from"])
            return float(row_of(session, "ann@example.org").bounce_score)

        assert [is_full(), is_full()] == [1, 1]
        assert room.last.outcome == "bounce: ann@example.org failed for now"
        room.now += 7 * DAY
        assert is_full() == 1
        for day in range(1, 5):
            room.now += DAY
            assert is_full() == pytest.approx(1 + day * 6 / 7)
            assert row_of(session, "ann@example.org").stopped is None
        room.now += DAY
        assert is_full() > 5
        assert row_of(session, "ann@example.org").stopped == room.now


def test_the_operator_sees_what_is_left_of_a_score() -> None:
    assert forget_score(2.0, 0.0, 7 * DAY) == 1
    assert forget_score(2.0, 0.0, 70 * DAY) == 0
    assert forget_score(2.0, 7 * DAY, 0.0) == 2  # a clock that was set back
    assert forget_score(0.0, None, 7 * DAY) == 0


def test_a_stopped_address_comes_back_when_it_is_added_again(room: Room) -> None:
    with room.tried() as session:
        bounced(room, session, "ann@example.org")
        line = f"add ann {PASSWORD} ann@example.org"
        raw = mail("", sender="ann@home.example", subject=line)
        told = {row["recipient"] for row in room.takes(session, raw, "ann@home.example")}
        assert told == {"ann@example.org", "ann@home.example"}
        row = row_of(session, "ann@example.org")
        assert (row.stopped, row.bounce_score) == (None, 0)


def test_a_mailbox_that_the_relay_refuses_counts(room: Room) -> None:
    with room.tried() as session:
        refused = partial(submit_refusal, room.services.service)
        for why in ("554 5.7.1 relay access denied", "550 no", "452 4.2.2 full", "552 5.3.4 big"):
            refused(session, "ann@example.org", why, room.now)
        assert row_of(session, "ann@example.org").bounce_score == 0
        before = room.sent(session)
        for _ in range(3):
            refused(session, "Ann@example.org", "550 5.1.1 <ann> unknown user", room.now)
            room.now += DAY
        assert row_of(session, "ann@example.org").stopped is not None
        assert room.sent(session) == before + 2


def test_a_person_who_writes_to_the_envelope_sender_is_not_answered(room: Room) -> None:
    """Vacation notices go there (RFC 3834 4), also those that nothing marks."""
    raw = mail("I am away.", sender="ann@example.org", subject="Re: your move")
    with room.tried() as session:
        assert room.takes(session, raw, "ann@example.org", to_ann(room)["envelope_from"]) == []
        assert room.last.outcome == "not a report"


def test_real_reports_that_come_back_to_a_mail_are_counted(room: Room) -> None:
    """Whatever address they name: the mail that came back went to ann."""
    wrong = []
    named = [row for row in MAILS if row["failed_rcpt"] and row["kind"] == "bounce"]
    for row in named:
        with room.tried() as session:
            sent = room.takes(session, arrived(row), "", to_ann(room)["envelope_from"])
            if sent or not room.last.outcome.startswith("bounce: ann@example.org "):
                wrong.append((row["file"], room.last.outcome))
    assert named
    assert wrong == []
