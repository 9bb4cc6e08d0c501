"""What all acting commands share: the question, the reason, one transaction, and its mails."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NoReturn, TypeVar

import click

from pbm.cli import REFUSED, USAGE, CommandFailed, completion, get_config
from pbm.cli.act import find_actor
from pbm.cli.open_database import open_database
from pbm.cli.rendered_mails import render_mails
from pbm.cli.terminal.output import join_lines, print_json
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal
from pbm.core.submit import Submission
from pbm.daemon.keys import load_secrets
from pbm.features.talk import reporting as talk_acts
from pbm.mail.compose import build_service
from pbm.store.transaction import Session

_MOST_SHOWN = 3
F = TypeVar("F", bound=Callable[..., object])


def options(function: F) -> F:
    """Add --yes, --reason and --json."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="as JSON; implies --yes"),
        click.option("--reason", default="", help="why; asked for when not given"),
        click.option("--yes", is_flag=True, help="do not ask"),
    ):
        function = option(function)
    return function


def act(
    ctx: click.Context,
    question: str,
    do: Callable[[OperatorAct], list[Notice] | None],
    *,
    yes: bool,
    reason: str,
    as_json: bool,
    needs_reason: bool = True,
) -> None:
    """Ask, act in one transaction with its audit row and mails, and say who was mailed."""
    reason = _confirm(question, yes=yes or as_json, reason=reason, needs_reason=needs_reason)
    config = get_config(ctx)
    with open_database(config) as store:
        secrets = load_secrets(store)
        now = time.time()

        done: list[OperatorAct] = []

        def act(session: Session) -> list[Notice]:
            done[:] = [OperatorAct(session, find_actor(), reason, now, secrets, config)]
            return do(done[0]) or []

        try:
            with store.writing() as session:
                service = build_service(config, secrets)
                notices = service.submit(session, Submission((act,), now), now).notices
        except Refusal as refusal:
            refuse(ctx, refusal, as_json=as_json)
        mails = render_mails(notices, config)
    if as_json:
        rows = [{"to": mail.to, "subject": mail.subject, "text": mail.text} for mail in mails]
        print_json({"ok": True, "code": 0, "mails": rows})
    else:
        recipients = ", ".join(dict.fromkeys(mail.to for mail in mails if mail.to))
        click.echo(f"done; mailed to {recipients}" if recipients else "done")
    remarks = [remark for each in done for remark in each.remarks]
    undoable = [number for each in done for number in each.undoable]
    remarks += [f"to undo it: pbm admin undo {number}" for number in undoable[:_MOST_SHOWN]]
    for remark in remarks:
        click.echo(join_lines(remark), err=as_json)


def refuse(ctx: click.Context, refusal: Refusal, *, as_json: bool) -> NoReturn:
    """End the command with the refusal."""
    if as_json:
        error = {"refusal": refusal.code, "mails": [], "error": refusal.text}
        print_json({"ok": False, "code": REFUSED, **error})
        ctx.exit(REFUSED)
    raise CommandFailed(f"not done: {refusal.text}", REFUSED) from None


def _confirm(question: str, *, yes: bool, reason: str, needs_reason: bool) -> str:
    """Return the reason, once the operator agreed. Fails without an agreement, or without a
    required reason."""
    try:
        if needs_reason and not reason.strip():
            reason = click.prompt("Reason (players read it)", err=True)
        if not yes and not click.confirm(join_lines(question), err=True):
            raise CommandFailed("nothing was done", REFUSED)
    except click.Abort:
        raise CommandFailed("nothing was done: it needs --reason and --yes", REFUSED) from None
    return reason


# `admin announce`: mails a text to players.


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
@options
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
        raise CommandFailed("the text is missing: --body TEXT", USAGE)
    readers = ", ".join(userids) or "all players"
    act(
        ctx,
        f"Mail '{subject}' to {readers}?",
        lambda act: talk_acts.announce(act, subject, text, userids),
        yes=yes,
        reason=reason or subject,
        as_json=as_json,
    )
