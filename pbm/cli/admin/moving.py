"""`admin copy` and `admin vacuum`, with progress bars."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from sqlalchemy import text
from sqlalchemy.engine import make_url

from pbm.cli import REFUSED, USAGE, CommandFailed, get_config
from pbm.cli.admin import inspecting
from pbm.cli.open_database import database_errors, open_database
from pbm.cli.terminal.output import print_rows
from pbm.config import Config
from pbm.core.fsck import find_board_numbers, find_differences
from pbm.daemon.presence import find_daemons
from pbm.store import copying
from pbm.store.copying import CopyError
from pbm.store.engine import Store

_TIDY = (
    "DROP TABLE IF EXISTS sqlite_stat1",
    "DROP TABLE IF EXISTS sqlite_stat4",
    "VACUUM",
    "PRAGMA wal_checkpoint(TRUNCATE)",
)
"""No ANALYZE: what SQLite counted while a queue was short makes it read through the queue when it
has grown. Without counts it takes the index that is there for each statement (tests/server/
test_plans.py), and a count of earlier releases goes."""


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
    number. The copy is checked, row counts and then as `pbm admin check` does, before it is
    committed: it is whole or not there at all. Then set [database] url.
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
                rows = _copy(source, target)
            except CopyError as error:
                raise CommandFailed(f"not copied: {error}", REFUSED) from None
            finally:
                target.close()
    print_rows([{"table": name, "rows": count} for name, count in rows.items()], as_json=as_json)
    shown = make_url(url).render_as_string(hide_password=True)
    click.echo(f'copied and verified; now set [database] url = "{shown}"', err=True)


def _copy(source: Store, target: Store) -> dict[str, int]:
    """Copy and verify in one transaction; the number of rows of each table. Raise CopyError."""
    with copying.open_snapshot(source) as old, target.writing() as new:
        expected = copying.count_rows(old)
        with click.progressbar(
            length=sum(expected.values()),
            label="copy",
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
            item_show_func=lambda name: name,
        ) as bar:
            copying.copy(old, new, lambda name, count: bar.update(count, name))
        with copying.open_snapshot(source) as now:
            rows = copying.require_equal(now, new)
        with inspecting.show_progress(find_board_numbers(new), "check") as numbers:
            for difference in find_differences(new, numbers):
                raise CopyError(f"the copy does not agree with itself: {difference}")
    return rows


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
        _vacuum(store, config)
        after = _measure_size(store)
    print_rows([{"bytes_before": before, "bytes_after": after}], as_json=as_json)


def _vacuum(store: Store, config: Config) -> None:
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
