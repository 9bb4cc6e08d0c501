"""Accounts, addresses and ratings; never a password, hashed or not."""

from __future__ import annotations

import json
import time
from typing import Any

import click
from sqlalchemy import func, select

from pbm.cli import completion
from pbm.cli.admin import inspecting
from pbm.cli.terminal.output import clean, format_time, print_rows
from pbm.mail.incoming.bounces import forget_score
from pbm.store import reads
from pbm.store.reads.audit_rows import find_player_audit
from pbm.store.rows import Query
from pbm.store.tables import (
    BanRow,
    BoardRow,
    PlayerRow,
    RatingRow,
    addresses,
    boards,
    inbound,
    outbound,
    seats,
)
from pbm.store.tables import bans as bans_table
from pbm.store.tables import players as players_table
from pbm.store.tables import ratings as ratings_table
from pbm.store.transaction import Session

_OPEN = ("running", "invited")


class OwnBoardRow(BoardRow):
    """A board, and a player's seat at it."""

    seat: int
    rank: int | None


class NamedBanRow(BanRow):
    """A ban, and whose account it is of."""

    userid: str | None


class NamedRatingRow(RatingRow):
    """A rating, and whose it is."""

    userid: str


@click.command("players")
@click.option(
    "--state",
    type=click.Choice(["active", "waiting", "suspended", "closed"]),
    help="only in this state",
)
@click.option("--search", metavar="TEXT", help="userid or address contains TEXT")
@inspecting.limit
@inspecting.as_json
@click.pass_context
def players(
    ctx: click.Context,
    state: str | None,
    search: str | None,
    limit: int,
    before: int | None,
    as_json: bool,
) -> None:
    """Accounts, newest first."""
    table = players_table
    query = select(table).order_by(table.c.id.desc()).limit(limit)
    query = query.where(table.c.state == state) if state else query
    query = query.where(table.c.id < before) if before else query
    if search:
        by_address = select(addresses.c.player_id).where(
            addresses.c.address.contains(search.lower(), autoescape=True)
        )
        by_name = table.c.name.contains(search.lower(), autoescape=True)
        query = query.where(by_name | table.c.id.in_(by_address))
    with inspecting.open_session(ctx) as session:
        rows = [_summarize(session, row) for row in session.all(Query(PlayerRow, query))]
    print_rows(rows, as_json=as_json)


def _summarize(session: Session, row: PlayerRow) -> dict[str, Any]:
    return {
        "number": row.id,
        "userid": row.userid,
        "state": row.state,
        "addresses": [each.address for each in reads.find_all_addresses(session, row.id)],
        "open_boards": reads.count_open_boards(session, row.id),
        "created": format_time(row.created),
        "seen": format_time(row.seen),
    }


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


def _describe(session: Session, row: PlayerRow) -> dict[str, Any]:
    now = time.time()
    details = _summarize(session, row)
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
    details["audit"] = [
        {
            "when": format_time(act.at),
            "actor": act.actor,
            "action": act.action,
            "reason": act.reason,
        }
        for act in find_player_audit(session, row.id)
    ]
    return details


@click.command("bans")
@inspecting.limit
@inspecting.as_json
@click.pass_context
def bans(ctx: click.Context, limit: int, before: int | None, as_json: bool) -> None:
    """Bans of addresses, domains and accounts, and addresses that get no mail."""
    table = bans_table
    query = (
        select(table, players_table.c.userid)
        .outerjoin(players_table, players_table.c.id == table.c.player_id)
        .order_by(table.c.id.desc())
        .limit(limit)
    )
    query = query.where(table.c.id < before) if before else query
    with inspecting.open_session(ctx) as session:
        rows = [
            {
                "number": row.id,
                "target": row.target,
                "kind": row.kind,
                "userid": row.userid,
                "reason": row.reason,
                "actor": row.actor,
                "when": format_time(row.at),
            }
            for row in session.all(Query(NamedBanRow, query))
        ]
    print_rows(rows, as_json=as_json)


@click.command("ratings")
@inspecting.of_game
@click.option(
    "--limit",
    default=100,
    show_default=True,
    type=click.IntRange(1, 100000),
    help="how many",
)
@inspecting.as_json
@click.pass_context
def ratings(ctx: click.Context, game: str | None, limit: int, as_json: bool) -> None:
    """The ratings of all players, best first."""
    table = ratings_table
    query = (
        select(table, players_table.c.userid)
        .join(players_table, players_table.c.id == table.c.player_id)
        .order_by(table.c.game, (table.c.mu - 3 * table.c.sigma).desc())
        .limit(limit)
    )
    query = query.where(table.c.game == game) if game else query
    with inspecting.open_session(ctx) as session:
        rows = [
            {
                "game": row.game,
                "userid": row.userid,
                "mu": round(row.mu, 2),
                "sigma": round(row.sigma, 2),
                "boards": row.boards,
                "updated": format_time(row.updated),
            }
            for row in session.all(Query(NamedRatingRow, query))
        ]
    print_rows(rows, as_json=as_json)
