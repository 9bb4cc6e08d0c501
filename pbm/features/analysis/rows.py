"""Rows of analyses."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.config import Retention
from pbm.core.feature import OldRows
from pbm.features.analysis.tables import analyses
from pbm.store.backlog import WAITING
from pbm.store.daily_counters import DAY


def list_old_rows(now: float, retention: Retention) -> Iterator[OldRows]:
    """Analyses go with the rows of mails."""
    if retention.rows_days:
        before = now - retention.rows_days * DAY
        ended = (analyses.c.state != WAITING) & (analyses.c.finished < before)
        yield OldRows((analyses.c.board_id,), ended)
