"""Notices that list games and boards."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.log_view import RatingLine
from pbm.core.notices import Content, Figure, GameContent, Waiting
from pbm.core.view import BoardSummary
from pbm.features.finding.game_page import list_figures
from pbm.games import get_game


class GameLine(Struct, frozen=True):
    """One game of a list: for how many players, and how long."""

    name: str
    players: str
    length: str
    summary: str
    title: str


class GameGroup(Struct, frozen=True):
    """The games of a family, with its name and description; both "" for any games."""

    family: str
    about: str
    games: Sequence[GameLine]


class VariantLine(Struct, frozen=True):
    """The variants of a game that a list leaves out: the game, their number, and the line that
    lists them."""

    of: str
    count: int
    line: str


class GameList(Content, frozen=True, kw_only=True):
    """`count` games in groups, and the computer players, who cannot play some of them."""

    title: str
    groups: Sequence[GameGroup]
    variants: Sequence[VariantLine] = ()
    count: int
    bots: Sequence[str]
    without_bots: Sequence[str]
    userid: str


class BoardList(Content, frozen=True, kw_only=True):
    """A list of boards, the most `urgent` or the newest first. `more`: there are others, which the
    line `next` shows if there is one. `has_home`: they are the reader's, whose turn it is on
    those `waiting`. `example` is a line to send for the first. `games` are the names of the
    boards' games, "" for all."""

    title: str
    games: str = ""
    rows: Sequence[BoardSummary]
    more: bool = False
    next: str = ""
    urgent: bool = False
    has_home: bool = False
    waiting: Sequence[Waiting] = ()
    example: str = ""


class BoardFound(Content, frozen=True, kw_only=True):
    """Facts about one board: the days on which it began and ended, its event, its first moves; ""
    or 0 where unknown."""

    line: BoardSummary
    began: str
    ended: str = ""
    event: int = 0
    opening: str = ""


class OpeningLine(Struct, frozen=True):
    """A first move: the number of finished boards with it, and of those on which its player came
    first, alone or shared."""

    move: str
    boards: int
    won: int


class OpeningList(GameContent, frozen=True, kw_only=True):
    """The most frequent first moves of a game, on its newest boards."""

    rows: Sequence[OpeningLine]


class WaitingBoard(Waiting, frozen=True):
    """A board that waits for a player until `end` (POSIX time), in words `within`, such as "in 3
    days" ("": no limit); `status` names the awaited move."""

    status: str
    within: str
    others: str
    end: float
    takes_orders: bool = False

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.thread.game

    @property
    def board(self) -> int:
        """The number of the board."""
        return self.thread.board


class Digest(Content, frozen=True, kw_only=True):
    """The boards that wait for a player, the most urgent first; `example` is a line to send."""

    has_home = True
    stopped_by = "set digest=no"

    userid: str
    rows: Sequence[WaitingBoard]
    example: str

    @property
    def waiting(self) -> Sequence[Waiting]:
        return self.rows


class Standings(GameContent, frozen=True, kw_only=True):
    """Userids with the boards won, tied and lost."""

    rows: Sequence[tuple[str, tuple[int, int, int]]]


class HelpPage(Content, frozen=True, kw_only=True):
    """A help page; its pictures are of `games`."""

    topic: str
    text: str
    games: Sequence[str] = ()

    def list_figures(self, language: str) -> Sequence[Figure]:
        """Return the pictures of the games' pages."""
        return [each for game in self.games for each in list_figures(get_game(game), language)]


# Notices about players: lists of them, one of them, two of them.


class PlayerLine(Struct, frozen=True):
    """One player of a list: when last seen, or the rating; and the offers the player has made."""

    name: str
    fact: str
    notes: str


class PlayerList(Content, frozen=True, kw_only=True):
    """Players seen lately, or (`game`) the players of a game, those nearest to the reader's own
    rating first. `bots` are the computer players."""

    title: str
    rows: Sequence[PlayerLine]
    game: str = ""
    own_rating: str = ""
    more: bool = False
    bots: Sequence[str] = ()


class PlayerRecord(Struct, frozen=True):
    """A player's results: in each game, the percentage of boards played to the end instead of lost
    on time, and the average days per move."""

    games: Sequence[PairResult]
    finished: int
    days: str


class PlayerCard(Content, frozen=True, kw_only=True):
    """What everybody may know about a player."""

    userid: str
    player: str
    is_bot: bool
    since: str
    seen: str
    boards: int
    notes: str
    ratings: Sequence[RatingLine]
    record: PlayerRecord | None = None


class PairResult(Struct, frozen=True):
    """The first of two players' results against the other in one game."""

    game: str
    boards: int
    won: int
    tied: int
    lost: int


class PairStats(Content, frozen=True, kw_only=True):
    """Two players' results against each other, by game, and their last boards."""

    one: str
    other: str
    rows: Sequence[PairResult]
    last: Sequence[str]
