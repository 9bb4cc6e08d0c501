"""The operator's list of ratings."""

from __future__ import annotations

from sqlalchemy import select

from pbm.core.feature import Asked, ListRow, narrow
from pbm.store.rows import Query
from pbm.store.tables import RatingRow, players, ratings
from pbm.store.transaction import Session


class NamedRatingRow(RatingRow):
    """A rating, with its player's userid."""

    userid: str


def list_ratings(session: Session, asked: Asked) -> list[dict[str, object]]:
    """Return the ratings of all games or of one, best first; --since and --before are of the last
    change."""
    query = (
        select(ratings, players.c.userid)
        .join(players, players.c.id == ratings.c.player_id)
        .order_by(ratings.c.game, (ratings.c.mu - 3 * ratings.c.sigma).desc())
    )
    query = narrow(query, asked, ratings.c.updated)
    query = query.where(ratings.c.game == asked["game"]) if asked["game"] else query
    return [
        {
            "game": row.game,
            "userid": row.userid,
            "mu": round(row.mu, 2),
            "sigma": round(row.sigma, 2),
            "boards": row.boards,
            "updated": row.updated,
        }
        for row in session.all(Query(NamedRatingRow, query))
    ]


# What the operator looks at: all ratings.

LISTS = (
    ListRow(
        "ratings",
        "the ratings of all players",
        "The ratings of all players, best first.",
        list_ratings,
        ("game",),
        times=("updated",),
        has_numbers=False,
        limit=100,
    ),
)
