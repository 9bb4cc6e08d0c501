"""Reads of the notes that players make at boards."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from pbm.store.board_tables import NoteRow, notes
from pbm.store.rows import Query
from pbm.store.transaction import Session

_NOTES = Query(
    NoteRow,
    select(notes)
    .where(notes.c.board_id == bindparam("board"), notes.c.player_id == bindparam("player"))
    .order_by(notes.c.id),
)


def find_notes(session: Session, board: int, player: int) -> Sequence[NoteRow]:
    """Return the notes of a player at a board, oldest first."""
    return session.all(_NOTES, {"board": board, "player": player})
