"""Reads of mails that went out: what a reply answers."""

from __future__ import annotations

from sqlalchemy import bindparam, exists, select

from pbm.store.rows import Query, Row
from pbm.store.tables import outbound
from pbm.store.transaction import Session


class AnsweredMailRow(Row):
    """A mail of ours that somebody answers. `is_last`: no news of its board went to that address
    since."""

    content: str
    is_last: bool


_NEWS = ("board_update", "chat")
_LATER = outbound.alias("later")
_ANSWERED = Query(
    AnsweredMailRow,
    select(
        outbound.c.content,
        (
            ~exists()
            .where(
                _LATER.c.board_id == outbound.c.board_id,
                _LATER.c.player_id == outbound.c.player_id,
                _LATER.c.recipient == outbound.c.recipient,
                _LATER.c.id > outbound.c.id,
                _LATER.c.content.in_(_NEWS),
            )
            .correlate(outbound)
        ).label("is_last"),
    ).where(
        outbound.c.id == bindparam("number"),
        outbound.c.board_id == bindparam("board"),
        outbound.c.player_id == bindparam("player"),
    ),
)


def find_answered_mail(
    session: Session, number: int, board: int, player: int
) -> AnsweredMailRow | None:
    """The mail with that number if it was sent to that player about that board."""
    if not number:
        return None
    return session.first(_ANSWERED, {"number": number, "board": board, "player": player})
