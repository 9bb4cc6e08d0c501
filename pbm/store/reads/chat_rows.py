"""Reads of what players wrote to each other at boards."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, func, select

from pbm.store.rows import Query, Row
from pbm.store.tables import chats, players
from pbm.store.transaction import Session


class ChatLine(Row):
    """A text with its writer's userid."""

    id: int
    userid: str
    text: str
    at: float


_CHATS = Query(
    ChatLine,
    select(chats.c.id, players.c.userid, chats.c.text, chats.c.at)
    .join(players, players.c.id == chats.c.player_id)
    .where(chats.c.board_id == bindparam("board"))
    .order_by(chats.c.id.desc())
    .limit(bindparam("most")),
)
_LAST = select(func.max(chats.c.id)).where(chats.c.board_id == bindparam("board"))


def find_chats(session: Session, board: int, most: int) -> Sequence[ChatLine]:
    """Return the last texts at a board, oldest first; they are for its players alone."""
    return session.all(_CHATS, {"board": board, "most": most})[::-1]


def find_last_chat(session: Session, board: int) -> int:
    """Return the number of the last text at a board, 0 for none."""
    return session.execute(_LAST, {"board": board}).scalar_one() or 0
