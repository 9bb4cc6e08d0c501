"""Wakes a sleeping board for a command of its challenger."""

from __future__ import annotations

from pbm.core.board import Board
from pbm.core.call import Call, Handler, MustWrite
from pbm.core.notices import BoardUpdate, Notice
from pbm.core.refusal import Refusal
from pbm.core.refusal_texts import build_refusal
from pbm.core.storing import load
from pbm.features.lobby import challenges, sleeping

_ENDING_VERBS = ("decline", "reject", "resign", "cancel")
"""Verbs that delete a sleeping board instead of waking it."""


def wake_for(call: Call, number: int, do: Handler) -> list[Notice] | None:
    """Do a challenger's command on a sleeping board, which wakes first and stays awake when the
    command is refused. Return None for anybody but the challenger. Raise MustWrite in a call that
    only reads."""
    board = load(call.session, number, asleep=True)
    if call.player is None or not sleeping.is_challenger(board, call.player.id):
        return None
    if call.reads_only:
        raise MustWrite
    return _wake(call, board, do)


def _wake(call: Call, board: Board, do: Handler) -> list[Notice]:
    """Do a command on a sleeping board; the board wakes unless the command deletes it."""
    verb = call.command.verb.name
    with call.session.savepoint():
        if verb in _ENDING_VERBS:
            return sleeping.drop_for_challenger(call, board)
        call.remove_stray_moves(board)
        comment = call.command.text if verb == "accept" else ""
        woken = challenges.wake(call, board.id, comment)
    if verb == "accept":
        return woken
    try:
        with call.session.savepoint():
            done = do(call)
    except Refusal as refusal:
        done = [build_refusal(call, refusal)]
    is_shown = any(n.is_answer and isinstance(n.content, BoardUpdate) for n in done)
    return [*(notice for notice in woken if not (is_shown and notice.is_answer)), *done]
