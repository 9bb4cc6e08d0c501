"""One account; never its password, hashed or not."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click
from sqlalchemy import func, select

from pbm.cli import REFUSED, USAGE, CommandFailed, completion
from pbm.cli.admin import inspecting
from pbm.cli.admin.inspecting import format_times
from pbm.cli.terminal.output import clean, format_time, print_rows
from pbm.features.accounts.admin import summarize_player
from pbm.features.accounts.personal_data import build_personal_data, format_personal_data
from pbm.mail.bounces import forget_score
from pbm.store import reads
from pbm.store.reads import find_player_audit
from pbm.store.rows import Query
from pbm.store.tables import BoardRow, PlayerRow, boards, inbound, outbound, seats
from pbm.store.transaction import Session

_OPEN = ("running", "invited")


class OwnBoardRow(BoardRow):
    """A board, and a player's seat at it."""

    seat: int
    rank: int | None


@click.command("player")
@click.argument("userid", shell_complete=completion.complete_userids)
@inspecting.as_json
@click.pass_context
def player(ctx: click.Context, userid: str, as_json: bool) -> None:
    """One account: addresses, preferences, boards, waiting mails, and what operators did."""
    with inspecting.open_session(ctx) as session:
        row = reads.find_player_by_name(session, userid.lower())
        if row is None:
            raise inspecting.refuse_missing(f"player {clean(userid)}")
        details = _describe(session, row)
    if as_json:
        print_rows([details], as_json=True)
        return
    for name, value in sorted(details.items(), key=lambda item: isinstance(item[1], list)):
        if isinstance(value, list):
            click.echo(f"\n{name}")
            print_rows(value, as_json=False)
        else:
            click.echo(f"{name:<12} {'-' if value is None else clean(str(value))}")


def _describe(session: Session, row: PlayerRow) -> dict[str, object]:
    now = time.time()
    details = format_times(summarize_player(session, row), ("created", "seen"))
    preferences = json.loads(row.preferences)
    details["preferences"] = (
        " ".join(f"{key}={value}" for key, value in preferences.items()) or None
    )
    count_mails = select(func.count()).select_from(outbound)
    details["mails_in"] = session.execute(
        select(func.count()).select_from(inbound).where(inbound.c.player_id == row.id)
    ).scalar_one()
    details["mails_out"] = session.execute(
        count_mails.where(outbound.c.player_id == row.id)
    ).scalar_one()
    details["mails_waiting"] = session.execute(
        count_mails.where(outbound.c.player_id == row.id, outbound.c.state == "waiting")
    ).scalar_one()
    details["addresses"] = [
        {
            "address": each.address,
            "confirmed": format_time(each.confirmed),
            "bounce_score": round(forget_score(each.bounce_score, each.bounced, now), 1),
            "bounced": format_time(each.bounced),
            "stopped": format_time(each.stopped),
        }
        for each in reads.find_all_addresses(session, row.id)
    ]
    own_boards = (
        select(boards, seats.c.seat, seats.c.rank)
        .join(seats, seats.c.board_id == boards.c.id)
        .where(seats.c.player_id == row.id)
        .order_by(boards.c.state.in_(_OPEN).desc(), boards.c.id.desc())
        .limit(50)
    )
    details["boards"] = [
        {
            "board": each.id,
            "game": each.game,
            "state": each.state,
            "seat": each.seat,
            "to_move": str(each.seat) in each.to_move.split(","),
            "ply": each.ply,
            "rank": each.rank,
            "moved": format_time(each.moved),
        }
        for each in session.all(Query(OwnBoardRow, own_boards))
    ]
    details["audit"] = inspecting.list_acts(find_player_audit(session, row.id))
    return details


# `admin player-data`: everything that is kept about a player.


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
            raise CommandFailed("player-data needs --reason, which is recorded", USAGE) from None
    inspecting.record_reveal(ctx, reason, "data", player=row.id)
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_text(data, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{output} cannot be written: {error.strerror}", REFUSED) from None
    click.echo(f"written to {output}")
