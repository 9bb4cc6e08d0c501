"""`pbm admin reload`: has the running server reload its configuration."""

from __future__ import annotations

import os
import signal
import time

import click
from sqlalchemy import insert

from pbm.cli import TRY_AGAIN, USAGE, Failed, get_config
from pbm.cli.act import build_audit_row
from pbm.cli.open_database import open_database
from pbm.config import RELOADABLE
from pbm.daemon.presence import find_daemons
from pbm.store.tables import audit

_SECTIONS = ", ".join(f"[{name}]" for name in RELOADABLE)


@click.command(
    "reload",
    help="Have the running server read its configuration again, once that has been found right "
    f"here.\n\n{_SECTIONS} change at once, all else with a restart; the server's log names what "
    "needs one. With PostgreSQL send SIGHUP to each daemon instead (systemctl reload pbm).",
)
@click.option("--reason", default="", help="the reason, for the audit log")
@click.pass_context
def reload(ctx: click.Context, reason: str) -> None:
    """Signal each daemon of this database."""
    config = get_config(ctx)
    if config.trial:
        raise Failed("no configuration file to reload", USAGE)
    with open_database(config) as store:
        if not store.is_sqlite:
            raise Failed(
                "send SIGHUP to each pbm serve of this PostgreSQL, on its own machine: "
                "systemctl reload pbm",
                TRY_AGAIN,
            )
        signalled = []
        for number in find_daemons(store):
            try:
                os.kill(number, signal.SIGHUP)
            except OSError as error:
                raise Failed(
                    f"process {number} cannot be signalled: {error.strerror}; send it "
                    "SIGHUP where it runs, as its user",
                    TRY_AGAIN,
                ) from None
            signalled.append(number)
        if not signalled:
            raise Failed(
                "no server is running on this database: start it with pbm serve", TRY_AGAIN
            )
        with store.writing() as session:
            session.execute(insert(audit).values(build_audit_row(time.time(), "reload", reason)))
    click.echo(f"signalled process {', '.join(map(str, signalled))}; see its log for what changed")
