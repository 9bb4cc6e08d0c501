"""Notices that list something: games, boards, offers, ratings; and what becomes of an offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.model.notices.content import Content, GameContent
from pbm.rules import GameInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class GameList(Content):
    """The games that the server has."""

    games: Sequence[GameInfo]
    userid: str


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board of a list; a star marks who is on the move."""

    board: int
    game: str
    names: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardList(Content):
    """Boards, the most `urgent` first or the newest; `more`: not all of them."""

    title: str
    rows: Sequence[BoardLine]
    more: bool = False
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for a player. `until` says when the player's time is over, "" for never;
    `end` is the same in seconds."""

    game: str
    board: int
    ply: int
    invited: bool
    others: str
    until: str
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest(Content):
    """The boards that wait for a player, the most urgent first."""

    userid: str
    rows: Sequence[WaitingBoard]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings(GameContent):
    """Userids with the boards won, tied and lost."""

    rows: Sequence[tuple[str, tuple[int, int, int]]]


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One player on the ladder of a game."""

    userid: str
    rating: str
    boards: int


@dataclass(frozen=True, slots=True)
class LadderPart:
    """A part of a ladder, best first; `more`: not all of it."""

    title: str
    rows: Sequence[LadderRow]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(GameContent):
    """The ratings of all players of a game; above `limit` points of uncertainty they are
    provisional."""

    parts: Sequence[LadderPart]
    limit: int


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A player's rating in one game."""

    game: str
    rating: str
    boards: int
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRatings(Content):
    """All ratings of one player, and the last boards that changed them as (board, line)."""

    userid: str
    player: str
    rows: Sequence[RatingLine]
    changes: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class OfferLine:
    """An open offer; `points` is the rating of who made it, `range` which ratings it is for."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferList(GameContent):
    """The open offers of a game, or ("") of all games."""

    rows: Sequence[OfferLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferMade(GameContent):
    """The reader's offer stands; `rating` are the lowest and the highest that it is for."""

    offer: int
    title: str
    players: int
    options: str
    rating: tuple[int, int] | None
    userid: str
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWithdrawn(GameContent):
    """The reader's offers of a game are withdrawn."""

    userid: str
    offers: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferJoined(GameContent):
    """Somebody, or the reader (`own`), joined an offer that still waits for more players."""

    offer: int
    missing: int
    joiner: str
    names: str
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferExpired(GameContent):
    """An offer that the reader made (`own`) or joined was not taken up in time."""

    offer: int
    userid: str
    options: str
    players: int
    own: bool
