"""What watches a server: alert rules, the dashboard, and the /health and /metrics they rest on."""

from __future__ import annotations

import json
import os
import re
import shutil
import smtplib
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from pbm.config import Config, Database, Http, Imap, Relay, Server, Smtp
from pbm.logs import describe_cause
from tests.harness.packages import skip_without
from tests.harness.servers import Running, until

FOLDER = Path(__file__).parents[2] / "config"
RULES = FOLDER / "prometheus" / "pbm.rules.yml"
DASHBOARD = FOLDER / "grafana" / "pbm.json"
UNPACKED = Path(os.environ.get("PBM_UNPACKED", "/nowhere"))


def get(running: Running, path: str) -> tuple[int, str]:
    """Status and body."""
    try:
        url = f"http://127.0.0.1:{running.port('http')}{path}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def is_troubled(running: Running, *words: str) -> bool:
    """Whether /health says these words and no others."""
    code, body = get(running, "/health")
    why: list[str] = json.loads(body)["why"].split("; ")
    assert (code, json.loads(body)["ok"]) == ((503, False) if why != [""] else (200, True))
    return why == (list(words) or [""])


def send(running: Running, subject: str) -> None:
    with smtplib.SMTP("127.0.0.1", running.port("smtp")) as client:
        mail = f"From: ann@example.org\nTo: pbm@games.test\nSubject: {subject}\n\n"
        client.sendmail("ann@example.org", ["pbm@games.test"], mail)


def send_many(running: Running) -> None:
    for number in range(100):
        send(running, f"help {'x' * 5000} {number}")


def limit_pages(running: Running, most: int) -> None:
    """Have the database take so many pages and no more, as a full disk does."""
    job = running.daemon.writer.submit(
        lambda session: session.execute(text(f"PRAGMA max_page_count = {most}"))
    )
    job.result(60)


_ELSEWHERE = {"pbm_certificate_expires_seconds", "pbm_backup_age_seconds"}
"""What is there with a certificate and after a backup: see tests/cli/test_silent_failures.py."""


def test_health_and_metrics_say_what_does_not_work(sqlite_url: str) -> None:
    """A relay and a mailbox that nobody answers for, then a disk that is full; every metric that
    the rules and the dashboard name is there."""
    config = Config(
        server=Server("pbm@games.test"),
        database=Database(sqlite_url),
        smtp=Smtp("127.0.0.1:0"),
        imap=Imap("imap://pbm:secret99@127.0.0.1:1/INBOX"),
        relay=Relay("smtp://127.0.0.1:1"),
        http=Http("127.0.0.1:0"),
    )
    mailbox = "the mailbox cannot be read: 127.0.0.1:1: Connection refused"
    relay = "the relay cannot be reached: 127.0.0.1:1: Connection refused"
    with capture_logs() as events, Running(config) as running:
        until(lambda: is_troubled(running, mailbox), "the mailbox seems to work")
        send(running, "help")
        until(lambda: is_troubled(running, relay, mailbox), "the relay seems to work")
        body = get(running, "/metrics")[1]
        for line in ("pbm_relay_up 0.0", "pbm_mailbox_up 0.0", "pbm_database_writable 1.0"):
            assert line in body.splitlines()
        used = find_metrics(RULES.read_text()) | find_metrics(DASHBOARD.read_text())
        there = set(re.findall(r"^(pbm_\w+)", body, re.MULTILINE))
        assert used - _ELSEWHERE <= there, used - there
        limit_pages(running, 1)
        with pytest.raises(smtplib.SMTPException):
            send_many(running)
        (event,) = [event for event in events if event["event"] == "mail not stored"]
        assert describe_cause(event["exc_info"]) == "SQLITE_FULL: database or disk is full"
        (event,) = [event for event in events if event["event"] == "imap fetch failed"]
        assert (event["mailbox"], event["why"]) == ("127.0.0.1:1", "Connection refused")
        full = "the database cannot be written: SQLITE_FULL: database or disk is full"
        until(lambda: is_troubled(running, full, relay, mailbox), "the disk seems to have room")
        assert "pbm_database_writable 0.0" in get(running, "/metrics")[1].splitlines()
        limit_pages(running, 1_000_000)
        until(lambda: is_troubled(running, relay, mailbox), "the disk still seems to be full")
        assert "secret99" not in get(running, "/health")[1]


def find_metrics(source: str) -> set[str]:
    names = set(re.findall(r"\bpbm_\w+", source))
    assert names
    return names


def find_promtool() -> str:
    """Where promtool is, of the package prometheus."""
    program = shutil.which("promtool") or str(UNPACKED / "usr/bin/promtool")
    if not Path(program).exists():
        skip_without("prometheus")
    return program


def test_the_rules_fire_when_they_should_and_not_before(tmp_path: Path) -> None:
    promtool = find_promtool()
    shutil.copy(RULES, tmp_path / "pbm.rules.yml")
    cases = {
        "PbmDown": ('up{job="pbm"}', "0x60"),
        "PbmNotWorking": ("pbm_working", "0x60"),
        "PbmDatabaseNotWritable": ("pbm_database_writable", "0x60"),
        "PbmDiskFillsUp": ("pbm_disk_free_bytes", "400000000x60"),
        "PbmRelayDown": ("pbm_relay_up", "0x60"),
        "PbmMailboxDown": ("pbm_mailbox_up", "0x60"),
        "PbmMailWaits": ('pbm_queue_oldest_seconds{queue="in"}', "0+60x60"),
        "PbmAnswersWait": ('pbm_queue_oldest_seconds{queue="out"}', "20000+60x60"),
        "PbmMailsRefused": ('pbm_deliveries_total{result="failed"}', "0+10x60"),
        "PbmMailsSetAside": ('pbm_recent_mails{queue="in",outcome="aside"}', "0+1x60"),
        "PbmSessionsRefused": ("pbm_sessions_refused_total", "0+120x60"),
        "PbmCertificateEnds": ("pbm_certificate_expires_seconds", "500000-60x60"),
        "PbmBackupOld": ("pbm_backup_age_seconds", "200000+60x60"),
        "PbmDaemonSilent": ('pbm_daemon_seen_seconds{daemon="one"}', "0x60"),
    }
    rules = set(re.findall(r"alert: (\w+)", RULES.read_text()))
    assert rules == set(cases)
    well = {
        'up{job="pbm"}': "1x60",
        "pbm_working": "1x60",
        "pbm_database_writable": "1x60",
        "pbm_disk_free_bytes": "600000000x60",
        "pbm_relay_up": "1x60",
        "pbm_mailbox_up": "1x60",
        'pbm_queue_oldest_seconds{queue="in"}': "100x60",
        'pbm_queue_oldest_seconds{queue="out"}': "20000x60",
        'pbm_deliveries_total{result="failed"}': "0x60",
        'pbm_mails_total{queue="out"}': "0+60x60",
        'pbm_recent_mails{queue="in",outcome="aside"}': "20x60",
        "pbm_sessions_refused_total": "0+10x60",
        "pbm_certificate_expires_seconds": "5000000-60x60",
        "pbm_backup_age_seconds": "20000+60x60",
        'pbm_daemon_seen_seconds{daemon="one"}': "0+60x60",
    }
    tests: list[Any] = [build_case(well, "")]
    for alert, (series, values) in cases.items():
        tests.append(build_case({**well, series: values}, alert))
    unit = {"rule_files": ["pbm.rules.yml"], "evaluation_interval": "1m", "tests": tests}
    (tmp_path / "unit.yml").write_text(json.dumps(unit))
    for words in (("check", "rules", "pbm.rules.yml"), ("test", "rules", "unit.yml")):
        done = subprocess.run([promtool, *words], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def build_case(series: dict[str, str], alert: str) -> dict[str, Any]:
    """A case of promtool: after 50 minutes this alert fires and no other does."""
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": "50m",
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1}]
                if alert
                else [],
            }
        ],
    }


def test_the_dashboard_shows_every_metric_once_and_says_what_it_is() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    for panel in panels:
        assert panel["title"]
        assert panel["description"]
        assert panel["targets"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard["panels"]]
    assert len(set(places)) == len(places)
