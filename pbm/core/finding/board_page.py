"""A board as a page: the view that mails have, the scene that pictures and clicks are made of, and
any past position."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.clocks import find_deadline, format_end
from pbm.core.kernel.boards.log import replay
from pbm.core.kernel.boards.log_view import BoardLog, MoveLine
from pbm.core.kernel.boards.view import build_headline, build_view
from pbm.core.kernel.context import Context
from pbm.core.kernel.notices.boards import BoardView
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules import Position
from pbm.rules.drawing.scene import Scene
from pbm.rules.phrases import phrase


class BoardPage(Struct, frozen=True):
    """What a page shows of a board, at a ply or (None) as it stands: the view, the moves, and until
    when those on the move have time. The scene and the words are made when they are needed, and the
    view has no picture as text."""

    view: BoardView
    headline: str
    clocks: Sequence[str]
    moves: Sequence[MoveLine]
    at: int | None
    position: Position
    viewer: int | None
    last: Sequence[str]
    is_stopped: bool

    def build_scene(self) -> Scene:
        """Return the board, with the last moves marked, as the viewer may see it."""
        return self.position.scene(self.viewer, self.last)

    def write_words(self) -> str:
        """Return the same in words."""
        return self.position.words(self.viewer, self.last, is_stopped=self.is_stopped)


def build_board_page(
    context: Context, board: Board, viewer: int | None, at: int | None
) -> BoardPage:
    """Return the page of a board as a seat, or (None) a spectator, may see it, after `at` moves or
    now. Refuse a ply that the board has not reached."""
    log = BoardLog(context, board, upto=at, is_whole=True)
    if at is not None:
        board = rewind(board, log, at)
    return BoardPage(
        view=build_view(board, viewer, log, is_drawn=False),
        headline=build_headline(board, viewer),
        moves=log.moves(viewer),
        clocks=() if at is not None else _describe_clocks(context, board, viewer),
        at=at,
        position=log.tell(board),
        viewer=viewer,
        last=log.last_moves,
        is_stopped=board.state != "running",
    )


def _describe_clocks(context: Context, board: Board, viewer: int | None) -> list[str]:
    """Say until when the seats on the move have time, in the viewer's zone; once where orders of
    several are due at the same time."""
    if board.state != "running":
        return []
    preferences = {} if viewer is None else board.seats[viewer].preferences
    ends = {
        seat: find_deadline(board, board.seats[seat])
        for seat in sorted(board.position.to_move)
        if seat >= 0
    }
    if board.position.takes_orders and len(ends) > 1 and len({*ends.values()}) == 1:
        due = next(iter(ends.values()))
        if due is None:
            return []
        return [phrase("Orders are due by {end}.", end=format_end(due, preferences, context.now))]
    return [
        phrase("You have until {end}.", end=format_end(end, preferences, context.now))
        if seat == viewer
        else phrase(
            "{player} has until {end}.",
            player=board.seats[seat].userid,
            end=format_end(end, preferences, context.now),
        )
        for seat, end in ends.items()
        if end is not None
    ]


def rewind(board: Board, log: BoardLog, ply: int) -> Board:
    """Return the board as it was after `ply` moves, which the log ends with. Refuse a ply that it
    has not reached."""
    if ply > board.ply:
        raise Refusal(
            RefusalCode.NO_SUCH_PLY,
            phrase("board {board} has only had {ply} moves", board=board.id, ply=board.ply),
            f"{board.game.info.name} show {board.id}#{board.ply}",
            board=board.id,
        )
    position = replay(board.game, len(board.seats), board.options, log.entries)
    ended = position.outcome is not None
    return replace(
        board, position=position, ply=ply, state="over" if ended else "running", agreed=None
    )
