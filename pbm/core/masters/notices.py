"""Notices that ask a player to take a seat over, and tell the one before them of it."""

from __future__ import annotations

from pbm.core.kernel.notices.content import GameContent


class SeatOffered(GameContent, frozen=True, kw_only=True):
    """The master of a board asks the reader to go on with a power; `who` says so."""

    board: int
    userid: str
    power: str
    who: str


class SeatPassedOn(GameContent, frozen=True, kw_only=True):
    """Somebody has taken the reader's power over; `by` is empty where nobody is to know whom."""

    board: int
    power: str
    by: str
