"""Two daemons on one PostgreSQL: whoever can does what waits."""

from __future__ import annotations

import smtplib
from pathlib import Path

from pbm.config import Bots, Config, Database, Limits, Players, Relay, Smtp
from tests.harness.servers import Running, until


def test_what_one_takes_another_sends(postgresql_url: str, tmp_path: Path) -> None:
    """The relay of the first is out of reach."""
    configs = [
        Config(
            database=Database(url=postgresql_url),
            smtp=Smtp(listen=f"127.0.0.{host}:0"),
            relay=Relay(url=relay),
            bots=Bots(enabled=False),
            players=Players(confirm_addresses=False),
            limits=Limits(unproved_a_day=0),
        )
        for host, relay in ((1, "smtp://127.0.0.1:1"), (2, f"maildir:{tmp_path / 'mail'}"))
    ]
    senders = [f"p{number}@example.org" for number in range(6)]
    with Running(configs[0]) as one, Running(configs[1]) as other:
        with smtplib.SMTP("127.0.0.1", one.port("smtp")) as client:
            for number, sender in enumerate(senders):
                text = f"From: {sender}\r\nSubject: games\r\nMessage-ID: <{number}@a>\r\n\r\n"
                client.sendmail(sender, ["pbm@localhost"], text)
        assert [row.state for row in one.mails()] == ["done"] * len(senders)
        until(lambda: {row.state for row in one.sent()} == {"sent"}, "not everything is sent")
        assert other.daemon.outbox.counts["delivered"] == len(senders)
    for sender in senders:
        assert len(list((tmp_path / "mail" / sender / "new").iterdir())) == 1
