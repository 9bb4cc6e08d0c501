"""Notes: remarks at a position of a board that only their writer sees."""

from __future__ import annotations

from msgspec import structs
from sqlalchemy import bindparam, delete, func, insert, select

from pbm.core.kernel.boards.log_view import BoardLog, list_notes
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.updates import notify_seat
from pbm.core.kernel.boards.view import build_view
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.boards import NotesShown
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase_number
from pbm.store import reads
from pbm.store.tables import notes

_OWN = (notes.c.board_id == bindparam("board"), notes.c.player_id == bindparam("player"))
_COUNT = select(func.count()).select_from(notes).where(*_OWN)
_REMOVE = delete(notes).where(*_OWN, notes.c.number == bindparam("at_number"))


def note(call: Call) -> list[Notice]:
    """Make a note at the present position; without a text show all, with `none` remove those at
    this position. Refuse more notes on a board than the limit."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.text.strip()
    own = {"board": board.id, "player": seat.player}
    if text.lower().rstrip(".!") == "none":
        call.session.execute(_REMOVE, {**own, "at_number": board.number})
    elif text:
        most = call.config.limits.notes
        if most and seat.notes >= most:
            raise Refusal(
                RefusalCode.LIMIT_REACHED,
                phrase_number(
                    "you have already made {count} note on this board",
                    "you have already made {count} notes on this board",
                    most,
                ),
                f"{board.game.info.name} note {board.id} {seat.account} PASSWORD none",
                board=board.id,
            )
        at = {"number": board.number, "ply": board.ply, "text": text, "at": call.now}
        call.session.execute(insert(notes).values(board_id=board.id, player_id=seat.player, **at))
    if text:
        count = int(call.session.execute(_COUNT, own).scalar_one())
        for each in board.seats:
            if each.player == seat.player:
                each.count_notes(count)
        save(call.session, board, call.now)
    rows = reads.find_notes(call.session, board.id, seat.player)
    view = structs.replace(build_view(board, seat.seat, BoardLog(call, board)), notes=())
    is_added = bool(text) and text.lower().rstrip(".!") != "none"
    shown = NotesShown(view=view, lines=list_notes(rows), is_added=is_added)
    return [notify_seat(call, board, seat, shown)]
