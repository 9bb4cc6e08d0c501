"""The record of a board, on request."""

from __future__ import annotations

from pbm.core.language.call import Call
from pbm.core.model.notices.board_notices import BoardRecord
from pbm.core.model.notices.notice import Notice
from pbm.core.views.board_record import build_field_record, build_record, format_record


def export(call: Call) -> list[Notice]:
    """Send the record of a board for programs to read; its players also get the comments."""
    board = call.load_board(lock=False)
    proven = {player.id for player in (call.player, *call.vouched) if player is not None}
    is_seated = any(seat.player in proven for seat in board.seats)
    record = build_record(call.session, board, call.config.server.address, comments=is_seated)
    return [
        call.answer(
            BoardRecord(
                game=board.game.info.name,
                board=board.id,
                record=format_record(record),
                is_whole=record["view"] == "full",
                is_seated=is_seated,
                field=build_field_record(call.session, board, record),
            )
        )
    ]
