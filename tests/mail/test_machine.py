"""Which marks make a mail a machine's, and which leave it a person's."""

import pytest

from pbm.mail.letter import Machine, read_letter
from tests.harness.mail import MACHINES, MOVE, PERSONS, mail


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-generated",
        "Auto-Submitted: auto-replied; owner-email=x",
        "AUTO-SUBMITTED: Auto-Notified",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
        "Content-Type: message/delivery-status",
        "Content-Type: multipart/mixed; report-type=disposition-notification; boundary=x",
        "X-Failed-Recipients: bob@example.org",
        "X-Autoreply: yes",
        "X-Autorespond: Re: x",
        "X-AutoReply-From: ann@example.com",
        "X-Mail-Autoreply: x",
        "Precedence: auto_reply",
        "Preference: auto_reply",
        "Return-Path: <MAILER-DAEMON>",
        "X-Delivery-Agent: TMDA/1.1",
    ],
)
def test_hard_marks(header: str) -> None:
    letter = read_letter(mail(MOVE, headers=(header,)), envelope_from="ann@example.com")
    assert letter.machine is Machine.HARD
    assert letter.mark


@pytest.mark.parametrize(
    "header",
    [
        "Precedence: bulk",
        "Precedence: list",
        "Precedence: junk",
        "List-Id: <talk.example.org>",
        "List-Post: <mailto:talk@example.org>",
        "List-Unsubscribe: <mailto:x@example.org>",
        "Mailing-List: contact x@example.org",
        "X-Mailing-List: <talk@example.org>",
        "X-BeenThere: talk@example.org",
        "X-Loop: talk@example.org",
        "X-Auto-Response-Suppress: All",
        "X-Spam-Flag: YES",
        "Feedback-ID: 1:2:x",
    ],
)
def test_soft_marks(header: str) -> None:
    letter = read_letter(mail(MOVE, headers=(header,)), envelope_from="ann@example.com")
    assert letter.machine is Machine.SOFT
    assert letter.mark


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: no (a person)",
        "Precedence: normal",
        "Precedence: first-class",
        "Return-Path: <ann@example.com>",
        "X-Spam-Flag: NO",
        "X-Spam-Status: No, score=-1",
        "X-Auto-Response-Suppress: None",
        "Content-Type: text/plain",
        "Sender: list@example.org",
        "X-Priority: 1",
    ],
)
def test_marks_of_people(header: str) -> None:
    letter = read_letter(mail(MOVE, headers=(header,)), envelope_from="ann@example.com")
    assert (letter.machine, letter.mark) == (Machine.NO, "")


@pytest.mark.parametrize(
    ("envelope", "expected"),
    [
        ("", Machine.HARD),
        ("<>", Machine.HARD),
        ("MAILER-DAEMON", Machine.HARD),
        ("Mailer-Daemon@example.com", Machine.HARD),
        ("postmaster@example.com", Machine.HARD),
        ("noreply@example.com", Machine.SOFT),
        ("talk-request@example.com", Machine.SOFT),
        ("owner-talk@example.com", Machine.SOFT),
        ("talk-bounces@example.com", Machine.SOFT),
        ("ann@example.com", Machine.NO),
        ("postmasters-friend@example.com", Machine.NO),
        (None, Machine.NO),
    ],
)
def test_envelope_senders(envelope: str | None, expected: Machine) -> None:
    assert read_letter(mail(MOVE), envelope_from=envelope).machine is expected


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("MAILER-DAEMON@example.com (Mail Delivery System)", Machine.HARD),
        ("Mail Delivery System <Mail.Delivery.System@example.com>", Machine.HARD),
        ("Postmaster <>", Machine.HARD),
        ("No Reply <no-reply@example.com>", Machine.SOFT),
        ("do_not_reply@example.com", Machine.SOFT),
        ("LISTSERV@example.com", Machine.SOFT),
        ("gmail-noreply@example.com", Machine.SOFT),
        ("Norah Eply <norah@example.com>", Machine.NO),
        ("bob.request@example.com", Machine.NO),
    ],
)
def test_authors(sender: str, expected: Machine) -> None:
    assert read_letter(mail(MOVE, sender=sender), envelope_from=None).machine is expected


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Out of office: back on Monday", "x"),
        ("Mail delivery failed: returning message to sender", "x"),
        ("Re: [cradle 17] ann - bob", "I am on holiday until 24 March."),
        ("Re: [cradle 17] ann - bob", "Your request has been received (ticket 17)."),
    ],
)
def test_words_are_no_mark(subject: str, text: str) -> None:
    letter = read_letter(mail(text, subject=subject), envelope_from="ann@example.com")
    assert letter.machine is Machine.NO


@pytest.mark.parametrize(
    "subject",
    [
        "vacation ann secret 2026-01-01 2026-02-01",
        "vacation auto secret off",
        "help mail",
        "signoff",
    ],
)
def test_commands_are_no_wording(subject: str) -> None:
    assert (
        read_letter(mail("x", subject=subject), envelope_from="a@b.example").machine is Machine.NO
    )


def test_hand_written_mails() -> None:
    for name, raw in PERSONS.items():
        assert read_letter(raw, envelope_from="ann@example.com").machine is Machine.NO, name
    for name, raw in MACHINES.items():
        assert read_letter(raw, envelope_from="ann@example.com").machine is not Machine.NO, name
