"""The whole database: consistency check, schema, backup."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import click
from sqlalchemy import text

from pbm.cli import REFUSED, TRY_AGAIN, Failed, get_config
from pbm.cli.admin import inspecting
from pbm.cli.open_database import database_errors, open_database
from pbm.cli.terminal.output import print_rows
from pbm.core import restored
from pbm.core.fsck import find_board_numbers, find_differences
from pbm.store import migrate
from pbm.store.copying import open_snapshot
from pbm.store.engine import Store
from pbm.store.installation import name_installation


@click.command("check")
@click.option("--all", "every", is_flag=True, help="report every difference, not only the first")
@inspecting.as_json
@click.pass_context
def check(ctx: click.Context, every: bool, as_json: bool) -> None:
    """Check the database for consistency: exit 0, or 1 at the first difference.

    The schema must be this program's; the moves of each board must be numbered from 1 without a gap
    and replay to its stored position; dice must follow from its secret; results, ranks and queues
    must agree. Only reads; the server may be running.
    """
    problems = []
    with open_database(get_config(ctx)) as store, open_snapshot(store) as session:
        if store.is_sqlite:
            result = session.execute(text("PRAGMA quick_check")).scalar()
            problems += [] if result == "ok" else [f"SQLite finds: {result}"]
        with inspecting.show_progress(find_board_numbers(session), "check") as numbers:
            for difference in find_differences(session, numbers):
                problems.append(difference)
                if not every:
                    break
    if as_json:
        print_rows([{"difference": each} for each in problems], as_json=True)
    else:
        for each in problems:
            click.echo(each)
        if not problems:
            click.echo("no difference")
    if problems:
        ctx.exit(REFUSED)


@click.group("db")
def db() -> None:
    """The schema of the database."""


@db.command("status")
@inspecting.as_json
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """The database's schema and this program's; exit 1 if they differ."""
    config = get_config(ctx)
    with database_errors(config):
        with contextlib.closing(Store(config.database.url)) as store:
            current = migrate.read_revision(store) if migrate.exists(store) else None
        newest = migrate.find_head()
    shown = {
        "database": store.url.render_as_string(hide_password=True),
        "schema": current,
        "known": newest,
        "fits": current == newest,
    }
    print_rows([shown], as_json=as_json)
    if current != newest:
        ctx.exit(REFUSED)


@db.command("create")
@click.pass_context
def create(ctx: click.Context) -> None:
    """Make the database that the configuration names. Refused when there is one already.

    A PostgreSQL database must be there (createdb), and empty. The server itself makes none, so that
    it never opens an empty club in the place of one whose disk is missing.
    """
    config = get_config(ctx)
    with database_errors(config), contextlib.closing(Store(config.database.url)) as store:
        try:
            migrate.create(store)
        except migrate.NotEmpty as error:
            raise Failed(str(error), REFUSED) from None
        name_installation(store)
        where = migrate.describe(store)
    click.echo(f"made {where}, schema {migrate.find_head()}")


@db.command("upgrade")
@click.pass_context
def upgrade(ctx: click.Context) -> None:
    """Upgrade the database to this program's schema, completely or not at all.

    A database older than 0.2.0 is refused: python -m tools.bridge, in a clone of pbm, upgrades it.
    """
    config = get_config(ctx)
    with database_errors(config), contextlib.closing(Store(config.database.url)) as store:
        migrate.require_database(store)
        before = migrate.read_revision(store)
        migrate.upgrade(store)
    newest = migrate.find_head()
    click.echo(f"already at schema {newest}" if before == newest else f"{before} -> {newest}")


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_context
def backup(ctx: click.Context, file: Path) -> None:
    """Back up the database while the server runs: to an SQLite file, or for PostgreSQL to what
    pg_dump --format=custom writes. The backup contains all secrets; only you can read the file.

    A server that starts on a restored backup neither executes nor sends the mails that were waiting
    in it; `pbm admin mails` shows them.
    """
    with contextlib.suppress(OSError):
        if file.exists():
            raise Failed(f"{file} exists already", REFUSED)
    partial = file.with_name(f"{file.name}.part")
    with open_database(get_config(ctx)) as store:
        try:
            os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            if store.is_sqlite:
                _copy(str(store.url.database), partial)
            else:
                _dump(store, partial)
            os.replace(partial, file)
        except (OSError, sqlite3.Error) as error:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
            raise Failed(f"{file} cannot be written: {error}", TRY_AGAIN) from None
    click.echo(f"{file}: {file.stat().st_size} bytes")


def _copy(source: str, target: Path) -> None:
    """Copy the file as of one moment with SQLite's backup API, without blocking writers."""
    origin, copy = sqlite3.connect(source, isolation_level=None), sqlite3.connect(target)
    try:
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()  # this is the moment
        with click.progressbar(
            length=100, label="backup", file=sys.stderr, hidden=not os.isatty(2)
        ) as bar:

            def progress(_status: int, remaining: int, total: int) -> None:
                bar.update(100 - 100 * remaining // max(total, 1) - bar.pos)

            origin.backup(copy, pages=1024, progress=progress, sleep=0)
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("the copy is damaged")
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
            (restored.MARK, repr(time.time())),
        )
        copy.commit()
    finally:
        copy.close()
        origin.close()


def _dump(store: Store, target: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise Failed("pg_dump is not installed (Debian: postgresql-client)", TRY_AGAIN)
    with store.lock_exclusively("backup") as is_alone:
        if not is_alone:
            raise Failed("another backup is running", TRY_AGAIN)
        with store.writing() as session:
            restored.mark_backup(session, time.time())
        try:
            _run_dump(program, store, target)
        finally:
            with store.writing() as session:
                restored.unmark_backup(session)


def _run_dump(program: str, store: Store, target: Path) -> None:
    from psycopg.conninfo import make_conninfo

    _, parameters = store.engine.dialect.create_connect_args(store.url)
    password = parameters.pop("password", None)
    parameters.pop("context", None)
    environment = dict(os.environ)
    if password:
        environment["PGPASSWORD"] = str(password)
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, "--format=custom", f"--file={target}", "--dbname", make_conninfo(**parameters)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        target.unlink(missing_ok=True)
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise Failed(f"pg_dump failed: {last[0]}", TRY_AGAIN)
