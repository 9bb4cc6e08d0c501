"""Notices that list something: games, boards, offers, ratings; and what becomes of an offer."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.model.notices.content import Content, GameContent


class GameLine(Struct, frozen=True):
    """One game of a list: for how many players, how long, and how many boards were started here."""

    name: str
    players: str
    length: str
    boards: int
    summary: str
    title: str


class GameGroup(Struct, frozen=True):
    """The games of a family, its name and what they are about; both "" for any games."""

    family: str
    about: str
    games: Sequence[GameLine]


class GameList(Content, frozen=True, kw_only=True):
    """`count` games in groups, and the computer players, who cannot play some of them."""

    title: str
    groups: Sequence[GameGroup]
    count: int
    bots: Sequence[str]
    without_bots: Sequence[str]
    userid: str


class BoardLine(Struct, frozen=True):
    """One board of a list; a star marks whose turn it is. `moved` is when the turn began, or when
    the board ended; `until`, in words, when the reader has to move."""

    board: int
    game: str
    names: str
    status: str
    moved: float = 0.0
    until: str = ""


class BoardList(Content, frozen=True, kw_only=True):
    """A list of boards, the most `urgent` or the newest first; `more`: there are others; `is_own`:
    of the player who reads it."""

    title: str
    rows: Sequence[BoardLine]
    more: bool = False
    urgent: bool = False
    is_own: bool = False

    @property
    def has_home(self) -> bool:
        return self.is_own


class WaitingBoard(Struct, frozen=True):
    """A board that waits for a player until `end` (POSIX time), in words `until` ("": no limit)."""

    game: str
    board: int
    ply: int
    invited: bool
    others: str
    until: str
    end: float


class Digest(Content, frozen=True, kw_only=True):
    """The boards that wait for a player, the most urgent first."""

    stopped_by = "set digest=no"

    userid: str
    rows: Sequence[WaitingBoard]

    @property
    def has_home(self) -> bool:
        return True


class Standings(GameContent, frozen=True, kw_only=True):
    """Userids with the boards won, tied and lost."""

    rows: Sequence[tuple[str, tuple[int, int, int]]]


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


class RatingLine(Struct, frozen=True):
    """A player's rating in one game."""

    game: str
    rating: str
    boards: int
    place: str


class PlayerRatings(Content, frozen=True, kw_only=True):
    """All ratings of one player, and the last boards that changed them as (board, line)."""

    userid: str
    player: str
    rows: Sequence[RatingLine]
    changes: Sequence[tuple[str, str]]


class OfferLine(Struct, frozen=True):
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


class OfferWithdrawn(GameContent, frozen=True, kw_only=True):
    """The reader's offers of a game are withdrawn."""

    userid: str
    offers: str


class OfferJoined(GameContent, frozen=True, kw_only=True):
    """The reader (`own`) or somebody else joined an offer that needs still more players."""

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
