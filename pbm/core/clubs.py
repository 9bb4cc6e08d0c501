"""Clubs: who belongs to one, and who may see what is its members' alone.

A club's name is the pool of its boards: their ratings are the club's own, and a private board of it
is for its members. Guests of another town see the boards of their match, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import bindparam, select, update

from pbm.core.player import GUEST, Player, get_player, save_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_title
from pbm.rules.phrases import Phrase, phrase
from pbm.store.rows import Query
from pbm.store.tables import (
    MEMBER,
    OFFICER,
    ClubGuestRow,
    ClubMatchRow,
    ClubMemberRow,
    ClubRow,
    club_guests,
    club_matches,
    club_members,
    clubs,
    match_boards,
    players,
)
from pbm.store.transaction import Session


class NamedMemberRow(ClubMemberRow):
    """Who is in a club, or is to become a member, with the userid."""

    userid: str
    state: str


INSIDE = (OFFICER, MEMBER)
"""The roles of those who belong to a club."""
_CLUB = Query(ClubRow, select(clubs).where(clubs.c.name == bindparam("name")))
_MEMBERS = Query(
    NamedMemberRow,
    select(club_members, players.c.userid, players.c.state)
    .join(players, players.c.id == club_members.c.player_id)
    .where(club_members.c.club_id == bindparam("club"), players.c.state == "active")
    .order_by(club_members.c.since, players.c.name),
)
_CLUBS_OF = (
    select(clubs.c.name)
    .join(club_members, club_members.c.club_id == clubs.c.id)
    .where(club_members.c.player_id == bindparam("player"), club_members.c.role.in_(INSIDE))
    .order_by(clubs.c.name)
)
_GUESTS = (
    select(club_guests.c.player_id)
    .join(club_matches, club_matches.c.id == club_guests.c.club_match_id)
    .join(match_boards, match_boards.c.match_id == club_matches.c.match_id)
    .where(match_boards.c.board_id == bindparam("board"))
)


def find_club(session: Session, name: str) -> ClubRow | None:
    """Return the club of that name, in upper or lower case."""
    return session.first(_CLUB, {"name": name.lower()})


def find_members(session: Session, club: int) -> Sequence[NamedMemberRow]:
    """Return the members of a club, and those invited or asking to join, in the order in which they
    came; without closed accounts."""
    return session.all(_MEMBERS, {"club": club})


def find_clubs_of(session: Session, player: int) -> list[str]:
    """Return the names of the clubs to which a player belongs."""
    return [str(name) for (name,) in session.tuples(_CLUBS_OF, {"player": player})]


def is_inside(session: Session, club: str, readers: Iterable[Player]) -> bool:
    """Whether one of these players belongs to a club."""
    return any(club in find_clubs_of(session, each.id) for each in readers)


def is_match_guest(session: Session, board: int, readers: Iterable[Player]) -> bool:
    """Whether one of these players is a guest of the match to which a board belongs."""
    guests = {number for (number,) in session.tuples(_GUESTS, {"board": board})}
    return any(each.id in guests for each in readers)


def may_see(session: Session, server: str, readers: Iterable[Player]) -> bool:
    """Whether one of these players may see what has these options of the server, as JSON: an event
    or an offer that is private to a club is for its members only."""
    terms = json.loads(server)
    if not (terms.get("club") and terms.get("private")):
        return True
    return is_inside(session, terms["club"], readers)


def require_inside(session: Session, club: str, people: Iterable[Player]) -> None:
    """Refuse a club that does not exist, and players outside it. The guests of a match play on its
    boards."""
    if find_club(session, club) is None:
        raise refuse_no_club()
    for each in people:
        if not each.is_guest and club not in find_clubs_of(session, each.id):
            raise Refusal(
                RefusalCode.PLAYER_UNAVAILABLE,
                phrase(
                    "{userid} is no member of the club {club}, whose boards are for its members",
                    userid=each.userid,
                    club=club,
                ),
                f"club show {club}",
            )


# Guests: the players of another town in a match against a team of a club.

_SEAT = Query(
    ClubGuestRow,
    select(club_guests).where(club_guests.c.invitation_id == bindparam("invitation")),
)
_NAME = select(clubs.c.name).where(clubs.c.id == bindparam("club"))
_MATCH = Query(ClubMatchRow, select(club_matches).where(club_matches.c.id == bindparam("match")))


class GuestMatch(NamedTuple):
    """A match for a guest to read: the club, the captain of the guests ("" for the reader), and a
    description, as a clause."""

    row: ClubMatchRow
    club: str
    is_captain: bool
    summary: Phrase


def find_guest_match(session: Session, invitation: int) -> GuestMatch | None:
    """Return the match that an invitation is to; None for an invitation of another kind."""
    seat = session.first(_SEAT, {"invitation": invitation})
    return describe_match(session, seat) if seat is not None else None


def describe_match(session: Session, seat: ClubGuestRow) -> GuestMatch:
    """Return the match for which somebody was invited."""
    row = session.one(_MATCH, {"match": seat.club_match_id})
    name = session.value(_NAME, {"club": row.club_id})
    away = get_player(session, row.away_id) if row.away_id is not None else None
    values = {
        "boards": json.loads(row.server)["boards"],
        "game": find_title(row.game),
        "club": name,
        "team": away.userid if away is not None else "?",
    }
    summary = phrase("a match against the club {club}: {boards} boards of {game}", **values)
    if not seat.is_captain:
        summary = phrase(
            "a match of {team} against the club {club}: {boards} boards of {game}", **values
        )
    return GuestMatch(row, str(name), seat.is_captain, summary)


def note_guest(session: Session, invitation: int, player: Player) -> GuestMatch | None:
    """Make a new account a guest's, if its invitation was to a match, and return that match."""
    match = find_guest_match(session, invitation)
    if match is None:
        return None
    own = update(club_guests).where(club_guests.c.invitation_id == invitation)
    session.execute(own.values(player_id=player.id))
    save_player(session, replace(player, roles=GUEST))
    return match


def refuse_no_club() -> Refusal:
    """Return the refusal of a name that no club has."""
    return Refusal(RefusalCode.NO_SUCH_PLAYER, phrase("there is no club of that name"), "clubs")
