"""`variations`: lines of moves that a player tries out, stored until the board is over."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import wrap

from pbm.core.board import (
    BETWEEN,
    MOST_KEPT,
    MOST_TRIED,
    Board,
    Line,
    Variation,
    add_line,
    is_open_to_tries,
    read_variations,
    write_variations,
)
from pbm.core.call import Call
from pbm.core.log import build_entry, drop_undone, replay
from pbm.core.log_view import BoardLog
from pbm.core.notices import Notice
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import save
from pbm.core.updates import notify_seat
from pbm.core.view import build_view
from pbm.features.notes.notices import VariationsShown
from pbm.locale.men import read_move
from pbm.rules import CHANCE, IllegalMove, InvalidMove, MoveError, Position
from pbm.rules.phrases import get_text, phrase, phrase_number
from pbm.rules.turn_text import require_no_question
from pbm.store import reads

_FROM = re.compile(r"\(?([0-9]{1,6})[:)]\s*(.*)")
_NONE = re.compile(r"none\b[.!]?\s*(.*)", re.IGNORECASE | re.DOTALL)
_COLUMNS = 78


def keep(call: Call) -> list[Notice]:
    """Add variations to the stored ones. Without any show all; with `none` remove all, or those
    with the given beginning. Refuse them where something is hidden, and a line with an invalid
    move."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    if not is_open_to_tries(board) or board.state != "running":
        problem = phrase("moves cannot be tried on this board")
        form = board.show_line
        is_open = board.state == "running"
        code = RefusalCode.HIDDEN if is_open else RefusalCode.BOARD_OVER
        raise board.make_refusal(code, problem, form)
    text, kept = call.command.text.strip(), read_variations(seat.tried)
    if text:
        removed = _NONE.fullmatch(text)
        named = _read(call, board, removed[1] if removed else text)
        kept = _remove(kept, named) if removed else _add(kept, named)
        if len(kept) > MOST_KEPT:
            raise _refuse(
                call,
                board,
                phrase_number(
                    "no more than {count} variation is kept of a board",
                    "no more than {count} variations are kept of a board",
                    MOST_KEPT,
                ),
                RefusalCode.LIMIT_REACHED,
            )
        seat.tried = write_variations(kept)
        save(call.session, board, call.now)
    view = build_view(board, seat.seat, BoardLog(call, board))
    return [notify_seat(call, board, seat, VariationsShown(view=view, lines=_list_lines(kept)))]


def _add(kept: Sequence[Variation], named: Sequence[Variation]) -> list[Variation]:
    plies = {each.ply: list[Line]() for each in (*kept, *named)}
    for ply, moves in (*kept, *named):
        plies[ply] = add_line(plies[ply], moves)
    return [Variation(ply, moves) for ply, lines in plies.items() for moves in lines]


def _remove(kept: Sequence[Variation], named: Sequence[Variation]) -> list[Variation]:
    """Return the variations without those that begin as a named one; None where none does."""
    return [
        each
        for each in kept
        if named
        and not any(each.ply == ply and each.moves[: len(moves)] == moves for ply, moves in named)
    ]


def _read(call: Call, board: Board, text: str) -> list[Variation]:
    """Return the variations of a text. Refuse an invalid line, naming its number."""
    named = list[Variation]()
    find_position = _remember_positions(call, board)
    for number, line in enumerate(filter(None, map(str.strip, text.split("\n"))), 1):
        found = _FROM.fullmatch(line)
        ply, moves = (int(found[1]), found[2]) if found else (board.ply, line)
        try:
            position = find_position(ply)
            named.append(Variation(ply, _read_moves(position, moves, call.language)))
        except MoveError as error:
            problem = phrase(
                "line {number} of your variations: {problem}",
                number=number,
                problem=get_text(error),
            )
            raise _refuse(call, board, problem, RefusalCode.NOT_A_MOVE) from error
    return named


def _remember_positions(call: Call, board: Board) -> Callable[[int], Position]:
    """Return a function that finds the position after a number of moves, or raises InvalidMove for
    one that the board has not reached. It reads the log only for earlier positions."""
    positions = {board.ply: board.position}

    def find(ply: int) -> Position:
        if ply > board.ply:
            raise InvalidMove(
                phrase("board {board} has only had {ply} moves", board=board.id, ply=board.ply)
            )
        if ply not in positions:
            log = drop_undone(map(build_entry, reads.find_log(call.session, board.id)))
            upto = (entry for entry in log if entry.ply <= ply)
            positions[ply] = replay(board.game, len(board.seats), board.options, upto)
        return positions[ply]

    return find


def _read_moves(position: Position, text: str, language: str) -> Line:
    """Return the moves and rolls of a variation, in stored form."""
    moves = list[str]()
    rest = text.replace(BETWEEN, " ").strip()
    require_no_question(position, min(position.to_move, default=0), rest)
    while rest:
        if not position.to_move or len(moves) == MOST_TRIED:
            raise IllegalMove(phrase("it goes on where nothing can be tried"))
        seat = min(position.to_move)
        if seat == CHANCE:
            move, _, rest = rest.partition(" ")
        else:
            move, rest = position.parse(read_move(position, seat, rest, language), seat)
        position, rest = position.play(seat, move), rest.strip()
        moves.append(move)
    if text and not moves:
        raise InvalidMove(phrase("the move is missing"))
    return tuple(moves)


def _refuse(
    call: Call, board: Board, problem: str, code: RefusalCode = RefusalCode.NOT_A_MOVE
) -> Refusal:
    form = f"{board.game.info.name} variations {board.id} {call.me.userid} PASSWORD MOVE MOVE"
    return board.make_refusal(code, problem, form)


def _list_lines(kept: Sequence[Variation]) -> list[str]:
    """Return variations in the form in which they can be sent, a line each."""
    lines = list[str]()
    for ply, moves in kept:
        text = f"{ply}: {f' {BETWEEN} '.join(moves)}"
        lines += wrap(
            text,
            _COLUMNS,
            initial_indent="  ",
            subsequent_indent="      ",
            break_on_hyphens=False,
        )
    return lines
