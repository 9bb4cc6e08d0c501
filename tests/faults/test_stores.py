"""Stores that cannot be written: the disk is full, read-only or broken, the file is locked, the
schema another one. Clients are told to come back and nothing else; what was accepted stays; the
daemon goes on by itself, or says why it ends."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm.store import migrate
from tests.harness.databases import do
from tests.harness.servers import until
from tools.faults.daemon_process import PATIENCE, Serve, Served
from tools.faults.kill_rig import require_strace


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("pwrite64", "ENOSPC"),
        pytest.param("pwrite64", "EROFS", marks=pytest.mark.long),
        pytest.param("fdatasync", "EIO", marks=pytest.mark.long),
    ],
    ids=["full", "read-only", "broken"],
)
def test_a_disk_that_fails_for_a_while(
    sqlite_url: str, serve: Serve, call: str, error: str
) -> None:
    """The calls of a thread fail from the 40th to the 44th."""
    require_strace()
    served = serve(
        f"{sqlite_url}?timeout=0.5",
        [
            "strace",
            "-D",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            f"trace={call}",
            "-e",
            f"inject={call}:error={error}:when=40..44",
        ],
    )
    served.mails_until(False)
    served.mails_until(True)
    served.sends()
    assert "Traceback" not in served.end()


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


@pytest.mark.long
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


_REFUSING = "CREATE TRIGGER t BEFORE UPDATE ON inbound BEGIN SELECT RAISE(FAIL, 'x'); END"


@pytest.mark.long
def test_sigterm_ends_a_daemon_whose_work_the_database_does_not_take(
    sqlite_url: str, serve: Serve
) -> None:
    """What waits is done after the next start."""
    do(sqlite_url, _REFUSING)
    served = serve(sqlite_url)
    served.mails_until(True)
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(PATIENCE) == 0
    do(sqlite_url, "DROP TRIGGER t")
    again = serve(sqlite_url)
    again.accepted = served.accepted
    assert "Traceback" not in again.end()


@pytest.mark.parametrize(
    ("database", "schema", "said"),
    [
        ("sqlite_url", "9999", "install the newer pbm"),
        (
            "postgresql_url",
            "0001",
            "run, in a clone of pbm 0.2.0: python -m tools.bridge DATABASE_URL",
        ),
    ],
)
def test_a_schema_that_changes_under_a_daemon_ends_it(
    request: pytest.FixtureRequest, serve: Serve, database: str, schema: str, said: str
) -> None:
    """Its clients are told to come back; it touches the new tables no more."""
    url = request.getfixturevalue(database)
    served = serve(url)
    served.mails_until(True)
    until(lambda: "waiting" not in served.states().values(), "mails wait")
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as client:
        replies = client.makefile("rb")
        assert replies.readline().startswith(b"220")
        do(url, f"UPDATE alembic_version SET version_num = '{schema}'")  # noqa: S608 (our own words)
        assert replies.readline().startswith(b"421 4.3.2 the server is being upgraded")
        assert replies.readline() == b""
        replies.close()
    assert served.process.wait(PATIENCE) == 75
    log = (served.folder / "log").read_text()
    assert log.splitlines()[-1] == (
        f"pbm: the database is at schema {schema}, pbm at {migrate.find_head()}: {said}"
    )
    assert "Traceback" not in log


def test_a_daemon_does_not_start_on_a_newer_schema(sqlite_url: str, tmp_path: Path) -> None:
    do(sqlite_url, "UPDATE alembic_version SET version_num = '9999'")
    served = Served(tmp_path, sqlite_url)
    assert served.process.wait(PATIENCE) == 2  # which systemd does not restart
    assert "schema 9999" in (tmp_path / "log").read_text()
    served.close()
