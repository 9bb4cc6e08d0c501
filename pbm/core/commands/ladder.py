"""Ratings as players see them: the ladder of a game, and all ratings of one player.

It only reads; `pbm.core.model.rating_changes` keeps the numbers."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select, text

from pbm.core.language.call import Call
from pbm.core.model.notice import Notice
from pbm.core.model.notices.list_notices import (
    Ladder,
    LadderPart,
    LadderRow,
    PlayerRatings,
    RatingRow,
)
from pbm.core.model.player import Player, find_player, full_name
from pbm.core.model.rating_changes import changes_of
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.ratings import ESTABLISHED, MOST_SIGMA, Rating
from pbm.store.tables import is_established, is_provisional, players, ratings

_MOST = 100
_LAST = 10
_LADDER = (
    select(players.c.userid, ratings.c.mu, ratings.c.sigma, ratings.c.boards)
    .join(players, players.c.id == ratings.c.player_id)
    .where(
        ratings.c.game == bindparam("game"),
        ratings.c.boards > 0,
        players.c.state == "active",
    )
    .order_by(ratings.c.mu.desc(), ratings.c.player_id)
    .limit(_MOST + 1)
)
_ESTABLISHED = _LADDER.where(is_established)
_PROVISIONAL = _LADDER.where(is_provisional)
_OF_PLAYER = (
    select(ratings)
    .where(ratings.c.player_id == bindparam("id"), ratings.c.boards > 0)
    .order_by(ratings.c.game)
)
_BETTER = (
    select(func.count())
    .select_from(ratings)
    .where(ratings.c.game == bindparam("game"), ratings.c.mu > bindparam("mu"), is_established)
)
_BETTER_INACTIVE = text(
    "SELECT count(*) FROM players CROSS JOIN ratings "
    "WHERE players.state != 'active' AND ratings.player_id = players.id "
    "AND ratings.game = :game AND ratings.mu > :mu AND ratings.sigma <= :sigma"
).bindparams(sigma=MOST_SIGMA)
"""SQLite takes a CROSS JOIN in this order: the few who left first, by the index of them."""


def ladder(call: Call) -> list[Notice]:
    """The rated players of a game, established ones first, each part best first."""
    game = call.command.game
    if not game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            "each game has ratings of its own",
            "GAME ratings",
            "games",
        )
    parts = []
    for title, query in (("Established", _ESTABLISHED), ("Provisional", _PROVISIONAL)):
        rows = call.session.execute(query, {"game": game}).all()
        lines = [
            LadderRow(row.userid, Rating(row.mu, row.sigma).text, row.boards)
            for row in rows[:_MOST]
        ]
        parts.append(LadderPart(title, lines, len(rows) > _MOST))
    return [call.answer(Ladder(game=game, parts=parts, limit=ESTABLISHED))]


def rating(call: Call) -> list[Notice]:
    """A player's ratings over all games, or in one, and the last boards that changed them."""
    player = _player(call)
    game = call.command.game
    rows = call.session.execute(_OF_PLAYER, {"id": player.id}).all()
    games = []
    for row in rows:
        shown = Rating(row.mu, row.sigma)
        place = ""
        if shown.is_established:
            than = {"game": row.game, "mu": row.mu}
            better = call.session.execute(_BETTER, than).scalar_one()
            better -= call.session.execute(_BETTER_INACTIVE, than).scalar_one()
            place = f"place {better + 1}"
        if game in ("", row.game):
            games.append(RatingRow(row.game, shown.text, row.boards, place or "provisional"))
    changes = changes_of(call.session, player.id, _LAST, game)
    return [
        call.answer(
            PlayerRatings(
                userid=player.userid,
                player=full_name(player.userid, player.preferences),
                rows=games,
                changes=[(f"{change.game} {change.board}", change.line) for change in changes],
            )
        )
    ]


def _player(call: Call) -> Player:
    """The player who is named, else the sender; Refusal when there is no such player."""
    names = call.command.words
    known = [*([call.player] if call.player else []), *call.senders]
    player = find_player(call.session, names[0].strip("<>\"',")[:20]) if names else None
    if player is None and known and not names:
        return known[0]
    if player is None:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER, "there is no player of that userid", "rating USERID", "list"
        )
    return player
