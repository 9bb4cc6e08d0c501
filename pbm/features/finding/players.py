"""Players: who is here, who is about as strong, who somebody is, and two players' results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec.structs import replace
from sqlalchemy import select, update

from pbm.core import board as board_clocks
from pbm.core import clock
from pbm.core import player as vacations
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.context import Context, DueWork
from pbm.core.house_players import list_bots
from pbm.core.log_view import RatingLine
from pbm.core.notices import Notice
from pbm.core.player import (
    NO_PASSWORD,
    Player,
    find_next_digest,
    find_player,
    format_name,
    get_player,
    parse_preferences,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.refusal_texts import refuse_unknown_player
from pbm.core.seat import Seat
from pbm.core.storing import Unplayable, build_board, load
from pbm.core.view import find_thread
from pbm.core.words import find_game_name
from pbm.features.finding.notices import (
    Digest,
    PairResult,
    PairStats,
    PlayerCard,
    PlayerLine,
    PlayerList,
    PlayerRecord,
    WaitingBoard,
)
from pbm.features.finding.rows import (
    count_own_results,
    count_results,
    find_created,
    find_last_boards_of_pair,
    find_players_away,
    find_players_near,
    find_players_seeking,
    find_recent_players,
)
from pbm.features.ratings.rows import find_rating, find_ratings
from pbm.locale import Month
from pbm.ratings import NEW, Rating
from pbm.rules.examples import find_example
from pbm.rules.phrases import combine, join_phrases, phrase
from pbm.store import reads
from pbm.store.tables import players
from pbm.store.transaction import Session

_MOST = 50
_NEAR = 15
"""The number of players listed above and below one's own rating."""
_LAST = 10
_MONTH = 31 * DAY


def list_players(call: Call) -> list[Notice]:
    """List players seen within a month; for a game, players with a rating, those nearest to the
    sender's own first."""
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
    """Add to these players what they seek, and whether they are away."""
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
    """Show what everybody may know about a player. Refuse an unknown userid."""
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
                boards=reads.count_open_boards(call.session, player.id, only_public=True),
                notes=notes.get(player.id, ""),
                ratings=ratings[:_LAST],
                record=count_record(call, player),
            )
        )
    ]


def count_record(context: Context, player: Player) -> PlayerRecord | None:
    """Return a player's results on finished boards that do not hide who played; None without
    any."""
    rows = count_own_results(context.session, player.id)
    played = sum(row.boards for row in rows)
    if not played:
        return None
    moves = sum(row.moves for row in rows)
    days = sum(row.spent for row in rows) / DAY / moves if moves else 0.0
    games = [
        PairResult(row.game, row.boards, row.won, row.tied, row.boards - row.won - row.tied)
        for row in rows
    ]
    lost_by_time = sum(row.forfeits for row in rows)
    return PlayerRecord(
        games=games[:_LAST],
        finished=round(100 * (played - lost_by_time) / played),
        days=f"{days:.1f}" if round(days, 1) else "",
    )


def stats(call: Call) -> list[Notice]:
    """Show two players' results against each other; given one, against the sender."""
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
    """Return the player who will most likely get the answer."""
    return call.player or next(iter(call.senders), None)


def _find_named(call: Call, word: str) -> Player:
    userid = word.strip("<>\"',")[:20]
    player = find_player(call.session, userid)
    if player is None:
        raise refuse_unknown_player(call, userid, f"{call.command.verb.name} USERID", "players")
    return player


def _tell_when(seconds: float) -> str:
    """Return roughly how long ago somebody was seen; more precise times are not public."""
    if seconds < DAY:
        return phrase("today")
    if seconds < 7 * DAY:
        return phrase("this week")
    return phrase("this month") if seconds < _MONTH else phrase("longer ago")


# The digest: a daily mail, at a time the player chose, with all boards waiting for them.
#
# The most urgent board comes first; when no board waits there is no mail.

_MOST_PLAYERS = 20
_MOST_BOARDS = 100
_SOON = 3 * clock.DAY
"""During a vacation, the digest has only boards that are lost within this time."""


def build_digests(context: Context) -> list[Notice]:
    """Build the digests that are due, a bounded number of them."""
    query = (
        select(players.c.id)
        .where(players.c.digest_at <= context.now)
        .order_by(players.c.digest_at, players.c.id)
        .limit(_MOST_PLAYERS)
        .with_for_update(skip_locked=True)
    )
    notices = []
    for number in context.session.execute(query).scalars().all():
        player = get_player(context.session, number)
        if player is None:
            continue
        then = None
        if player.is_active:
            then = find_next_digest(player.preferences, context.now)
            waiting = find_waiting_boards(context, player) if then is not None else []
            if waiting and vacations.is_on(context.session, player.id, context.now):
                waiting = [row for row in waiting if row.end <= context.now + _SOON]
            if waiting:
                example = find_line_to_send(context.session, player, waiting[0])
                told = Digest(userid=player.userid, rows=waiting, example=example)
                notices.append(context.build_notice(player, told))
        save_player(context.session, replace(player, digest_at=then))
    return notices


def find_waiting_boards(context: Context, player: Player) -> list[WaitingBoard]:
    """Return the boards on which it is a player's turn to move or to answer, the most urgent
    first."""
    waiting: list[WaitingBoard] = []
    for row in reads.find_open_boards(context.session, player.id, _MOST_BOARDS):
        try:
            board = build_board(context.session, row, reads.find_seats(context.session, row.id))
        except Unplayable:
            continue
        seat = _find_waiting_seat(board, player)
        if seat is None:
            continue
        waiting.append(
            _describe_board(board, seat, player, _find_end(context, board, seat), context)
        )
    return sorted(waiting, key=lambda row: (row.end, row.board))


def find_line_to_send(session: Session, player: Player, row: WaitingBoard) -> str:
    """Return a line to send for the first board of such a list."""
    board = load(session, row.board, lock=False)
    seat = _find_waiting_seat(board, player)
    if seat is None or board.state == "invited":
        return f"{row.board} accept"
    return combine("{board} {move}", board=row.board, move=find_example(board.position, seat.seat))


def _find_waiting_seat(board: Board, player: Player) -> Seat | None:
    """Return the player's seat that is to move or to answer."""
    if board.state == "invited":
        return next((s for s in board.seats if s.is_held_by(player.id) and not s.accepted), None)
    return next((seat for seat in board.on_move if seat.is_held_by(player.id)), None)


def _find_end(context: Context, board: Board, seat: Seat) -> float:
    if board.state == "invited":
        return math.inf
    calendar = board_clocks.read_calendar(context.session, board, seat)
    end = board_clocks.find_last_moment(board, seat, calendar)
    return math.inf if end is None else end


def _describe_board(
    board: Board, seat: Seat, player: Player, end: float, context: Context
) -> WaitingBoard:
    others = dict.fromkeys(seat.userid for seat in board.seats if not seat.is_held_by(player.id))
    within = "" if end == math.inf else clock.format_span(end - context.now)
    status = phrase("your move {number}", number=board.turn_number)
    asked = phrase("your move {within}", within=within) if within else phrase("your move")
    if board.state == "invited":
        asked = status = phrase("to answer")
    elif board.position.takes_orders:
        status = phrase("your orders")
        asked = phrase("your orders {within}", within=within) if within else status
    return WaitingBoard(
        thread=find_thread(board, seat.seat),
        asked=asked,
        status=status,
        takes_orders=board.position.takes_orders,
        others=", ".join(others) or player.userid,
        within=within,
        end=end,
    )


def do_due(work: DueWork) -> list[Notice]:
    """Build the digests that are due."""
    return build_digests(work.context)


def is_due(session: Session, now: float) -> bool:
    """Whether a digest is due."""
    digest = select(players.c.id).where(players.c.digest_at <= now).limit(1)
    return session.execute(digest).scalar() is not None


def repair_times(session: Session, _last: float, now: float) -> None:
    """After the clock was set back: make digests due now that wait for a future time."""
    session.execute(update(players).where(players.c.digest_at > now).values(digest_at=now))
