"""`pbm admin`: the operator's commands. Inspecting only reads; acting asks, takes a reason and is
recorded.

Text from outside passes `output.clean` or `masking` before it reaches the terminal."""

from __future__ import annotations

import click

from pbm.cli import LazyGroup
from pbm.cli.table import ADMIN


class Admin(LazyGroup):
    """The commands of the operator's table."""

    rows = ADMIN


@click.command(
    "admin",
    cls=Admin,
    help="Look into the server, and act as its operator. All take --json (a list of objects).",
    epilog="Why did a mail get no answer? pbm admin mails --address ADDRESS, then pbm admin mail "
    "NUMBER. Reads hold no lock: the server goes on.",
)
def command() -> None:
    """The group itself does nothing."""
