"""Rows of signups, codes and invitations."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.store.daily_counters import DAY
from pbm.store.tables import codes, friend_invitations, signups

_CODES_DAYS = 30


def list_old_rows(now: float, _retention: Retention) -> Iterator[OldRows]:
    """Codes are kept for a while: who sends one again reads that it was used or has expired."""
    yield OldRows((codes.c.id,), codes.c.expires < now - _CODES_DAYS * DAY)
    yield OldRows((signups.c.id,), signups.c.expires < now)
    yield OldRows((friend_invitations.c.id,), friend_invitations.c.expires < now)
