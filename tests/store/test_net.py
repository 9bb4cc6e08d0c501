"""An upgrade has a net: a copy of what was before, a row of the audit, and a trial that changes
nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbm.config import Config, Database
from pbm.core.due import MARK
from pbm.daemon import startup
from pbm.daemon.startup import open_store
from pbm.store import migrate
from pbm.version import find_version
from tests.harness.shell import Shell

NEXT = "0999"
_MIGRATION = '''"""Players have a colour. It is not used yet."""

import sqlalchemy as sa
from alembic import op

revision = "{next}"
down_revision = "{head}"


def upgrade() -> None:
    op.add_column("players", sa.Column("colour", sa.Text, server_default="red"))
{more}'''


@pytest.fixture
def head() -> str:
    """The schema of the program before it is upgraded."""
    return migrate.find_head()


@pytest.fixture
def install_next(tmp_path: Path, head: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The program after an upgrade that has one migration more."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.find_folder(), folder)
    path = folder / "versions" / f"{NEXT}_colour.py"
    path.write_text(_MIGRATION.format(next=NEXT, head=head, more=""))
    monkeypatch.setattr(migrate, "find_folder", lambda: folder)
    migrate.list_revisions.cache_clear()
    yield
    migrate.list_revisions.cache_clear()


@pytest.fixture
def shell(sqlite_url: str, tmp_path: Path) -> Shell:
    return Shell(tmp_path, sqlite_url)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The file; where the copy belongs follows from it."""
    return tmp_path / "pbm.db"


def ask(database: Path, query: str) -> list[tuple[str | int, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def has_colours(database: Path) -> bool:
    return "colour" in [row[1] for row in ask(database, "PRAGMA table_info(players)")]


@pytest.mark.usefixtures("install_next")
def test_a_copy_is_made_before_and_a_row_of_the_audit_after(
    shell: Shell, head: str, database: Path
) -> None:
    said = shell.ok("admin", "db", "upgrade").splitlines()
    copy = startup.name_copy(database, NEXT)
    assert copy.name == f"pbm.db-before-{NEXT}"
    assert said == [f"{head} -> {NEXT}", f"what was before: {copy}"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert has_colours(database)
    assert not has_colours(copy)
    assert ask(copy, "SELECT version_num FROM alembic_version") == [(head,)]
    assert (MARK,) in ask(copy, "SELECT name FROM settings")
    assert (MARK,) not in ask(database, "SELECT name FROM settings")
    rows = ask(database, "SELECT action, reason FROM audit")
    assert rows == [("upgrade", f"schema {head} -> {NEXT}, pbm {find_version()}")]
    assert f"schema {head} -> {NEXT}, pbm " in shell.ok("admin", "audit")
    assert shell.ok("admin", "db", "upgrade") == f"already at schema {NEXT}\n"


@pytest.mark.usefixtures("install_next")
def test_a_server_that_starts_says_what_it_did(sqlite_url: str, head: str, database: Path) -> None:
    with capture_logs() as logs:
        open_store(Config(database=Database(sqlite_url))).close()
    [event] = [each for each in logs if each["event"] == "database upgraded"]
    copy = str(startup.name_copy(database, NEXT))
    assert (event["before"], event["after"], event["copy"]) == (head, NEXT, copy)
    assert ask(database, "SELECT actor FROM audit") == [("pbm",)]


@pytest.mark.usefixtures("install_next")
def test_a_trial_changes_nothing(shell: Shell, head: str, database: Path, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    said = shell.ok("admin", "db", "upgrade", "--dry-run")
    assert said.startswith(f"{head} -> {NEXT} would change:\n  {NEXT}  Players have a colour\n")
    assert "a copy of " in said
    assert f"before it, a copy: {startup.name_copy(database, NEXT)}\n" in said
    assert {path.name for path in tmp_path.iterdir()} - {"pbm.db-wal", "pbm.db-shm"} == before
    assert not has_colours(database)
    assert ask(database, "SELECT version_num FROM alembic_version") == [(head,)]


def test_a_trial_without_an_upgrade(shell: Shell, head: str) -> None:
    said = shell.ok("admin", "db", "upgrade", "--dry-run")
    assert said == f"already at schema {head}: nothing would change\n"


@pytest.mark.usefixtures("install_next")
def test_a_postgresql_database_is_upgraded_without_a_copy(
    postgresql_url: str, tmp_path: Path, head: str
) -> None:
    shell = Shell(tmp_path, postgresql_url)
    said = shell.ok("admin", "db", "upgrade", "--dry-run")
    assert "s at most, if all of it were written anew" in said
    assert "pbm admin backup FILE makes one" in said
    said = shell.ok("admin", "db", "upgrade")
    assert said.startswith(f"{head} -> {NEXT}\nno copy of before: ")
    assert f"schema {head} -> {NEXT}, pbm " in shell.ok("admin", "audit")


@pytest.mark.usefixtures("install_next")
def test_an_upgrade_that_fails_leaves_the_copy_and_no_row(
    sqlite_url: str, head: str, database: Path
) -> None:
    path = migrate.find_folder() / "versions" / f"{NEXT}_colour.py"
    path.write_text(_MIGRATION.format(next=NEXT, head=head, more="    op.drop_table('none')\n"))
    with pytest.raises(Exception, match="no such table"):
        open_store(Config(database=Database(sqlite_url)))
    assert not has_colours(database)
    assert ask(database, "SELECT count(*) FROM audit") == [(0,)]
    assert startup.name_copy(database, NEXT).exists()


def test_copies_are_few_and_not_old(tmp_path: Path) -> None:
    database = tmp_path / "pbm.db"
    now = 1_000_000_000.0
    for schema, days in (("0101", 40), ("0102", 20), ("0103", 4), ("0104", 3), ("0105", 2)):
        copy = startup.name_copy(database, schema)
        copy.touch()
        os.utime(copy, (now - days * 86400,) * 2)
    (tmp_path / "pbm.db-before-i-forget").touch()
    startup.remove_old_copies(database, now)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [
        "pbm.db-before-0103",
        "pbm.db-before-0104",
        "pbm.db-before-0105",
        "pbm.db-before-i-forget",
    ]
    startup.remove_old_copies(database, now + 27.5 * 86400)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["pbm.db-before-0105", "pbm.db-before-i-forget"]


@pytest.mark.usefixtures("install_next")
def test_without_room_the_upgrade_says_so(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, database: Path
) -> None:
    monkeypatch.setattr(startup, "_SPARE", 1 << 60)
    said = shell.ok("admin", "db", "upgrade")
    assert f"no copy of before: a copy needs {1 << 40} MiB of {database.parent}, " in said
    assert has_colours(database)
    assert not startup.name_copy(database, NEXT).exists()
