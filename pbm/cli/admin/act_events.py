"""Operator's actions on events: results, withdrawals, dates, ending and cancelling."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import click

from pbm.cli import USAGE, Failed
from pbm.cli.admin import acting
from pbm.core.model.clock import DAY
from pbm.core.service import event_acts


@click.group("event")
def command() -> None:
    """Correct an event: a result, who plays, its end. Players are told, with the reason."""


@command.command("result")
@click.argument("number", type=int)
@click.argument("board", type=int)
@click.argument("points")
@acting.options
@click.pass_context
def result(
    ctx: click.Context,
    number: int,
    board: int,
    points: str,
    yes: bool,
    reason: str,
    as_json: bool,
) -> None:
    """Give BOARD of event NUMBER these POINTS, one for each seat: 1,0 or 0.5,0.5; `none`: it does
    not count."""
    given = None
    if points.lower() != "none":
        if not re.fullmatch(r"[0-9]{1,2}(\.5)?(,[0-9]{1,2}(\.5)?)+", points):
            raise Failed("POINTS is a number for each seat: 1,0 or 0.5,0.5, or none", USAGE)
        given = [float(each) for each in points.split(",")]
    acting.act(
        ctx,
        f"Give board {board} of event {number} the result {points}?",
        lambda act: event_acts.set_result(act, number, board, given),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@command.command("remove")
@click.argument("number", type=int)
@click.argument("userid")
@acting.options
@click.pass_context
def remove(
    ctx: click.Context, number: int, userid: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Take a player out of event NUMBER, by its rules of withdrawal."""
    acting.act(
        ctx,
        f"Take {userid} out of event {number}?",
        lambda act: event_acts.remove_entrant(act, number, userid),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@command.command("ends")
@click.argument("number", type=int)
@click.argument("day")
@acting.options
@click.pass_context
def ends(ctx: click.Context, number: int, day: str, yes: bool, reason: str, as_json: bool) -> None:
    """Make DAY (YYYY-MM-DD, UTC) the last day of event NUMBER; open rounds shift with it."""
    try:
        last = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise Failed("DAY is written YYYY-MM-DD", USAGE) from None
    acting.act(
        ctx,
        f"Make {day} the last day of event {number}?",
        lambda act: event_acts.set_end(act, number, last + DAY),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@command.command("end")
@click.argument("number", type=int)
@acting.options
@click.pass_context
def end(ctx: click.Context, number: int, yes: bool, reason: str, as_json: bool) -> None:
    """End event NUMBER now, with its prize list; open boards do not count."""
    acting.act(
        ctx,
        f"End event {number} now?",
        lambda act: event_acts.end_now(act, number),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )


@command.command("cancel")
@click.argument("number", type=int)
@acting.options
@click.pass_context
def cancel(ctx: click.Context, number: int, yes: bool, reason: str, as_json: bool) -> None:
    """Cancel event NUMBER; open boards end without a result."""
    acting.act(
        ctx,
        f"Cancel event {number}?",
        lambda act: event_acts.cancel(act, number),
        yes=yes,
        reason=reason,
        as_json=as_json,
    )
