"""Operator's actions on new players: invite, approve, deny; each mails the person concerned."""

from __future__ import annotations

import click

from pbm.cli import completion
from pbm.cli.admin.acts import acting
from pbm.core.accounts import admitting


@click.command("invite")
@click.argument("address")
@acting.options
@click.pass_context
def invite(ctx: click.Context, address: str, yes: bool, reason: str, as_json: bool) -> None:
    """Let an address sign up where [players] signups is "invited", and mail it once.

    Where each signup is approved, one of an invited address needs no approval.
    """
    acting.act(
        ctx,
        f"Invite {address}?",
        lambda act: admitting.invite(act, address),
        yes=yes,
        reason=reason,
        as_json=as_json,
        needs_reason=False,
    )


@click.command("approve")
@click.argument("userid", shell_complete=completion.complete_userids)
@acting.options
@click.pass_context
def approve(ctx: click.Context, userid: str, yes: bool, reason: str, as_json: bool) -> None:
    """Open an account that waits for it, and mail the player.

    Those that wait: pbm admin players --state waiting.
    """
    acting.act(
        ctx,
        f"Approve {userid}?",
        lambda act: admitting.approve(act, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
        needs_reason=False,
    )


@click.command("deny")
@click.argument("userid", shell_complete=completion.complete_userids)
@acting.options
@click.pass_context
def deny(ctx: click.Context, userid: str, yes: bool, reason: str, as_json: bool) -> None:
    """Delete an account that waits to be approved, and mail whoever signed up.

    A reason, if you give one, is in that mail. The userid is free again.
    """
    acting.act(
        ctx,
        f"Deny {userid}?",
        lambda act: admitting.deny(act, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
        needs_reason=False,
    )
