"""`python -m tools.bridge DATABASE_URL`: the bridge for operators."""

from __future__ import annotations

import sys

import click

from pbm.cli import Failed
from pbm.cli.open_database import database_errors
from pbm.config import ConfigError, load
from pbm.store import migrate
from pbm.store.engine import Store
from tools.bridge import cross


@click.command()
@click.argument("database_url", envvar="PBM_DATABASE_URL")
def main(database_url: str) -> None:
    """Upgrade a database older than 0.2.0 to this program's schema, completely or not at all.
    Stop the server first, and make a backup.

    The URL stands in the configuration: [database] url. PBM_DATABASE_URL is taken without one.
    """
    try:
        config = load(None, {"PBM_DATABASE_URL": database_url})
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    try:
        with database_errors(config):
            store = Store(config.database.url)
            try:
                before = cross(store)
            finally:
                store.close()
    except Failed as failed:
        click.echo(f"bridge: {failed.message}", err=True)
        sys.exit(failed.code)
    click.echo(f"{before} -> {migrate.find_head()}")


if __name__ == "__main__":
    main()
