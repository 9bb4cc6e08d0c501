"""Reads of boards that have ended: by game, players, dates, event and first moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, or_, select

from pbm.store.club_tables import MEMBER, OFFICER, club_members, clubs
from pbm.store.reads.board_rows import select_held_boards
from pbm.store.rows import Query, Row
from pbm.store.tables import BoardRow, boards, moves, seats
from pbm.store.transaction import Session

_NEWEST = 500
"""How many boards of a player are counted, the newest."""
_SHOWN = func.coalesce(func.nullif(moves.c.words, ""), moves.c.move)
_FIRST_MOVES = (
    select(_SHOWN)
    .where(moves.c.board_id == bindparam("board"), moves.c.kind == "move")
    .order_by(moves.c.number)
    .limit(bindparam("most"))
)


class OwnResultRow(Row):
    """How a player has fared in a game: boards that are over, won, shared, lost by time; the moves
    made there, and the seconds that they took."""

    game: str
    boards: int
    won: int
    tied: int
    forfeits: int
    moves: int
    spent: float


_OTHERS = seats.alias("others")
_LOWEST = (
    select(func.max(_OTHERS.c.rank)).where(_OTHERS.c.board_id == boards.c.id).scalar_subquery()
)


def _count_rows(kind: str) -> Any:
    return (
        select(func.count())
        .where(
            moves.c.board_id == seats.c.board_id,
            moves.c.seat == seats.c.seat,
            moves.c.kind == kind,
        )
        .scalar_subquery()
    )


_OWN = (
    select(
        boards.c.game,
        seats.c.rank,
        seats.c.spent,
        _LOWEST.label("lowest"),
        _count_rows("move").label("moves"),
        _count_rows("forfeit").label("forfeits"),
    )
    .join(seats, seats.c.board_id == boards.c.id)
    .where(
        seats.c.player_id == bindparam("player"),
        boards.c.state == "over",
        boards.c.anonymous.is_(False),
        boards.c.private.is_(False),
    )
    .order_by(boards.c.id.desc())
    .limit(_NEWEST)
    .subquery()
)
_IS_FIRST = _OWN.c.rank == 1
_RESULTS = Query(
    OwnResultRow,
    select(
        _OWN.c.game,
        func.count().label("boards"),
        func.sum(case((_IS_FIRST & (_OWN.c.lowest > 1), 1), else_=0)).label("won"),
        func.sum(case((_IS_FIRST & (_OWN.c.lowest == 1), 1), else_=0)).label("tied"),
        func.sum(case((_OWN.c.forfeits > 0, 1), else_=0)).label("forfeits"),
        func.sum(_OWN.c.moves).label("moves"),
        func.sum(_OWN.c.spent).label("spent"),
    )
    .group_by(_OWN.c.game)
    .order_by(func.count().desc(), _OWN.c.game),
)


def count_own_results(session: Session, player: int) -> Sequence[OwnResultRow]:
    """Return how a player has fared in each game, on the newest boards that are over and do not
    hide who played, the game that is played most first."""
    return session.all(_RESULTS, {"player": player})


def find_finished_boards(
    session: Session,
    people: Sequence[int],
    *,
    game: str,
    since: float | None,
    until: float | None,
    event: int,
    opening: Sequence[str],
    anonymous: bool,
    reader: int,
    most: int,
    skip: int,
) -> Sequence[BoardRow]:
    """Return the boards that are over and meet all of this, the latest first: of a game, with these
    players, ended between two times, of an event, begun with these moves. Private ones are found by
    a `reader` who played there or belongs to the club; 0 for nobody."""
    query = select(boards).where(boards.c.state == "over", _is_shown_to(reader))
    if not anonymous:
        query = query.where(boards.c.anonymous.is_(False))
    if game:
        query = query.where(boards.c.game == game)
    if since is not None:
        query = query.where(boards.c.ended >= since)
    if until is not None:
        query = query.where(boards.c.ended < until)
    if event:
        query = query.where(boards.c.event_id == event)
    for player in people:
        own = select(seats.c.board_id).where(seats.c.player_id == player)
        query = query.where(boards.c.id.in_(own))
    for ply, move in enumerate(opening, 1):
        played = (
            select(moves.c.board_id)
            .where(
                moves.c.board_id == boards.c.id,
                moves.c.kind == "move",
                moves.c.ply == ply,
                func.lower(_SHOWN) == move.lower(),
            )
            .correlate(boards)
        )
        query = query.where(played.exists())
    query = query.order_by(boards.c.id.desc()).limit(most).offset(skip)
    return session.all(Query(BoardRow, query))


def _is_shown_to(reader: int) -> ColumnElement[bool]:
    """Whether a board is not private, or one that this player may see."""
    seated = select(seats.c.board_id).where(seats.c.player_id == reader)
    own = (
        select(clubs.c.name)
        .join(club_members, club_members.c.club_id == clubs.c.id)
        .where(club_members.c.player_id == reader, club_members.c.role.in_((OFFICER, MEMBER)))
    )
    return or_(
        boards.c.private.is_(False),
        boards.c.id.in_(seated),
        boards.c.id.in_(select_held_boards(reader)),
        boards.c.pool.in_(own),
    )


def find_first_moves(session: Session, board: int, most: int) -> list[str]:
    """Return the first moves of a board as spectators read them."""
    values = {"board": board, "most": most}
    return [str(move) for move in session.execute(_FIRST_MOVES, values).scalars()]
