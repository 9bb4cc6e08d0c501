"""The analysis of finished boards: who may ask for one, what it covers, who is notified.

Commands put boards into a queue in the database; `pbm.daemon.analyst` analyses them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from pbm.bots.analysis.plan import Act, AnalysisPlan, Turn, get_played, retrace
from pbm.core.board import Board, format_end
from pbm.core.call import Call
from pbm.core.clock import HOUR
from pbm.core.context import Context
from pbm.core.house_players import has_bots
from pbm.core.limits import Limit, spend
from pbm.core.log import LogEntry, build_entry, drop_undone, replay
from pbm.core.notices import Content, Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, get_player, list_own, pass_on_pairs, prefers_words
from pbm.core.refusal import RefusalCode
from pbm.core.storing import Unplayable, load
from pbm.core.view import find_thread
from pbm.features.analysis import queue
from pbm.features.analysis.tables import analysis_requests
from pbm.features.analysis.views import (
    AnalysedTurn,
    Analysis,
    AnalysisFailed,
    AnalysisQueued,
    build_analysis_shown,
    find_valid_analysis,
)
from pbm.rules import CHANCE, Position
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.tables import WAITING
from pbm.store.transaction import Session

_ACTS = ("move", "chance", "resign", "forfeit")


def analyse(call: Call) -> list[Notice]:
    """Send the analysis of a finished board, or have it made once nobody can take the end back.
    Refused for games without an honest search, and when the player's share of the day is spent."""
    board, player = call.load_board(), call.me
    _require_over(board)
    _require_search(call, board)
    if (analysis := find_valid_analysis(call.session, board)) is not None:
        return [_answer(call, board, player, _show(call.session, board, analysis, player))]
    row = queue.find_analysis(call.session, board.id)
    if row is None or row.state != WAITING or row.number != board.number:
        _count(call, board, player)
        since = max(call.now, board.settles)
        queue.enqueue_analysis(call.session, board.id, board.number, since)
        row = queue.find_analysis(call.session, board.id)
    queue.note_request(call.session, board.id, player.id, call.now)
    ahead = 0 if row is None else queue.count_ahead(call.session, row)
    settles = ""
    if not board.is_settled(call.now):
        settles = format_end(board.settles, player.preferences, call.now)
    queued = AnalysisQueued(game=board.game.info.name, board=board.id, ahead=ahead, settles=settles)
    return [_answer(call, board, player, queued)]


def _require_over(board: Board) -> None:
    shows = board.show_line
    if board.state == "cancelled":
        text = phrase(
            "board {board} was cancelled: only boards with a result are analysed", board=board.id
        )
        raise board.make_refusal(RefusalCode.WRONG_STATE, text, shows)
    if board.state != "over":
        text = phrase(
            "board {board} is not over: only boards that are over are analysed", board=board.id
        )
        raise board.make_refusal(RefusalCode.BOARD_NOT_OVER, text, shows)
    if not board.ply:
        text = phrase(
            "there is nothing to analyse: nobody has moved on board {board}", board=board.id
        )
        raise board.make_refusal(RefusalCode.NOT_STARTED, text, shows)


def _require_search(context: Context, board: Board) -> None:
    bots, info = context.config.bots, board.game.info
    if not (bots.enabled and bots.analysis_seconds):
        raise board.make_refusal(
            RefusalCode.BOT_UNAVAILABLE, phrase("this server analyses no boards")
        )
    if board.is_hidden or not has_bots(board.game):
        text = phrase(
            "things are hidden in {game}: a search that sees them would find fault with moves "
            "whose players could not",
            game=info.title,
        )
        raise board.make_refusal(RefusalCode.BOT_UNAVAILABLE, text, f"{info.name} show {board.id}")


def _count(call: Call, board: Board, player: Player) -> None:
    if not spend(call.session, Limit.ANALYSES, player.id, call.now, call.config):
        raise board.make_refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have had as many boards analysed as a day allows ({limit}): ask "
                "again tomorrow",
                limit=Limit.ANALYSES.find_most(call.config),
            ),
            f"{board.game.info.name} analyse {board.id} {{user}} PASSWORD",
        )


def _find_seat(board: Board, player: Player) -> int | None:
    return board.find_seat(player).seat if player.id in board.people else None


def _answer(call: Call, board: Board, player: Player, content: Content) -> Notice:
    thread = find_thread(board, _find_seat(board, player))
    return replace(call.answer(content), thread=thread)


def _show(session: Session, board: Board, analysis: Analysis, player: Player) -> Content:
    return build_analysis_shown(
        board,
        analysis,
        _read_log(session, board.id),
        _find_seat(board, player),
        in_words=prefers_words(player.preferences),
    )


def _read_log(session: Session, board: int) -> list[LogEntry]:
    """Return the entries of the log without those that were undone."""
    return drop_undone(build_entry(row) for row in reads.find_log(session, board))


@dataclass(frozen=True, slots=True)
class AnalysedBoard:
    """A board to be analysed: its first position (encoded), its acts, and the plan of the analysis.

    plies  the number of moves after each position
    """

    board: int
    number: int
    game: str
    first: str
    acts: Sequence[Act]
    plies: Sequence[int]
    positions: Sequence[Position]
    plan: AnalysisPlan


def open_subject(
    session: Session, board: int, number: int, seconds: float, now: float
) -> AnalysedBoard | None:
    """Return a board whose analysis waits; None if it has changed since somebody asked. Raise
    Unplayable where the game is gone. Turns in a position that a player or requester of this board
    has before them on another one, or could return to by taking an end back, are left out: an
    analysis must not help in a running game."""
    loaded = load(session, board)
    if loaded.state != "over" or loaded.number != number or not loaded.is_settled(now):
        return None
    entries = [entry for entry in _read_log(session, board) if entry.kind in _ACTS]
    acts = [_build_act(entry) for entry in entries]
    first = loaded.game.setup(len(loaded.seats), loaded.options)
    positions = retrace(first, acts)
    players = {each.player for seat in loaded.seats for each in seat.people if each.is_active}
    players.update(queue.find_who_asked(session, board))
    name = loaded.game.info.name
    running = _load_running(session, name, sorted(players), now)
    encoded, keys = {each.encode() for each in running}, {each.key for each in running} - {None}
    withheld = [
        at
        for at, position in enumerate(positions)
        if position.encode() in encoded or position.key in keys
    ]
    return AnalysedBoard(
        board=board,
        number=number,
        game=name,
        first=first.encode(),
        acts=acts,
        plies=[0, *(entry.ply for entry in entries)],
        positions=positions,
        plan=AnalysisPlan(positions, acts, seconds, withheld),
    )


def _load_running(
    session: Session, game: str, players: Sequence[int], now: float
) -> list[Position]:
    """Return the positions of the running boards of a game on which any of these players plays, and
    those that they could return to by taking an end back."""
    positions = []
    numbers = queue.find_running_boards(session, game, players)
    just_over = queue.find_just_over(session, game, players, now - HOUR)
    for number in [*numbers, *just_over]:
        with contextlib.suppress(Unplayable):
            board = load(session, number)
            if not board.is_over:
                positions.append(board.position)
            if now <= board.undo_state.get("until", 0.0):
                positions.append(_replay_without_last_act(session, board))
    return positions


def _replay_without_last_act(session: Session, board: Board) -> Position:
    """Return the position to which a player may still return by taking the last act back."""
    log = [build_entry(row) for row in reads.find_log(session, board.id)]
    at = max(index for index, entry in enumerate(log) if entry.kind == board.undo_state["act"])
    return replay(board.game, len(board.seats), board.options, log[:at])


def _build_act(entry: LogEntry) -> Act:
    seat = CHANCE if entry.seat is None else entry.seat
    return seat, entry.move if entry.kind in ("move", "chance") else None


def summarize(subject: AnalysedBoard, by: str) -> Analysis:
    """Summarize a plan that is done."""
    plan = subject.plan
    return Analysis(
        by=by,
        turns=tuple(
            AnalysedTurn(
                at=subject.plies[turn.start],
                seat=subject.acts[turn.start][0],
                played=_describe(subject, turn, get_played(subject.acts, turn)),
                better=_describe(subject, turn, judgement.best),
                before=round(judgement.before, 4),
                after=round(judgement.after, 4),
            )
            for turn, judgement in plan.list_worst()
        ),
        curve=tuple(
            (subject.plies[turn.end], round(plan.shares[turn.end][0], 4))
            for turn in plan.turns
            if subject.positions[0].players == 2
        ),
        withheld=plan.count_withheld(),
    )


def _describe(subject: AnalysedBoard, turn: Turn, moves: Sequence[str]) -> str:
    """Describe the moves of a turn in the game's notation."""
    position, seat = subject.positions[turn.start], subject.acts[turn.start][0]
    words = []
    for move in moves:
        words.append(position.describe(seat, move))
        position = position.play(seat, move)
    return ", ".join(words)


def finish(
    session: Session, board: int, number: int, analysis: Analysis | None, now: float
) -> list[Notice]:
    """Store the result of an analysis (None if it failed) and notify everybody who asked. Do
    nothing when that was already done."""
    loaded = load(session, board, lock=True, anyway=True)
    row = queue.find_analysis(session, board)
    if row is None or row.state != WAITING or row.number != number:
        return []
    goes_on = loaded.state != "over" or loaded.number != number
    result = "" if analysis is None or goes_on else msgspec.json.encode(analysis).decode()
    notices = []
    for asked in queue.find_who_asked(session, board):
        player = get_player(session, asked)
        if player is None or not player.is_active:
            continue
        content: Content = AnalysisFailed(game=loaded.game.info.name, board=board, goes_on=goes_on)
        if analysis is not None and result:
            content = _show(session, loaded, analysis, player)
        addresses = reads.find_addresses(session, asked)
        thread = find_thread(loaded, _find_seat(loaded, player))
        notices.append(Notice(content, addresses, asked, thread))
    queue.finish_analysis(session, board, result, now)
    return notices


# Requests for analyses of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the analyses for which a player waits."""
    return {"analyses_awaited": list_own(session, player, analysis_requests, "board_id at")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the requests."""
    pass_on_pairs(act.session, analysis_requests, "player_id", "board_id", old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Delete the requests."""
    delete_own(context.session, (analysis_requests,), player.id)
