"""Rows of press: read, listed, passed on, deleted, and shown in the record of a settled board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, delete, select

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log_view import format_time
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import list_own, pass_on
from pbm.store.press_tables import PressRow, press
from pbm.store.rows import Query
from pbm.store.transaction import Session

_OF_BOARD = Query(
    PressRow,
    select(*press.c).where(press.c.board_id == bindparam("board")).order_by(press.c.id),
)


def find_press(session: Session, board: int) -> Sequence[PressRow]:
    """Return all press of a board, oldest first."""
    return session.all(_OF_BOARD, {"board": board})


def read_readers(row: PressRow) -> dict[int, int]:
    """Return the seats that a text went to, each with the player who had it then."""
    pairs = (pair.split(":") for pair in row.readers.split())
    return {int(seat): int(player) for seat, player in pairs}


def describe_press(session: Session, board: Board) -> dict[str, Any]:
    """Return the press of a board for its record: all of it once its result is settled, unsigned
    texts without their writer; nothing before, and never that of a cancelled board, which stays
    with those who had it."""
    if not board.is_uncovered or board.state == "cancelled" or not board.position.press:
        return {}
    names = board.position.seat_names
    lines = [
        {
            "at": format_time(row.at),
            "ply": row.ply,
            "from": None if row.unsigned else names[row.seat],
            "to": [names[seat] for seat in read_readers(row)],
            "text": row.text,
        }
        for row in find_press(session, board.id)
    ]
    return {"press": lines} if lines else {}


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the press that a player has written."""
    return {"press": list_own(session, player, press, "board_id seat readers unsigned text at")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass press on."""
    pass_on(act.session, (press,), old, new)


def erase_rows(call: Call, player: Player) -> None:
    """Delete what the player wrote."""
    call.session.execute(delete(press).where(press.c.player_id == player.id))
