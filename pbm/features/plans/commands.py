"""The commands `plan` and `queue`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial

from msgspec import structs

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.log_view import BoardLog
from pbm.core.notices import Appearance, Notice
from pbm.core.parties import find_speaking_seat
from pbm.core.refusal import Offer, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import save
from pbm.core.talk import is_move, is_only_words, split_move
from pbm.core.turns import (
    play_moves,
    refuse_missing_move,
    require_fresh,
    require_in_play,
    require_running,
)
from pbm.core.updates import notify_seat
from pbm.core.view import build_view
from pbm.core.words import find_verb_for_move
from pbm.features.plans.lines import read_lines, read_place
from pbm.features.plans.notices import MoveQueued, PlanShown
from pbm.features.plans.rules import (
    PlanRefusalCode,
    build_queued,
    find_path,
    play_branch,
    tell_moves,
)
from pbm.features.plans.running import after_own, build_tree, require_own_plan
from pbm.features.plans.tree import Plan, find_plan, list_branches, make_plan, strip_own
from pbm.locale.words import says_none
from pbm.rules import InvalidMove, Position
from pbm.rules.phrases import combine, phrase
from pbm.rules.turn_text import require_no_question
from pbm.rules.typed_moves import ends_turn
from pbm.store.transaction import Session

_LONGEST_QUEUED = 1000
_MOST_LINES = 12
_SHORTEST_WORD = 5
"""A single word with this many letters or more is a move of no game."""


def plan(call: Call) -> list[Notice]:
    """Write the player's plan in place of any other, show it, or show the board at the end of a
    branch; `none` clears it. Refuse a plan that cannot be played from the present position."""
    board = call.load_board()
    lines = read_lines(call, board)
    seat = find_speaking_seat(call, board)
    require_running(board, seat)
    if not lines:
        return [_show(call, board, seat)]
    if len(lines) == 1 and says_none(lines[0]):
        make_plan(seat, None)
        save(call.session, board, call.now)
        return [_show(call, board, seat)]
    if place := read_place(lines):
        return [_show_end(call, board, seat, place)]
    require_in_play(board, seat, board.show_line)
    require_fresh(call, board, seat)
    is_own_turn = seat.seat in board.position.to_move
    tree = build_tree(call, board, seat, lines, None if is_own_turn else board.position)
    make_plan(seat, Plan(after_own(tree) if is_own_turn else tree, board.number))
    save(call.session, board, call.now)
    return [_show(call, board, seat)]


def _show(context: Context, board: Board, seat: Seat) -> Notice:
    """Return the answer that shows the plan of a seat, each move with its number."""
    view = build_view(board, seat.seat, BoardLog(context, board)).without("plans")
    current = find_plan(seat)
    if current is None:
        return notify_seat(context, board, seat, PlanShown(view=view, lines=()))
    lines, is_after_own = _list_branches(board, seat, current)
    shown = PlanShown(view=view, lines=lines, is_after_own=is_after_own)
    return notify_seat(context, board, seat, shown)


def _list_branches(
    board: Board, seat: Seat, current: Plan, *, has_numbers: bool = True
) -> tuple[list[str], bool]:
    """Return a plan as its owner reads it, and whether it begins after the owner's own move."""
    tree, is_after_own = strip_own(current)
    is_here = current.since == board.number and not (is_after_own or board.is_hidden)
    told = tell_moves(tree, board.position if is_here else None, seat.seat, board.ply)
    mark = board.position.mark_letters
    return list_branches(tree, told, mark, has_numbers=has_numbers), is_after_own


def show_plan(
    _session: Session, board: Board, seat: Seat, *, ply: int, is_whole: bool
) -> Sequence[str]:
    """Return the plan of a seat for the mails about the board to its owner: a title, and a line for
    each branch, only the first ones unless `is_whole`."""
    current = find_plan(seat)
    if current is None:
        return []
    lines, is_after_own = _list_branches(board, seat, current, has_numbers=False)
    title = phrase("Your plan, which only you can see:")
    if is_after_own:
        title = phrase("Your plan, which only you can see, for after your move:")
    if current.is_due:
        title = phrase("Your plan, which only you can see, for when your turn comes:")
    if len(lines) > _MOST_LINES and not is_whole:
        lines = [
            *lines[: _MOST_LINES - 1],
            combine("  {more}", more=phrase("and more: reply with plan to see all of it")),
        ]
    return [title, *lines]


def _show_end(context: Context, board: Board, seat: Seat, place: str) -> Notice:
    """Return the answer that shows the board at the end of a branch. Refuse a number without a
    branch."""
    current = find_plan(seat)
    tree, is_after_own = strip_own(current) if current is not None else ((), False)
    path = find_path(tree, place)
    if current is None or not path:
        problem = (
            phrase("your plan has no branch {place}", place=place)
            if current
            else phrase("you have no plan here")
        )
        form = f"{board.game.info.name} plan {board.id} {seat.account} PASSWORD"
        raise board.make_refusal(PlanRefusalCode.NO_SUCH_BRANCH, problem, form)
    position, is_known = board.position, False
    moves: tuple[str, ...] = ()
    if current.since == board.number and not (is_after_own or board.is_hidden):
        position, moves, is_known = play_branch(path, board.position, seat.seat)
    log = BoardLog(context, board)
    last = moves or log.last_moves
    view = structs.replace(
        build_view(dataclasses.replace(board, position=position), seat.seat, log).without("plans"),
        picture=position.picture(seat.seat, last),
        appearance=Appearance(position, seat.seat, last),
    )
    all_lines, _ = _list_branches(board, seat, current, has_numbers=False)
    lines = [line for line in all_lines if line.split()[0] == place]
    shown = PlanShown(view=view, lines=lines, place=place, is_known=is_known)
    return notify_seat(context, board, seat, shown)


def queue(call: Call) -> list[Notice]:
    """Queue a move for the player's turn, as the plan `if any then MOVE`; play it if it is their
    turn. `none` clears the plan."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.rest
    if not (seat.seat in board.position.to_move and board.state == "running"):
        seat = find_speaking_seat(call, board)
    require_running(board, seat)
    if says_none(text):
        make_plan(seat, None)
        save(call.session, board, call.now)
        return [_notify_queued(call, board, seat, "")]
    if seat.seat in board.position.to_move:
        return play_moves(call, board, seat, text)
    if not text:
        raise refuse_missing_move(call, board)
    require_in_play(board, seat, board.show_line)
    is_whole = is_move(board.position, text)
    move, rest = ("", "") if is_whole else split_move(board.position, text)
    if move or find_verb_for_move(text) is not None or not may_be_moves(board.position, text):
        below = "\n".join(filter(None, (rest, call.command.text)))
        raise board.make_refusal(
            RefusalCode.NOT_A_MOVE,
            phrase("only moves can be queued"),
            *([] if move else [call.command.form]),
            offer=Offer(f"queue {move}", below) if move else None,
        )
    text = text[:_LONGEST_QUEUED]
    require_own_plan(board, seat)
    make_plan(seat, build_queued(text, call.command.text, call.command.ply, board.number))
    save(call.session, board, call.now)
    return [_notify_queued(call, board, seat, text)]


def may_be_moves(position: Position, text: str) -> bool:
    """Whether a text may be moves of a later turn: written as moves are now, or, where that depends
    on the phase, neither a question nor a sentence."""
    try:
        require_no_question(position, min(position.to_move, default=0), text)
    except InvalidMove:
        return False
    if ends_turn(text) or is_move(position, text):
        return True
    if "sealed" not in position.game.info.features:
        return False
    is_word = text.rstrip(".!").isalpha() and len(text) >= _SHORTEST_WORD
    return not is_word and not is_only_words(text, partial(is_move, position))


def _notify_queued(context: Context, board: Board, seat: Seat, text: str) -> Notice:
    view = build_view(board, seat.seat, BoardLog(context, board)).without("plans")
    return notify_seat(context, board, seat, MoveQueued(view=view, queued=text))
