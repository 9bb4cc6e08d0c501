"""Moves: playing, resigning, queueing for one's turn, and submitting before confirming."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from msgspec import structs

from pbm.core.commands.accounts.vacations import end_vacation_by_move
from pbm.core.language.call import Call, find_handler
from pbm.core.language.verbs import get_verb
from pbm.core.model.board import Board
from pbm.core.model.board_store import has_rolled, save
from pbm.core.model.notices.appearance import Appearance
from pbm.core.model.notices.board_notices import BoardContent, MoveQueued, MoveSubmitted
from pbm.core.model.notices.notice import Notice
from pbm.core.model.refusal import Refusal, RefusalCode, get_move_code
from pbm.core.model.seat import QueuedMove, Seat, SubmittedMove
from pbm.core.views.board_log import BoardLog
from pbm.core.views.board_updates import Change, build_change, notify_changes
from pbm.core.views.board_view import build_view, find_thread
from pbm.rules import CHANCE_TO_MOVE, IllegalMove, MoveError, Position
from pbm.rules.typed_moves import require_no_number, respell
from pbm.store import reads

_IN_MOVE_SLOT = ("resign", "propose", "undo", "accept", "reject")
_LONGEST_QUEUED = 1000
_WORDS = re.compile("[a-z]+")


def move(call: Call) -> list[Notice]:
    """Play the moves on the line. Refuses moves out of turn and an illegal first move."""
    command = call.command
    word = command.rest.rstrip(".!").lower()
    if word in _IN_MOVE_SLOT:
        verb = get_verb(word)
        call.command = replace(command, verb=verb, words=(), rest="")
        return find_handler(verb.do)(call)
    board = call.load_board()
    return _play(call, board, board.find_seat(call.me), command.rest)


def pass_turn(call: Call) -> list[Notice]:
    """Play the move `pass`."""
    board = call.load_board()
    return _play(call, board, board.find_seat(call.me), "pass")


def swap(call: Call) -> list[Notice]:
    """Play the move `swap`."""
    board = call.load_board()
    return _play(call, board, board.find_seat(call.me), "swap")


def resign(call: Call) -> list[Notice]:
    """Resign; before anybody has moved or rolled, that only declines the board. Refuses a player
    who no longer plays on it."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    require_running(board, seat)
    if seat.seat not in board.position.playing:
        raise Refusal(
            RefusalCode.HAS_LEFT, f"you no longer play on board {board.id}", board=board.id
        )
    before = board.snapshot_for_undo()
    if not (any(each.moved for each in board.seats) or has_rolled(call.session, board.id)):
        board.cancel(seat.seat, call.command.text, call.now)
        board.keep("cancel", seat.player, before, call.now)
        save(call.session, board, call.now)
        declined = build_change(board, "{who} declined", actor=seat.seat, comment=call.command.text)
        return notify_changes(call, board, [declined])
    board.resign(seat.seat, call.command.text, call.now)
    board.keep("resign", seat.player, before, call.now)
    save(call.session, board, call.now)
    comment = call.command.text
    resigned = build_change(board, "{who} resigned", actor=seat.seat, comment=comment)
    return notify_changes(call, board, [resigned, *play_queued(call, board)])


def require_running(board: Board, seat: Seat) -> None:
    """Refuse a board that is not being played."""
    if board.state == "invited":
        raise Refusal(
            RefusalCode.NOT_STARTED,
            f"board {board.id} is waiting for its players to accept",
            _build_line(board, seat, "accept"),
            _build_line(board, seat, "decline"),
            board=board.id,
        )
    if board.is_over:
        again = (_build_line(board, seat, "rematch"),) if board.state == "over" else ()
        raise Refusal(
            RefusalCode.BOARD_OVER,
            f"board {board.id} is over",
            _build_show_line(board),
            f"{_build_line(board, seat, 'chat')} TEXT",
            *again,
            board=board.id,
        )


def _build_line(board: Board, seat: Seat, verb: str) -> str:
    return f"{board.game.info.name} {verb} {board.id} {seat.userid} PASSWORD"


def _build_show_line(board: Board) -> str:
    return f"{board.game.info.name} show {board.id}"


def require_turn(call: Call, board: Board, seat: Seat) -> None:
    """Refuse a move out of turn, for another move number, or in reply to an outdated mail."""
    require_running(board, seat)
    require_fresh(call, board, seat)
    if seat.seat not in board.position.to_move:
        who = board.join_userids(board.position.to_move)
        raise Refusal(
            RefusalCode.WRONG_TURN,
            f"it is {who}'s turn",
            f"{board.game.info.name} queue {board.id} {seat.userid} PASSWORD MOVE",
            board=board.id,
            shows=True,
        )


def require_fresh(call: Call, board: Board, seat: Seat) -> None:
    """Refuse an answer to a mail that shows an older position, unless userid and password came
    with it. Another seat's sealed move does not make it old."""
    token = call.command.sender.token
    if token is None or token.kind != "b" or token.number != board.id or call.command.user:
        return
    if call.secrets.is_genuine(token, call.me.password, undos=board.undos):
        if token.ply == board.next_ply:
            return
        since = [
            entry for entry in reads.find_log(call.session, board.id) if entry.ply >= token.ply
        ]
        if token.ply > board.turn_ply and all(
            entry.kind != "move" or entry.seat != seat.seat for entry in since
        ):
            return
    raise Refusal(
        RefusalCode.STALE,
        "the board has changed since the mail you replied to",
        board=board.id,
        shows=True,
    )


def _play(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    require_turn(call, board, seat)
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, "the move is missing", call.command.form, board=board.id
        )
    comment = call.command.text
    try:
        problem = play_text(board, seat, text, comment, call.now)
    except MoveError as error:
        _require_no_resignation(board, seat, text)
        form = f"{board.game.info.name} move {board.id} {seat.userid} PASSWORD MOVE"
        raise Refusal(
            get_move_code(error),
            str(error),
            form,
            f"{board.game.info.name} help",
            board=board.id,
            shows=True,
        ) from None
    save(call.session, board, call.now)
    played = build_change(board, "played", actor=seat.seat, comment=comment, problem=problem)
    notices = notify_changes(call, board, [played, *play_queued(call, board)])
    return end_vacation_by_move(call, seat, notices)


def _require_no_resignation(board: Board, seat: Seat, text: str) -> None:
    """Refuse a sentence such as "I resign" with the word that resigns."""
    if "resign" not in _WORDS.findall(text.lower()):
        return
    raise Refusal(
        RefusalCode.TRAILING_TEXT,
        "to resign, reply with the word resign alone on its line",
        f"{board.game.info.name} resign {board.id} {seat.userid} PASSWORD",
        board=board.id,
    )


def play_text(board: Board, seat: Seat, text: str, comment: str, now: float) -> str:
    """Play the text for a seat, respelled if need be; return "" or why the rest of it was dropped.
    Raises MoveError when nothing was played."""
    require_no_number(board.position, seat.seat, text)
    try:
        problem = board.play_text(seat.seat, text, comment, now)
    except MoveError as error:
        text = respell_move(board, seat.seat, text, error)
        problem = board.play_text(seat.seat, text, comment, now)
    return "" if problem is None else str(problem)


def respell_move(board: Board, seat: int, text: str, error: MoveError) -> str:
    """A text that the game refused, as the game reads it. Raises MoveError when it cannot be read,
    or not with certainty."""
    has_begun = board.ply > board.turn_ply
    return respell(board.position, seat, text, error, has_begun=has_begun)


def play_queued(call: Call, board: Board) -> list[Change]:
    """Play the queued moves of the seats to move, turn after turn, and return the changes. The
    caller builds the notices."""
    changes: list[Change] = []
    while board.state == "running":
        seat = next((s for s in board.seats if s.queued and s.seat in board.position.to_move), None)
        if seat is None:
            break
        queued = seat.pop_queued()
        if queued is None:
            break
        text, comment, ply = queued
        board.begin_act()
        try:
            if ply and ply != board.next_ply:
                raise IllegalMove(f"it was for move {ply}, and now it is move {board.next_ply}")
            problem = play_text(board, seat, text, comment, call.now)
        except MoveError as error:
            save(call.session, board, call.now)
            event = f"your queued move {text} was not played: {error}"
            changes.append(build_change(board, event, actor=seat.seat, private=True))
            continue
        save(call.session, board, call.now)
        changes.append(
            build_change(board, "played", actor=seat.seat, comment=comment, problem=problem)
        )
    return changes


def _notify_seat(call: Call, board: Board, seat: Seat, content: BoardContent) -> Notice:
    """A notice to one seat about its board."""
    addresses, _ = reads.find_board_addresses(call.session, board.id)
    return Notice(
        content,
        addresses=tuple(addresses.get(seat.player, ())),
        player=seat.player,
        thread=find_thread(board, seat.seat),
        is_answer=call.player is not None and call.player.id == seat.player,
    )


def _notify_queued(call: Call, board: Board, seat: Seat, text: str) -> Notice:
    view = build_view(board, seat.seat, BoardLog(call, board))
    return _notify_seat(call, board, seat, MoveQueued(view=view, queued=text))


def queue(call: Call) -> list[Notice]:
    """Queue a move for the player's turn, or play it if that is now; `none` clears the queue."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.rest
    require_running(board, seat)
    if text.lower().rstrip(".") == "none":
        seat.pop_queued()
        save(call.session, board, call.now)
        return [_notify_queued(call, board, seat, "")]
    if seat.seat in board.position.to_move:
        return _play(call, board, seat, text)
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, "the move is missing", call.command.form, board=board.id
        )
    if text.lower().rstrip(".!") in _IN_MOVE_SLOT:
        raise Refusal(
            RefusalCode.NOT_A_MOVE, "only moves can be queued", call.command.form, board=board.id
        )
    if seat.seat not in board.position.playing:
        raise Refusal(
            RefusalCode.HAS_LEFT,
            f"you no longer play on board {board.id}",
            _build_show_line(board),
            board=board.id,
        )
    text = text[:_LONGEST_QUEUED]
    seat.queue(QueuedMove(text, call.command.text, call.command.ply))
    save(call.session, board, call.now)
    return [_notify_queued(call, board, seat, text)]


def submit(call: Call) -> list[Notice]:
    """Show the sender what a move would do, up to the first chance, and hold it for `confirm`."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.rest
    require_turn(call, board, seat)
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, "the move is missing", call.command.form, board=board.id
        )
    log = BoardLog(call, board)
    if board.is_hidden:
        require_playable(board, seat.seat, text)
        after, asks, played = board.position, False, log.find_last_moves()
    else:
        after, asks, played = try_moves(board, seat.seat, text)
    seat.submit(SubmittedMove(board.next_ply, board.undos, text, call.command.text))
    save(call.session, board, call.now)
    shown = replace_position(board, after)
    view = structs.replace(
        build_view(shown, seat.seat, log),
        picture=after.picture(seat.seat, played),
        appearance=Appearance(after, seat.seat, played),
    )
    submitted = MoveSubmitted(view=view, submitted=text, asks=asks, is_hidden=board.is_hidden)
    return [_notify_seat(call, shown, seat, submitted)]


def confirm_submitted(call: Call) -> list[Notice]:
    """Play the submitted move. Refuses when there is none or the board has changed since."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    require_running(board, seat)
    submitted = seat.submitted_move
    if submitted is None:
        form = f"{board.game.info.name} submit {board.id} {seat.userid} PASSWORD MOVE"
        raise Refusal(
            RefusalCode.NOTHING_SUBMITTED, "you have not submitted a move", form, board=board.id
        )
    if (submitted.ply, submitted.undos) != (board.next_ply, board.undos):
        raise Refusal(
            RefusalCode.STALE,
            "the board has changed since you submitted your move",
            _build_show_line(board),
            board=board.id,
        )
    call.command = replace(call.command, text=call.command.text or submitted.comment)
    return _play(call, board, seat, submitted.text)


def require_playable(board: Board, seat: int, text: str) -> str:
    """The moves as the game reads them. Refuses those of which the first cannot be played. The rest
    is not tried: on a hidden board the result would be a free look."""

    def try_first(text: str) -> str:
        first, _rest = board.position.parse(text, seat)
        board.position.play(seat, first)
        return text

    return _read(board, seat, text, try_first)


def try_moves(board: Board, seat: int, text: str) -> tuple[Position, bool, tuple[str, ...]]:
    """Try moves without storing anything: (position after them or at the first chance, whether
    chance is to answer, the moves). Refuses an illegal move with the game's reason."""
    return _read(board, seat, text, partial(_try_all, board.position, seat))


_Tried = TypeVar("_Tried")


def _read(board: Board, seat: int, text: str, try_text: Callable[[str], _Tried]) -> _Tried:
    """What came of trying a text, respelled if need be. Refuses what cannot be played."""
    try:
        require_no_number(board.position, seat, text)
        try:
            return try_text(text)
        except MoveError as error:
            return try_text(respell_move(board, seat, text, error))
    except MoveError as error:
        raise Refusal(
            get_move_code(error), str(error), f"{board.game.info.name} help", board=board.id
        ) from None


def _try_all(position: Position, seat: int, text: str) -> tuple[Position, bool, tuple[str, ...]]:
    rest, turn = text.strip(), position.turn
    played: list[str] = []
    while rest and position.outcome is None:
        if position.turn != turn:
            raise IllegalMove(f"your turn ends before '{rest[:60]}': put any text on the next line")
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
        played.append(move)
        if position.to_move == CHANCE_TO_MOVE:
            return position, True, tuple(played)
    return position, False, tuple(played)


def replace_position(board: Board, position: Position) -> Board:
    """The board with another position, to show and never to save."""
    return replace(board, position=position)
