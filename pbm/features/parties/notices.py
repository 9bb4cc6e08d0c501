"""What teams, and those who hold a seat together, are told."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.notices import AccountContent, BoardView, BoardWords, Content, GameContent, Words
from pbm.core.refusal import Offer


class MatchLine(Struct, frozen=True, kw_only=True):
    """A board of a match, with what came of it."""

    number: int
    home: str
    away: str
    board: int
    result: str


class MatchBoard(Struct, frozen=True, kw_only=True):
    """A board of an exhibition as it stands for who gives it, with the news since their last turn:
    sentences, and what was written, each below a line that says by whom."""

    opponent: str
    view: BoardView
    news: Sequence[str]
    comments: Sequence[tuple[str, str]]


class MatchTable(GameContent, frozen=True, kw_only=True):
    """The table of a match of two teams, or (no `away`) of one player against many, and those of
    `others` of which the reader is told at the same time. `is_last`: all boards are over. Who gives
    an exhibition is shown the `boards` that wait for them or have just ended."""

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
    """A team, with the news of it: who leads it, who else plays, its reserves, who is invited, its
    boards and its last matches."""

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
        return Offer(f"team join {self.team.removeprefix('@')}")


class TeamNews(AccountContent, frozen=True, kw_only=True):
    """Something has changed in the reader's team."""

    team: str
    news: str


class TeamWords(Words, frozen=True, kw_only=True):
    """What a member of the reader's team wrote to all of it; the reader's own text has no writer,
    and says to whom it went (`names`)."""

    team: str
    names: str = ""


class PartyWords(BoardWords, frozen=True, kw_only=True):
    """What somebody wrote to those with whom they hold a seat, or (no text) all that these have
    written so far. It says to whom it went."""

    party: str
    lines: Sequence[str] = ()
    names: str = ""

    @property
    def is_personal(self) -> bool:
        """It is for the reader's own side."""
        return True


class SeatOffered(GameContent, frozen=True, kw_only=True):
    """The reader is asked to go on with a seat; `who` says by whom, with their userid in `names`,
    and `rule` for whom its result counts."""

    board: int
    userid: str
    power: str
    who: str
    names: str = ""
    rule: str = ""

    @property
    def offered(self) -> Offer | None:
        """To go on with it."""
        return Offer(f"{self.game} takeover {self.board} {self.power.lower()}")


class SeatPassedOn(GameContent, frozen=True, kw_only=True):
    """Somebody has taken the reader's seat over; `by` is empty where nobody is to know whom."""

    board: int
    power: str
    by: str
    rule: str = ""


class HandedOver(GameContent, frozen=True, kw_only=True):
    """Tells whoever hands a seat over, or wants to take one over, what comes next: `news`, and for
    whom the result counts."""

    board: int
    news: str
    rule: str
