"""`pbm admin`: the operator's commands. Inspecting only reads; acting asks, takes a reason and is
recorded.

Text from outside passes `output.clean` or `masking` before it reaches the terminal."""

from __future__ import annotations

from typing import Any

import click

from pbm.cli import LazyGroup
from pbm.cli.table import ADMIN
from pbm.core.feature import ActRow, AdminPart, ListRow


class Admin(LazyGroup):
    """The commands of the operator's table."""

    rows = tuple(row for row in ADMIN if " " not in row.name)

    def load(self, row: Any) -> click.Command:
        """Return the command of a row: its own, or that of a list or an act."""
        if not isinstance(row, ActRow | ListRow):
            return super().load(row)
        from pbm.cli.admin.inspecting import build_act, build_list

        if isinstance(row, ListRow):
            return build_list(row)
        return build_act(row, [each for each in ADMIN if isinstance(each, ActRow | ListRow)])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table part by part."""
        for part in AdminPart:
            with formatter.section(part.value):
                formatter.write_dl([(row.name, row.help) for row in self.rows if row.part == part])


@click.command(
    "admin",
    cls=Admin,
    help="Look into the server, and act as its operator. All take --json (a list of objects).",
    epilog="Why did a mail get no answer? pbm admin mails --address ADDRESS, then pbm admin mail "
    "NUMBER. Reads hold no lock: the server goes on.",
)
def command() -> None:
    """The group itself does nothing."""
