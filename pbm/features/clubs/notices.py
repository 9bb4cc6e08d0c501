"""Notices to clubs, their members and their guests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from pbm.core.notices import AccountContent, Content, Drawing, Words
from pbm.core.refusal import Offer
from pbm.features.parties.notices import MatchTable


class ClubLine(Struct, frozen=True, kw_only=True):
    """A club in the list of all: name, description, number of members."""

    club: str
    about: str
    count: int


class ClubList(Content, frozen=True, kw_only=True):
    """The clubs of the server; `own` are the reader's."""

    clubs: Sequence[ClubLine]
    own: Sequence[str]


class ClubEntry(NamedTuple):
    """A board, an offer or an event of a club: the text, the line that shows it or takes it up, its
    page for the reader, and where needed a label of the link and a remark beside it."""

    what: str
    line: str
    path: str = ""
    title: str = ""
    about: str = ""


class ClubShown(Content, frozen=True, kw_only=True):
    """A club, with its news. Only members see members and activity; only officers see who asks to
    join, and where news is posted (`hook`)."""

    club: str
    news: str
    about: str
    officers: Sequence[str]
    count: int
    is_inside: bool
    userid: str
    members: Sequence[str] = ()
    invited: Sequence[str] = ()
    asking: Sequence[str] = ()
    boards: Sequence[ClubEntry] = ()
    ended: Sequence[ClubEntry] = ()
    offers: Sequence[ClubEntry] = ()
    events: Sequence[ClubEntry] = ()
    matches: Sequence[MatchTable] = ()
    hook: str = ""


class ClubInvited(AccountContent, frozen=True, kw_only=True):
    """An officer, `writer`, invites the reader to a club."""

    club: str
    writer: str
    about: str

    @property
    def offered(self) -> Offer | None:
        """To join it."""
        return Offer(f"club join {self.club}", declined=f"club leave {self.club}")


class ClubAsked(AccountContent, frozen=True, kw_only=True):
    """A player, `asker`, asks the officers of a club to let them join."""

    club: str
    asker: str

    @property
    def offered(self) -> Offer | None:
        """To let them in."""
        line = f"{self.club} {self.asker}"
        return Offer(f"club invite {line}", declined=f"club remove {line}")


class _FromClub(AccountContent, frozen=True, kw_only=True):
    """Content that a club sends to its members; `colour` may be ""."""

    club: str
    colour: str = ""

    @property
    def sender(self) -> tuple[str, str]:
        """The club."""
        return (self.club, self.colour) if self.colour else ("", "")


class ClubNews(_FromClub, frozen=True, kw_only=True):
    """Something has changed in the reader's club."""

    news: str


class ClubWords(Words, frozen=True, kw_only=True):
    """What an officer wrote to all members. The officer's own copy has no writer, and says how many
    get it."""

    stopped_by: ClassVar[str] = "set broadcasts=no"
    held_as: ClassVar[str] = "club words"

    club: str
    colour: str = ""
    count: int = 0

    @property
    def sender(self) -> tuple[str, str]:
        """The club."""
        return (self.club, self.colour) if self.colour else ("", "")


class ClubLetter(_FromClub, frozen=True, kw_only=True):
    """A letter of the server to the members of a club about a month, or a year (`is_year`).

    results  of the boards that ended, as (players, score, line to send); `more`: others ended too
    boards   their number
    tops     of a year: who played and won most, as sentences
    upset    the result that was least expected, "" for none
    longest  the board with the most moves
    seeking  open offers
    events   that are open or running, likewise
    shown    which board the picture shows, and how that ended (`board`)
    """

    stopped_by: ClassVar[str] = "set broadcasts=no"

    period: str
    is_year: bool
    boards: int
    results: Sequence[tuple[str, str, str]]
    more: int
    tops: Sequence[str]
    upset: str
    longest: str
    seeking: Sequence[ClubEntry]
    events: Sequence[ClubEntry]
    shown: str
    drawing: Drawing
    is_in_words: bool = False


class ClubMatchShown(AccountContent, frozen=True, kw_only=True):
    """A match with guests as it stands, with its news: the teams, the number of boards, the guests
    who have come, and the number of invitations that wait for a moderator. `leads`: the reader may
    begin the match."""

    club: str
    match: int
    news: str
    title: str
    home: str
    away: str
    boards: int
    guests: Sequence[str]
    has_begun: bool
    leads: bool
    waits: int = 0

    def tell_held(self, names: str, *, is_kept: bool) -> ClubMatchShown:
        """Return it unchanged: it says how many invitations wait."""
        return self


class GuestCalled(AccountContent, frozen=True, kw_only=True):
    """Calls a guest of an earlier match to another one."""

    club: str
    match: int
    summary: str

    @property
    def offered(self) -> Offer | None:
        """To play in it."""
        return Offer(f"club enter {self.match}")
