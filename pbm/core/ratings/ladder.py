"""Ratings as players see them: the ladder of a game, and all ratings of one player.

It only reads; `pbm.core.kernel.boards.rating_changes` keeps the numbers."""

from __future__ import annotations

from pbm.core.kernel.boards.rating_changes import RatingLine, list_player_changes
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, find_player, format_name
from pbm.core.kernel.players.similar import refuse_unknown_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.ratings.notices import Ladder, LadderPart, LadderRow, PlayerRatings
from pbm.ratings import ESTABLISHED, HOUSE, Rating, name_pool, split_pool
from pbm.rules.phrases import phrase
from pbm.store.reads.player_rows import (
    count_better,
    find_established_ratings,
    find_provisional_ratings,
    find_ratings,
)

_MOST = 100
_LAST = 10


def ladder(call: Call) -> list[Notice]:
    """List the rated players of a game, established ones first, best first in each part; on request
    those of its house pool."""
    game = call.command.game
    if not game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name a game: each has its own ratings"),
            "GAME ratings",
            "games",
        )
    if HOUSE in call.command.words:
        game = name_pool(game, HOUSE)
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
    return [call.answer(Ladder(game=game, parts=parts, limit=ESTABLISHED))]


def rating(call: Call) -> list[Notice]:
    """Show a player's ratings in all games or one, and the boards that changed them last."""
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
