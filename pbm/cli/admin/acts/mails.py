"""The operator's acts on mails in the queues: retry, resend, drop, release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from pbm.cli import USAGE, Failed
from pbm.cli.admin.acts import acting
from pbm.cli.admin.mails import parse_mail_name
from pbm.core import operator_mails
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal, RefusalCode


class _Act(NamedTuple):
    """An act on mails that are named, or, with --all, on all in one of these states."""

    name: str
    about: str
    question: str
    do: Callable[[OperatorAct, str, int], None]
    states: tuple[str, ...] = ()
    only: str = ""
    problem: str = ""


_ACTS = (
    _Act(
        "retry",
        "Send mails out:NUMBER or execute mails in:NUMBER again, as soon as possible.",
        "Retry {mails} now?",
        operator_mails.retry_mail,
        ("aside", "failed", "dropped"),
    ),
    _Act(
        "resend",
        "Send mails out:NUMBER that were sent once more, as they were, to the same address.",
        "Send {mails} once more?",
        lambda act, _way, number: operator_mails.resend_mail(act, number),
        only="out",
        problem="only mails out:NUMBER can be sent again; use retry for in:",
    ),
    _Act(
        "drop",
        "Drop mails in:NUMBER or out:NUMBER that are waiting or were set aside.",
        "Drop {mails}?",
        operator_mails.drop_mail,
        ("aside",),
    ),
    _Act(
        "release",
        "Execute mails in:NUMBER that were set aside, as if they had just arrived.",
        "Execute {mails}?",
        lambda act, _way, number: operator_mails.release_mail(act, number),
        ("aside",),
        only="in",
        problem="only inbound mails are set aside; use retry for out:",
    ),
)


def _build(row: _Act) -> click.Command:
    def run(
        names: Sequence[str], yes: bool, reason: str, as_json: bool, state: str | None = None
    ) -> None:
        if row.only and any(parse_mail_name(name)[0] != row.only for name in names):
            raise Failed(row.problem, USAGE)
        title, chosen = _choose_mails(names, state)

        def do(act: OperatorAct) -> None:
            """Act on all of them or, if one is refused, on none."""
            mails = chosen(act)
            if not mails:
                raise Refusal(RefusalCode.NO_SUCH_MAIL, f"no mail is {state}")
            for way, number in mails:
                row.do(act, way, number)

        question = row.question.format(mails=title)
        ctx = click.get_current_context()
        acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json)

    decorated: Any = acting.options(run)
    if row.states:
        kind = click.Choice(row.states)
        every = click.option("--all", "state", type=kind, help="all mails in this state")
        decorated = every(decorated)
    decorated = click.argument("names", metavar="NAME...", nargs=-1)(decorated)
    return click.command(row.name, help=row.about)(decorated)


retry, resend, drop, release = map(_build, _ACTS)


def _choose_mails(
    names: Sequence[str], state: str | None
) -> tuple[str, Callable[[OperatorAct], Sequence[tuple[str, int]]]]:
    """Return the chosen mails, in words and as (direction, number); Failed for neither or both."""
    if bool(names) == bool(state):
        raise Failed("name mails as in:NUMBER or out:NUMBER, or use --all STATE", USAGE)
    if state:
        return f"all mails {state}", lambda act: operator_mails.find_mails(act, state)
    mails = [parse_mail_name(name) for name in names]
    word = "mail" if len(mails) == 1 else "mails"
    return f"{word} {', '.join(f'{way}:{number}' for way, number in mails)}", lambda act: mails
