"""Rows of teams and of those who hold seats together: listed, passed on and deleted."""

from __future__ import annotations

from sqlalchemy import select

from pbm.core.context import Context
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on, pass_on_pairs, read
from pbm.store.party_tables import party_talk, seat_members, team_members
from pbm.store.tables import players
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the teams of a player, the boards where they hold a seat with others, and what they
    said there to these."""
    teams = (
        select(players.c.userid, team_members.c.role, team_members.c.since)
        .join(players, players.c.id == team_members.c.team_id)
        .where(team_members.c.player_id == player)
        .order_by(players.c.name)
    )
    return {
        "teams": read(session, teams),
        "seats_held_with_others": list_own(session, player, seat_members, "board_id seat"),
        "party_talk": list_own(session, player, party_talk, "board_id seat ply kind text at"),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on memberships and what was said."""
    pass_on_pairs(act.session, team_members, "player_id", "team_id", old, new)
    pass_on_pairs(act.session, seat_members, "player_id", "board_id", old, new)
    pass_on(act.session, (party_talk,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Take the player out of teams and parties, and delete what they said there."""
    delete_own(context.session, (party_talk, seat_members, team_members), player.id)
