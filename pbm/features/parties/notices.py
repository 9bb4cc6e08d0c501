"""Notices to teams, and to people who hold a seat together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.notices import AccountContent, BoardView, BoardWords, Content, GameContent, Words
from pbm.core.refusal import Offer


class MatchLine(Struct, frozen=True, kw_only=True):
    """A board of a match, with its result."""

    number: int
    home: str
    away: str
    board: int
    result: str


class MatchBoard(Struct, frozen=True, kw_only=True):
    """A board of an exhibition as its giver sees it, with the news since their last turn:
    sentences, and players' texts, each below a line with its writer."""

    opponent: str
    view: BoardView
    news: Sequence[str]
    comments: Sequence[tuple[str, str]]


class MatchTable(GameContent, frozen=True, kw_only=True):
    """The table of a match of two teams, or of one player against many (no `away`), and tables of
    `others` that the reader gets in the same mail. `is_last`: all boards are over. The giver of an
    exhibition sees the `boards` that wait for them or have just ended."""

    title: str
    home: str
    away: str
    lines: Sequence[MatchLine]
    score: str
    is_last: bool
    boards: Sequence[MatchBoard] = ()
    others: Sequence[MatchTable] = ()

    @property
    def has_home(self) -> bool:
        """It is the reader's own."""
        return bool(self.boards)


class TeamShown(Content, frozen=True, kw_only=True):
    """A team, with its news: captain, members, reserves, invitations, boards and last matches."""

    team: str
    news: str
    captain: str
    members: Sequence[str]
    reserves: Sequence[str]
    invited: Sequence[str]
    boards: Sequence[str]
    matches: Sequence[MatchTable] = ()


class TeamInvited(AccountContent, frozen=True, kw_only=True):
    """`writer` invites the reader to a team."""

    team: str
    writer: str
    members: Sequence[str]

    @property
    def offered(self) -> Offer | None:
        """To join it."""
        name = self.team.removeprefix("@")
        return Offer(f"team join {name}", declined=f"team leave {name}")


class TeamNews(AccountContent, frozen=True, kw_only=True):
    """Something has changed in the reader's team."""

    team: str
    news: str


class TeamWords(Words, frozen=True, kw_only=True):
    """A member's text to the reader's whole team. The writer's own copy has no writer, and says to
    whom it went (`names`)."""

    team: str
    names: str = ""

    @property
    def answer(self) -> str:
        """For the same team."""
        return f"team say {self.team.removeprefix('@')}" if self.writer else ""


class PartyWords(BoardWords, frozen=True, kw_only=True):
    """A text to the people with whom its writer holds a seat, or (no text) all that they have
    written so far. It says to whom it went."""

    is_personal = True

    party: str
    lines: Sequence[str] = ()
    names: str = ""

    @property
    def answer(self) -> str:
        """For the own side alone."""
        return "confer" if self.writer else ""


class SeatOffered(GameContent, frozen=True, kw_only=True):
    """Asks the reader to take over a seat; `who` says by whom, with their userid in `names`, and
    `rule` for whom its result counts."""

    board: int
    userid: str
    power: str
    who: str
    names: str = ""
    rule: str = ""

    @property
    def offered(self) -> Offer | None:
        """The seat, to take over."""
        return Offer(f"{self.game} takeover {self.board} {self.power.lower()}")


class SeatPassedOn(GameContent, frozen=True, kw_only=True):
    """Another player has taken over the reader's seat; `by` is "" where players are anonymous."""

    board: int
    power: str
    by: str
    rule: str = ""


class HandedOver(GameContent, frozen=True, kw_only=True):
    """Tells a player who hands over a seat, or wants to take one over, what comes next (`news`),
    and for whom the result counts."""

    board: int
    news: str
    rule: str
