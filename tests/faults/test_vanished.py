"""A database that is deleted, moved or replaced under a running server: from that moment on nothing
is accepted, executed or sent, everybody who asks hears of it, and the log says it once."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import smtplib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.harness.databases import Cluster, create_database
from tests.harness.servers import until
from tests.harness.shell import Shell

_PARTS = ("pbm.db", "pbm.db-wal", "pbm.db-shm")


class Server:
    """`pbm serve` with everything that listens, its database in the folder `disk`."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.disk = folder / "disk"
        self.disk.mkdir()
        self.shell = Shell(folder, url or f"sqlite:///{self.disk}/pbm.db")
        create_database(self.shell.url)
        with self.shell.config.open("a", encoding="utf-8") as file:
            file.write(
                '[http]\nlisten = "127.0.0.1:0"\n[web]\nlisten = "127.0.0.1:0"\n'
                "[workers]\nprocesses = 1\n[limits]\nunproved_a_day = 0\nstrangers_an_hour = 0\n"
            )
        self._log = folder / "log"
        self.start()

    def start(self) -> None:
        """Start it, and read where it listens."""
        with self._log.open("a") as log:
            self._process = self.shell.start("serve", stderr=log)
        assert self._process.stdout is not None
        self._ports = dict[str, str]()
        while len(self._ports) < 3:
            line = self._process.stdout.readline()
            assert line.startswith("ready"), self.said()
            _, kind, place = line.split()
            self._ports[kind] = place

    def stop(self) -> None:
        """SIGTERM; it ends in order."""
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=60)
        assert self._process.returncode == 0

    def kill(self) -> None:
        """End it if it still runs."""
        self._process.kill()
        self._process.communicate(timeout=60)

    def mail(self, subject: str = "games") -> int:
        """Send a mail; the reply to its text."""
        host, _, port = self._ports["smtp"].rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=60) as client:
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt("pbm@games.example")
            return client.data(f"From: ann@example.org\r\nSubject: {subject}\r\n\r\n")[0]

    def get(self, kind: str, path: str) -> tuple[int, str]:
        """A page of the web or of the monitoring: its code and text."""
        try:
            with urllib.request.urlopen(f"http://{self._ports[kind]}{path}", timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def sent(self) -> int:
        """The number of mails that went out."""
        return len(list((self.shell.folder / "mail").glob("*/new/*")))

    def said(self) -> str:
        """Its log."""
        return self._log.read_text()

    def faults(self) -> list[str]:
        """The warnings and errors in its log."""
        return re.findall(r"^\S+ (?:warning|error) .*$", self.said(), re.MULTILINE)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that has answered a mail and shown a page."""
    server = Server(tmp_path)
    assert server.mail("signup ann orchard7") == 250
    until(lambda: server.sent() == 1, "no welcome")
    assert server.get("web", "/")[0] == server.get("http", "/health")[0] == 200
    yield server
    server.kill()


def _delete(disk: Path) -> None:
    for name in _PARTS:
        (disk / name).unlink(missing_ok=True)


def _replace(disk: Path) -> None:
    """As somebody does who restores a backup and forgets to stop the server."""
    create_database(f"sqlite:///{disk}/restored.db")
    _delete(disk)
    (disk / "restored.db").rename(disk / "pbm.db")


def _unmount(disk: Path) -> None:
    disk.rename(disk.with_name("elsewhere"))
    disk.mkdir()


def _delete_log(disk: Path) -> None:
    (disk / "pbm.db-wal").unlink()


@pytest.mark.parametrize(
    "strike",
    [
        _delete,
        pytest.param(_replace, marks=pytest.mark.long),
        pytest.param(_unmount, marks=pytest.mark.long),
        pytest.param(_delete_log, marks=pytest.mark.long),
    ],
)
def test_nothing_is_accepted_or_done(server: Server, strike: Callable[[Path], None]) -> None:
    sent = server.sent()
    strike(server.disk)
    here = {path.name for path in server.disk.iterdir()}
    assert server.mail() == 451
    until(lambda: server.get("web", "/")[0] == 503, "the page is still shown")
    assert server.get("web", "/player/ann")[0] == 503
    code, health = server.get("http", "/health")
    assert (code, json.loads(health)["ok"]) == (503, False)
    assert "the database was replaced: " in health
    assert server.get("http", "/metrics")[0] == 503
    until(lambda: "database replaced" in server.said(), "the log does not say it")
    grades = {row["what"]: row["grade"] for row in server.shell.json("doctor", code=1)}
    # A folder that is empty in place of a disk is like that of a server that has never run.
    assert grades["database"] == ("next" if strike is _unmount else "BAD")
    assert server.mail() == server.mail() == 451
    assert server.sent() == sent
    server.stop()
    (line,) = server.faults()
    assert " error   database replaced what=" in line
    left = {path.name for path in server.disk.iterdir()}
    assert left <= here | {f"pbm.db{end}" for end in ("-wal", "-shm") if "pbm.db" in here}


@pytest.mark.long
def test_a_database_of_postgresql_that_is_dropped(
    tmp_path: Path, cluster: Cluster, postgresql_template: str
) -> None:
    """It is said once, beside what tells that connections were ended: each part of the server
    finds that out when it next uses its own."""
    name = cluster.create(postgresql_template)
    server = Server(tmp_path, cluster.url(name))
    try:
        assert server.mail("signup ann orchard7") == 250
        until(lambda: server.sent() == 1, "no welcome")
        assert server.get("web", "/")[0] == 200
        cluster.drop(name)
        until(lambda: server.mail() == 451, "mail is still accepted")
        until(lambda: server.get("web", "/")[0] == 503, "the page is still shown")
        until(lambda: server.get("http", "/health")[0] == 503, "it calls itself well")
        until(lambda: "database replaced" in server.said(), "the log does not say it")
        grades = {row["what"]: row["grade"] for row in server.shell.json("doctor", code=1)}
        assert grades["database"] == "BAD"
        assert server.mail() == server.mail() == 451
        server.stop()
        faults = server.faults()
        (line,) = (fault for fault in faults if "database replaced" in fault)
        assert f' error   database replaced what="{name} is missing"' in line
        others = [fault.partition(" ")[2] for fault in faults if fault != line]
        ended = [fault for fault in others if "fsync off" not in fault]
        assert all("error=OperationalError" in fault for fault in ended), ended
        assert len(ended) == len(set(ended)), ended
    finally:
        server.kill()


@pytest.mark.long
def test_it_goes_on_when_the_disk_is_back(server: Server) -> None:
    _unmount(server.disk)
    assert server.mail() == 451
    until(lambda: "database replaced" in server.said(), "the log does not say it")
    until(lambda: server.get("web", "/")[0] == 503, "the page is still shown")
    shutil.rmtree(server.disk)
    server.disk.with_name("elsewhere").rename(server.disk)
    until(lambda: "database is back" in server.said(), "it does not notice")
    sent = server.sent()
    assert server.mail() == 250
    until(lambda: server.sent() == sent + 1, "no answer")
    assert server.get("web", "/")[0] == server.get("http", "/health")[0] == 200
    server.stop()
    assert len(server.faults()) == 1


@pytest.mark.long
@pytest.mark.parametrize("strike", [_delete, pytest.param(_unmount, marks=pytest.mark.long)])
def test_it_does_not_start_without_it(server: Server, strike: Callable[[Path], None]) -> None:
    """Nor does it, or any command, make another one."""
    server.stop()
    strike(server.disk)
    for words, code in ((("serve",), 2), (("admin", "players"), 75), (("doctor",), 1)):
        done = server.shell.start(*words)
        said, complaint = done.communicate(timeout=60)
        assert done.returncode == code, words
        wanted = f"no database at {server.disk}/pbm.db: pbm admin db create makes one"
        assert wanted in " ".join((said + complaint).split()), words
    assert not (server.disk / "pbm.db").exists()


@pytest.mark.long
def test_what_was_accepted_outlives_its_log(server: Server) -> None:
    """The deleted log is still open: what is in it goes into the database when the server ends."""
    _delete_log(server.disk)
    assert server.mail() == 451
    until(lambda: "database replaced" in server.said(), "the log does not say it")
    server.stop()
    server.start()
    assert "ann" in server.shell.ok("admin", "players")
    assert server.shell.ok("admin", "check") == "no difference\n"
    sent = server.sent()
    assert server.mail() == 250
    until(lambda: server.sent() == sent + 1, "no answer")
    server.stop()


@pytest.mark.long
def test_a_worker_that_is_replaced_knows_the_database_as_well(server: Server) -> None:
    """Processes that start later are told which one it is."""
    workers = _find_workers(server)
    _replace(server.disk)
    assert server.mail() == 451
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    until(lambda: set(_find_workers(server)) - set(workers), "no worker starts again")
    sent = server.sent()
    assert server.shell.run("receive", "--to", "pbm@games.example", stdin=_MAIL).exit_code == 0
    assert server.mail() == 451
    server.stop()
    assert server.sent() == sent
    assert server.shell.json("admin", "mails")[0]["state"] == "waiting"


_MAIL = "From: ann@example.org\nSubject: games\n\n"


def _find_workers(server: Server) -> list[int]:
    threads = Path(f"/proc/{server._process.pid}/task").iterdir()
    return [int(word) for thread in threads for word in (thread / "children").read_text().split()]
