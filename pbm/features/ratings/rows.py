"""Reads of ratings: ladders, standings and a player's ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import bindparam, func, select, text

from pbm.ratings import MOST_SIGMA
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    RatingRow,
    is_established,
    is_provisional,
    players,
    rating_changes,
    ratings,
)
from pbm.store.transaction import Session, pad_keys


class RankedRow(Row):
    """A player's place on a ladder."""

    userid: str
    mu: float
    sigma: float
    boards: int


class LastChangeRow(Row):
    """Number and time of a player's last change in a game."""

    id: int
    at: float


class StandingRow(Row):
    """A player's results on boards of a game."""

    userid: str
    boards: int
    won: int
    lost: int


_LADDER = (
    select(players.c.userid, ratings.c.mu, ratings.c.sigma, ratings.c.boards)
    .join(players, players.c.id == ratings.c.player_id)
    .where(
        ratings.c.game == bindparam("game"),
        ratings.c.boards > 0,
        players.c.state == "active",
    )
    .order_by(ratings.c.mu.desc(), ratings.c.player_id)
    .limit(bindparam("most"))
)
_ESTABLISHED = Query(RankedRow, _LADDER.where(is_established))
_PROVISIONAL = Query(RankedRow, _LADDER.where(is_provisional))
_OF_PLAYER = Query(
    RatingRow,
    select(ratings)
    .where(ratings.c.player_id == bindparam("id"), ratings.c.boards > 0)
    .order_by(ratings.c.game),
)
_OF_PLAYERS = Query(
    RatingRow,
    select(ratings).where(ratings.c.player_id.in_(bindparam("players", expanding=True))),
)
_RATING = Query(
    RatingRow,
    select(ratings).where(
        ratings.c.player_id == bindparam("id"), ratings.c.game == bindparam("game")
    ),
)
_STANDINGS = Query(
    StandingRow,
    select(players.c.userid, ratings.c.boards, ratings.c.won, ratings.c.lost)
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("game"), ratings.c.boards > 0)
    .order_by(ratings.c.won.desc(), ratings.c.lost, ratings.c.player_id)
    .limit(bindparam("most")),
)
_LOCK = Query(
    RatingRow,
    select(ratings)
    .where(
        ratings.c.game == bindparam("game"),
        ratings.c.player_id.in_(bindparam("players", expanding=True)),
    )
    .order_by(ratings.c.player_id)
    .with_for_update(),
)
_LAST_CHANGE = Query(
    LastChangeRow,
    select(rating_changes.c.id, rating_changes.c.at)
    .where(
        rating_changes.c.player_id == bindparam("id"),
        rating_changes.c.game == bindparam("game"),
    )
    .order_by(rating_changes.c.id.desc())
    .limit(1),
)
_BETTER = (
    select(func.count())
    .select_from(ratings)
    .where(ratings.c.game == bindparam("game"), ratings.c.mu > bindparam("mu"), is_established)
)
_BETTER_INACTIVE = select(
    text(
        "count(*) FROM players CROSS JOIN ratings "
        "WHERE players.state != 'active' AND ratings.player_id = players.id "
        "AND ratings.game = :game AND ratings.mu > :mu AND ratings.sigma <= :sigma"
    ).bindparams(sigma=MOST_SIGMA)
)
"""Counts inactive players with a better rating. SQLite takes a CROSS JOIN in this order: the few
inactive players first, by their index."""


def find_established_ratings(session: Session, game: str, most: int) -> Sequence[RankedRow]:
    """Return the best established players of a game, best first."""
    return session.all(_ESTABLISHED, {"game": game, "most": most})


def find_provisional_ratings(session: Session, game: str, most: int) -> Sequence[RankedRow]:
    """Return the best provisional players of a game, best first."""
    return session.all(_PROVISIONAL, {"game": game, "most": most})


def find_ratings(session: Session, player: int) -> Sequence[RatingRow]:
    """Return the ratings of a player, by game."""
    return session.all(_OF_PLAYER, {"id": player})


def find_ratings_of_players(session: Session, numbers: Collection[int]) -> Sequence[RatingRow]:
    """Return the ratings of these players, in all games."""
    return session.all(_OF_PLAYERS, {"players": pad_keys(sorted(numbers))})


def find_rating(session: Session, player: int, game: str) -> RatingRow | None:
    """Return the rating of a player in a game."""
    return session.first(_RATING, {"id": player, "game": game})


def lock_ratings(session: Session, players: Collection[int], game: str) -> Sequence[RatingRow]:
    """Return the ratings of these players in a game, locked against other writers."""
    return session.all(_LOCK, {"game": game, "players": list(players)})


def find_last_change(session: Session, player: int, game: str) -> LastChangeRow | None:
    """Return number and time of a player's last change in a game."""
    return session.first(_LAST_CHANGE, {"id": player, "game": game})


def count_better(session: Session, game: str, mu: float) -> int:
    """Return the number of active players established above that rating."""
    params = {"game": game, "mu": mu}
    better: int = session.execute(_BETTER, params).scalar_one()
    inactive: int = session.execute(_BETTER_INACTIVE, params).scalar_one()
    return better - inactive


def find_standings(session: Session, game: str, most: int) -> Sequence[StandingRow]:
    """Return the players who won most boards of a game."""
    return session.all(_STANDINGS, {"game": game, "most": most})
