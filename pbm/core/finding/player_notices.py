"""Notices about players: lists of them, one of them, two of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.kernel.boards.rating_changes import RatingLine
from pbm.core.kernel.notices.content import Content


class PlayerLine(Struct, frozen=True):
    """One player of a list: when last here, or the rating; what the player seeks."""

    name: str
    fact: str
    notes: str


class PlayerList(Content, frozen=True, kw_only=True):
    """Players who have been here lately, or (`game`) who play a game, the nearest to the reader's
    own rating first; `bots` are the computer players."""

    title: str
    rows: Sequence[PlayerLine]
    game: str = ""
    own_rating: str = ""
    more: bool = False
    bots: Sequence[str] = ()


class PlayerCard(Content, frozen=True, kw_only=True):
    """What everybody may know of a player."""

    userid: str
    player: str
    is_bot: bool
    since: str
    seen: str
    boards: int
    notes: str
    ratings: Sequence[RatingLine]


class PairResult(Struct, frozen=True):
    """How the first of two players has fared in one game."""

    game: str
    boards: int
    won: int
    tied: int
    lost: int


class PairStats(Content, frozen=True, kw_only=True):
    """How two players have fared against each other, by game, and their last boards."""

    one: str
    other: str
    rows: Sequence[PairResult]
    last: Sequence[str]
