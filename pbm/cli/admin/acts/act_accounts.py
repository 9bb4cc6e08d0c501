"""Operator's actions on who players are: rename, merge, erase, and what is kept about them."""

from __future__ import annotations

from pathlib import Path

import click

from pbm.cli import REFUSED, Failed, completion, get_config
from pbm.cli.admin import inspecting
from pbm.cli.admin.acts import acting
from pbm.cli.terminal.output import clean
from pbm.core.accounts import identities
from pbm.core.accounts.personal_data import build_personal_data, format_personal_data
from pbm.store import reads

_userid = click.argument("userid", shell_complete=completion.complete_userids)


@click.command("rename")
@_userid
@click.argument("new", metavar="NEW")
@acting.options
@click.pass_context
def rename(
    ctx: click.Context, userid: str, new: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Give a player another userid. Boards and records follow; nobody else can have the old one.

    Whoever may announce events by [events] makers must be named anew there.
    """
    acting.act(
        ctx,
        f"Rename {userid} to {new}?",
        lambda act: identities.rename(act, userid, new),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )
    if userid.lower() in get_config(ctx).events.makers.lower().split():
        click.echo(f"[events] makers still has {userid}: write {new} there", err=True)


@click.command("merge")
@_userid
@click.argument("into", metavar="INTO", shell_complete=completion.complete_userids)
@acting.options
@click.pass_context
def merge(
    ctx: click.Context, userid: str, into: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Make two accounts of one person one.

    Boards, results, notes and addresses of USERID pass to INTO, whose password and preferences
    stay; USERID is closed. The ratings of their games are computed anew: boards that the two played
    against each other no longer count. Be sure that it is one person: whoever reads mail at the
    addresses of one can then act for both.
    """
    acting.act(
        ctx,
        f"Merge {userid} into {into}? This cannot be undone.",
        lambda act: identities.merge(act, userid, into),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("erase")
@_userid
@acting.options
@click.pass_context
def erase(ctx: click.Context, userid: str, yes: bool, reason: str, as_json: bool) -> None:
    """Erase a player: everything personal goes, boards and results stay as a former player's.

    Open boards are resigned. Addresses, preferences, comments, plans, notes, chats and vacations go
    at once, the mails in the log within a day. Addresses that are banned stay banned. Backups are
    yours to delete.
    """
    acting.act(
        ctx,
        f"Erase {userid}? This cannot be undone.",
        lambda act: identities.erase(act, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("player-data")
@_userid
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="write this file")
@click.option("--reason", default="", help="the reason, for the audit log")
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
    inspecting.record_reveal(ctx, reason, "data", player=row.id)
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_text(data, encoding="utf-8")
    except OSError as error:
        raise Failed(f"{output} cannot be written: {error.strerror}", REFUSED) from None
    click.echo(f"written to {output}")
