"""Players: who is here, who is about as strong, who somebody is, and how two have fared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from pbm.core.finding.player_notices import (
    PairResult,
    PairStats,
    PlayerCard,
    PlayerLine,
    PlayerList,
)
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.boards.rating_changes import RatingLine
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.words import find_game_name
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.bots import list_bots
from pbm.core.kernel.players.player import (
    NO_PASSWORD,
    Player,
    find_player,
    format_name,
    parse_preferences,
)
from pbm.core.kernel.players.similar import refuse_unknown_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.locale import Month
from pbm.ratings import NEW, Rating
from pbm.rules.phrases import join_phrases, phrase
from pbm.store import reads
from pbm.store.reads.player_rows import (
    count_results,
    find_created,
    find_last_boards_of_pair,
    find_players_away,
    find_players_near,
    find_players_seeking,
    find_rating,
    find_ratings,
    find_recent_players,
)

_MOST = 50
_NEAR = 15
"""Players that are listed above and below one's own rating."""
_LAST = 10
_MONTH = 31 * DAY


def list_players(call: Call) -> list[Notice]:
    """List who has been here within a month; of a game those who have a rating, nearest one's own
    first."""
    words = call.command.words
    game = call.command.game or (find_game_name(words[0]) if words else "")
    if words and not game:
        return who(call)
    return [_list_of_game(call, game) if game else _list_recent(call)]


def _list_recent(call: Call) -> Notice:
    rows = find_recent_players(call.session, call.now - _MONTH, _MOST + 1, NO_PASSWORD)
    ids = [row.id for row in rows]
    notes = _describe(call, ids, "")
    lines = [
        PlayerLine(
            format_name(row.userid, parse_preferences(row.preferences)),
            _tell_when(call.now - row.seen),
            notes.get(row.id, ""),
        )
        for row in rows[:_MOST]
    ]
    return call.answer(
        PlayerList(
            title="players",
            rows=lines,
            more=len(rows) > _MOST,
            bots=list_bots(call.config),
        )
    )


def _list_of_game(call: Call, game: str) -> Notice:
    me = _find_sender(call)
    own = find_rating(call.session, me.id, game) if me is not None else None
    mu = own.mu if own is not None else NEW.mu
    rows = [
        row
        for row in find_players_near(call.session, game, mu, _NEAR)
        if me is None or row.player_id != me.id
    ]
    notes = _describe(call, [row.player_id for row in rows], game)
    lines = [
        PlayerLine(
            format_name(row.userid, parse_preferences(row.preferences)),
            Rating(row.mu, row.sigma).text,
            notes.get(row.player_id, ""),
        )
        for row in sorted(rows, key=lambda row: (abs(row.mu - mu), row.player_id))
    ]
    rating = Rating(own.mu, own.sigma).text if own is not None else ""
    return call.answer(
        PlayerList(title=f"players: {game}", game=game, rows=lines, own_rating=rating)
    )


def _describe(call: Call, players: Sequence[int], game: str) -> dict[int, str]:
    """Say more about these players: what they look for, and whether they are away."""
    notes: dict[int, list[str]] = {}
    hidden = call.hidden_players
    for row in find_players_seeking(call.session, players, game, call.now):
        if row.player_id in hidden:
            continue
        line = f"join {row.id}"
        note = phrase("seeks {game}: {line}", game=row.game, line=line)
        if game:
            note = phrase("seeks: {line}", line=line)
        notes.setdefault(row.player_id, []).append(note)
    for player in find_players_away(call.session, players, call.now):
        notes.setdefault(player, []).append(phrase("on vacation"))
    return {player: join_phrases(", ", each[:3]) for player, each in notes.items()}


def who(call: Call) -> list[Notice]:
    """Show what everybody may know of a player. Refuse an unknown userid."""
    if not call.command.words:
        return list_players(call)
    player = _find_named(call, call.command.words[0])
    ratings = [
        RatingLine(row.game, Rating(row.mu, row.sigma).text, row.boards, "")
        for row in find_ratings(call.session, player.id)
    ]
    ratings.sort(key=lambda line: (-line.boards, line.game))
    created = datetime.fromtimestamp(find_created(call.session, player.id), UTC)
    notes = _describe(call, [player.id], "")
    return [
        call.answer(
            PlayerCard(
                userid=player.userid,
                player=format_name(player.userid, player.preferences),
                is_bot=player.is_bot,
                since=Month(created),
                seen="" if player.is_bot else _tell_when(call.now - player.seen),
                boards=reads.count_open_boards(call.session, player.id),
                notes=notes.get(player.id, ""),
                ratings=ratings[:_LAST],
            )
        )
    ]


def stats(call: Call) -> list[Notice]:
    """Show how two players have fared against each other; of one, against the sender."""
    words = call.command.words
    me = _find_sender(call)
    if not words or (len(words) == 1 and me is None):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, phrase("name two players"), "stats {user} USERID"
        )
    people = [_find_named(call, word) for word in words[:2]]
    if len(people) == 1 and me is not None:
        people.insert(0, me)
    one, other = people
    if one.id == other.id:
        raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("name two players"), "stats {user} USERID")
    results = [
        PairResult(row.game, row.boards, row.won, row.boards - row.won - row.lost, row.lost)
        for row in count_results(call.session, one.id, other.id)
    ]
    last = [
        f"{row.game} {row.id}"
        for row in find_last_boards_of_pair(call.session, one.id, other.id, _LAST)
    ]
    return [call.answer(PairStats(one=one.userid, other=other.userid, rows=results, last=last))]


def _find_sender(call: Call) -> Player | None:
    """Return the player to whom the answer will most likely go."""
    return call.player or next(iter(call.senders), None)


def _find_named(call: Call, word: str) -> Player:
    userid = word.strip("<>\"',")[:20]
    player = find_player(call.session, userid)
    if player is None:
        raise refuse_unknown_player(call, userid, f"{call.command.verb.name} USERID", "players")
    return player


def _tell_when(seconds: float) -> str:
    """Say about how long ago, for everybody to know."""
    if seconds < DAY:
        return phrase("today")
    if seconds < 7 * DAY:
        return phrase("this week")
    return phrase("this month") if seconds < _MONTH else phrase("longer ago")
