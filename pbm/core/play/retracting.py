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
from pbm.store import reads

_RETRACTED: Mapping[str, str] = {
    "resign": "the resignation",
    "draw": "the acceptance of the draw",
    "undo": "the acceptance of the undo",
    "cancel": "the cancellation",
}
_ONCE: Mapping[str, str] = {
    "resign": "you can take back a resignation once on each board: the next one here is final",
    "draw": "you can take back the acceptance of a draw once on each board: the next one here is "
    "final",
    "undo": "you can take back the acceptance of an undo once on each board: the next one here is "
    "final",
    "cancel": "you can take back a cancellation once on each board: the next one here is final",
}


def retract(call: Call, board: Board, seat: Seat) -> list[Notice]:
    """Take back one's own last act and continue as before it."""
    log = [build_entry(row) for row in reads.find_log(call.session, board.id)]
    act = board.retract(seat.seat, call.command.text, log, call.now)
    save(call.session, board, call.now)
    event = f"{{who}} took back {_RETRACTED[act]}"
    comment = call.command.text
    return notify_board(call, board, event, actor=seat.seat, comment=comment, remark=_ONCE[act])
