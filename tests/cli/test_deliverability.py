"""`pbm admin deliverability`: what became of the mails, by provider."""

from __future__ import annotations

import time

from sqlalchemy import insert

from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound
from tests.harness.shell import Shell

FULL = "552 5.2.2 <{0}> mailbox full, see https://support.example/{1} (queue 4XyZ1a2b3c)"


def write(shell: Shell, *mails: tuple[str, str, int, str], bounces: tuple[str, ...] = ()) -> None:
    """Store outgoing mails, each with recipient, state, attempts and why, and reports."""
    now = time.time()
    sent = [
        {
            "recipient": recipient,
            "state": state,
            "attempts": attempts,
            "why": why,
            "message": b"",
            "envelope_from": "",
            "created": now,
            "next_attempt": now,
        }
        for recipient, state, attempts, why in mails
    ]
    reports = [
        {
            "received": now,
            "via": "smtp",
            "recipient": "",
            "raw": b"",
            "state": "done",
            "code": "bounce",
            "outcome": outcome,
        }
        for outcome in bounces
    ]
    store = Store(shell.url)
    with store.writing() as session:
        session.execute(insert(outbound), sent)
        session.execute(insert(inbound), reports)
    store.close()


def test_mails_are_counted_by_provider_with_its_words(any_shell: Shell) -> None:
    shell = any_shell
    write(
        shell,
        ("ann@gmail.com", "sent", 1, ""),
        ("bob@GoogleMail.com", "sent", 3, ""),
        ("cat@gmail.com", "failed", 1, FULL.format("cat@gmail.com", 1)),
        ("dan@gmail.com", "failed", 1, FULL.format("dan@gmail.com", 2)),
        ("eve@club.example", "waiting", 2, "451 4.7.1 greylisted"),
        ("fox@club.example", "sent", 1, ""),
        bounces=(
            "bounce: fox@club.example failed: 550 5.1.1 no such user",
            "bounce: eve@club.example waits",
        ),
    )
    words = "552 5.2.2 ADDRESS mailbox full, see URL (queue ID)"
    assert shell.json("admin", "deliverability") == [
        {
            "provider": "gmail.com",
            "mails": 4,
            "arrived": 2,
            "late": 1,
            "waiting": 0,
            "refused": 2,
            "bounced": 0,
            "words": [{"words": words, "mails": 2}],
        },
        {
            "provider": "club.example",
            "mails": 2,
            "arrived": 0,
            "late": 0,
            "waiting": 1,
            "refused": 0,
            "bounced": 1,
            "words": [
                {"words": "451 4.7.1 greylisted", "mails": 1},
                {"words": "550 5.1.1 no such user", "mails": 1},
            ],
        },
    ]
    assert f"{words} (2)" in shell.ok("admin", "deliverability")
