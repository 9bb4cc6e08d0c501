"""Going back on a board: to an earlier position, or behind the last act."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbm.core.model.board import Board
from pbm.core.model.clock import HOUR
from pbm.core.model.log import Entry, apply_entry, drop_undone


def take_back(
    board: Board, ply: int, seat: int | None, comment: str, log: Iterable[Entry], now: float
) -> None:
    """Go back to the position after `ply` moves, for a seat or (None) the operator. `drop_undone`
    says what else that takes back."""
    board.note("undo", seat, str(ply), comment, now)
    _retrace(board, [*log, board.entries[-1]])
    for each in board.seats:
        board.discard_plans(each, "moves were taken back")
    board.moved = now
    board.undos += 1
    board.proposals = {}


def roll_back(board: Board, ply: int, comment: str, log: Iterable[Entry], now: float) -> None:
    """Go back to the position after `ply` moves for the operator, even when the board has ended."""
    take_back(board, ply, None, comment, log, now)
    _reopen(board, "running")


def save_for_undo(board: Board) -> dict[str, Any]:
    """What taking back the next act has to restore besides the position."""
    return {
        "state": board.state,
        "moved": board.moved,
        "proposals": dict(board.proposals),
        "seats": [[s.spent, s.due, s.reminded, s.plan, s.submitted] for s in board.seats],
    }


def keep(board: Board, act: str, player: int, before: dict[str, Any], now: float) -> None:
    """Let that player take back the act just done, for an hour and until something else happens;
    not when it has revealed a roll or what was hidden."""
    has_ended = board.outcome is not None or board.is_over
    shows_all = has_ended and board.game.info.features & {"chance", "hidden", "sealed"}
    if not shows_all and board.entries[-1].kind != "chance":
        board.kept = {**before, "act": act, "player": player, "until": now + HOUR}


def retract(board: Board, seat: int, comment: str, log: Iterable[Entry], now: float) -> str:
    """Take back the kept act, continue as before it, and return which act it was."""
    kept = board.kept
    board.note("undo", seat, kept["act"], comment, now)
    _reopen(board, kept["state"])
    _retrace(board, [*log, board.entries[-1]])
    board.moved, board.proposals = kept["moved"], kept["proposals"]
    for each, values in zip(board.seats, kept["seats"], strict=True):
        each.spent, each.due, each.reminded, each.plan, each.submitted = values
    board.undos += kept["act"] == "undo"
    return str(kept["act"])


def _reopen(board: Board, state: str) -> None:
    """Remove the result."""
    board.state, board.ended, board.agreed, board.is_reopened = state, None, None, True
    for seat in board.seats:
        seat.set_rank(None)


def _retrace(board: Board, log: Iterable[Entry]) -> None:
    """Set the position and the counters that go with it from a log."""
    position = board.game.setup(len(board.seats), board.options)
    board.turn_ply, board.asked, board.ply = 0, 0, 0
    for each in board.seats:
        each.moved = False
    for entry in drop_undone(log):
        following = apply_entry(position, entry)
        if following.turn != position.turn:
            board.turn_ply = entry.ply
        if entry.kind == "move" and entry.seat is not None:
            board.seats[entry.seat].moved = True
            board.asked = 0
        board.asked += entry.kind == "chance"
        board.ply = entry.ply
        position = following
    board.position = position
