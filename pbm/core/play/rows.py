"""Seats, comments and watched boards of a player: listed, passed on and deleted."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import (
    delete_own,
    list_own,
    pass_on,
    pass_on_pairs,
    pick,
    read,
    rename_in,
)
from pbm.store.tables import boards, moves, seats, watchers
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the boards at which a player sits, and those that a player watches."""
    return {
        "boards": _list_boards(session, player),
        "watched_boards": list_own(session, player, watchers, "board_id"),
    }


def _list_boards(session: Session, player: int) -> list[dict[str, Any]]:
    """Return the player's seats, each with the player's own moves, comments and plan."""
    seated = (
        select(
            boards.c.id.label("board"),
            boards.c.game,
            boards.c.state,
            boards.c.created,
            boards.c.ended,
            *pick(seats, "seat rank plan submitted spent due"),
        )
        .join(seats, seats.c.board_id == boards.c.id)
        .where(seats.c.player_id == player)
        .order_by(boards.c.id, seats.c.seat)
    )
    made = (
        select(
            moves.c.board_id,
            moves.c.seat,
            *pick(moves, "ply kind move comment at"),
        )
        .join(seats, (seats.c.board_id == moves.c.board_id) & (seats.c.seat == moves.c.seat))
        .where(seats.c.player_id == player)
        .order_by(moves.c.board_id, moves.c.number)
    )
    rows = read(session, seated)
    by_seat: dict[tuple[int, int], list[dict[str, Any]]] = {
        (row["board"], row["seat"]): row.setdefault("moves", []) for row in rows
    }
    for move in read(session, made):
        by_seat[move.pop("board_id"), move.pop("seat")].append(move)
    return rows


def rename(call: Call, player: Player, userid: str) -> None:
    """Replace the player's userid in what boards say of their ends."""
    seated = select(seats.c.board_id).where(seats.c.player_id == player.id)
    said = moves.c.board_id.in_(seated) & moves.c.seat.is_(None)
    for table, column, chosen in (
        (boards, boards.c.outcome, boards.c.id.in_(seated)),
        (moves, moves.c.comment, said),
    ):
        rename_in(call.session, table, column, chosen, player.userid, userid)


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the seats and the watched boards."""
    pass_on(act.session, (seats,), old, new)
    pass_on_pairs(act.session, watchers, "player_id", "board_id", old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Erase comments, plans and what was submitted, and whom the player watches."""
    session, number = call.session, player.id
    seated = select(seats.c.board_id).where(seats.c.player_id == number)
    is_seat = (
        select(seats.c.seat)
        .where(
            seats.c.board_id == moves.c.board_id,
            seats.c.seat == moves.c.seat,
            seats.c.player_id == number,
        )
        .exists()
    )
    written = moves.c.board_id.in_(seated) & (moves.c.comment != "") & is_seat
    session.execute(update(moves).where(written).values(comment=""))
    session.execute(
        update(seats).where(seats.c.player_id == number).values(plan=None, submitted=None, notes=0)
    )
    delete_own(session, (watchers,), number)
