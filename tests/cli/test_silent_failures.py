"""What fails without a word: certificates, backups, a second server on one file, a daemon that was
killed, a configuration that cannot be read again."""

from __future__ import annotations

import json
import os
import signal
import smtplib
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.harness.databases import Cluster
from tests.harness.shell import Shell

_REQUEST = "req -new -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out request.pem"
_WAIT = 60.0


def _make_certificate(folder: Path, days: int) -> None:
    """Write key.pem and cert.pem, valid for so many days from now, or until yesterday."""
    sign = f"x509 -req -in request.pem -signkey key.pem -days {days} -out new.pem"
    for line in (_REQUEST, sign):
        subprocess.run(["openssl", *line.split()], cwd=folder, check=True, capture_output=True)
    os.replace(folder / "new.pem", folder / "cert.pem")


def _find(shell: Shell, what: str) -> dict[str, Any]:
    found = json.loads(shell.run("doctor", "--json").stdout)
    return next((row for row in found if row["what"] == what), {})


def _get(http: str, path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://{http}{path}", timeout=_WAIT) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return error.read().decode()


def _serve(shell: Shell) -> tuple[subprocess.Popen[str], dict[str, str]]:
    server = shell.start("serve")
    assert server.stdout is not None
    ports = [server.stdout.readline().split() for _ in range(2)]
    return server, {kind: place for _, kind, place in ports}


def test_what_a_running_server_would_not_say(shell: Shell) -> None:
    _make_certificate(shell.folder, -1)
    text = shell.config.read_text(encoding="utf-8").replace(
        "[smtp]", f'[smtp]\ncertificate = "{shell.folder}/cert.pem"\nkey = "{shell.folder}/key.pem"'
    )
    text += '[http]\nlisten = "127.0.0.1:0"\n[log]\nformat = "json"\n'
    shell.config.write_text(text, encoding="utf-8")
    server, places = _serve(shell)
    try:
        # An expired certificate.
        found = _find(shell, "certificate")
        assert (found["grade"], "expired" in found["says"]) == ("BAD", True)
        health = json.loads(_get(places["http"], "/health"))
        assert (health["ok"], health["why"]) == (False, "the certificate of [smtp] has expired")
        assert health["relay_up"] is None  # nothing was sent yet
        (line,) = (
            line
            for line in _get(places["http"], "/metrics").splitlines()
            if line.startswith("pbm_certificate_expires_seconds")
        )
        assert float(line.split()[1]) < 0
        # It is renewed, and taken without a restart.
        _make_certificate(shell.folder, 90)
        until = time.monotonic() + _WAIT
        while not json.loads(_get(places["http"], "/health"))["ok"]:
            assert time.monotonic() < until
            time.sleep(0.2)
        host, _, port = places["smtp"].rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=_WAIT) as client:
            trust = ssl.create_default_context(cafile=str(shell.folder / "cert.pem"))
            trust.check_hostname = False
            client.starttls(context=trust)
        assert _find(shell, "certificate")["grade"] == "ok"

        # A second server on one file.
        second = shell.start("serve")
        said = second.communicate(timeout=_WAIT)[1]
        assert second.returncode == 75
        assert f"another server has {shell.folder}/pbm.db (process {server.pid}): stop" in said

        # A configuration that cannot be read again: the one that the server has, and this one.
        good = shell.config.read_text(encoding="utf-8")
        (shell.folder / "mine.toml").write_text(good, encoding="utf-8")
        shell.config.write_text(f"{good}[limits]\nsize = 'orchard7'\n", encoding="utf-8")
        theirs, shell.config = shell.config, shell.folder / "mine.toml"
        result = shell.run("admin", "reload")
        assert (result.exit_code, result.stderr) == (
            2,
            f"pbm: process {server.pid} goes on as it was: [limits] size is wrong in its "
            "configuration\n",
        )
        found = _find(shell, "daemon")
        assert (found["grade"], "[limits] size" in found["says"]) == ("BAD", True)
        theirs.write_text(good, encoding="utf-8")
        assert "reloaded" in shell.ok("admin", "reload")
        assert _find(shell, "daemon")["grade"] == "ok"
        (daemon,) = shell.json("admin", "top", "--once")["daemons"]
        assert daemon["process"] == server.pid
        shell.ok("admin", "backup", str(shell.folder / "backup"))
        metrics = _get(places["http"], "/metrics")
        assert 'pbm_daemon_seen_seconds{daemon="' in metrics
        assert "\npbm_backup_age_seconds " in metrics

        # The server is killed: its place is free at once, and the list says that it is silent.
        server.kill()
        server.communicate(timeout=_WAIT)
        server, _ = _serve(shell)
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=_WAIT)
    assert server.returncode == 0
    assert not _find(shell, "daemon")  # who ends leaves the list
    assert not (shell.folder / "pbm.db-serve").exists()


@pytest.fixture
def dumping_shell(any_shell: Shell, request: pytest.FixtureRequest) -> Shell:
    """A shell on each kind of database, with the programs of PostgreSQL at hand."""
    if any_shell.url.startswith("postgresql"):
        cluster: Cluster = request.getfixturevalue("cluster")
        monkeypatch = request.getfixturevalue("monkeypatch")
        monkeypatch.setenv("PATH", f"{cluster.programs}{os.pathsep}{os.environ['PATH']}")
    return any_shell


def test_backups_have_an_age_and_can_be_checked(dumping_shell: Shell) -> None:
    shell = dumping_shell
    backup = shell.folder / "backup"
    assert (_find(shell, "backup")["grade"], _find(shell, "backup")["says"]) == (
        "note",
        "pbm has made none",
    )
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob")
    shell.ok("admin", "backup", str(backup))
    assert _find(shell, "backup")["grade"] == "ok"
    assert shell.ok("admin", "check", str(backup)) == "no difference\n"
    whole = backup.read_bytes()
    backup.write_bytes(whole[: len(whole) // 2])
    assert shell.run("admin", "check", str(backup)).exit_code == 1
    backup.write_text("nothing", encoding="utf-8")
    result = shell.run("admin", "check", str(backup))
    assert (result.exit_code, "is no backup" in result.stderr) == (1, True)
    if shell.url.startswith("postgresql"):
        return
    backup.write_bytes(whole)
    for change, says in (
        ("UPDATE boards SET ply = 7", "board 1"),
        ("UPDATE alembic_version SET version_num = '0033'", "in a clone of pbm 0.2.0"),
        ("UPDATE alembic_version SET version_num = '0115'", "no release has that schema"),
        ("UPDATE alembic_version SET version_num = '9999'", "install the newer pbm"),
    ):
        with sqlite3.connect(backup) as connection:
            connection.execute(change)
        connection.close()
        result = shell.run("admin", "check", str(backup))
        assert (result.exit_code, says in result.output) == (1, True), result.output
