"""What is due on a board that nobody plays yet: it sleeps, or is an invitation."""

from __future__ import annotations

from pbm.core.kernel.boards import clocks as board_clocks
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.updates import notify_board
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.notices.notice import Notice
from pbm.core.lobby import sleeping
from pbm.rules.phrases import phrase


def check_board(work: DueWork, board: Board) -> list[Notice]:
    """Delete a board that has slept for too long, cancel an invitation that nobody answered."""
    context = work.context
    if board.state == "sleeping" and context.now >= board.created + board_clocks.SLEEP_LIMIT:
        sleeping.drop(context.session, board.id)
    if board.state == "invited":
        return _expire_invitation(context, board)
    return []


def _expire_invitation(context: Context, board: Board) -> list[Notice]:
    """Cancel an invitation that nobody answered within the time for a move."""
    end = board_clocks.find_invitation_end(board, context.session)
    if end is None or context.now < end + board_clocks.GRACE:
        return []
    board.cancel(None, "", context.now)
    save(context.session, board, context.now)
    event = phrase("the invitation was not answered in time")
    if board.event is not None:
        event = phrase(
            "the challenge was not answered in time, and so lost in event {event}",
            event=board.event,
        )
    return notify_board(context, board, event)
