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
    """One board of a list; a star marks whose turn it is."""

    board: int
    game: str
    names: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardList(Content):
    """A list of boards, the most `urgent` or the newest first; `more`: there are others."""

    title: str
    rows: Sequence[BoardLine]
    more: bool = False
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class WaitingBoard:
    """A board that waits for a player until `end` (POSIX time), in words `until` ("": no limit)."""

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

    stopped_by = "set digest=no"

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
    """A part of a ladder, best first; `more`: there are others."""

    title: str
    rows: Sequence[LadderRow]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(GameContent):
    """The ratings in a game; those with an uncertainty above `limit` are provisional."""

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
    """An open offer; `points` is the player's rating, `range` the ratings that may join."""

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
    """The reader's offer is open; `rating` is the lowest and the highest rating that may join."""

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
    """The reader (`own`) or somebody else joined an offer that needs still more players."""

    offer: int
    missing: int
    joiner: str
    names: str
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferExpired(GameContent):
    """An offer that the reader made (`own`) or joined found too few players in time."""

    offer: int
    userid: str
    options: str
    players: int
    own: bool
