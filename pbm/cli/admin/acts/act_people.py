"""Operator's actions on players: passwords, suspensions, bans, announcements; they are mailed."""

from __future__ import annotations

import sys

import click

from pbm.cli import USAGE, Failed, completion
from pbm.cli.admin.acts import acting
from pbm.core.accounts import banning
from pbm.core.accounts import operator_acts as accounts_acts
from pbm.core.talk import operator_acts as talk_acts


@click.command("reset-password")
@click.argument("userid", shell_complete=completion.complete_userids)
@acting.options
@click.pass_context
def reset_password(ctx: click.Context, userid: str, yes: bool, reason: str, as_json: bool) -> None:
    """Withdraw a password and mail the player a code to choose a new one. You see neither."""
    acting.act(
        ctx,
        f"Withdraw the password of {userid}?",
        lambda act: accounts_acts.reset_password(act, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("suspend")
@click.argument("who", metavar="USERID|ADDRESS", shell_complete=completion.complete_userids)
@acting.options
@click.pass_context
def suspend(ctx: click.Context, who: str, yes: bool, reason: str, as_json: bool) -> None:
    """Suspend a player, or stop all mail to an address."""
    acting.act(
        ctx,
        f"Suspend {who}?",
        lambda act: (
            banning.stop_address(act, who, stopped=True)
            if "@" in who
            else banning.suspend(act, who)
        ),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("unsuspend")
@click.argument("who", metavar="USERID|ADDRESS")
@acting.options
@click.pass_context
def unsuspend(ctx: click.Context, who: str, yes: bool, reason: str, as_json: bool) -> None:
    """Lift a player's suspension, or resume mail to an address (even one that bounced)."""
    acting.act(
        ctx,
        f"Unsuspend {who}?",
        lambda act: (
            banning.stop_address(act, who, stopped=False)
            if "@" in who
            else banning.unsuspend(act, who)
        ),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("ban")
@click.argument("who", metavar="USERID|ADDRESS|@DOMAIN", shell_complete=completion.complete_userids)
@acting.options
@click.pass_context
def ban(ctx: click.Context, who: str, yes: bool, reason: str, as_json: bool) -> None:
    """Accept no mail from an address, domain or account, and send none there.

    An address is banned with its +subaddresses, a domain with its subdomains, an account with its
    addresses. The players get a last mail with the reason; mails from there are recorded as banned
    and never answered.
    """
    acting.act(
        ctx,
        f"Ban {who}?",
        lambda act: banning.ban(act, who),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("unban")
@click.argument("who", metavar="USERID|ADDRESS|@DOMAIN")
@acting.options
@click.pass_context
def unban(ctx: click.Context, who: str, yes: bool, reason: str, as_json: bool) -> None:
    """Lift a ban. An account is open again, with the addresses that no other ban covers."""
    acting.act(
        ctx,
        f"Lift the ban on {who}?",
        lambda act: banning.unban(act, who),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("set-address")
@click.argument("userid", shell_complete=completion.complete_userids)
@click.argument("address")
@acting.options
@click.pass_context
def set_address(
    ctx: click.Context, userid: str, address: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Send a code to another address of a player whose mailbox is dead.

    When the code comes back, the address takes the place of all that the player had. Be sure that
    it is the player who asks: whoever reads there can then have a new password.
    """
    acting.act(
        ctx,
        f"Let {address} become the address of {userid}?",
        lambda act: accounts_acts.set_address(act, userid, address),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@click.command("announce")
@click.argument("subject")
@click.option("--body", default="-", metavar="TEXT|-", help="the text; - reads standard input")
@click.option(
    "--to",
    "userids",
    multiple=True,
    metavar="USERID",
    shell_complete=completion.complete_userids,
    help="only to this player, and to others named so",
)
@acting.options
@click.pass_context
def announce(
    ctx: click.Context,
    subject: str,
    body: str,
    userids: tuple[str, ...],
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Mail a text to all active players, or to some."""
    text = (sys.stdin.read() if body == "-" else body).strip()
    if not text:
        raise Failed("the text is missing: --body TEXT", USAGE)
    readers = ", ".join(userids) or "all players"
    acting.act(
        ctx,
        f"Mail '{subject}' to {readers}?",
        lambda act: talk_acts.announce(act, subject, text, userids),
        yes=yes,
        reason=reason or subject,
        as_json=as_json,
    )
