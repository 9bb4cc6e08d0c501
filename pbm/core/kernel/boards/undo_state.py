"""Keeps what taking back an act would restore: once on a board for each kind of act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.context import Context
from pbm.rules.phrases import phrase
from pbm.store import reads

_FINAL: Mapping[str, str] = {
    "resign": phrase("you have taken back a resignation on this board before: this one is final"),
    "draw": phrase(
        "you have taken back the acceptance of a draw on this board before: this one is final"
    ),
    "undo": phrase(
        "you have taken back the acceptance of an undo on this board before: this one is final"
    ),
    "cancel": phrase("you have taken back a cancellation on this board before: this one is final"),
}


def keep_act(context: Context, board: Board, seat: Seat, act: str, before: dict[str, Any]) -> str:
    """Let the player take back the act just done, unless one of its kind was taken back on the
    board before. Returns the sentence that says so, "" where there is nothing to say."""
    own = {each.seat for each in board.seats if each.player == seat.player}
    for row in reads.find_log(context.session, board.id):
        if row.kind == "undo" and row.move == act and row.seat in own:
            return _FINAL[act]
    board.keep(act, seat.player, before, context.now)
    return ""
