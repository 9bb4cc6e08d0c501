"""Reads of how the boards of a game began."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, func, select

from pbm.store.board_tables import boards, moves, seats
from pbm.store.rows import Query, Row
from pbm.store.transaction import Session

_NEWEST = 500
"""How many boards are counted, the newest."""
_EARLY = 20
"""The first move is among so many rows of a log; the others may be rolls or undone."""


class OpeningRow(Row):
    """A first move: on how many boards that are over it was made, and on how many of them its
    player came first, alone or with others."""

    move: str
    boards: int
    won: int


_OVER = (
    select(boards.c.id)
    .where(boards.c.game == bindparam("game"), boards.c.state == "over")
    .order_by(boards.c.id.desc())
    .limit(_NEWEST)
    .subquery()
)
_FIRST = (
    select(moves.c.board_id, func.min(moves.c.number).label("number"))
    .join(_OVER, _OVER.c.id == moves.c.board_id)
    .where(moves.c.kind == "move", moves.c.ply == 1, moves.c.number <= _EARLY)
    .group_by(moves.c.board_id)
    .subquery()
)
_MOVE = func.coalesce(func.nullif(moves.c.words, ""), moves.c.move)
_OPENINGS = Query(
    OpeningRow,
    select(
        _MOVE.label("move"),
        func.count().label("boards"),
        func.count().filter(seats.c.rank == 1).label("won"),
    )
    .join(_FIRST, (_FIRST.c.board_id == moves.c.board_id) & (_FIRST.c.number == moves.c.number))
    .join(seats, (seats.c.board_id == moves.c.board_id) & (seats.c.seat == moves.c.seat))
    .group_by(_MOVE)
    .order_by(func.count().desc(), _MOVE)
    .limit(bindparam("most")),
)


def find_openings(session: Session, game: str, most: int) -> Sequence[OpeningRow]:
    """Return the first moves that were made most often in a game, on its newest boards that are
    over."""
    return session.all(_OPENINGS, {"game": game, "most": most})
