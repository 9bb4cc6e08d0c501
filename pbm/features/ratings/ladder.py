"""Ratings as players see them: the ladder of a game, and all ratings of one player.

It only reads; `pbm.core.log_view` keeps the numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from sqlalchemy import select

from pbm.bots import NAMES
from pbm.config import Config
from pbm.core.call import Call
from pbm.core.clubs import find_club
from pbm.core.log_view import RatingLine, list_player_changes
from pbm.core.notices import Content, GameContent, Notice
from pbm.core.player import NO_PASSWORD, Player, find_player, format_name
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.refusal_texts import refuse_unknown_player
from pbm.features.ratings.rows import (
    count_better,
    find_established_ratings,
    find_provisional_ratings,
    find_ratings,
)
from pbm.locale import Page, translate
from pbm.ratings import ESTABLISHED, HOUSE, Rating, name_pool, split_pool
from pbm.rules.phrases import phrase
from pbm.store.rows import Query, Row
from pbm.store.tables import players, ratings
from pbm.store.transaction import Session

_MOST = 100
_LAST = 10


def ladder(call: Call) -> list[Notice]:
    """List the rated players of a game, established ones first, best first in each part; on request
    those of its house pool, or in a club."""
    game = call.command.game
    if not game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name a game: each has its own ratings"),
            "GAME ratings",
            *([] if call.command.sender.board else ["games"]),
        )
    for word in call.command.words:
        if word == HOUSE or find_club(call.session, word) is not None:
            game = name_pool(game, word.lower())
    parts = []
    for title, read in (
        (phrase("Established"), find_established_ratings),
        (
            phrase("Provisional (the uncertainty is still above {limit})", limit=ESTABLISHED),
            find_provisional_ratings,
        ),
    ):
        rows = read(call.session, game, _MOST + 1)
        lines = [
            LadderRow(row.userid, Rating(row.mu, row.sigma).text, row.boards)
            for row in rows[:_MOST]
        ]
        parts.append(LadderPart(title, lines, len(rows) > _MOST))
    return [call.answer(RatingList(game=game, parts=parts, limit=ESTABLISHED))]


def rating(call: Call) -> list[Notice]:
    """Show a player's ratings in all games or one, and the latest boards that changed them."""
    player = _find_player(call)
    game = call.command.game
    games = []
    for row in find_ratings(call.session, player.id):
        shown = Rating(row.mu, row.sigma)
        place = ""
        if shown.is_established:
            better = count_better(call.session, row.game, row.mu)
            place = phrase("place {place}", place=better + 1)
        if game in ("", split_pool(row.game)[0]):
            games.append(
                RatingLine(row.game, shown.text, row.boards, place or phrase("provisional"))
            )
    changes = list_player_changes(call.session, player.id, _LAST, game)
    return [
        call.answer(
            PlayerRatings(
                userid=player.userid,
                player=format_name(player.userid, player.preferences),
                rows=games,
                changes=[(f"{change.game} {change.board}", change.line) for change in changes],
            )
        )
    ]


def _find_player(call: Call) -> Player:
    """Return the player named, or else the sender. Refuse an unknown userid."""
    names = call.command.words
    senders = [*([call.player] if call.player else []), *call.senders]
    if senders and not names:
        return senders[0]
    userid = names[0].strip("<>\"',")[:20] if names else ""
    player = find_player(call.session, userid)
    if player is None:
        raise refuse_unknown_player(call, userid, "rating USERID", "rating USERID", "players")
    return player


# The ratings of the house players, as a table below their help page.

_MOST_RATED = 12


class HouseRatingRow(Row):
    """The rating of a computer player in a game or its pool."""

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
    """Return the ratings of each computer player in the most played games, a line for each game, as
    text that can be translated."""
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
    for game in ranked[:_MOST_RATED]:
        rows.append(_format(game, {row.name: _format_rating(row) for row in games[game]}))
    return Page(partial(_write, rows, len(ranked) - _MOST_RATED, f"GAME ratings {pool}".rstrip()))


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
    """Return a line of the table, with a column for each computer player."""
    return f"  {game:21}" + "".join(f"{cells.get(name, ''):>7}" for name in NAMES).rstrip()


def add_to_page(call: Call, title: str) -> str:
    """Return the ratings of the computer players, for the help page about them."""
    return build_house_ratings(call.session, call.config) if title == HOUSE else ""


# Notices that list ratings.


class LadderRow(Struct, frozen=True):
    """One player on the ladder of a game."""

    userid: str
    rating: str
    boards: int


class LadderPart(Struct, frozen=True):
    """A part of a ladder, best first; `more`: there are others."""

    title: str
    rows: Sequence[LadderRow]
    more: bool


class RatingList(GameContent, frozen=True, kw_only=True):
    """The ratings in a game; those with an uncertainty above `limit` are provisional."""

    parts: Sequence[LadderPart]
    limit: int


class PlayerRatings(Content, frozen=True, kw_only=True):
    """All ratings of one player, and the last boards that changed them as (board, line)."""

    userid: str
    player: str
    rows: Sequence[RatingLine]
    changes: Sequence[tuple[str, str]]
