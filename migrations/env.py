"""Alembic's entry point. `pbm.store.migrate` passes the connection whose transaction the migrations
join; whoever types `alembic` in a clone names a database in PBM_DATABASE_URL."""

import os
import re

from alembic import command, context
from alembic.util import CommandError
from sqlalchemy import create_engine

import pbm.features  # noqa: F401 (some have tables of their own)
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.partitions import QUEUES
from pbm.store.tables import metadata

PARTITION = re.compile(rf"({'|'.join(queue.name for queue in QUEUES)})_[0-9]+")
WRITING = {command.upgrade, command.stamp}
OF_FILES = {command.history, command.show, command.revision}
"""What needs no database, unless an option compares the migrations with one."""
COMPARING = ("autogenerate", "indicate_current")


def is_ours(name, kind, _):
    """Return whether the code has such a table: partitions are made while the server runs."""
    return not (kind == "table" and PARTITION.fullmatch(name or ""))


def number(_, __, directives):
    """Give a new migration the next number, unless the one who makes it has. Where nothing differs
    there is none to make."""
    typed = context.config.cmd_opts
    if getattr(typed, "autogenerate", False) and directives[0].upgrade_ops.is_empty():
        print("nothing differs: no migration is made")
        directives.clear()
    elif not getattr(typed, "rev_id", None):
        directives[0].rev_id = f"{int(migrate.find_head()) + 1:04}"


def run(connection):
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        compare_server_default=connection.dialect.name != "sqlite",
        include_name=is_ours,
        process_revision_directives=number,
        transaction_per_migration=False,
    )
    context.run_migrations()


def run_typed():
    """Run what was typed. What writes waits its turn, as a server's upgrade does."""
    given = context.config.cmd_opts
    (typed, *_) = given.cmd
    if typed is command.downgrade:
        raise CommandError("there is no way back: restore a backup of before the upgrade")
    if typed in OF_FILES and not any(getattr(given, option, False) for option in COMPARING):
        with create_engine("sqlite://").connect() as connection:  # no matter which
            run(connection)
        return
    url = os.environ.get("PBM_DATABASE_URL")
    if not url:
        raise CommandError("which database? PBM_DATABASE_URL=sqlite:///var/pbm.db, for instance")
    store = Store(url)
    try:
        if typed is command.upgrade:
            migrate.make_file(store)
        elif store.path is not None and not store.path.exists():
            raise CommandError(f"no database at {store.path}: alembic upgrade head makes one")
        if typed in WRITING:
            with store.writing() as session:
                migrate.lock(session)
                run(session.connection)
        else:
            with store.reading() as session:
                run(session.connection)
    finally:
        store.close()


if "connection" in context.config.attributes:
    run(context.config.attributes["connection"])
elif context.is_offline_mode():
    raise CommandError("migrations look at what is there: they cannot be written down as SQL")
else:
    run_typed()
