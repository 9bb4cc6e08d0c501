"""Rows of offers: games that wait for players to join."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.store.daily_counters import DAY
from pbm.store.tables import offers


def list_old_rows(now: float, retention: Retention) -> Iterator[OldRows]:
    """Offers that ended go with the rows of mails."""
    if retention.rows_days:
        before = now - retention.rows_days * DAY
        yield OldRows((offers.c.id,), (offers.c.state != "open") & (offers.c.expires < before))
