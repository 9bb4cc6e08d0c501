"""The record of a board, on request."""

from __future__ import annotations

from pbm.core.kernel.boards.view import address_to_seat
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.boards import BoardRecord
from pbm.core.kernel.notices.notice import Notice
from pbm.core.records.record import build_field_record, build_record, format_record
from pbm.store import reads


def export(call: Call) -> list[Notice]:
    """Send the record of a board for programs to read; its players also get the comments
    and their own notes."""
    board = call.load_board(lock=False)
    proven = {player.id for player in (call.player, *call.vouched) if player is not None}
    seated = proven & {seat.player for seat in board.seats}
    notes = [row for each in seated for row in reads.find_notes(call.session, board.id, each)]
    site = call.config.server.address
    record = build_record(call.session, board, site, comments=bool(seated), notes=notes)
    content = BoardRecord(
        game=board.game.info.name,
        board=board.id,
        record=format_record(record),
        is_whole=record["view"] == "full",
        is_seated=bool(seated),
        field=build_field_record(call.session, board, record, notes),
        format=board.game.record_format,
        has_notes=bool(notes),
    )
    return [address_to_seat(call, board, call.answer(content))]
