"""Chats and blocks of a player: listed, passed on and deleted."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, or_, select

from pbm.core.kernel.language.call import Call
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.players.rows import list_own, pass_on, pass_on_pairs, read
from pbm.store.tables import blocks, chats, players
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return what a player has written at boards, and whom the player blocks."""
    blocked = select(players.c.userid, blocks.c.at).where(
        blocks.c.blocked_id == players.c.id, blocks.c.player_id == player
    )
    return {
        "chats": list_own(session, player, chats, "board_id at text"),
        "blocked_players": read(session, blocked.order_by(players.c.name)),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on chats and blocks, but for those between the two."""
    session = act.session
    pass_on(session, (chats,), old, new)
    pass_on_pairs(session, blocks, "player_id", "blocked_id", old, new)
    pass_on_pairs(session, blocks, "blocked_id", "player_id", old, new)
    session.execute(delete(blocks).where(blocks.c.player_id == blocks.c.blocked_id))


def erase_rows(call: Call, player: Player) -> None:
    """Delete whom the player blocks, and who blocks the player."""
    own = or_(blocks.c.player_id == player.id, blocks.c.blocked_id == player.id)
    call.session.execute(delete(blocks).where(own))
