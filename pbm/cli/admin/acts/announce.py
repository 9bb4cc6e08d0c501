"""`admin announce`: mails a text to players."""

from __future__ import annotations

import sys

import click

from pbm.cli import USAGE, Failed, completion
from pbm.cli.admin.acts import acting
from pbm.features.talk import reporting as talk_acts


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
