"""The commands `plan` and `queue`."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import structs
from sqlalchemy import bindparam, delete, func, insert, select

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import read_place
from pbm.core.context import Context
from pbm.core.log_view import BoardLog, list_notes
from pbm.core.notices import Appearance, MoveQueued, NotesShown, Notice, PlanShown
from pbm.core.operator import OperatorAct
from pbm.core.plans import Plan, list_branches, strip_own
from pbm.core.player import Player, list_own, pass_on
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import save
from pbm.core.talk import is_move, is_only_words
from pbm.core.turns import play_moves, require_fresh, require_running
from pbm.core.updates import notify_seat
from pbm.core.view import build_view
from pbm.core.words import find_verb_for_move
from pbm.features.plans.rules import build_queued, find_path, number_moves, play_branch
from pbm.features.plans.running import after_own, build_tree
from pbm.rules import InvalidMove, Position
from pbm.rules.phrases import phrase, phrase_number
from pbm.rules.turn_text import require_no_question
from pbm.rules.typed_moves import ends_turn
from pbm.store import reads
from pbm.store.tables import notes
from pbm.store.transaction import Session

_LONGEST_QUEUED = 1000
_SHORTEST_WORD = 5
"""Letters of a single word that is no move of any game."""


def plan(call: Call) -> list[Notice]:
    """Write the player's plan in place of any other, show it, or show the board at the end of a
    branch; `none` clears it. Refuse a plan that cannot be played from the present position."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    require_running(board, seat)
    lines = call.plan
    if not lines:
        return [_show(call, board, seat)]
    if len(lines) == 1 and lines[0].lower().rstrip(".!") == "none":
        seat.make_plan(None)
        save(call.session, board, call.now)
        return [_show(call, board, seat)]
    if place := read_place(lines):
        return [_show_end(call, board, seat, place)]
    _require_playing(board, seat)
    require_fresh(call, board, seat)
    is_own_turn = seat.seat in board.position.to_move
    tree = build_tree(call, board, seat, lines, None if is_own_turn else board.position)
    seat.make_plan(Plan(after_own(tree) if is_own_turn else tree, board.number))
    save(call.session, board, call.now)
    return [_show(call, board, seat)]


def _require_playing(board: Board, seat: Seat) -> None:
    if seat.seat not in board.position.playing:
        raise Refusal(
            RefusalCode.HAS_LEFT,
            phrase("you no longer play on board {board}", board=board.id),
            f"{board.game.info.name} show {board.id}",
            board=board.id,
        )


def _show(context: Context, board: Board, seat: Seat) -> Notice:
    """Return the answer that shows the plan of a seat, each move with its number."""
    view = structs.replace(build_view(board, seat.seat, BoardLog(context, board)), plan=())
    current = seat.current_plan
    if current is None:
        return notify_seat(context, board, seat, PlanShown(view=view, lines=()))
    tree, is_after_own = strip_own(current)
    is_here = current.since == board.number and not (is_after_own or board.is_hidden)
    position = board.position if is_here else None
    lines = list_branches(tree, number_moves(tree, position, seat.seat, board.ply))
    shown = PlanShown(view=view, lines=lines, is_after_own=is_after_own)
    return notify_seat(context, board, seat, shown)


def _show_end(context: Context, board: Board, seat: Seat, place: str) -> Notice:
    """Return the answer that shows the board at the end of a branch. Refuse the number of none."""
    current = seat.current_plan
    tree, is_after_own = strip_own(current) if current is not None else ((), False)
    path = find_path(tree, place)
    if current is None or not path:
        problem = (
            phrase("your plan has no branch {place}", place=place)
            if current
            else phrase("you have no plan here")
        )
        form = f"{board.game.info.name} plan {board.id} {seat.account} PASSWORD"
        raise Refusal(RefusalCode.NO_SUCH_BRANCH, problem, form, board=board.id)
    position, is_known = board.position, False
    moves: tuple[str, ...] = ()
    if current.since == board.number and not (is_after_own or board.is_hidden):
        position, moves, is_known = play_branch(path, board.position, seat.seat)
    log = BoardLog(context, board)
    last = moves or log.last_moves
    view = structs.replace(
        build_view(structs.replace(board, position=position), seat.seat, log),
        picture=position.picture(seat.seat, last),
        appearance=Appearance(position, seat.seat, last),
        plan=(),
    )
    lines = [line for line in list_branches(tree) if line.split()[0] == place]
    shown = PlanShown(view=view, lines=lines, place=place, is_known=is_known)
    return notify_seat(context, board, seat, shown)


def queue(call: Call) -> list[Notice]:
    """Queue a move for the player's turn, which is the plan `if any then MOVE`, or play it if that
    is now; `none` clears the plan."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.rest
    require_running(board, seat)
    if text.lower().rstrip(".") == "none":
        seat.make_plan(None)
        save(call.session, board, call.now)
        return [_notify_queued(call, board, seat, "")]
    if seat.seat in board.position.to_move:
        return play_moves(call, board, seat, text)
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the move is missing"),
            call.command.form,
            board=board.id,
        )
    _require_playing(board, seat)
    if find_verb_for_move(text) is not None or not may_be_moves(board.position, text):
        raise Refusal(
            RefusalCode.NOT_A_MOVE,
            phrase("only moves can be queued"),
            call.command.form,
            board=board.id,
        )
    text = text[:_LONGEST_QUEUED]
    seat.make_plan(build_queued(text, call.command.text, call.command.ply, board.number))
    save(call.session, board, call.now)
    return [_notify_queued(call, board, seat, text)]


def may_be_moves(position: Position, text: str) -> bool:
    """Whether a text may be moves of a later turn: it asks nothing and is no sentence."""
    try:
        require_no_question(position, min(position.to_move, default=0), text)
    except InvalidMove:
        return False
    if ends_turn(text) or is_move(position, text):
        return True
    is_word = text.rstrip(".!").isalpha() and len(text) >= _SHORTEST_WORD
    return not is_word and not is_only_words(text, partial(is_move, position))


def _notify_queued(context: Context, board: Board, seat: Seat, text: str) -> Notice:
    view = structs.replace(build_view(board, seat.seat, BoardLog(context, board)), plan=())
    return notify_seat(context, board, seat, MoveQueued(view=view, queued=text))


# Notes: remarks at a position of a board that only their writer sees.

_OWN = (notes.c.board_id == bindparam("board"), notes.c.player_id == bindparam("player"))
_COUNT = select(func.count()).select_from(notes).where(*_OWN)
_REMOVE = delete(notes).where(*_OWN, notes.c.number == bindparam("at_number"))


def note(call: Call) -> list[Notice]:
    """Make a note at the present position; without a text show all, with `none` remove those at
    this position. Refuse more notes on a board than the limit."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.text.strip()
    own = {"board": board.id, "player": seat.player}
    if text.lower().rstrip(".!") == "none":
        call.session.execute(_REMOVE, {**own, "at_number": board.number})
    elif text:
        most = call.config.limits.notes
        if most and seat.notes >= most:
            raise Refusal(
                RefusalCode.LIMIT_REACHED,
                phrase_number(
                    "you have already made {count} note on this board",
                    "you have already made {count} notes on this board",
                    most,
                ),
                f"{board.game.info.name} note {board.id} {seat.account} PASSWORD none",
                board=board.id,
            )
        at = {"number": board.number, "ply": board.ply, "text": text, "at": call.now}
        call.session.execute(insert(notes).values(board_id=board.id, player_id=seat.player, **at))
    if text:
        count = int(call.session.execute(_COUNT, own).scalar_one())
        for each in board.seats:
            if each.player == seat.player:
                each.count_notes(count)
        save(call.session, board, call.now)
    rows = reads.find_notes(call.session, board.id, seat.player)
    view = structs.replace(build_view(board, seat.seat, BoardLog(call, board)), notes=())
    is_added = bool(text) and text.lower().rstrip(".!") != "none"
    shown = NotesShown(view=view, lines=list_notes(rows), is_added=is_added)
    return [notify_seat(call, board, seat, shown)]


# Notes of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return the notes of a player."""
    return {"notes": list_own(session, player, notes, "board_id ply at text")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the notes."""
    pass_on(act.session, (notes,), old, new)
