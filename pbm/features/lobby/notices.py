"""Notices about offers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.notices import GameContent


class OfferLine(Struct, frozen=True):
    """An open offer; `points` is the maker's rating, `range` the ratings that may join, `boards`
    on how many boards its maker plays as many others, or 0. `is_own`: the reader made it."""

    offer: int
    game: str
    player: str
    points: str
    options: str
    missing: int
    players: int
    comment: str
    range: str
    until: str
    boards: int = 0
    is_own: bool = False


class OfferList(GameContent, frozen=True, kw_only=True):
    """The open offers of a game, or ("") of all games."""

    rows: Sequence[OfferLine]


class OfferMade(GameContent, frozen=True, kw_only=True):
    """The reader's offer is open; `rating` is the lowest and the highest rating that may join."""

    offer: int
    title: str
    players: int
    options: str
    rating: tuple[int, int] | None
    userid: str
    until: str


class SimulOffered(GameContent, frozen=True, kw_only=True):
    """The reader offers an exhibition against as many players as there are boards."""

    offer: int
    title: str
    boards: int
    options: str
    userid: str
    until: str


class OfferWithdrawn(GameContent, frozen=True, kw_only=True):
    """The reader's offers of a game are withdrawn."""

    userid: str
    offers: str


class OfferJoined(GameContent, frozen=True, kw_only=True):
    """The reader (`own`) or another player joined an offer that needs still more players."""

    offer: int
    missing: int
    joiner: str
    names: str
    own: bool


class OfferExpired(GameContent, frozen=True, kw_only=True):
    """An offer that the reader made (`own`) or joined found too few players in time."""

    offer: int
    userid: str
    options: str
    players: int
    own: bool
