"""A board as a page: the view that mails have, the scene that pictures and clicks are made of, and
any past position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbm.core.language.call import Call
from pbm.core.model.board import Board
from pbm.core.model.log import replay
from pbm.core.model.notices.board_notices import BoardView
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.views.board_log import BoardLog
from pbm.core.views.board_view import build_headline, build_view
from pbm.rules.drawing.scene import Scene


@dataclass(frozen=True, slots=True)
class BoardPage:
    """What a page shows of a board, at a ply or (None) as it stands: the view, the scene and the
    same in words."""

    view: BoardView
    headline: str
    scene: Scene
    words: str
    at: int | None


def build_board_page(call: Call, board: Board, viewer: int | None, at: int | None) -> BoardPage:
    """The page of a board as a seat, or (None) a spectator, may see it, after `at` moves or now.
    Refuses a ply that the board has not reached."""
    log = BoardLog(call, board, upto=at)
    if at is not None:
        board = rewind(board, log, at)
    shown, last = board.shown, log.find_last_moves()
    return BoardPage(
        view=build_view(board, viewer, log),
        headline=build_headline(board, viewer),
        scene=shown.scene(viewer, last),
        words=shown.words(viewer, last),
        at=at,
    )


def rewind(board: Board, log: BoardLog, ply: int) -> Board:
    """The board as it was after `ply` moves, which the log ends with. Refuses a ply that it has not
    reached."""
    if ply > board.ply:
        raise Refusal(
            RefusalCode.NO_SUCH_PLY,
            f"board {board.id} has only had {board.ply} moves",
            f"{board.game.info.name} show {board.id}#{board.ply}",
            board=board.id,
        )
    position = replay(board.game, len(board.seats), board.options, log.entries)
    ended = position.outcome is not None
    return replace(
        board, position=position, ply=ply, state="over" if ended else "running", agreed=None
    )
