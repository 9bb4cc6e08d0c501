"""The ratings of the house players, as a table below their help page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from sqlalchemy import select

from pbm.bots import NAMES
from pbm.config import Config
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.players.player import NO_PASSWORD
from pbm.locale import Page, translate
from pbm.ratings import HOUSE, Rating, split_pool
from pbm.rules.phrases import phrase
from pbm.store.rows import Query, Row
from pbm.store.tables import players, ratings
from pbm.store.transaction import Session

_MOST = 12


class HouseRatingRow(Row):
    """The rating of a house player in a game or its pool."""

    name: str
    game: str
    mu: float
    sigma: float
    boards: int


_RATINGS = Query(
    HouseRatingRow,
    select(players.c.name, ratings.c.game, ratings.c.mu, ratings.c.sigma, ratings.c.boards)
    .join(players, players.c.id == ratings.c.player_id)
    .where(players.c.name.in_(NAMES), players.c.password == NO_PASSWORD, ratings.c.boards > 0),
)


def build_house_ratings(session: Session, config: Config) -> str:
    """List the ratings of each house player in the games that are played most, a line a game; it
    can be said in each language."""
    pool = "" if config.bots.rated_with_people else HOUSE
    games = defaultdict[str, list[HouseRatingRow]](list)
    for row in session.all(_RATINGS):
        game, its_pool = split_pool(row.game)
        if its_pool == pool:
            games[game].append(row)
    if not games:
        return phrase("No rated board with any of them has ended yet.")
    ranked = sorted(games, key=lambda game: (-sum(row.boards for row in games[game]), game))
    rows = [_format("", dict(zip(NAMES, NAMES, strict=True)))]
    for game in ranked[:_MOST]:
        rows.append(_format(game, {row.name: _format_rating(row) for row in games[game]}))
    return Page(partial(_write, rows, len(ranked) - _MOST, f"GAME ratings {pool}".rstrip()))


def _write(rows: Sequence[str], left: int, form: str, language: str) -> str:
    """Return the table in a language; `left` games are not in it, of which the form lists one."""
    title = phrase("Their ratings in the games they play most (? is provisional):")
    lines = [translate(title, language), "", *rows]
    if left > 0:
        more = phrase(
            "They are rated in {count} more: {form} lists one.",
            count=left,
            form=form,
        )
        lines += ["", translate(more, language)]
    return "\n".join(lines)


def _format_rating(row: HouseRatingRow) -> str:
    """Return the points, marked while they are provisional."""
    rating = Rating(row.mu, row.sigma)
    return f"{rating.points}{' ' if rating.is_established else '?'}"


def _format(game: str, cells: dict[str, str]) -> str:
    """Return a line of the table, with a column for each house player."""
    return f"  {game:21}" + "".join(f"{cells.get(name, ''):>7}" for name in NAMES).rstrip()


def add_to_page(call: Call, title: str) -> str:
    """Return the ratings of the house players, for the help page about them."""
    return build_house_ratings(call.session, call.config) if title == HOUSE else ""
