"""Everything that the database holds about one player, as an object for JSON.

Left out: what is only a secret of the server (hashes, keys, tokens), and what others wrote. Times
are in UTC."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Select, Table, select

from pbm.store.analysis_tables import analysis_requests
from pbm.store.event_tables import entrants, events
from pbm.store.puzzle_tables import puzzles
from pbm.store.queues.backlog import DONE
from pbm.store.reads.audit_rows import REPORT
from pbm.store.tables import (
    addresses,
    audit,
    bans,
    blocks,
    boards,
    chats,
    codes,
    former_userids,
    inbound,
    moves,
    notes,
    offers,
    outbound,
    pauses,
    players,
    rating_changes,
    ratings,
    seats,
    signups,
    watchers,
)
from pbm.store.transaction import Session

_TIMES = frozenset(
    (
        *("at", "away", "begins", "bounced", "confirmed", "created", "digest_at", "due", "ended"),
        *("answered", "ends", "entered", "expires", "finished", "left", "received", "seen"),
        *("sent", "stopped", "updated", "used"),
    )
)
_VERSION = 1


def build_personal_data(session: Session, player: int) -> dict[str, Any]:
    """What is kept about a player, by subject."""

    def list_own(table: Table, names: str) -> list[dict[str, Any]]:
        query = select(*_pick(table, names)).where(table.c.player_id == player)
        return _read(session, query.order_by(*table.primary_key.columns))

    account = select(*_pick(players, "userid state preferences created seen away digest_at")).where(
        players.c.id == player
    )
    blocked = select(players.c.userid, blocks.c.at).where(
        blocks.c.blocked_id == players.c.id, blocks.c.player_id == player
    )
    return {
        "format": _VERSION,
        "account": _read(session, account)[0],
        "former_userids": list_own(former_userids, "name at"),
        "addresses": list_own(addresses, "address confirmed bounce_score bounced stopped"),
        "codes": list_own(codes, "purpose address created expires used terms"),
        "signups": _list_signups(session, player),
        "vacations": list_own(pauses, "begins ends kind created"),
        "boards": _list_boards(session, player),
        "chats": list_own(chats, "board_id at text"),
        "notes": list_own(notes, "board_id ply at text"),
        "puzzles": list_own(puzzles, "id game strength moves sent state answered"),
        "watched_boards": list_own(watchers, "board_id"),
        "analyses_awaited": list_own(analysis_requests, "board_id at"),
        "offers": list_own(offers, "game options server state created expires comment"),
        "ratings": list_own(ratings, "game mu sigma boards won lost updated"),
        "rating_changes": list_own(
            rating_changes, "board_id game mu_before sigma_before mu sigma at"
        ),
        "events_entered": list_own(entrants, "event_id number rating division entered left why"),
        "events_made": list_own(events, "id kind game name about created"),
        "blocked_players": _read(session, blocked.order_by(players.c.name)),
        "bans": list_own(bans, "target kind reason at"),
        "acts": _list_acts(session, player, by_player=False),
        "reports_made": _list_acts(session, player, by_player=True),
        "mails_received": _list_received(session, player),
        "mails_sent_to_you": list_own(outbound, "id recipient content state created finished"),
    }


def format_personal_data(data: Mapping[str, Any]) -> str:
    """The object as JSON, for people to read too."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _pick(table: Table, names: str) -> list[Column[Any]]:
    """Some columns of a table."""
    return [table.c[name] for name in names.split()]


def _list_signups(session: Session, player: int) -> list[dict[str, Any]]:
    """The signups that wait for a code which went to an address of the player's."""
    own = select(addresses.c.address).where(addresses.c.player_id == player)
    query = select(*_pick(signups, "userid address others terms created expires"))
    return _read(session, query.where(signups.c.address.in_(own)).order_by(signups.c.id))


def _list_boards(session: Session, player: int) -> list[dict[str, Any]]:
    """The player's seats, each with the player's own moves, comments and plan."""
    seated = (
        select(
            boards.c.id.label("board"),
            boards.c.game,
            boards.c.state,
            boards.c.created,
            boards.c.ended,
            *_pick(seats, "seat rank plan submitted spent due"),
        )
        .join(seats, seats.c.board_id == boards.c.id)
        .where(seats.c.player_id == player)
        .order_by(boards.c.id, seats.c.seat)
    )
    made = (
        select(
            moves.c.board_id,
            moves.c.seat,
            *_pick(moves, "ply kind move comment at"),
        )
        .join(seats, (seats.c.board_id == moves.c.board_id) & (seats.c.seat == moves.c.seat))
        .where(seats.c.player_id == player)
        .order_by(moves.c.board_id, moves.c.number)
    )
    rows = _read(session, seated)
    by_seat: dict[tuple[int, int], list[dict[str, Any]]] = {
        (row["board"], row["seat"]): row.setdefault("moves", []) for row in rows
    }
    for move in _read(session, made):
        by_seat[move.pop("board_id"), move.pop("seat")].append(move)
    return rows


def _list_acts(session: Session, player: int, *, by_player: bool) -> list[dict[str, Any]]:
    """What was done to the account, or which other players it has reported. Who has reported this
    one stays with the operator."""
    query = select(audit.c.at, audit.c.action, audit.c.board_id, audit.c.reason)
    is_own = (audit.c.player_id == player) & (audit.c.action != REPORT)
    if by_player:
        userid = select(players.c.userid).where(players.c.id == player).scalar_subquery()
        is_own = (audit.c.actor == userid) & (audit.c.action == REPORT)
    return _read(session, query.where(is_own).order_by(audit.c.id))


def _list_received(session: Session, player: int) -> list[dict[str, Any]]:
    """The mails that were taken for the player's: of those that are done what is left, without
    passwords."""
    query = (
        select(*_pick(inbound, "id received via envelope_from state outcome raw"))
        .where(inbound.c.player_id == player)
        .order_by(inbound.c.id)
    )
    rows = _read(session, query)
    for row in rows:
        raw = row.pop("raw")
        row["text"] = bytes(raw).decode("utf-8", "replace") if row["state"] == DONE else None
    return rows


def _read(session: Session, query: Select[Any]) -> list[dict[str, Any]]:
    """The rows of a query by the names of their columns, with times as text."""
    names = [column.name for column in query.selected_columns]
    convert: list[Callable[[Any], Any]] = [
        _format_time if name in _TIMES else _identity for name in names
    ]
    return [
        {name: to(value) for name, to, value in zip(names, convert, row, strict=True)}
        for row in session.tuples(query)
    ]


def _identity(value: Any) -> Any:
    return value


def _format_time(seconds: float | None) -> str | None:
    return (
        None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat("T", "seconds")
    )
