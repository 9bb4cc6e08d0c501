"""Reads of many players at once: who is here, who is as strong, and how two have fared."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, case, func, select

from pbm.store.rows import Query, Row
from pbm.store.tables import (
    boards,
    is_established,
    is_provisional,
    offers,
    pauses,
    players,
    ratings,
    seats,
)
from pbm.store.transaction import Session, pad_keys


class RecentPlayerRow(Row):
    """A player, and when the last command came."""

    id: int
    userid: str
    preferences: str
    seen: float


class NearPlayerRow(Row):
    """A player with a rating near another one."""

    player_id: int
    userid: str
    preferences: str
    mu: float
    sigma: float


class SeekingRow(Row):
    """An open offer, and who made it."""

    id: int
    player_id: int
    game: str


class ResultRow(Row):
    """How the first of two players has fared against the second in a game."""

    game: str
    boards: int
    won: int
    lost: int


class PairBoardRow(Row):
    """A board on which two players have met."""

    id: int
    game: str


_RECENT = Query(
    RecentPlayerRow,
    select(players.c.id, players.c.userid, players.c.preferences, players.c.seen)
    .where(
        players.c.state == "active",
        players.c.seen >= bindparam("since"),
        func.substr(players.c.password, 1, 1) != bindparam("no_password"),
    )
    .order_by(players.c.seen.desc(), players.c.id)
    .limit(bindparam("most")),
)
_NEAR = (
    select(
        ratings.c.player_id,
        players.c.userid,
        players.c.preferences,
        ratings.c.mu,
        ratings.c.sigma,
    )
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("game"), ratings.c.boards > 0, players.c.state == "active")
    .limit(bindparam("most"))
)
_NEAREST = tuple(
    Query(NearPlayerRow, _NEAR.where(kind, side).order_by(order, ratings.c.player_id))
    for kind in (is_established, is_provisional)
    for side, order in (
        (ratings.c.mu >= bindparam("mu"), ratings.c.mu.asc()),
        (ratings.c.mu < bindparam("mu"), ratings.c.mu.desc()),
    )
)
"""The established and the provisional players above and below: an index has each in this order."""
_SEEKING = (
    select(offers.c.id, offers.c.player_id, offers.c.game)
    .where(
        offers.c.player_id.in_(bindparam("players", expanding=True)),
        offers.c.state == "open",
        offers.c.expires > bindparam("now"),
        offers.c.options.not_like('%"anonymous"%'),
    )
    .order_by(offers.c.id)
)
_SEEKING_ANY = Query(SeekingRow, _SEEKING)
_SEEKING_GAME = Query(SeekingRow, _SEEKING.where(offers.c.game == bindparam("game")))
_AWAY = (
    select(pauses.c.player_id)
    .where(
        pauses.c.player_id.in_(bindparam("players", expanding=True)),
        pauses.c.begins <= bindparam("now"),
        pauses.c.ends > bindparam("now"),
    )
    .distinct()
)
_CREATED = select(players.c.created).where(players.c.id == bindparam("id"))
_OTHER = seats.alias("other")
_MET = boards.join(seats, seats.c.board_id == boards.c.id).join(
    _OTHER, _OTHER.c.board_id == boards.c.id
)
_BETWEEN = (
    boards.c.state == "over",
    seats.c.player_id == bindparam("one"),
    _OTHER.c.player_id == bindparam("other"),
    seats.c.rank.is_not(None),
    _OTHER.c.rank.is_not(None),
)
_RESULTS = Query(
    ResultRow,
    select(
        boards.c.game,
        func.count().label("boards"),
        func.sum(case((seats.c.rank < _OTHER.c.rank, 1), else_=0)).label("won"),
        func.sum(case((seats.c.rank > _OTHER.c.rank, 1), else_=0)).label("lost"),
    )
    .select_from(_MET)
    .where(*_BETWEEN)
    .group_by(boards.c.game)
    .order_by(func.count().desc(), boards.c.game),
)
_LAST_OF_PAIR = Query(
    PairBoardRow,
    select(boards.c.id, boards.c.game)
    .select_from(_MET)
    .where(*_BETWEEN)
    .distinct()
    .order_by(boards.c.id.desc())
    .limit(bindparam("most")),
)


def find_recent_players(
    session: Session, since: float, most: int, no_password: str
) -> Sequence[RecentPlayerRow]:
    """Return the active players who have sent something since a time, the latest first. Those whose
    password begins with `no_password`, bots among them, are left out."""
    return session.all(_RECENT, {"since": since, "most": most, "no_password": no_password})


def find_players_near(session: Session, game: str, mu: float, most: int) -> list[NearPlayerRow]:
    """Return the players of a game whose ratings are nearest above and below one: so many
    established and as many provisional ones on each side."""
    params = {"game": game, "mu": mu, "most": most}
    return [row for query in _NEAREST for row in session.all(query, params)]


def find_players_seeking(
    session: Session, numbers: Sequence[int], game: str, now: float
) -> Sequence[SeekingRow]:
    """Return the open offers of these players, in a game or in all for ""."""
    if not numbers:
        return ()
    params = {"players": pad_keys(numbers), "now": now}
    if game:
        return session.all(_SEEKING_GAME, params | {"game": game})
    return session.all(_SEEKING_ANY, params)


def find_players_away(session: Session, numbers: Sequence[int], now: float) -> set[int]:
    """Return those of these players who are on vacation."""
    if not numbers:
        return set()
    params = {"players": pad_keys(numbers), "now": now}
    return {number for number in session.execute(_AWAY, params).scalars() if number is not None}


def find_created(session: Session, player: int) -> float:
    """Return when an account was opened."""
    return float(session.execute(_CREATED, {"id": player}).scalar_one())


def count_results(session: Session, one: int, other: int) -> Sequence[ResultRow]:
    """Return how one player has fared against another, by game, the game they play most first."""
    return session.all(_RESULTS, {"one": one, "other": other})


def find_last_boards_of_pair(
    session: Session, one: int, other: int, most: int
) -> Sequence[PairBoardRow]:
    """Return the newest boards that two players have finished against each other."""
    return session.all(_LAST_OF_PAIR, {"one": one, "other": other, "most": most})
