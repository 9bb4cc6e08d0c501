"""Stores that cannot be written: the disk is full, read-only or broken, the file is locked, the
schema another one. Clients are told to come back and nothing else; what was accepted stays; the
daemon goes on by itself, or says why it ends."""

from __future__ import annotations

import re
import shutil
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import select, text

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.faults.rig import ROOT

_CONFIG = """
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:0"
[relay]
url = "maildir:{folder}/mail"
[bots]
enabled = false
[players]
confirm_addresses = false
[limits]
help_a_day = 0
"""
_TOO_MUCH = re.compile(r"/|\.db|sql|trace|error|errno|disk|insert|lock|readonly", re.IGNORECASE)
_PATIENCE = 60.0


class Served:
    """A daemon on a database, and a client that notes what was accepted."""

    def __init__(self, folder: Path, url: str, prefix: Sequence[str] = ()) -> None:
        self.url = url
        self.folder = folder
        self.accepted: list[str] = []
        (folder / "pbm.toml").write_text(_CONFIG.format(url=url, folder=folder))
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [*prefix, sys.executable, "-m", "pbm", "--config", str(folder / "pbm.toml"),
                 "serve"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, cwd=ROOT, text=True,
            )  # fmt: skip
        self._sent = 0

    def waits(self) -> None:
        """Wait until it is ready."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("ready"), (self.folder / "log").read_text()
        self.port = int(line.rpartition(":")[2])

    def mail(self) -> bool:
        """Send a mail; whether it was accepted. A refusal is for now, and says nothing of us."""
        self._sent += 1
        key = f"<{self._sent}@mta.example>"
        mail = f"From: ann@example.org\r\nSubject: games\r\nMessage-ID: {key}\r\n\r\n"
        with smtplib.SMTP("127.0.0.1", self.port, timeout=_PATIENCE) as client:
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt("pbm@localhost")
            code, reply = client.data(mail + 70 * (70 * "x" + "\r\n"))
        said = reply.decode()
        if code == 250:
            self.accepted.append(key)
            return True
        assert 400 <= code < 500, said
        assert not _TOO_MUCH.search(said), said
        return False

    def mails_until(self, wanted: bool) -> None:
        """Send until one is accepted, or refused."""
        until(lambda: self.mail() is wanted, f"no mail was {'accepted' if wanted else 'refused'}")

    def end(self) -> str:
        """Every accepted mail has one outcome and its answer; SIGTERM ends the daemon. Its log."""
        until(lambda: "waiting" not in self.states().values(), "mails wait")
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(_PATIENCE) == 0
        states = self.states()
        assert {key: states.get(key) for key in self.accepted} == dict.fromkeys(
            self.accepted, "done"
        )
        answers = list((self.folder / "mail" / "ann@example.org" / "new").iterdir())
        texts = [path.read_text() for path in answers]
        for key in self.accepted:
            assert len([text for text in texts if f"In-Reply-To: {key}" in text]) == 1, key
        return (self.folder / "log").read_text()

    def states(self) -> dict[str, str]:
        """The states of the mails by Message-ID."""
        store = Store(self.url)
        with store.reading() as session:
            rows = session.execute(select(inbound.c.raw, inbound.c.state)).all()
        store.close()
        found = {}
        for raw, state in rows:
            key = re.search(rb"Message-ID: (\S+)", bytes(raw))
            assert key is not None
            assert key[1].decode() not in found
            found[key[1].decode()] = state
        return found

    def close(self) -> None:
        """End the daemon if a test has not."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def until(holds: Callable[[], object], complaint: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a daemon."""
    started: list[Served] = []

    def start(url: str, prefix: Sequence[str] = ()) -> Served:
        started.append(Served(tmp_path, url, prefix))
        started[-1].waits()
        return started[-1]

    yield start
    for served in started:
        served.close()


@pytest.mark.parametrize(
    ("call", "error"),
    [("pwrite64", "ENOSPC"), ("pwrite64", "EROFS"), ("fdatasync", "EIO")],
    ids=["full", "read-only", "broken"],
)
def test_a_disk_that_fails_for_a_while(
    sqlite_url: str, serve: Serve, call: str, error: str
) -> None:
    """The calls of a thread fail from the 40th to the 60th."""
    served = serve(
        sqlite_url,
        ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
         "-e", f"inject={call}:error={error}:when=40..60"],
    )  # fmt: skip
    served.mails_until(False)
    served.mails_until(True)
    log = served.end()
    assert "Traceback" not in log


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB; root alone can mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "pbm", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def full_disk(serve: Serve, sqlite_template: Path, small_disk: Path) -> None:
    """Something else fills the disk under a running daemon, and is removed again."""
    shutil.copyfile(sqlite_template, small_disk / "pbm.db")
    served = serve(f"sqlite:///{small_disk / 'pbm.db'}")
    served.mails_until(True)
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass
    served.mails_until(False)
    (small_disk / "filler").unlink()
    served.mails_until(True)
    assert "Traceback" not in served.end()


def _may_mount() -> bool:
    """CAP_SYS_ADMIN, which root of a container may well lack."""
    found = re.search(r"CapEff:\s*(\w+)", Path("/proc/self/status").read_text())
    return found is not None and bool(int(found[1], 16) >> 21 & 1)


if _may_mount():
    test_a_full_disk = full_disk


def test_a_file_that_another_program_keeps_locked(sqlite_url: str, serve: Serve) -> None:
    served = serve(f"{sqlite_url}?timeout=0.5")
    served.mails_until(True)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert not served.mail()
    other.execute("ROLLBACK")
    other.close()
    served.mails_until(True)
    assert "Traceback" not in served.end()


def _do(url: str, *statements: str) -> None:
    store = Store(url)
    with store.writing() as session:
        for statement in statements:
            session.execute(text(statement))
    store.close()


_REFUSING = "CREATE TRIGGER t BEFORE UPDATE ON inbound BEGIN SELECT RAISE(FAIL, 'x'); END"


def test_sigterm_ends_a_daemon_whose_work_the_database_does_not_take(
    sqlite_url: str, serve: Serve
) -> None:
    """What waits is done after the next start."""
    _do(sqlite_url, _REFUSING)
    served = serve(sqlite_url)
    served.mails_until(True)
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(_PATIENCE) == 0
    _do(sqlite_url, "DROP TRIGGER t")
    again = serve(sqlite_url)
    again.accepted = served.accepted
    assert "Traceback" not in again.end()


@pytest.mark.parametrize("database", ["sqlite_url", "postgresql_url"])
@pytest.mark.parametrize(
    ("schema", "said"),
    [("9999", "install the newer pbm"), ("0001", "run: pbm admin db upgrade")],
)
def test_a_schema_that_changes_under_a_daemon_ends_it(
    request: pytest.FixtureRequest, serve: Serve, database: str, schema: str, said: str
) -> None:
    """Its clients are told to come back; it touches the new tables no more."""
    url = request.getfixturevalue(database)
    served = serve(url)
    served.mails_until(True)
    until(lambda: "waiting" not in served.states().values(), "mails wait")
    with socket.create_connection(("127.0.0.1", served.port), _PATIENCE) as client:
        replies = client.makefile("rb")
        assert replies.readline().startswith(b"220")
        _do(url, f"UPDATE alembic_version SET version_num = '{schema}'")  # noqa: S608
        assert replies.readline().startswith(b"421 4.3.2 the server is being upgraded")
        assert replies.readline() == b""
        replies.close()
    assert served.process.wait(_PATIENCE) == 75
    log = (served.folder / "log").read_text()
    assert log.splitlines()[-1] == (
        f"pbm: the database is at schema {schema}, pbm at {migrate.head()}: {said}"
    )
    assert "Traceback" not in log


def test_a_daemon_does_not_start_on_a_newer_schema(sqlite_url: str, tmp_path: Path) -> None:
    _do(sqlite_url, "UPDATE alembic_version SET version_num = '9999'")
    served = Served(tmp_path, sqlite_url)
    assert served.process.wait(_PATIENCE) == 75
    assert "schema 9999" in (tmp_path / "log").read_text()
    served.close()
