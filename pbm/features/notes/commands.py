"""`note`: remarks at a position of a board that only their writer sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from sqlalchemy import bindparam, delete, func, insert, select

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.log_view import BoardLog
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, list_own, pass_on
from pbm.core.refusal import RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import save
from pbm.core.updates import notify_seat
from pbm.core.view import build_view
from pbm.features.notes.notices import NotesShown
from pbm.locale.words import says_none
from pbm.rules.phrases import phrase, phrase_number
from pbm.store import reads
from pbm.store.tables import NoteRow, notes, seats
from pbm.store.transaction import Session

_LAST = 5
_COLUMNS = 78
_OWN = (notes.c.board_id == bindparam("board"), notes.c.player_id == bindparam("player"))
_COUNT = select(func.count()).select_from(notes).where(*_OWN)
_REMOVE = delete(notes).where(*_OWN, notes.c.number == bindparam("at_number"))


def note(call: Call) -> list[Notice]:
    """Make a note at the present position. Without a text show all notes; with `none` remove those
    at this position. Refuse more notes on a board than the limit."""
    board = call.load_board()
    seat = board.find_seat(call.me)
    text = call.command.text.strip()
    me = call.me.id
    own = {"board": board.id, "player": me}
    if says_none(text):
        call.session.execute(_REMOVE, {**own, "at_number": board.number})
    elif text:
        most = call.config.limits.notes
        if most and seat.notes >= most:
            raise board.make_refusal(
                RefusalCode.LIMIT_REACHED,
                phrase_number(
                    "you have already made {count} note on this board",
                    "you have already made {count} notes on this board",
                    most,
                ),
                f"{board.game.info.name} note {board.id} {seat.account} PASSWORD none",
            )
        at = {"number": board.number, "ply": board.ply, "text": text, "at": call.now}
        call.session.execute(insert(notes).values(board_id=board.id, player_id=me, **at))
    if text:
        count = int(call.session.execute(_COUNT, own).scalar_one())
        for each in board.seats:
            if each.player == seat.player:
                each.notes = count
        save(call.session, board, call.now)
    rows = reads.find_notes(call.session, board.id, me)
    view = build_view(board, seat.seat, BoardLog(call, board)).without("notes")
    is_added = bool(text) and not says_none(text)
    shown = NotesShown(view=view, lines=_list_lines(rows), is_added=is_added)
    return [notify_seat(call, board, seat, shown)]


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the notes and the variations of a player."""
    kept = list_own(session, player, seats, "board_id tried")
    return {
        "notes": list_own(session, player, notes, "board_id ply at text"),
        "variations": [row for row in kept if row["tried"]],
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the notes."""
    pass_on(act.session, (notes,), old, new)


def show_notes(
    session: Session, board: Board, seat: Seat, *, ply: int, is_whole: bool
) -> Sequence[str]:
    """Return the last notes of a seat's player, or all of them, below a title."""
    if not seat.notes or seat.decides:
        return []  # of a party, each makes notes for themselves: `note` shows them
    rows = [row for row in reads.find_notes(session, board.id, seat.player) if row.ply <= ply]
    lines = _list_lines(rows if is_whole else rows[-_LAST:])
    return [phrase("Your notes, which only you can see:"), *lines] if lines else []


def _list_lines(rows: Iterable[NoteRow]) -> list[str]:
    """Return notes in lines, each below the number of the move after which it was made."""
    lines = []
    for row in rows:
        head = f"  ({row.ply}) "
        for line in row.text.splitlines():
            pieces = wrap(line, _COLUMNS - len(head)) or [""]
            lines += [f"{head if at == 0 else ' ' * len(head)}{p}" for at, p in enumerate(pieces)]
            head = " " * len(head)
    return lines
