"""Rows of players' texts to each other at boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Boolean, bindparam, func, or_, select

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.features.talk.tables import chats
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query, Row
from pbm.store.tables import players
from pbm.store.transaction import Session


def list_old_rows(now: float, retention: Retention) -> Iterator[OldRows]:
    """Yield texts at boards to delete, with the same delay as texts of mails."""
    if retention.mails_days:
        yield OldRows((chats.c.id,), chats.c.at < now - retention.mails_days * DAY)


class ChatLine(Row):
    """A text with its writer's userid; `kibitz` if the writer watched."""

    id: int
    userid: str
    text: str
    at: float
    kibitz: bool


_CHATS = Query(
    ChatLine,
    select(chats.c.id, players.c.userid, chats.c.text, chats.c.at, chats.c.kibitz)
    .join(players, players.c.id == chats.c.player_id)
    .where(
        chats.c.board_id == bindparam("board"),
        or_(chats.c.kibitz.is_(False), bindparam("is_settled", type_=Boolean)),
    )
    .order_by(chats.c.id.desc())
    .limit(bindparam("most")),
)
_LAST = select(func.max(chats.c.id)).where(
    chats.c.board_id == bindparam("board"), chats.c.kibitz.is_(False)
)


def find_chats(session: Session, board: int, most: int, *, is_settled: bool) -> Sequence[ChatLine]:
    """Return the last texts at a board, oldest first, for its players only; watchers' texts only
    once the board `is_settled`."""
    return session.all(_CHATS, {"board": board, "most": most, "is_settled": is_settled})[::-1]


def find_last_chat(session: Session, board: int) -> int:
    """Return the number of a player's last text at a board, 0 for none."""
    return session.execute(_LAST, {"board": board}).scalar_one() or 0
