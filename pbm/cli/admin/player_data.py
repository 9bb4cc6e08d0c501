"""`admin player-data`: everything that is kept about a player."""

from __future__ import annotations

from pathlib import Path

import click

from pbm.cli import REFUSED, USAGE, Failed, completion
from pbm.cli.admin import inspecting
from pbm.cli.terminal.output import clean
from pbm.features.accounts.personal_data import build_personal_data, format_personal_data
from pbm.store import reads


@click.command("player-data")
@click.argument("userid", shell_complete=completion.complete_userids)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="write this file")
@click.option("--reason", default="", help="for the audit log; asked for when not given")
@click.pass_context
def player_data(ctx: click.Context, userid: str, output: Path | None, reason: str) -> None:
    """Everything that is kept about a player, as JSON, to be handed to that person.

    It holds plans and notes: it needs a reason, and is recorded. Players get the same with the
    command mydata.
    """
    with inspecting.open_session(ctx) as session:
        row = reads.find_player_by_name(session, userid.lower())
        if row is None:
            raise inspecting.refuse_missing(f"player {clean(userid)}")
        data = format_personal_data(build_personal_data(session, row.id))
    if not reason.strip():
        try:
            reason = click.prompt("Reason (for the audit log)", err=True)
        except click.Abort:
            raise Failed("player-data needs --reason, which is recorded", USAGE) from None
    inspecting.record_reveal(ctx, reason, "data", player=row.id)
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_text(data, encoding="utf-8")
    except OSError as error:
        raise Failed(f"{output} cannot be written: {error.strerror}", REFUSED) from None
    click.echo(f"written to {output}")
