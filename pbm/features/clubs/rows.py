"""Rows of clubs: exported, passed on and erased; and the operator's list of clubs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlalchemy import ScalarSelect, func, select, update

from pbm.core.context import Context
from pbm.core.feature import Asked, ListRow
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on, pass_on_pairs, read
from pbm.store.tables import (
    ASKING,
    INVITED,
    MEMBER,
    OFFICER,
    boards,
    club_guests,
    club_matches,
    club_members,
    clubs,
)
from pbm.store.transaction import Session


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return a player's clubs, the matches that they made, and those that they joined."""
    joined = (
        select(clubs.c.name, club_members.c.role, club_members.c.since)
        .join(clubs, clubs.c.id == club_members.c.club_id)
        .where(club_members.c.player_id == player)
        .order_by(clubs.c.name)
    )
    return {
        "clubs": read(session, joined),
        "club_matches": list_own(session, player, club_matches, "game options server created"),
        "guest_of_matches": list_own(session, player, club_guests, "club_match_id is_captain"),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on memberships, matches and parts in matches."""
    pass_on_pairs(act.session, club_members, "player_id", "club_id", old, new)
    pass_on(act.session, (club_matches, club_guests), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Remove the player from clubs and matches. A match that they made stays, as its boards do."""
    delete_own(context.session, (club_members,), player.id)
    own = club_guests.c.player_id == player.id
    context.session.execute(update(club_guests).where(own).values(player_id=None))


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each board whose club does not exist, and each private board that is
    rated."""
    names = select(clubs.c.name)
    lost = select(boards.c.id, boards.c.pool).where(
        boards.c.pool.not_in(["", "house"]), boards.c.pool.not_in(names)
    )
    for number, pool in session.tuples(lost):
        yield f"board {number} is of the club {pool}, which there is not"
    counted = select(boards.c.id).where(boards.c.private, boards.c.rated)
    for (number,) in session.tuples(counted):
        yield f"board {number} is private, but its result counts for ratings"


def list_clubs(session: Session, asked: Asked) -> list[Mapping[str, object]]:
    """Return the clubs, with the number of members and the address to which news is posted."""

    def count(*roles: str) -> ScalarSelect[int]:
        own = club_members.c.club_id == clubs.c.id
        query = select(func.count()).where(own, club_members.c.role.in_(roles))
        return query.scalar_subquery()

    query = (
        select(
            clubs.c.id,
            clubs.c.name,
            clubs.c.about,
            clubs.c.created,
            clubs.c.hook,
            clubs.c.hook_news,
            count(OFFICER).label("officers"),
            count(OFFICER, MEMBER).label("members"),
            count(INVITED, ASKING).label("waiting"),
        )
        .order_by(clubs.c.name)
        .limit(asked["limit"])
    )
    return [
        {**row, "hook": str(row["hook"]).partition("://")[2].partition("/")[0]}
        for row in session.execute(query).mappings()
    ]


LISTS = (
    ListRow(
        "clubs",
        "the clubs of players",
        "The clubs that players have made, with how many belong to each and the host to which its "
        "news are posted.",
        list_clubs,
        times=("created",),
        has_numbers=False,
    ),
)
