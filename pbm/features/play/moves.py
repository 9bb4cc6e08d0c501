"""Moves: playing, resigning, and submitting before confirming."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec import structs

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.log_view import BoardLog
from pbm.core.notices import Appearance, MoveSubmitted, NewBoardPreview, Notice, Preview
from pbm.core.options import read_terms, set_up
from pbm.core.parties import find_speaking_seat
from pbm.core.refusal import Refusal, RefusalCode, get_move_code
from pbm.core.seat import Seat, SubmittedMove
from pbm.core.storing import find_title, has_rolled, save
from pbm.core.turns import (
    find_language,
    follow_up,
    give_orders,
    play_moves,
    refuse_missing_move,
    require_in_play,
    require_running,
    require_turn,
    respell_move,
)
from pbm.core.updates import build_change, keep_act, notify_board, notify_changes, notify_seat
from pbm.core.view import address_to_seat, build_view, format_options
from pbm.core.words import find_verb_for_move, parse_number
from pbm.features.parties import substitutes
from pbm.games import get_game
from pbm.locale.men import read_move
from pbm.locale.words import say_reply_word
from pbm.rules import CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.phrases import fill_in, get_text, join_phrases, phrase
from pbm.rules.turn_text import require_whole
from pbm.rules.typed_moves import require_no_number

_PAIR = 2


def move(call: Call) -> list[Notice]:
    """Play the moves on the line. Refuse moves out of turn and an illegal first move."""
    command = call.command
    if (verb := find_verb_for_move(command.rest)) is not None:
        call.command = structs.replace(command, words=(), rest="")
        return call.do_as(verb.name)
    board = call.load_board()
    return _play(call, board, board.find_seat(call.me), command.rest)


def _play(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    """Play moves; or show their result if the player wants to confirm each mailed move. Orders are
    played at once: until their phase ends, later ones replace them."""
    asks = seat.preferences.get("confirm") == "yes" and call.command.sender.via == "mail"
    if asks and not board.position.takes_orders:
        return _hold(call, board, seat, text)
    return play_moves(call, board, seat, text)


def pass_turn(call: Call) -> list[Notice]:
    """Play the move `pass`."""
    board = call.load_board()
    return _play(call, board, board.find_seat(call.me), "pass")


def swap(call: Call) -> list[Notice]:
    """Play the move `swap`."""
    board = call.load_board()
    return _play(call, board, board.find_seat(call.me), "swap")


def resign(call: Call) -> list[Notice]:
    """Resign. Before anybody has moved or rolled, this only declines the board, unless it belongs
    to an event. Refuse a player who no longer plays on it."""
    board = call.load_board()
    seat = find_speaking_seat(call, board)
    require_running(board, seat)
    require_in_play(board, seat)
    before = board.snapshot_for_undo()
    has_begun = board.event is not None or any(each.moved for each in board.seats)
    if not (has_begun or has_rolled(call.session, board.id)):
        if len(board.seats) > _PAIR:
            raise board.make_refusal(
                RefusalCode.NOT_STARTED,
                phrase("nobody has moved yet: to decline cancels the game for everybody"),
                "decline",
            )
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
    remarks = [keep_act(call, board, seat, "resign", before)]
    if substitutes.may_pass(call.session, board, seat):
        rule = substitutes.build_rule(board, seat)
        until = phrase("Until somebody moves, another player may go on with your seat: {rule}.")
        remarks.append(fill_in(until, rule=rule))
    save(call.session, board, call.now)
    comment = call.command.text
    resigned = build_change(
        board,
        phrase("{player} resigned", player=seat.userid),
        own=phrase("you resigned"),
        actor=seat.seat,
        comment=comment,
        remark=join_phrases(" ", [each for each in remarks if each]),
    )
    return notify_changes(call, board, follow_up(call, board, [resigned]))


def order_word(call: Call) -> list[Notice]:
    """Send the order `ready` or `wait` in a game of orders."""
    board, word = call.load_board(), call.command.verb.name
    if not board.position.takes_orders:
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "there is no '{word}' in {game}",
                word=say_reply_word(word),
                game=find_title(board.game.info.name),
            ),
            board.show_line,
        )
    call.command = structs.replace(call.command, text="")
    return give_orders(call, board, board.find_seat(call.me), word)


def vote(call: Call) -> list[Notice]:
    """Vote on how the game is to end, in games whose positions have votes."""
    board, words = call.load_board(), call.command.words
    seat = find_speaking_seat(call, board)
    require_running(board, seat)
    if not board.position.takes_orders:
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "there are no votes in {game}: a draw is proposed",
                game=find_title(board.game.info.name),
            ),
            f"{board.game.info.name} propose {board.id} {seat.account} PASSWORD",
        )
    call.command = structs.replace(call.command, text="", left=())
    return give_orders(call, board, seat, " ".join(("vote", *words)), example="vote draw")


def submit(call: Call) -> list[Notice]:
    """Show the sender the result of a move, up to the first chance, and store it for `confirm`."""
    board = call.load_board()
    return _hold(call, board, board.find_seat(call.me), call.command.rest)


def _hold(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    require_turn(call, board, seat)
    if not text:
        raise refuse_missing_move(call, board)
    log, language = BoardLog(call, board), find_language(call.config, seat)
    if board.is_hidden:
        require_playable(board, seat.seat, text, language)
        after, asks, played = board.position, False, log.last_moves
    else:
        after, asks, played = try_moves(board, seat.seat, text, language)
    by = call.me.id if seat.decides else 0
    comment = call.command.text
    seat.submit(SubmittedMove(board.next_ply, board.undos, text, comment, call.below, by))
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
    if submitted is None or submitted.by not in (0, call.me.id):
        form = f"{board.game.info.name} submit {board.id} {seat.account} PASSWORD MOVE"
        raise board.make_refusal(
            RefusalCode.NOTHING_SUBMITTED, phrase("you have not submitted a move"), form
        )
    if (submitted.ply, submitted.undos) != (board.next_ply, board.undos):
        raise board.make_refusal(
            RefusalCode.STALE,
            phrase("the board has changed since you submitted your move"),
            board.show_line,
        )
    call.command = structs.replace(call.command, text=call.command.text or submitted.comment)
    call.drop_comment(board)  # it may be older than a silence
    call.below = call.below or submitted.below
    return play_moves(call, board, seat, submitted.text)


def require_playable(board: Board, seat: int, text: str, language: str) -> str:
    """Return the moves in the game's spelling. Refuse a text that is not wholly moves, and an
    unplayable first move. The others are not tried: on a hidden board the result would be a free
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
    """Try moves without storing anything. Return (the position after them or at the first chance,
    whether chance is to answer, the moves). Pieces may be written in that language. Refuse an
    illegal move with the game's reason."""
    return _read(board, seat, text, language, partial(_try_all, board.position, seat))


_Tried = TypeVar("_Tried")


def _read(
    board: Board, seat: int, text: str, language: str, try_text: Callable[[str], _Tried]
) -> _Tried:
    """Return the result of trying a text, respelled if need be. Refuse what cannot be played."""
    try:
        text = read_move(board.position, seat, text, language)
        require_no_number(board.position, seat, text)
        try:
            return try_text(text)
        except MoveError as error:
            return try_text(respell_move(board, seat, text, error))
    except MoveError as error:
        raise board.make_refusal(
            get_move_code(error), get_text(error), f"{board.game.info.name} help"
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
    """Return the board with another position, to be shown and never saved."""
    return dataclasses.replace(board, position=position)


# Previews: a board after some moves, as a spectator would see it. Nothing is stored or rolled.


def preview(call: Call) -> list[Notice]:
    """Show a board after some moves, up to the first chance; or, with `new n`, a new board."""
    words = call.command.words
    if words and words[0].lower() == "new":
        return [_show_new_board(call)]
    board = call.load_board(lock=False)
    if board.state != "running":
        raise board.make_refusal(
            RefusalCode.BOARD_OVER if board.is_over else RefusalCode.NOT_STARTED,
            phrase("board {board} is over", board=board.id)
            if board.is_over
            else phrase("board {board} is waiting for its players to accept", board=board.id),
            board.show_line,
        )
    if not call.command.rest:
        raise refuse_missing_move(call, board)
    if board.is_hidden:
        raise board.make_refusal(
            RefusalCode.HIDDEN,
            phrase(
                "{game} hides things from spectators, so it cannot be previewed",
                game=find_title(board.game.info.name),
            ),
            f"{board.game.info.name} submit {board.id} {{user}} PASSWORD MOVE",
        )
    after, asks, played, turn = _try_line(call, board, call.command.rest)
    shown = dataclasses.replace(board, position=after)
    view = build_view(shown, None, BoardLog(call, board), in_words=call.wants_words)
    view = structs.replace(
        view, picture=after.picture(None, played), appearance=Appearance(after, None, played)
    )
    preview = Preview(view=view, submitted=call.command.rest, asks=asks)
    answer = address_to_seat(call, board, call.answer(preview))
    if answer.thread is None or answer.thread.seat not in board.position.to_move:
        return [answer]
    return [structs.replace(answer, content=structs.replace(preview, turn=turn))]


def _try_line(call: Call, board: Board, text: str) -> tuple[Position, bool, tuple[str, ...], str]:
    """Try the moves of one turn, or of several turns in succession, as `try_moves` does. Return the
    result and the text of the first turn."""
    words, played, asks, turn = text.split(), list[str](), False, ""
    language = call.language
    while words and not asks:
        refused: Refusal | None = None
        seat = min(board.position.to_move, default=0)
        for size in range(len(words), 0, -1):
            try:
                after, asks, moves = try_moves(board, seat, " ".join(words[:size]), language)
            except Refusal as refusal:
                refused = refused or refusal
                continue
            turn = turn or " ".join(words[:size])
            board, words = replace_position(board, after), words[size:]
            played += moves
            break
        else:
            raise refused or Refusal(RefusalCode.NOT_A_MOVE, phrase("this is no move"))
    return board.position, asks, tuple(played), turn


def _show_new_board(call: Call) -> Notice:
    call.require_game("GAME preview new 2")
    game = get_game(call.command.game)
    form = f"{game.info.name} preview new {game.info.players[0]}"
    terms = read_terms(game, call.command.words[1:], lambda _: form)
    count = terms.userids[0] if terms.userids else str(game.info.players[0])
    position = set_up(game, parse_number(count) or 99, terms.options, form)
    return call.answer(
        NewBoardPreview(
            game=game.info.name,
            title=find_title(game.info.name),
            players=position.players,
            options=format_options(terms.options),
            picture=position.picture(),
            appearance=Appearance(position, None),
            colours=position.colours,
            is_in_words=call.wants_words,
            asks=position.to_move == CHANCE_TO_MOVE,
            userid=call.own_userid,
        )
    )
