"""Taking back one's own resignation or acceptance, once for each kind of act on a board."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log import build_entry
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.updates import notify_board
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.rules.phrases import phrase
from pbm.store import reads

_RETRACTED: Mapping[str, str] = {
    "resign": phrase("the resignation"),
    "draw": phrase("the acceptance of the draw"),
    "undo": phrase("the acceptance of the undo"),
    "cancel": phrase("the cancellation"),
}
_ONCE: Mapping[str, str] = {
    "resign": phrase(
        "you can take back a resignation once on each board: the next one here is final"
    ),
    "draw": phrase(
        "you can take back the acceptance of a draw once on each board: the next one here is final"
    ),
    "undo": phrase(
        "you can take back the acceptance of an undo once on each board: the next one here is final"
    ),
    "cancel": phrase(
        "you can take back a cancellation once on each board: the next one here is final"
    ),
}


def retract(call: Call, board: Board, seat: Seat) -> list[Notice]:
    """Take back one's own last act and continue as before it."""
    log = [build_entry(row) for row in reads.find_log(call.session, board.id)]
    act = board.retract(seat.seat, call.command.text, log, call.now)
    save(call.session, board, call.now)
    what = _RETRACTED[act]
    return notify_board(
        call,
        board,
        phrase("{player} took back {what}", player=seat.userid, what=what),
        own=phrase("you took back {what}", what=what),
        actor=seat.seat,
        comment=call.command.text,
        remark=_ONCE[act],
    )
