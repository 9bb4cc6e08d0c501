"""Backups of a running server: whole, of one moment, and a server on a restored copy sends nothing
old by itself."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from pbm.core import due
from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound, settings
from tests.harness.databases import Cluster, all_rows
from tests.harness.servers import until
from tools.faults.daemon_process import Serve, Served
from tools.faults.kill_rig import ROOT


def _admin(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pbm", "--config", str(folder / "pbm.toml"), "admin", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _waiting(url: str) -> None:
    """A mail that came and one that is to go, which the server has not touched yet."""
    store, an_hour_ago = Store(url), time.time() - 3600.0
    with store.writing() as session:
        session.execute(
            insert(inbound).values(
                received=an_hour_ago,
                via="smtp",
                envelope_from="ann@example.org",
                recipient="pbm@localhost",
                raw=b"From: ann@example.org\r\nSubject: games\r\n\r\n",
                state="waiting",
            )
        )
        session.execute(
            insert(outbound).values(
                recipient="old@example.org",
                envelope_from="pbm@localhost",
                message=b"old",
                state="waiting",
                created=an_hour_ago,
                next_attempt=an_hour_ago,
            )
        )
    store.close()


def _states(url: str) -> list[tuple[str, str]]:
    store = Store(url)
    with store.reading() as session:
        found = [
            (row.state, row.said)
            for query in (
                select(inbound.c.state, inbound.c.outcome.label("said")),
                select(outbound.c.state, outbound.c.why.label("said")),
            )
            for row in all_rows(session, query)
        ]
        mark = all_rows(session, select(settings).where(settings.c.name == due.MARK))
    store.close()
    assert mark == []
    return found


def _rests(url: str) -> bool:
    return "waiting" not in dict(_states(url))


def _sqlite(_cluster: Cluster, backup: Path, folder: Path) -> str:
    (folder / "restored.db").write_bytes(backup.read_bytes())
    return f"sqlite:///{folder / 'restored.db'}"


def _postgresql(cluster: Cluster, backup: Path, _folder: Path) -> str:
    name = cluster.create()
    subprocess.run(
        [str(cluster.programs / "pg_restore"), "--dbname", cluster.dsn(name), str(backup)],
        check=True,
    )
    return cluster.url(name)


@pytest.mark.long
@pytest.mark.parametrize(
    ("database", "restore"),
    [
        ("sqlite_url", _sqlite),
        pytest.param("postgresql_url", _postgresql, marks=pytest.mark.long),
    ],
)
def test_a_restored_copy_sends_nothing_old(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    serve: Serve,
    database: str,
    restore: Callable[..., str],
) -> None:
    url = request.getfixturevalue(database)
    monkeypatch.setenv("PATH", str(cluster.programs), prepend=":")
    Served.configure(tmp_path, url)
    _waiting(url)
    _admin(tmp_path, "backup", str(tmp_path / "backup"))
    for place, wanted in ((url, ["done", "sent"]), (None, ["aside", "dropped"])):
        folder = tmp_path / wanted[0]
        folder.mkdir()
        where = place or restore(cluster, tmp_path / "backup", folder)
        served = serve(where, folder=folder)
        until(functools.partial(_rests, where), "mails wait")
        log = served.end()
        states = _states(where)
        assert {state for state, _ in states} == set(wanted)
        assert (folder / "mail" / "old@example.org").exists() == bool(place)
        assert ("restored from a backup" in log) == (place is None)
    assert all("waited when the backup of" in said for _, said in states)
    assert _admin(folder, "check") == "no difference\n"


def test_a_killed_backup_holds_nothing(postgresql_url: str) -> None:
    """The mark it left is older than the last sign of life of the server."""
    store = Store(postgresql_url)
    _waiting(postgresql_url)
    with store.writing() as session:
        due.mark_backup(session, 1000.0)
        session.execute(insert(settings).values(name="heartbeat", value="1100.0"))
    with store.writing() as session:
        assert due.hold_queues(session, 1200.0) is None
    store.close()
    assert [state for state, _ in _states(postgresql_url)] == ["waiting", "waiting"]


def test_a_backup_is_of_one_moment_while_others_write(sqlite_url: str, tmp_path: Path) -> None:
    """Rows come in pairs; a copy has whole pairs, and comes to an end however much is written."""
    store = Store(sqlite_url)
    with store.writing() as session:
        session.execute(text("CREATE TABLE pairs (n INTEGER, fill TEXT)"))
        session.execute(text("INSERT INTO pairs VALUES (0, :x)"), [{"x": "x" * 900}] * 10000)
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            with store.writing() as session:
                session.execute(text("UPDATE pairs SET n = :n WHERE rowid < 9"), {"n": number})

    thread = threading.Thread(target=write)
    thread.start()
    Served.configure(tmp_path, sqlite_url)
    try:
        _admin(tmp_path, "backup", str(tmp_path / "copy.db"))
    finally:
        ended.set()
        thread.join()
        store.close()
    copy = Store(f"sqlite:///{tmp_path / 'copy.db'}")
    with copy.reading() as session:
        found = all_rows(session, text("SELECT DISTINCT n FROM pairs WHERE rowid < 9"))
    copy.close()
    assert len(found) == 1
