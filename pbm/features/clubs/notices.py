"""What clubs, their members and their guests are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from pbm.core.notices import AccountContent, Content, Drawing, Kind
from pbm.core.refusal import Offer
from pbm.features.parties.notices import MatchTable


class ClubLine(Struct, frozen=True, kw_only=True):
    """A club in the list of all: its name, what its officers say of it, how many belong to it."""

    club: str
    about: str
    count: int


class ClubList(Content, frozen=True, kw_only=True):
    """The clubs of the server; `own` are those to which the reader belongs."""

    clubs: Sequence[ClubLine]
    own: Sequence[str]


class ClubEntry(NamedTuple):
    """A board, an offer or an event of a club: what it is, the line that shows it or takes it up,
    its page below the reader's own, and, if that does not say all of it, what the link there is
    called and what stands beside it."""

    what: str
    line: str
    path: str = ""
    title: str = ""
    about: str = ""


class ClubShown(Content, frozen=True, kw_only=True):
    """A club, with the news of it. Members alone read who belongs to it and what goes on there;
    officers who asks to be let in, and where its news go (`hook`)."""

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
        return Offer(f"club join {self.club}")


class ClubAsked(AccountContent, frozen=True, kw_only=True):
    """A player, `asker`, asks the officers of a club to be let in."""

    club: str
    asker: str

    @property
    def offered(self) -> Offer | None:
        """To let them in."""
        return Offer(f"club invite {self.club} {self.asker}")


class ClubNews(AccountContent, frozen=True, kw_only=True):
    """Something has changed in the reader's club."""

    club: str
    news: str


class ClubWords(AccountContent, frozen=True, kw_only=True):
    """What an officer wrote to all members; the officer's own text has no writer, and says how many
    get it."""

    stopped_by: ClassVar[str] = "set broadcasts=no"
    held_as: ClassVar[str] = "club words"

    club: str
    writer: str
    text: str
    count: int = 0

    @property
    def attention(self) -> Kind:
        """Words to somebody."""
        return Kind.WORDS

    @property
    def passed_on(self) -> str:
        """The text."""
        return self.text


class ClubLetter(AccountContent, frozen=True, kw_only=True):
    """A letter of the server to the members of a club about a month, or a year (`is_year`).

    results  of the boards that ended, as (players, score, line to send); `more`: there were others
    boards   how many those are
    tops     of a year: who played and won most, as sentences
    upset    the result that was least expected, "" for none
    longest  the board with the most moves
    seeking  open offers
    events   that are open or running, likewise
    shown    which board the picture shows, and how that ended (`board`)
    """

    stopped_by: ClassVar[str] = "set broadcasts=no"

    club: str
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
    board: Drawing
    in_words: bool = False

    @property
    def is_in_words(self) -> bool:
        """Whether the reader wants words."""
        return self.in_words

    @property
    def drawing(self) -> Drawing | None:
        """How that board ended."""
        return self.board


class ClubMatchShown(AccountContent, frozen=True, kw_only=True):
    """A match with guests as it stands, with the news of it: the teams, how many
    boards it is to have, who of the guests has come, and how many invitations wait for a moderator.
    `leads`: the reader may begin it."""

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
        """It says already how many invitations wait."""
        return self


class GuestCalled(AccountContent, frozen=True, kw_only=True):
    """A guest of an earlier match is asked to play in another one."""

    club: str
    match: int
    summary: str

    @property
    def offered(self) -> Offer | None:
        """To play in it."""
        return Offer(f"club enter {self.match}")
