"""Moves: playing, resigning, and submitting before confirming."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec import structs

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log_view import BoardLog
from pbm.core.kernel.boards.playing import find_language, respell_move
from pbm.core.kernel.boards.seat import SubmittedMove
from pbm.core.kernel.boards.storing import has_rolled, save
from pbm.core.kernel.boards.turns import (
    build_show_line,
    follow_up,
    give_orders,
    play_moves,
    require_running,
    require_turn,
)
from pbm.core.kernel.boards.undo_state import keep_act
from pbm.core.kernel.boards.updates import build_change, notify_board, notify_changes, notify_seat
from pbm.core.kernel.boards.view import build_view
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.titles import find_title
from pbm.core.kernel.language.verbs import find_verb_for_move
from pbm.core.kernel.notices.appearance import Appearance
from pbm.core.kernel.notices.boards import MoveSubmitted
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode, get_move_code
from pbm.rules import CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.phrases import get_text, phrase
from pbm.rules.turn_text import require_whole
from pbm.rules.typed_moves import read_letters, require_no_number


def move(call: Call) -> list[Notice]:
    """Play the moves on the line. Refuse moves out of turn and an illegal first move."""
    command = call.command
    if (verb := find_verb_for_move(command.rest)) is not None:
        call.command = structs.replace(command, words=(), rest="")
        return call.do_as(verb.name)
    board = call.load_board()
    return play_moves(call, board, board.find_seat(call.me), command.rest)


def pass_turn(call: Call) -> list[Notice]:
    """Play the move `pass`."""
    board = call.load_board()
    return play_moves(call, board, board.find_seat(call.me), "pass")


def swap(call: Call) -> list[Notice]:
    """Play the move `swap`."""
    board = call.load_board()
    return play_moves(call, board, board.find_seat(call.me), "swap")


def resign(call: Call) -> list[Notice]:
    """Resign; before anybody has moved or rolled, that only declines the board, unless it belongs
    to an event. Refuse a player who no longer plays on it."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    require_running(board, seat)
    if seat.seat not in board.position.playing:
        raise Refusal(
            RefusalCode.HAS_LEFT,
            phrase("you no longer play on board {board}", board=board.id),
            board=board.id,
        )
    before = board.snapshot_for_undo()
    has_begun = board.event is not None or any(each.moved for each in board.seats)
    if not (has_begun or has_rolled(call.session, board.id)):
        board.cancel(seat.seat, call.command.text, call.now, "decline")
        remark = keep_act(call, board, seat, "cancel", before)
        save(call.session, board, call.now)
        comment = call.command.text
        return notify_board(
            call,
            board,
            phrase("{player} declined", player=seat.userid),
            own=phrase("you declined"),
            actor=seat.seat,
            comment=comment,
            remark=remark,
        )
    board.resign(seat.seat, call.command.text, call.now)
    remark = keep_act(call, board, seat, "resign", before)
    save(call.session, board, call.now)
    comment = call.command.text
    resigned = build_change(
        board,
        phrase("{player} resigned", player=seat.userid),
        own=phrase("you resigned"),
        actor=seat.seat,
        comment=comment,
        remark=remark,
    )
    return notify_changes(call, board, [resigned, *follow_up(call, board)])


def order_word(call: Call) -> list[Notice]:
    """Order `ready` or `wait`, where the game takes orders."""
    board, word = call.load_board(), call.command.verb.name
    if not board.position.takes_orders:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "there is no '{word}' in {game}", word=word, game=find_title(board.game.info.name)
            ),
            build_show_line(board),
            board=board.id,
        )
    call.command = structs.replace(call.command, text="")
    return give_orders(call, board, board.find_seat(call.me), word)


def vote(call: Call) -> list[Notice]:
    """Vote on how the game is to end, where its positions have votes."""
    board, words = call.load_board(), call.command.words
    seat = board.find_seat(call.me)
    require_running(board, seat)
    if not board.position.takes_orders:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "there are no votes in {game}: a draw is proposed",
                game=find_title(board.game.info.name),
            ),
            f"{board.game.info.name} propose {board.id} {seat.account} PASSWORD",
            board=board.id,
        )
    call.command = structs.replace(call.command, text="", left=())
    return give_orders(call, board, seat, " ".join(("vote", *words)), example="vote draw")


def submit(call: Call) -> list[Notice]:
    """Show the sender what a move would do, up to the first chance, and hold it for `confirm`."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.rest
    require_turn(call, board, seat)
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the move is missing"),
            call.command.form,
            board=board.id,
        )
    log, language = BoardLog(call, board), find_language(call.config, seat)
    if board.is_hidden:
        require_playable(board, seat.seat, text, language)
        after, asks, played = board.position, False, log.last_moves
    else:
        after, asks, played = try_moves(board, seat.seat, text, language)
    seat.submit(SubmittedMove(board.next_ply, board.undos, text, call.command.text, call.plan))
    save(call.session, board, call.now)
    shown = replace_position(board, after)
    view = structs.replace(
        build_view(shown, seat.seat, log),
        picture=after.picture(seat.seat, played),
        appearance=Appearance(after, seat.seat, played),
    )
    submitted = MoveSubmitted(view=view, submitted=text, asks=asks, is_hidden=board.is_hidden)
    return [notify_seat(call, shown, seat, submitted)]


def confirm_submitted(call: Call) -> list[Notice]:
    """Play the submitted move. Refuse when there is none or the board has changed since."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    require_running(board, seat)
    submitted = seat.submitted_move
    if submitted is None:
        form = f"{board.game.info.name} submit {board.id} {seat.account} PASSWORD MOVE"
        raise Refusal(
            RefusalCode.NOTHING_SUBMITTED,
            phrase("you have not submitted a move"),
            form,
            board=board.id,
        )
    if (submitted.ply, submitted.undos) != (board.next_ply, board.undos):
        raise Refusal(
            RefusalCode.STALE,
            phrase("the board has changed since you submitted your move"),
            build_show_line(board),
            board=board.id,
        )
    call.command = structs.replace(call.command, text=call.command.text or submitted.comment)
    call.drop_comment()  # it may be older than a silence
    call.plan = call.plan or submitted.plan
    return play_moves(call, board, seat, submitted.text)


def require_playable(board: Board, seat: int, text: str, language: str) -> str:
    """Return the moves as the game reads them. Refuse what is not wholly moves, and those of which
    the first cannot be played. The rest is not tried: on a hidden board the result would be a free
    look."""

    def try_first(text: str) -> str:
        require_whole(board.position, seat, text)
        first, _rest = board.position.parse(text, seat)
        board.position.play(seat, first)
        return text

    return _read(board, seat, text, language, try_first)


def try_moves(
    board: Board, seat: int, text: str, language: str = ""
) -> tuple[Position, bool, tuple[str, ...]]:
    """Try moves without storing anything: (position after them or at the first chance, whether
    chance is to answer, the moves). Pieces may be written in that language. Refuse an illegal move
    with the game's reason."""
    return _read(board, seat, text, language, partial(_try_all, board.position, seat))


_Tried = TypeVar("_Tried")


def _read(
    board: Board, seat: int, text: str, language: str, try_text: Callable[[str], _Tried]
) -> _Tried:
    """Return what came of trying a text, respelled if need be. Refuse what cannot be played."""
    try:
        text = read_letters(board.position, seat, text, language)
        require_no_number(board.position, seat, text)
        try:
            return try_text(text)
        except MoveError as error:
            return try_text(respell_move(board, seat, text, error))
    except MoveError as error:
        raise Refusal(
            get_move_code(error), get_text(error), f"{board.game.info.name} help", board=board.id
        ) from None


def _try_all(position: Position, seat: int, text: str) -> tuple[Position, bool, tuple[str, ...]]:
    require_whole(position, seat, text)
    rest, played = text.strip(), list[str]()
    while rest and position.to_move != CHANCE_TO_MOVE:
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
        played.append(move)
    return position, position.to_move == CHANCE_TO_MOVE, tuple(played)


def replace_position(board: Board, position: Position) -> Board:
    """Return the board with another position, to show and never to save."""
    return structs.replace(board, position=position)
