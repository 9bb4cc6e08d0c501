"""Rows of what players write to each other at boards."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.store.daily_counters import DAY
from pbm.store.tables import chats


def list_old_rows(now: float, retention: Retention) -> Iterator[OldRows]:
    """Texts at boards go when mails lose theirs."""
    if retention.mails_days:
        yield OldRows((chats.c.id,), chats.c.at < now - retention.mails_days * DAY)
