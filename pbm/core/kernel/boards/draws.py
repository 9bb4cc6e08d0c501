"""Draws: by agreement of all who still play, or claimed."""

from __future__ import annotations

from typing import Any

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log import apply_entry, build_entry, drop_undone
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import find_draw_claim, save
from pbm.core.kernel.boards.undo_state import keep_act
from pbm.core.kernel.boards.updates import Change, build_change
from pbm.core.kernel.context import Context
from pbm.rules import outcome_of
from pbm.rules.phrases import phrase
from pbm.store import reads


def claim_draw(context: Context, board: Board, seat: Seat, comment: str) -> Change | None:
    """End the board as a draw that the seat may claim; None when it may not."""
    reason = find_draw_claim(context.session, board)
    if not reason:
        return None
    event = phrase("{player} claimed a draw: {reason}", player=seat.userid, reason=reason)
    own = phrase("you claimed a draw: {reason}", reason=reason)
    return _end_as_draw(context, board, seat, reason, (event, own), comment)


def agree_to_draw(
    context: Context, board: Board, seat: Seat, comment: str, before: dict[str, Any]
) -> Change | None:
    """Propose a draw or agree to one, for all seats of the player; None while others have not
    agreed. `before` is what taking the agreement back restores."""
    seats = [each.seat for each in board.seats if each.player == seat.player]
    if not board.propose("draw", [seat.seat, *seats]):
        return None
    event = phrase("{player} agreed to a draw", player=seat.userid)
    own = phrase("you agreed to a draw")
    reason = phrase("a draw by agreement")
    return _end_as_draw(context, board, seat, reason, (event, own), comment, before)


def _end_as_draw(
    context: Context,
    board: Board,
    seat: Seat,
    reason: str,
    event: tuple[str, str],
    comment: str,
    before: dict[str, Any] | None = None,
) -> Change:
    """End the board as a draw of the seats in play; those that have left rank below them. The event
    is as others read it, and as its actor does."""
    playing = sorted(board.position.playing)
    left = [each.seat for each in board.seats if each.seat not in playing]
    outcome = outcome_of([playing, *([s] for s in _sort_leavers(context, board, left))], reason)
    board.draw(seat.seat, outcome, comment, context.now)
    remark = keep_act(context, board, seat, "draw", before) if before is not None else ""
    save(context.session, board, context.now)
    told, own = event
    return build_change(board, told, own=own, actor=seat.seat, comment=comment, remark=remark)


def _sort_leavers(context: Context, board: Board, seats: list[int]) -> list[int]:
    """Return the seats that have left, last to leave first."""
    position = board.game.setup(len(board.seats), board.options)
    order: list[int] = []
    for entry in drop_undone(build_entry(row) for row in reads.find_log(context.session, board.id)):
        position = apply_entry(position, entry)
        order += [s for s in seats if s not in position.playing and s not in order]
    return order[::-1]
