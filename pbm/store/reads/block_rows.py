"""Reads of blocks: who hears no more of whom."""

from __future__ import annotations

from sqlalchemy import bindparam, or_, select

from pbm.store.tables import blocks, players
from pbm.store.transaction import Session

_BLOCKED = (
    select(players.c.id, players.c.userid)
    .join(blocks, blocks.c.blocked_id == players.c.id)
    .where(blocks.c.player_id == bindparam("player"))
)
_BLOCKERS = select(blocks.c.player_id).where(blocks.c.blocked_id == bindparam("player"))
_EITHER = select(blocks.c.player_id, blocks.c.blocked_id).where(
    or_(blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("player"))
)


def find_blocked(session: Session, player: int) -> dict[int, str]:
    """Return the userids of those whom a player blocks, by number."""
    return {int(number): str(name) for number, name in session.tuples(_BLOCKED, {"player": player})}


def find_blockers(session: Session, player: int) -> set[int]:
    """Return those who block a player."""
    return {int(number) for number in session.execute(_BLOCKERS, {"player": player}).scalars()}


def find_strangers(session: Session, player: int) -> set[int]:
    """Return those who block a player or are blocked by that player: neither sees the other's
    offers."""
    pairs = session.tuples(_EITHER, {"player": player})
    return {int(number) for pair in pairs for number in pair} - {player}
