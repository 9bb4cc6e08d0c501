"""The whole database: consistency check, schema, backup, copy, vacuum."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from pbm.cli import REFUSED, TRY_AGAIN, USAGE, CommandFailed, get_config
from pbm.cli.act import find_actor
from pbm.cli.admin import inspecting
from pbm.cli.open_database import database_errors, open_database
from pbm.cli.terminal.output import print_rows
from pbm.core import due
from pbm.core.fsck import find_board_numbers, find_differences
from pbm.daemon import startup
from pbm.daemon.presence import find_daemons
from pbm.daemon.startup import copy_file
from pbm.store import copying, migrate, partitions
from pbm.store.copying import CopyError, open_snapshot
from pbm.store.engine import Store
from pbm.store.migrate import name_installation
from pbm.store.transaction import NOT_AVAILABLE


@click.command("check")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--all", "every", is_flag=True, help="report every difference, not only the first")
@inspecting.as_json
@click.pass_context
def check(ctx: click.Context, file: Path | None, every: bool, as_json: bool) -> None:
    """Check the database for consistency: exit 0, or 1 at the first difference.

    The schema must be this program's; the moves of each board must be numbered from 1 without a gap
    and replay to its stored position; dice must follow from its secret; results, ranks and queues
    must agree. Only reads; the server may be running.

    With FILE, check a backup instead, which stays as it is. One of SQLite that an older version
    made is upgraded in a copy first. Of PostgreSQL, everything that pg_dump wrote is read; to
    replay its boards, restore it into an empty database, and check that.
    """
    if file is None:
        with open_database(get_config(ctx)) as store:
            problems = _find_problems(store, every=every)
    else:
        remarks, problems = check_copy(file, lambda store: _find_problems(store, every=every))
        for remark in remarks:
            click.echo(remark, err=True)
    if as_json:
        print_rows([{"difference": each} for each in problems], as_json=True)
    else:
        for each in problems:
            click.echo(each)
        if not problems:
            click.echo("no difference")
    if problems:
        ctx.exit(REFUSED)


def _find_problems(store: Store, *, every: bool) -> list[str]:
    """Return the differences in a database; without `every`, only the first."""
    with open_snapshot(store) as session:
        problems = []
        if store.is_sqlite:
            result = session.execute(text("PRAGMA quick_check")).scalar()
            problems += [] if result == "ok" else [f"SQLite finds: {result}"]
        with inspecting.show_progress(find_board_numbers(session), "check") as numbers:
            for difference in find_differences(session, numbers):
                problems.append(difference)
                if not every:
                    break
    return problems


@click.group("db")
def db() -> None:
    """The schema of the database."""


@db.command("status", short_help="The schemas of the database and of this pbm")
@inspecting.as_json
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """The database's schema and this program's; exit 1 if they differ."""
    config = get_config(ctx)
    with database_errors():
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


@db.command("create", short_help="Make a new database")
@click.pass_context
def create(ctx: click.Context) -> None:
    """Make the database that the configuration names. Refused when there is one already.

    A PostgreSQL database must be there (createdb), and empty. The server itself makes none, so that
    it never opens an empty club in the place of one whose disk is missing.
    """
    config = get_config(ctx)
    with database_errors(), contextlib.closing(Store(config.database.url)) as store:
        try:
            migrate.create(store)
        except migrate.NotEmpty as error:
            raise CommandFailed(str(error), REFUSED) from None
        name_installation(store)
        where = migrate.describe(store)
    click.echo(f"made {where}, schema {migrate.find_head()}")


@db.command("upgrade", short_help="Bring the database to this schema")
@click.option("--dry-run", is_flag=True, help="say what would change and how long it may take")
@click.pass_context
def upgrade(ctx: click.Context, dry_run: bool) -> None:
    """Upgrade the database to this program's schema, completely or not at all.

    Where there is room, an SQLite database is copied first, to FILE-before-SCHEMA; the newest three
    copies are kept, for 30 days. For PostgreSQL, make a backup before: pbm admin backup. With
    --dry-run nothing changes; the time is what the upgrade of a copy of the SQLite file takes.

    A database older than 0.2.0 is refused: python -m tools.bridge, in a clone of pbm 0.2.0,
    upgrades it.
    """
    config = get_config(ctx)
    with database_errors(), contextlib.closing(Store(config.database.url)) as store:
        migrate.require_database(store)
        if dry_run:
            _print_forecast(startup.forecast(store, time.time(), time.monotonic))
            return
        done = startup.upgrade(store, time.time(), find_actor())
    if done is None:
        click.echo(f"already at schema {migrate.find_head()}")
        return
    click.echo(f"{done.before} -> {done.after}")
    click.echo(f"what was before: {done.copy}" if done.copy else f"no copy of before: {done.why}")


def _print_forecast(seen: startup.Forecast | None) -> None:
    if seen is None:
        click.echo(f"already at schema {migrate.find_head()}: nothing would change")
        return
    click.echo(f"{seen.before} -> {seen.after} would change:")
    for revision, title in seen.steps:
        click.echo(f"  {revision}  {title}")
    size = f"{seen.size / (1 << 20):.1f} MiB"
    if seen.is_tried:
        click.echo(f"a copy of {size} was upgraded in {seen.seconds:.1f} s, and removed again")
    else:
        click.echo(f"{size}: {seen.seconds:.0f} s at most, if all of it were written anew")
    click.echo("nobody can use the database meanwhile; mail waits at its senders")
    click.echo(f"before it, a copy: {seen.copy}" if seen.copy else f"no copy before it: {seen.why}")


@db.command("partition", short_help="Divide the queues (PostgreSQL)")
@click.option(
    "--mails",
    type=click.IntRange(min=1000),
    default=5_000_000,
    show_default=True,
    help="mails a partition",
)
@click.pass_context
def partition(ctx: click.Context, mails: int) -> None:
    """Divide the queues of a large PostgreSQL database, once and for all: their mails then lie in
    partitions of that many each, and what is older than [retention] rows_days goes with its whole
    partition.

    One transaction reads all mails that there are, in which nobody else can use the queues. A
    partition is best filled in some days: docs/operators/growing.md says when it is worth it.
    """
    with open_database(get_config(ctx)) as store:
        if store.is_sqlite:
            raise CommandFailed("only PostgreSQL has partitions; SQLite needs none", REFUSED)
        try:
            with store.writing() as session:
                migrate.lock(session)
                migrate.check_revision(session)
                done = partitions.divide(session, mails)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", "") != NOT_AVAILABLE:
                raise
            raise CommandFailed(
                "a server is sending mails: try again, or stop it", TRY_AGAIN
            ) from None
    click.echo("divided" if done else "divided already: nothing was done")


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
            raise CommandFailed(f"{file} exists already", REFUSED)
    with open_database(get_config(ctx)) as store:
        try:
            if store.path is not None:
                _copy(store.path, file)
            else:
                _dump(store, file)
        except (OSError, sqlite3.Error) as error:
            raise CommandFailed(f"{file} cannot be written: {error}", TRY_AGAIN) from None
        with store.writing() as session:
            due.note_backup(session, time.time())
    click.echo(f"{file}: {file.stat().st_size} bytes")


def _copy(source: Path, target: Path) -> None:
    """Copy an SQLite file, with a progress bar on a terminal."""
    bar = click.progressbar(length=100, label="backup", file=sys.stderr, hidden=not os.isatty(2))
    with bar:
        copy_file(source, target, time.time(), lambda done: bar.update(int(100 * done) - bar.pos))


def _dump(store: Store, file: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise CommandFailed("pg_dump is not installed (Debian: postgresql-client)", TRY_AGAIN)
    target = file.with_name(f"{file.name}.part")
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        _dump_marked(program, store, target)
        os.replace(target, file)
    finally:
        with contextlib.suppress(OSError):
            target.unlink(missing_ok=True)


def _dump_marked(program: str, store: Store, target: Path) -> None:
    """Dump a PostgreSQL database that is meanwhile marked as a backup."""
    with store.lock_exclusively("backup") as is_alone:
        if not is_alone:
            raise CommandFailed("another backup is running", TRY_AGAIN)
        with store.writing() as session:
            due.mark_backup(session, time.time())
        try:
            _run_dump(program, store, target)
        finally:
            with store.writing() as session:
                due.unmark_backup(session)


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
        raise CommandFailed(f"pg_dump failed: {last[0]}", TRY_AGAIN)


# Checks the file of a backup, whichever version made it, without touching it.

_SQLITE, _PG_DUMP = b"SQLite format 3\0", b"PGDMP"


def check_copy(
    file: Path, find_problems: Callable[[Store], list[str]]
) -> tuple[list[str], list[str]]:
    """Check a backup. Return remarks, and what is wrong. Fails for a file that is no backup, cannot
    be read or was made by a newer version."""
    try:
        with file.open("rb") as opened:
            head = opened.read(len(_SQLITE))
        if head == _SQLITE:
            return _check_sqlite(file, find_problems)
    except (OSError, sqlite3.Error) as error:
        raise CommandFailed(f"{file} cannot be checked: {error}", TRY_AGAIN) from None
    if head.startswith(_PG_DUMP):
        return _check_dump(file)
    raise CommandFailed(f"{file} is no backup: neither SQLite's nor pg_dump's", REFUSED)


def _check_sqlite(
    file: Path, find_problems: Callable[[Store], list[str]]
) -> tuple[list[str], list[str]]:
    """Check a copy in this program's schema. SQLite's own check comes first, since a damaged file
    cannot be upgraded."""
    with tempfile.TemporaryDirectory(prefix="pbm-check-") as folder:
        copy = Path(folder) / "pbm.db"
        shutil.copyfile(file, copy)
        wal = file.with_name(f"{file.name}-wal")
        if wal.exists():
            shutil.copyfile(wal, copy.with_name("pbm.db-wal"))
        damage = _find_damage(copy)
        if damage:
            return [], [f"SQLite finds: {damage}"]
        with contextlib.closing(Store(f"sqlite:///{copy}")) as store:
            revision = migrate.read_revision(store)
            if revision is None:
                raise CommandFailed(f"{file} is no database of pbm", REFUSED)
            remarks = []
            if revision != migrate.find_head():
                try:
                    migrate.upgrade(store)
                except migrate.SchemaError as error:
                    says = f"SQLite finds no damage; no board was replayed: {error}"
                    raise CommandFailed(f"{file}: {says}", REFUSED) from None
                remarks = [f"schema {revision}, checked as {migrate.find_head()} in a copy"]
            return remarks, find_problems(store)


def _find_damage(copy: Path) -> str:
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        try:
            (result,) = connection.execute("PRAGMA quick_check").fetchone()
        except sqlite3.DatabaseError as error:
            return str(error)
    return "" if result == "ok" else str(result)


def _check_dump(file: Path) -> tuple[list[str], list[str]]:
    """Have pg_restore read all of it."""
    program = shutil.which("pg_restore")
    if program is None:
        raise CommandFailed("pg_restore is not installed (Debian: postgresql-client)", TRY_AGAIN)
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, "--file=/dev/null", str(file)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        return [], [f"pg_restore finds: {last[0]}"]
    remark = "pg_restore can read all of it; to replay its boards, restore it and check that"
    return [remark], []


_TIDY = (
    "DROP TABLE IF EXISTS sqlite_stat1",
    "DROP TABLE IF EXISTS sqlite_stat4",
    "VACUUM",
    "PRAGMA wal_checkpoint(TRUNCATE)",
)
"""No ANALYZE: statistics made while a queue was short would make SQLite scan the queue when it has
grown. Without statistics it uses the index made for each statement, so statistics of earlier
releases are deleted."""


@click.command("copy")
@click.option(
    "--to",
    "url",
    required=True,
    metavar="URL",
    envvar="PBM_COPY_TO",
    help="sqlite:///FILE or postgresql://USER@HOST/NAME; else PBM_COPY_TO, which keeps a "
    "password out of the list of processes",
)
@inspecting.as_json
@click.pass_context
def copy(ctx: click.Context, url: str, as_json: bool) -> None:
    """Copy the whole database into an empty one, from SQLite to PostgreSQL or back.

    Stop the server first. A PostgreSQL database must be there (createdb). Every row keeps its
    number. Every row of the copy is compared with the original before it is committed: it is whole
    or not there at all. Then set [database] url. Whether the boards hold, `pbm admin check` says.
    """
    config = get_config(ctx)
    with open_database(config) as source:
        if find_daemons(source):
            raise CommandFailed(
                "the server is running: stop it first, or mails it accepts are lost", REFUSED
            )
        with database_errors():
            target = Store(url)
            if target.url == source.url:
                raise CommandFailed("that is the same database", USAGE)
            try:
                copying.prepare(target)
                rows = _copy_rows(source, target)
            except CopyError as error:
                raise CommandFailed(f"not copied: {error}", REFUSED) from None
            finally:
                target.close()
    listed = [each for each in rows.items() if as_json or each[1]]
    print_rows([{"table": name, "rows": count} for name, count in listed], as_json=as_json)
    shown = make_url(url).render_as_string(hide_password=True)
    click.echo(f'copied and verified; now set [database] url = "{shown}"', err=True)


def _copy_rows(source: Store, target: Store) -> dict[str, int]:
    """Copy and verify in one transaction. Return the number of rows of each table. Raise
    CopyError."""
    with copying.open_snapshot(source) as old, target.writing() as new:
        rows = copying.count_rows(old)
        with _show_rows("copy", rows) as show:
            copying.copy(old, new, show)
        with copying.open_snapshot(source) as now, _show_rows("compare", rows) as show:
            copying.require_equal(now, new, show)
    return rows


@contextlib.contextmanager
def _show_rows(label: str, rows: dict[str, int]) -> Iterator[Callable[[str, int], object]]:
    """Show on a terminal the number of rows done, and the current table."""
    with click.progressbar(
        length=sum(rows.values()),
        label=label,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        item_show_func=lambda name: name,
    ) as bar:
        yield lambda name, count: bar.update(count, name)


@click.command("vacuum")
@inspecting.as_json
@click.pass_context
def vacuum(ctx: click.Context, as_json: bool) -> None:
    """Reclaim the space of deleted rows.

    With SQLite the server waits meanwhile, and there must be room for a second copy; PostgreSQL
    goes on, and counts anew for its query planner.
    """
    config = get_config(ctx)
    with open_database(config) as store:
        before = _measure_size(store)
        _vacuum(store)
        after = _measure_size(store)
    print_rows([{"bytes_before": before, "bytes_after": after}], as_json=as_json)


def _vacuum(store: Store) -> None:
    with database_errors():
        if store.is_sqlite:
            with store.writing() as session:  # keeps other writers out, but VACUUM wants no BEGIN
                session.execute(text("COMMIT"))
                for statement in _TIDY:
                    session.execute(text(statement))
            return
        engine = store.engine.execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("VACUUM (ANALYZE)"))


def _measure_size(store: Store) -> int:
    """Return the size on disk, in bytes."""
    if store.is_sqlite:
        path = str(store.url.database)
        files = (Path(path), Path(f"{path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
    with store.reading() as session:
        query = text("SELECT pg_database_size(current_database())")
        return int(session.execute(query).scalar_one())
