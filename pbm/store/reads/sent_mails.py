"""Reads of mails that went out: what a reply answers."""

from __future__ import annotations

import re
from collections.abc import Collection

from sqlalchemy import bindparam, exists, or_, select

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


class SentMailRow(Row):
    """What a mail of ours was, and when it was made."""

    content: str
    created: float


_SENT = Query(
    SentMailRow,
    select(outbound.c.content, outbound.c.created).where(
        outbound.c.id == bindparam("number"), outbound.c.player_id == bindparam("player")
    ),
)


class SentTextRow(Row):
    """The text of a mail of ours, b"" once it is removed."""

    message: bytes


_TO_READER = or_(
    outbound.c.recipient == bindparam("address"),
    outbound.c.player_id.in_(bindparam("players", expanding=True)),
)
_NAMED = Query(
    SentTextRow,
    select(outbound.c.message).where(
        outbound.c.id.in_(bindparam("numbers", expanding=True)), _TO_READER
    ),
)
_ANY = Query(
    SentTextRow,
    select(outbound.c.message).where(outbound.c.id.in_(bindparam("numbers", expanding=True))),
)
_LANGUAGE = re.compile(rb"^Content-Language: ([a-z]+)\r", re.MULTILINE)
_LATEST = Query(
    SentTextRow,
    select(outbound.c.message)
    .where(
        outbound.c.player_id.in_(bindparam("players", expanding=True)),
        outbound.c.recipient == bindparam("address"),
    )
    .order_by(outbound.c.id.desc())
    .limit(bindparam("most")),
)


def find_sent_texts(
    session: Session, numbers: Collection[int], address: str, players: Collection[int]
) -> list[bytes]:
    """Return the mails with these numbers whose texts are kept, if they went to that address or to
    one of these players."""
    values = {"numbers": list(numbers), "address": address, "players": list(players)}
    return [row.message for row in session.all(_NAMED, values) if row.message]


def find_sent_language(session: Session, numbers: Collection[int]) -> str:
    """Return the language that the head of one of these mails tells, whoever got it; "" for none,
    as it is of those in English."""
    for row in session.all(_ANY, {"numbers": list(numbers)}):
        head = row.message[: row.message.find(b"\r\n\r\n") + 2]
        if found := _LANGUAGE.search(head):
            return found[1].decode()
    return ""


def find_latest_texts(
    session: Session, address: str, players: Collection[int], most: int
) -> list[bytes]:
    """Return the latest mails to one of these players at that address whose texts are kept."""
    values = {"address": address, "players": list(players), "most": most}
    return [row.message for row in session.all(_LATEST, values) if row.message]


def find_answered_mail(
    session: Session, number: int, board: int, player: int
) -> AnsweredMailRow | None:
    """Return the mail with that number if it was sent to that player about that board."""
    if not number:
        return None
    return session.first(_ANSWERED, {"number": number, "board": board, "player": player})


def find_sent_mail(session: Session, number: int, player: int) -> SentMailRow | None:
    """Return the mail with that number if it was sent to that player."""
    return session.first(_SENT, {"number": number, "player": player}) if number else None
