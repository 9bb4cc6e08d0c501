"""How the last mails of each player began and ended."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import bindparam, delete, func, insert, select

from pbm.store.tables import mail_ends
from pbm.store.transaction import Session

_KEPT = 8
"""Mails of a player that are kept in mind."""
_ENDINGS = select(mail_ends.c.endings).where(
    mail_ends.c.player_id.in_(bindparam("players", expanding=True))
)
_OTHERS = select(func.count(mail_ends.c.player_id.distinct())).where(
    mail_ends.c.beginning == bindparam("beginning"),
    mail_ends.c.player_id.not_in(bindparam("players", expanding=True)),
)
_ADD = insert(mail_ends)
_OLDER = (
    select(mail_ends.c.id)
    .where(mail_ends.c.player_id == bindparam("player"))
    .order_by(mail_ends.c.id.desc())
    .offset(_KEPT)
)
_DROP = delete(mail_ends).where(mail_ends.c.id.in_(_OLDER.limit(1000)))


def find_endings(session: Session, players: Collection[int]) -> list[Sequence[str]]:
    """Return the hashes of each of the last mails of these players."""
    rows = session.tuples(_ENDINGS, {"players": list(players)})
    return [endings.split() for (endings,) in rows]


def count_others_who_begin(session: Session, beginning: str, players: Collection[int]) -> int:
    """Return how many players other than these have begun a mail with that paragraph."""
    values = {"beginning": beginning, "players": list(players)}
    return int(session.execute(_OTHERS, values).scalar_one()) if beginning else 0


def remember(session: Session, player: int, beginning: str, endings: Sequence[str]) -> None:
    """Keep in mind how a mail of a player began and ended, and forget the ones before the last."""
    row = {"player_id": player, "beginning": beginning, "endings": " ".join(endings)}
    session.execute(_ADD, row)
    session.execute(_DROP, {"player": player})
