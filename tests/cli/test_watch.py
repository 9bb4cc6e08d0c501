"""A running server that is watched: /health, /metrics, its log, and a configuration read again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from pbm.cli.doctor.state import check_health
from pbm.config import Config, Http
from pbm.daemon import presence
from pbm.store.engine import Store
from pbm.version import find_version
from tests.harness.shell import Shell

_IN_BETWEEN = ("mail in", "mail out", "picture late")  # the last on a busy machine


@dataclass
class Watched:
    """A server, and where it answers HTTP."""

    shell: Shell
    server: subprocess.Popen[str]
    smtp: str
    http: str
    serving: dict[str, object]

    def get(self, path: str) -> tuple[int, str]:
        """Status and body."""
        try:
            with urllib.request.urlopen(f"http://{self.http}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def configure(self, more: str, at: str = "") -> None:
        """Write the configuration again, with other sections at its end."""
        self.shell.write(self.shell.url, at or self.smtp)
        with self.shell.config.open("a", encoding="utf-8") as file:
            file.write(more)

    def event(self, name: str = "") -> dict[str, object]:
        """The next event of that name in the log; without a name, any but those that come in
        between: mails on their way in and out, a picture that is late."""
        assert self.server.stderr is not None
        while True:
            said: dict[str, object] = json.loads(self.server.stderr.readline())
            if said["event"] == name or (not name and said["event"] not in _IN_BETWEEN):
                return said


_WATCHED = '[http]\nlisten = "127.0.0.1:0"\n[log]\nformat = "json"\nmails = true\n'


@pytest.fixture(params=["sqlite", "postgresql"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    """A server that tells of each mail, on each kind of database."""
    shell = Shell(tmp_path, request.getfixturevalue(f"{request.param}_url"))
    with shell.config.open("a", encoding="utf-8") as file:
        file.write(_WATCHED)
    server = shell.start("serve")
    assert server.stdout is not None
    try:
        ports = [server.stdout.readline().split() for _ in range(2)]
        assert [port[:2] for port in ports] == [["ready", "smtp"], ["ready", "http"]]
        found = Watched(shell, server, ports[0][2], ports[1][2], {})
        while found.serving.get("event") != "serving":  # PostgreSQL has a doubt about fsync first
            found.serving = found.event()
        shell.write(shell.url, found.smtp)
        yield found
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
        assert server.returncode == 0


def test_health_metrics_and_events(watched: Watched) -> None:
    assert str(watched.serving["database"]).endswith(str(make_url(watched.shell.url).database))
    for command in (
        "signup ann orchard7",
        "cradle challenge ann random",
        "nonsense",
        "cradle show 99",
    ):
        watched.shell.run("send", "--from", "ann@example.org", command)
    mails = [watched.event() for _ in range(4)]
    assert [(mail["mail"], mail["board"], mail["player"]) for mail in mails] == [
        (1, None, "ann"),
        (2, 1, "ann"),
        (3, None, "ann"),
        (4, None, "ann"),
    ]
    assert "orchard7" not in str((watched.serving, mails))
    assert [(mail["code"], mail["via"]) for mail in mails] == [
        ("executed", "smtp"),
        ("executed", "smtp"),
        ("no_command", "smtp"),
        ("refused", "smtp"),
    ]
    assert mails[3]["why"] == "no_such_board"
    code, body = watched.get("/health")
    health = json.loads(body)
    assert (code, health["ok"], health["waiting"]["in"]) == (200, True, 0)
    assert (health["accepted"], health["outcomes"]["in"]) == (4, {"done": 4})
    code, body = watched.get("/metrics")
    assert code == 200
    lines = body.splitlines()
    for line in (
        'pbm_queue_mails{queue="in"} 0.0',
        'pbm_mails_total{queue="in"} 4.0',
        'pbm_recent_mails{outcome="done",queue="in"} 4.0',
        'pbm_recent_incoming_mails{code="executed"} 2.0',
        'pbm_recent_incoming_mails{code="no_command"} 1.0',
        'pbm_recent_incoming_mails{code="refused"} 1.0',
        'pbm_recent_refusals{code="no_such_board"} 1.0',
        "pbm_boards_running 1.0",
        "pbm_analyses_waiting 0.0",
        "pbm_sessions_refused_total 0.0",
        "pbm_working 1.0",
        "pbm_relay_up 1.0",
        "pbm_database_writable 1.0",
        f'pbm_build_info{{version="{find_version()}"}} 1.0',
    ):
        assert line in lines, body
    assert any(line.startswith("pbm_pictures_late_total ") for line in lines), body
    assert health["pictures_late"] >= 0
    assert "ann" not in body
    assert watched.get("/")[0] == 404
    host, _, port = watched.http.rpartition(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(b"DELETE /health HTTP/1.1\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 405 ")


def test_limits_change_on_reload(watched: Watched) -> None:
    shell = watched.shell
    watched.configure(
        _WATCHED.replace("true", "false") + "[limits]\nrecipients = 2\nsize = 300\n"
        "[bots]\nseconds = 1.0\n"
    )
    if shell.url.startswith("postgresql"):
        result = shell.run("admin", "reload")
        assert result.exit_code == 75
        assert "SIGHUP" in result.stderr
        watched.server.send_signal(signal.SIGHUP)
    else:
        assert str(watched.server.pid) in shell.ok("admin", "reload", "--reason", "spam")
        assert shell.json("admin", "audit")[0]["action"] == "reload"
    said = watched.event()
    assert (said["event"], said["needs_restart"]) == ("reloaded", "smtp,bots")
    result = shell.run("send", "--from", "a@b.example", "--body", "x" * 500, "list")
    assert result.exit_code == 1
    assert "552" in result.stderr


def test_a_wrong_configuration_changes_nothing(watched: Watched) -> None:
    watched.configure("[limits]\nsize = 'orchard7'\n")
    assert watched.shell.run("admin", "reload").exit_code == 2
    watched.server.send_signal(signal.SIGHUP)
    said = watched.event()
    assert said["level"] == "error"
    assert "orchard7" not in str(said)
    assert watched.get("/health")[0] == 200


def test_reload_without_a_server(shell: Shell) -> None:
    (shell.folder / "pbm.db-serve").touch()
    result = shell.run("admin", "reload")
    assert (result.exit_code, result.stderr) == (
        75,
        "pbm: no server is running on this database: start it with pbm serve\n",
    )
    assert not (shell.folder / "pbm.db-serve").exists()


def test_a_daemon_is_known_while_it_runs(shell: Shell) -> None:
    store = Store(shell.url)
    with presence.announce(store):
        assert presence.find_daemons(store) == [os.getpid()]
        assert (shell.folder / "pbm.db-serve").exists()
    assert not (shell.folder / "pbm.db-serve").exists()
    assert presence.find_daemons(store) == []
    store.close()


@pytest.mark.long
def test_doctor_asks_for_the_health(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.configure(f'[http]\nlisten = "{watched.http}"\n')
    code = int(watched.shell.url.startswith("postgresql"))  # that of the tests has no fsync
    (found,) = [row for row in watched.shell.json("doctor", code=code) if row["what"] == "health"]
    assert (found["grade"], found["says"]) == ("ok", "the server is healthy")
    assert find_version() in watched.get("/health")[1]
    monkeypatch.setattr("pbm.cli.doctor.state.find_version", lambda: "0.2.0")
    found = watched.shell.json("doctor", code=code)
    (older,) = [row for row in found if (row["what"], row["grade"]) == ("health", "note")]
    assert older["says"] == f"pbm {find_version()} runs, 0.2.0 is installed"
    watched.configure('[http]\nlisten = "127.0.0.1:1"\n')
    (found,) = [row for row in watched.shell.json("doctor", code=1) if row["what"] == "health"]
    assert (found["grade"], found["do"]) == ("BAD", "start it with pbm serve")


@pytest.mark.parametrize("line", [b"GET /" + b"x" * 70_000, b"x" * 70_000 + b"\r\n\r\n"])
def test_a_request_that_is_too_long_is_answered_and_closed(watched: Watched, line: bytes) -> None:
    """Nothing is logged of it: the next event is that of the server's end."""
    host, _, port = watched.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(line)
        client.shutdown(socket.SHUT_WR)
        assert (
            client.makefile("rb").readline() == b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
        )
    assert watched.get("/health")[0] == 200
    watched.server.send_signal(signal.SIGHUP)
    assert watched.server.stderr is not None
    assert "reloaded" in watched.server.stderr.readline()


def test_doctor_says_how_many_pictures_were_late() -> None:
    """As the server counts them; a server of before that counts none says nothing."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            health = {"ok": True, "why": "", "version": find_version(), **told}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(health).encode())

        def log_message(self, *_: object) -> None:
            pass

    told: dict[str, int] = {}
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        config = Config(http=Http(listen=f"127.0.0.1:{server.server_port}"))
        for late, expected in (({}, []), ({"pictures_late": 0}, []), ({"pictures_late": 3}, ["3"])):
            told.update(late)
            thread = threading.Thread(target=server.handle_request)
            thread.start()
            found = [each for each in check_health(config) if each.what == "pictures"]
            thread.join()
            assert [each.says.split()[0] for each in found] == expected
            assert all(each.grade == "note" and each.do for each in found)
