"""Notices about vacations."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.kernel.notices.content import AccountContent


class VacationAnnounced(AccountContent, frozen=True, kw_only=True):
    """An opponent of the reader's is on vacation."""

    boards: Sequence[str]
    until: str


class VacationState(AccountContent, frozen=True, kw_only=True):
    """The current and planned vacations as (first, last), and the days left; `ended`: just now."""

    ended: bool
    spans: Sequence[tuple[str, str]]
    left: str
    allowance: int
    example: str


class VacationTaken(AccountContent, frozen=True, kw_only=True):
    """One of the reader's clocks ran out, so a vacation began automatically."""

    until: str
    left: str
