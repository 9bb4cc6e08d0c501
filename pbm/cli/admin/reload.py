"""`pbm admin reload`: has the running server reload its configuration."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence

import click
from sqlalchemy import insert

from pbm.cli import TRY_AGAIN, USAGE, CommandFailed, get_config
from pbm.cli.act import build_audit_row
from pbm.cli.open_database import open_database
from pbm.config import RELOADABLE
from pbm.daemon.presence import DaemonNote, find_daemons, list_daemons
from pbm.store.engine import Store
from pbm.store.tables import audit

_PATIENCE = 30.0
_PAUSE = 0.1
_SECTIONS = ", ".join(f"[{name}]" for name in RELOADABLE)


@click.command(
    "reload",
    help="Have the running server read its configuration again, once that has been found right "
    f"here.\n\n{_SECTIONS} change at once, all else with a restart; the server's log names what "
    "needs one. With PostgreSQL send SIGHUP to each daemon instead (systemctl reload pbm).",
)
@click.option(
    "--check", "only_checks", is_flag=True, help="only say whether the configuration is right"
)
@click.option("--reason", default="", help="the reason, for the audit log")
@click.pass_context
def reload(ctx: click.Context, only_checks: bool, reason: str) -> None:
    """Signal each daemon of this database, and wait for what it says."""
    config = get_config(ctx)
    if only_checks:
        click.echo(f"{config.source or 'no file'}: right")
        return
    if config.trial:
        raise CommandFailed("no configuration file to reload", USAGE)
    with open_database(config) as store:
        if not store.is_sqlite:
            raise CommandFailed(
                "send SIGHUP to each pbm serve of this PostgreSQL, on its own machine: "
                "systemctl reload pbm",
                TRY_AGAIN,
            )
        signalled, before = [], _find_reloads(store)
        for number in find_daemons(store):
            try:
                os.kill(number, signal.SIGHUP)
            except OSError as error:
                raise CommandFailed(
                    f"process {number} cannot be signalled: {error.strerror}; send it "
                    "SIGHUP where it runs, as its user",
                    TRY_AGAIN,
                ) from None
            signalled.append(number)
        if not signalled:
            raise CommandFailed(
                "no server is running on this database: start it with pbm serve", TRY_AGAIN
            )
        with store.writing() as session:
            session.execute(insert(audit).values(build_audit_row(time.time(), "reload", reason)))
        _await(store, signalled, before)
    click.echo(f"process {', '.join(map(str, signalled))} reloaded; see its log for what changed")


def _find_reloads(store: Store) -> dict[int, DaemonNote]:
    """Return each daemon's note on its last reload, by process."""
    with store.reading() as session:
        return {each.pid: each for each in list_daemons(session)}


def _await(store: Store, numbers: Sequence[int], before: Mapping[int, DaemonNote]) -> None:
    """Wait until these daemons have noted their result. Fails for the first that could not read its
    configuration, and when one does not respond."""
    until = time.monotonic() + _PATIENCE
    for number in numbers:
        began = before[number].reloaded if number in before else 0.0
        while True:
            noted = _find_reloads(store).get(number)
            if noted is not None and noted.reloaded != began:
                break
            if time.monotonic() > until:
                raise CommandFailed(f"process {number} does not answer: see its log", TRY_AGAIN)
            time.sleep(_PAUSE)
        if noted.wrong:
            says = f"{noted.wrong} is wrong in its configuration"
            raise CommandFailed(f"process {number} goes on as it was: {says}", USAGE)
