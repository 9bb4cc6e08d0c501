"""A running server goes on when its operator divides the queues under it."""

from __future__ import annotations

import smtplib
import time
from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import Table, func, select

from pbm.cli import cli
from pbm.store.tables import inbound, outbound
from tests.harness.servers import until
from tests.harness.visitor import Club


def test_a_running_server_goes_on_with_divided_queues(tmp_path: Path, postgresql_url: str) -> None:
    club = Club(tmp_path, "mails_a_day = 0\nlooks_a_day = 0\n", postgresql_url)
    try:
        club.signup("ann")

        def send(first: int) -> None:
            with smtplib.SMTP("127.0.0.1", club.port, timeout=60) as client:
                for number in range(first, first + 20):
                    mail = f"From: ann@example.org\nMessage-ID: <{number}@x>\nSubject: list\n\n"
                    client.sendmail("ann@example.org", ["pbm@games.example"], mail)

        def count(table: Table, state: str) -> int:
            with club.store.reading() as session:
                query = select(func.count()).select_from(table).where(table.c.state == state)
                return int(session.execute(query).scalar_one())

        send(0)
        for _ in range(60):
            words = ["--config", str(tmp_path / "pbm.toml"), "admin", "db", "partition"]
            divided = CliRunner().invoke(cli, [*words, "--mails", "1000"])
            if divided.exit_code != 75:
                break
            time.sleep(1)
        assert divided.output == "divided\n", divided.output
        send(20)
        until(lambda: count(inbound, "done") == 40, "mails are not executed", 60)
        until(lambda: not count(outbound, "waiting"), "mails are not sent", 60)
        assert count(outbound, "sent") >= 40
        assert "Traceback" not in club.log.read_text()
    finally:
        club.close()
