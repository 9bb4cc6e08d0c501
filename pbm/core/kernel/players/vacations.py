"""When a player is on vacation."""

from __future__ import annotations

from pbm.core.kernel.boards.clock import Span
from pbm.store.reads.player_rows import find_vacations
from pbm.store.transaction import Session


def list_vacations(session: Session, player: int) -> list[Span]:
    """Return the vacations of a player, past and planned, as (begin, end)."""
    return [(row.begins, row.ends) for row in find_vacations(session, player)]


def is_on(session: Session, player: int, now: float) -> bool:
    """Whether a player is on vacation."""
    return any(begin <= now < end for begin, end in list_vacations(session, player))
