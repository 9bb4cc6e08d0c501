"""Moves: playing, resigning, and submitting before confirming."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec import structs

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log_view import BoardLog
from pbm.core.kernel.boards.playing import play_text, read_orders, respell_move
from pbm.core.kernel.boards.seat import Seat, SubmittedMove
from pbm.core.kernel.boards.storing import has_rolled, save
from pbm.core.kernel.boards.updates import build_change, notify_board, notify_changes, notify_seat
from pbm.core.kernel.boards.view import build_view
from pbm.core.kernel.language.call import Call, find_handler
from pbm.core.kernel.language.stray_moves import is_move
from pbm.core.kernel.language.verbs import get_verb
from pbm.core.kernel.notices.appearance import Appearance
from pbm.core.kernel.notices.boards import MoveSubmitted
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.redaction import has_secret
from pbm.core.kernel.refusal import Refusal, RefusalCode, get_move_code
from pbm.core.plans.run_plans import run_plans
from pbm.core.plans.write_plan import keep_plan, prepare_plan
from pbm.core.play.retracting import keep_act
from pbm.core.vacations.commands import end_vacation_by_move
from pbm.rules import CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.turn_text import require_whole
from pbm.rules.typed_moves import require_no_number
from pbm.store import reads

_ORDER_WORDS = ("ready", "wait")
IN_MOVE_SLOT = ("resign", "propose", "undo", "accept", "reject")
_LONGEST_SHOWN = 60
_WORDS = re.compile("[a-z]+")


def move(call: Call) -> list[Notice]:
    """Play the moves on the line. Refuses moves out of turn and an illegal first move."""
    command = call.command
    word = command.rest.rstrip(".!").lower()
    if word in IN_MOVE_SLOT:
        verb = get_verb(word)
        call.command = structs.replace(command, verb=verb, words=(), rest="")
        return find_handler(verb.do)(call)
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
    to an event. Refuses a player who no longer plays on it."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    require_running(board, seat)
    if seat.seat not in board.position.playing:
        raise Refusal(
            RefusalCode.HAS_LEFT, f"you no longer play on board {board.id}", board=board.id
        )
    before = board.snapshot_for_undo()
    has_begun = board.event is not None or any(each.moved for each in board.seats)
    if not (has_begun or has_rolled(call.session, board.id)):
        board.cancel(seat.seat, call.command.text, call.now, "decline")
        remark = keep_act(call, board, seat, "cancel", before)
        save(call.session, board, call.now)
        comment = call.command.text
        return notify_board(
            call, board, "{who} declined", actor=seat.seat, comment=comment, remark=remark
        )
    board.resign(seat.seat, call.command.text, call.now)
    remark = keep_act(call, board, seat, "resign", before)
    save(call.session, board, call.now)
    comment = call.command.text
    resigned = build_change(
        board, "{who} resigned", actor=seat.seat, comment=comment, remark=remark
    )
    return notify_changes(call, board, [resigned, *run_plans(call, board)])


def require_running(board: Board, seat: Seat) -> None:
    """Refuse a board that is not being played."""
    if board.state == "invited":
        raise Refusal(
            RefusalCode.NOT_STARTED,
            f"board {board.id} is waiting for its players to accept",
            build_line(board, seat, "accept"),
            build_line(board, seat, "decline"),
            board=board.id,
        )
    if board.is_over:
        again = (build_line(board, seat, "rematch"),) if board.state == "over" else ()
        raise Refusal(
            RefusalCode.BOARD_OVER,
            f"board {board.id} is over",
            build_show_line(board),
            f"{build_line(board, seat, 'chat')} TEXT",
            *again,
            board=board.id,
        )


def build_line(board: Board, seat: Seat, verb: str) -> str:
    return f"{board.game.info.name} {verb} {board.id} {seat.userid} PASSWORD"


def build_show_line(board: Board) -> str:
    return f"{board.game.info.name} show {board.id}"


def require_turn(call: Call, board: Board, seat: Seat) -> None:
    """Refuse a move out of turn, for another move number, or in reply to an outdated mail."""
    require_running(board, seat)
    require_fresh(call, board, seat)
    if seat.seat not in board.position.to_move:
        who, written = board.join_userids(board.position.to_move), call.command.rest
        is_shown = 0 < len(written) <= _LONGEST_SHOWN and not has_secret(written)
        is_shown = is_shown and call.player is not None
        move = written if is_shown and is_move(board.position, written) else "MOVE"
        text = written if is_shown and call.command.implied else "TEXT"
        raise Refusal(
            RefusalCode.WRONG_TURN,
            f"it is {who}'s turn",
            f"{build_line(board, seat, 'queue')} {move}",
            f"{build_line(board, seat, 'chat')} {text}",
            board=board.id,
            shows=True,
        )


def require_fresh(call: Call, board: Board, seat: Seat) -> None:
    """Refuse an answer to a mail that shows an older position, unless userid and password came
    with it. Another seat's sealed move does not make it old."""
    token = call.command.sender.token
    if token is None or token.kind != "b" or token.number != board.id or call.command.user:
        return
    if call.undos == board.undos:
        if token.ply == board.next_ply:
            return
        if board.position.takes_orders and token.ply > board.turn_ply:
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


def play_moves(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    """Play moves of a seat, with the plan below them. Refuses what cannot be played, and a plan
    that cannot follow."""
    if board.position.takes_orders:
        return give_orders(call, board, seat, text)
    require_turn(call, board, seat)
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, "the move is missing", call.command.form, board=board.id
        )
    comment = call.command.text
    plan = prepare_plan(call, board, seat, text) if call.plan else None
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
    if plan is not None:
        keep_plan(board, seat, plan, is_whole=not problem)
    save(call.session, board, call.now)
    played = build_change(board, "played", actor=seat.seat, comment=comment, problem=problem)
    notices = notify_changes(call, board, [played, *run_plans(call, board)])
    return end_vacation_by_move(call, seat, notices)


def give_orders(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    """Take the orders of the line and of the lines below it, each by itself. Refuses only when
    none can be taken; the others are told to their writer alone."""
    require_running(board, seat)
    require_fresh(call, board, seat)
    position, name = board.position, board.game.info.name
    if seat.seat not in position.to_move | position.may_revise:
        raise Refusal(
            RefusalCode.WRONG_TURN,
            "you have nothing to order in this phase",
            build_show_line(board),
            board=board.id,
            shows=True,
        )
    words = [line for line in call.command.left if line.lower().rstrip(".!") in _ORDER_WORDS]
    left = tuple(line for line in call.command.left if line not in words)
    call.command = structs.replace(call.command, left=left)
    lines = [text, *call.command.text.split("\n"), *words]
    moves, refusals = read_orders(position, seat.seat, lines)
    form = f"{name} move {board.id} {seat.userid} PASSWORD ORDER"
    if not moves:
        first = "; ".join(refusals) or "the orders are missing"
        code = RefusalCode.NOT_A_MOVE if refusals else RefusalCode.MISSING_ARGUMENT
        raise Refusal(code, first, form, f"{name} help", board=board.id, shows=True)
    board.play_orders(seat.seat, moves, call.now)
    save(call.session, board, call.now)
    refused = [f"not taken: {refusal}" for refusal in refusals]
    given = build_change(board, "played", actor=seat.seat, refused=refused)
    return end_vacation_by_move(call, seat, notify_changes(call, board, [given]))


def order_word(call: Call) -> list[Notice]:
    """Order `ready` or `wait`, where the game takes orders."""
    board, word = call.load_board(), call.command.verb.name
    if not board.position.takes_orders:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            f"there is no '{word}' in {board.game.info.title}",
            build_show_line(board),
            board=board.id,
        )
    call.command = structs.replace(call.command, text="")
    return give_orders(call, board, board.find_seat(call.me), word)


def _require_no_resignation(board: Board, seat: Seat, text: str) -> None:
    """Refuse a sentence such as "I resign" with the word that resigns."""
    if "resign" not in _WORDS.findall(text.lower()):
        return
    raise Refusal(
        RefusalCode.TRAILING_TEXT,
        "did you mean to resign? Then reply with the word resign alone on its line",
        f"{board.game.info.name} resign {board.id} {seat.userid} PASSWORD",
        board=board.id,
    )


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
        after, asks, played = board.position, False, log.last_moves
    else:
        after, asks, played = try_moves(board, seat.seat, text)
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
            build_show_line(board),
            board=board.id,
        )
    call.command = structs.replace(call.command, text=call.command.text or submitted.comment)
    call.plan = call.plan or submitted.plan
    return play_moves(call, board, seat, submitted.text)


def require_playable(board: Board, seat: int, text: str) -> str:
    """The moves as the game reads them. Refuses what is not wholly moves, and those of which the
    first cannot be played. The rest is not tried: on a hidden board the result would be a free
    look."""

    def try_first(text: str) -> str:
        require_whole(board.position, seat, text)
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
    require_whole(position, seat, text)
    rest, played = text.strip(), list[str]()
    while rest and position.to_move != CHANCE_TO_MOVE:
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
        played.append(move)
    return position, position.to_move == CHANCE_TO_MOVE, tuple(played)


def replace_position(board: Board, position: Position) -> Board:
    """The board with another position, to show and never to save."""
    return structs.replace(board, position=position)
