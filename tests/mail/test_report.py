"""Delivery reports: whose mail failed, for how long, and which mail of ours it was."""

import pytest

from pbm.mail.bounces import Failure, RecipientReport, read_report
from tests.harness.mail import PERSONS, mail, multipart

STATUS = "Reporting-MTA: dns; mx.example"


def dsn(*blocks: str, original: str = "Subject: x") -> bytes:
    """Builds a report in the standard form."""
    return multipart(
        "multipart/report; report-type=delivery-status",
        ("Content-Type: text/plain", "Sorry."),
        ("Content-Type: message/delivery-status", "\n\n".join([STATUS, *blocks])),
        ("Content-Type: text/rfc822-headers", original),
    )


def block(action: str, status: str, name: str = "bob@example.org") -> str:
    return f"Final-Recipient: rfc822; {name}\nAction: {action}\nStatus: {status}"


@pytest.mark.parametrize(
    ("action", "status", "failure"),
    [
        ("failed", "5.1.1", Failure.HARD),
        ("Failed", "5.0.0 (unknown)", Failure.HARD),
        ("failed", "5.7.1", Failure.HARD),
        ("failed", "", Failure.HARD),
        ("failed", "4.4.7", Failure.SOFT),
        ("failed", "5.2.2", Failure.SOFT),
        ("delayed", "4.4.1", Failure.WAITS),
    ],
)
def test_standard_reports(action: str, status: str, failure: Failure) -> None:
    assert read_report(dsn(block(action, status))) == (RecipientReport("bob@example.org", failure),)


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_success_is_no_failure(action: str) -> None:
    assert read_report(dsn(block(action, "2.0.0"))) == ()


def test_several_recipients_and_obsolete_spelling() -> None:
    found = read_report(
        dsn(
            block("failed", "5.1.1", "<a@Example.org>"),
            "Original-Recipient : rfc822;b@x.example\n"
            "Final-Recipient: rfc822;c@y.example\nAction : failed\nStatus : 5.1.1",
        )
    )
    assert [entry.address for entry in found] == ["a@example.org", "b@x.example"]
    assert all(entry.failure is Failure.HARD for entry in found)


def test_reports_of_other_forms() -> None:
    exim = mail("x", headers=("X-Failed-Recipients: bob@example.org, carl@example.org",))
    assert [entry.address for entry in read_report(exim)] == ["bob@example.org", "carl@example.org"]
    qmail = mail(
        "Hi. This is the qmail-send program at mx.example.",
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        "",
        "<bob@example.org>:",
        "Sorry, no mailbox here by that name. (#5.1.1)",
        sender="MAILER-DAEMON@mx.example",
        subject="failure notice",
    )
    assert read_report(qmail) == (RecipientReport("bob@example.org", Failure.HARD),)


def test_a_warning_is_not_hard() -> None:
    raw = mail(
        "x", subject="Warning: message delayed 24 hours", headers=("X-Failed-Recipients: b@x.org",)
    )
    assert read_report(raw) == (RecipientReport("b@x.org", Failure.WAITS),)


@pytest.mark.parametrize("name", sorted(PERSONS))
def test_mails_of_persons_are_no_reports(name: str) -> None:
    assert read_report(PERSONS[name]) == ()


@pytest.mark.parametrize(
    "sender", ["", "Åsa <a@b.example>", "x\x00y", "<a@b.example", "a@b.example, c@d.example"]
)
def test_a_broken_author_does_not_matter(sender: str) -> None:
    assert read_report(mail("hello", sender=sender)) == ()
