"""Boards and moves, for the operator, as spectators see them."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select

from pbm.core.kernel.operator_lists import narrow
from pbm.core.kernel.operator_rows import Asked
from pbm.games import hides
from pbm.rules.phrases import unpack
from pbm.store import reads
from pbm.store.rows import Query
from pbm.store.tables import BoardRow, MoveRow, boards, moves, players, seats
from pbm.store.transaction import Session


class SpectatedMoveRow(MoveRow):
    """A move, with its game and whose it is."""

    game: str
    userid: str | None


def list_boards(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return boards, newest first, or those overdue, longest wait first."""
    table = boards
    by = table.c.moved if asked["overdue"] else table.c.id.desc()
    query = narrow(select(table).order_by(by), asked, table.c.created, table.c.id)
    if asked["overdue"]:
        query = query.where(table.c.state == "running")
    for name in ("game", "state"):
        query = query.where(table.c[name] == asked[name]) if asked[name] else query
    if asked["player"]:
        own = select(seats.c.board_id).join(players, players.c.id == seats.c.player_id)
        named = own.where(players.c.name == asked["player"].lower())
        query = query.where(table.c.id.in_(named))
    return [summarize_board(session, row) for row in session.all(Query(BoardRow, query))]


def summarize_board(session: Session, row: BoardRow) -> dict[str, Any]:
    """Return a board in the columns of the list."""
    seated = reads.find_seats(session, row.id)
    on_move = [seated[int(seat)].userid for seat in row.to_move.split(",") if seat]
    return {
        "board": row.id,
        "game": row.game,
        "state": row.state,
        "players": [seat.userid for seat in seated],
        "to_move": on_move,
        "ply": row.ply,
        "options": json.loads(row.options),
        "rated": bool(row.rated),
        "moved": row.moved,
        "created": row.created,
    }


def list_moves(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return the latest moves on all boards."""
    table = moves
    query = (
        select(table, boards.c.game, players.c.userid)
        .join(boards, boards.c.id == table.c.board_id)
        .outerjoin(seats, (seats.c.board_id == table.c.board_id) & (seats.c.seat == table.c.seat))
        .outerjoin(players, players.c.id == seats.c.player_id)
        .order_by(table.c.at.desc(), table.c.board_id, table.c.number.desc())
    )
    query = narrow(query, asked, table.c.at)
    query = query.where(table.c.board_id == asked["board"]) if asked["board"] else query
    if asked["player"]:
        query = query.where(players.c.name == asked["player"].lower())
    return [
        {
            "at": row.at,
            "board": row.board_id,
            "game": row.game,
            "number": row.number,
            "ply": row.ply,
            "kind": row.kind,
            "seat": row.seat,
            "userid": row.userid,
            "move": unpack(row.words) if row.words and hides(row.game) else row.move,
        }
        for row in session.all(Query(SpectatedMoveRow, query))
    ]
