"""Operator's actions on mails: retry, resend, drop, release; some or all in a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from pbm.cli import USAGE, Failed
from pbm.cli.admin.acts import acting
from pbm.cli.admin.mails import parse_mail_name
from pbm.core import operator_mails
from pbm.core.kernel.operator import OperatorAct

_names = click.argument("names", metavar="NAME...", nargs=-1)


@click.command("retry")
@_names
@click.option(
    "--all",
    "state",
    type=click.Choice(["aside", "failed", "dropped"]),
    help="all mails in this state",
)
@acting.options
@click.pass_context
def retry(
    ctx: click.Context,
    names: Sequence[str],
    state: str | None,
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Send mails out:NUMBER or execute mails in:NUMBER again, as soon as possible."""
    title, chosen = _choose_mails(names, state)
    _act(ctx, f"Retry {title} now?", chosen, operator_mails.retry_mail, yes, reason, as_json)


@click.command("resend")
@_names
@acting.options
@click.pass_context
def resend(ctx: click.Context, names: Sequence[str], yes: bool, reason: str, as_json: bool) -> None:
    """Send mails out:NUMBER that were sent once more, as they were, to the same address."""
    if any(parse_mail_name(name)[0] != "out" for name in names):
        raise Failed("only mails out:NUMBER can be sent again; use retry for in:", USAGE)
    title, chosen = _choose_mails(names, None)

    def one(act: OperatorAct, _way: str, number: int) -> None:
        operator_mails.resend_mail(act, number)

    _act(ctx, f"Send {title} once more?", chosen, one, yes, reason, as_json)


@click.command("drop")
@_names
@click.option("--all", "state", type=click.Choice(["aside"]), help="all mails in this state")
@acting.options
@click.pass_context
def drop(
    ctx: click.Context,
    names: Sequence[str],
    state: str | None,
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Drop mails in:NUMBER or out:NUMBER that are waiting or were set aside."""
    title, chosen = _choose_mails(names, state)
    _act(ctx, f"Drop {title}?", chosen, operator_mails.drop_mail, yes, reason, as_json)


@click.command("release")
@_names
@click.option("--all", "state", type=click.Choice(["aside"]), help="all mails in this state")
@acting.options
@click.pass_context
def release(
    ctx: click.Context,
    names: Sequence[str],
    state: str | None,
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Execute mails in:NUMBER that were set aside, as if they had just arrived."""
    if any(parse_mail_name(name)[0] != "in" for name in names):
        raise Failed("only inbound mails are set aside; use retry for out:", USAGE)
    title, chosen = _choose_mails(names, state)

    def one(act: OperatorAct, _way: str, number: int) -> None:
        operator_mails.release_mail(act, number)

    _act(ctx, f"Execute {title}?", chosen, one, yes, reason, as_json)


def _choose_mails(
    names: Sequence[str], state: str | None
) -> tuple[str, Callable[[OperatorAct], Sequence[tuple[str, int]]]]:
    """The chosen mails, in words and as (direction, number); Failed for neither or both."""
    if bool(names) == bool(state):
        raise Failed("name mails as in:NUMBER or out:NUMBER, or use --all STATE", USAGE)
    if state:
        return f"all mails {state}", lambda act: operator_mails.find_mails(act, state)
    mails = [parse_mail_name(name) for name in names]
    word = "mail" if len(mails) == 1 else "mails"
    return f"{word} {', '.join(f'{way}:{number}' for way, number in mails)}", lambda act: mails


def _act(
    ctx: click.Context,
    question: str,
    chosen: Callable[[OperatorAct], Sequence[tuple[str, int]]],
    one: Callable[[OperatorAct, str, int], None],
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Act on all of them or, if one is refused, on none."""

    def do(act: OperatorAct) -> None:
        for way, number in chosen(act):
            one(act, way, number)

    acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json)
