"""Rows of teams, of parties that hold seats, and of offers to take over a seat: stored, listed,
passed on and erased."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from pbm.core.context import Context, add_audit_row
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on, pass_on_pairs, read
from pbm.store.reads import find_team
from pbm.store.rows import Query
from pbm.store.tables import (
    INVITED,
    ReplacementRow,
    audit,
    party_talk,
    players,
    replacements,
    seat_members,
    team_members,
)
from pbm.store.transaction import Session


def offer_seat(session: Session, board: int, seat: int, player: int, member: int = 0) -> None:
    """Store the player asked to take over a seat, or the place of a `member` of its party, instead
    of anybody asked before."""
    forget_offer(session, board, seat)
    row = {"board_id": board, "seat": seat, "player_id": player, "member_id": member or None}
    session.execute(insert(replacements).values(row))


def forget_offer(session: Session, board: int, seat: int) -> None:
    """Delete the offer of a seat."""
    of_seat = replacements.c.board_id == board, replacements.c.seat == seat
    session.execute(delete(replacements).where(*of_seat))


def find_offers(session: Session, board: int, player: int) -> dict[int, int]:
    """Return the seats of a board that a player was asked to take over, each with the member of its
    party whose place it is, or 0."""
    query = select(replacements).where(
        replacements.c.board_id == board, replacements.c.player_id == player
    )
    return {row.seat: row.member_id or 0 for row in session.all(Query(ReplacementRow, query))}


_LEAVES = "leaves"
"""The audit's action for leaving a seat; the seat's name follows."""


def note_left(context: Context, player: Player, board: int, power: str) -> None:
    """Note that a player has left a seat of a board."""
    add_audit_row(context, player.userid, f"{_LEAVES} {power}", player=player.id, board=board)


def has_seen_other(session: Session, board: int, player: int, power: str) -> bool:
    """Whether a player has left another seat of a board than that one."""
    query = select(audit.c.id).where(
        audit.c.board_id == board,
        audit.c.player_id == player,
        audit.c.action.startswith(f"{_LEAVES} "),
        audit.c.action != f"{_LEAVES} {power}",
    )
    return session.execute(query.limit(1)).scalar() is not None


def list_able(session: Session, team: int) -> list[int]:
    """Return the active members of a team, reserves included."""
    rows = find_team(session, team)
    return [row.player_id for row in rows if row.role != INVITED and row.state == "active"]


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return a player's teams, boards on which they hold a seat with others, texts to these, and
    seats that they were asked to take over."""
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
        "asked_to_play": list_own(session, player, replacements, "board_id seat"),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on memberships and texts."""
    pass_on_pairs(act.session, team_members, "player_id", "team_id", old, new)
    pass_on_pairs(act.session, seat_members, "player_id", "board_id", old, new)
    pass_on(act.session, (party_talk, replacements), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Remove the player from teams and parties, and delete their texts there."""
    delete_own(context.session, (party_talk, seat_members, team_members, replacements), player.id)
