"""Notices that list ratings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.kernel.boards.rating_changes import RatingLine
from pbm.core.kernel.notices.content import Content, GameContent


class LadderRow(Struct, frozen=True):
    """One player on the ladder of a game."""

    userid: str
    rating: str
    boards: int


class LadderPart(Struct, frozen=True):
    """A part of a ladder, best first; `more`: there are others."""

    title: str
    rows: Sequence[LadderRow]
    more: bool


class Ladder(GameContent, frozen=True, kw_only=True):
    """The ratings in a game; those with an uncertainty above `limit` are provisional."""

    parts: Sequence[LadderPart]
    limit: int


class PlayerRatings(Content, frozen=True, kw_only=True):
    """All ratings of one player, and the last boards that changed them as (board, line)."""

    userid: str
    player: str
    rows: Sequence[RatingLine]
    changes: Sequence[tuple[str, str]]
