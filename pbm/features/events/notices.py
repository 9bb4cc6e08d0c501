"""Notices about events: tournaments, leagues, ladders and tours."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.notices import Attachment, Content, GameContent, Kind
from pbm.core.player import EVENTS


class EventLine(Struct, frozen=True):
    """One event of a list: the number of entrants, and when it begins, ends or ended."""

    event: int
    name: str
    kind: str
    game: str
    state: str
    count: int
    when: str


class EventList(Content, frozen=True, kw_only=True):
    """The open and running events, and the last ones that ended; on a `page` after the first only
    ended ones. `more`: others ended before them; `entry`: an event that the reader can
    enter, or 0."""

    open: Sequence[EventLine]
    running: Sequence[EventLine]
    ended: Sequence[EventLine]
    entry: int = 0
    page: int = 1
    more: bool = False


class EventCard(Struct, frozen=True):
    """What an event is.

    title    the game's
    maker    its maker's userid, "" if the account is gone
    state    open, running, over, cancelled
    begins   in words; `ends` is "" where there is no end
    terms    options and clocks of its boards
    rules    sentences
    about    its maker's text
    secret   of the drawing of lots, once the event is over
    """

    event: int
    name: str
    kind: str
    game: str
    title: str
    maker: str
    state: str
    season: int
    begins: str
    ends: str
    terms: str
    rules: Sequence[str]
    about: str
    count: int
    most: int | None
    commitment: str
    secret: str
    is_ladder: bool = False
    is_tour: bool = False


class EventPart(Struct, frozen=True):
    """A part of a page: its title ("" for none) and its lines."""

    title: str
    lines: Sequence[str]


class EventContent(GameContent, frozen=True, kw_only=True):
    """Content about one event."""

    mail_kind = EVENTS

    event: int
    name: str


class EventShown(EventContent, frozen=True, kw_only=True):
    """An event: what it is, and its crosstable or who has entered.

    is_in   the reader takes part
    closed  why the reader cannot enter; "" if they can
    """

    card: EventCard
    parts: Sequence[EventPart]
    is_in: bool
    closed: str


class EventMade(EventContent, frozen=True, kw_only=True):
    """To its maker: the event is open; `announced` is the number of players notified at once."""

    card: EventCard
    announced: int


class EventAnnounced(EventContent, frozen=True, kw_only=True):
    """A new event, to those who asked for such mails."""

    attention = Kind.ANNOUNCEMENT
    stopped_by = "set events=no"
    held_as = "announcement"

    card: EventCard
    userid: str

    @property
    def held_about(self) -> int:
        """The event."""
        return self.event

    @property
    def passed_on(self) -> str:
        """The name of the event, and its maker's text."""
        return f"{self.name}\n\n{self.card.about}".strip()


class EventEntered(EventContent, frozen=True, kw_only=True):
    """The reader takes part; `is_late`: in an event that has begun."""

    card: EventCard
    userid: str
    is_late: bool


class EventLeft(EventContent, frozen=True, kw_only=True):
    """The reader has left or was taken out (`why`); `boards` has the fate of each board, a line
    each."""

    userid: str
    why: str
    boards: Sequence[str]
    is_answer: bool


class EventByes(EventContent, frozen=True, kw_only=True):
    """The rounds in which the reader will not be paired, as requested."""

    userid: str
    rounds: Sequence[int]


class EventBegun(EventContent, frozen=True, kw_only=True):
    """The event has begun, with its entrants in lines."""

    card: EventCard
    players: Sequence[str]


class EventFree(EventContent, frozen=True, kw_only=True):
    """The reader has no opponent in a round."""

    round: int
    reason: str


class EventDeadline(EventContent, frozen=True, kw_only=True):
    """The reader's boards that will be adjudicated at a time if they are still open, and how."""

    until: str
    boards: Sequence[str]
    rule: str


class EventOver(EventContent, frozen=True, kw_only=True):
    """The prize list. `own` is the reader's result, as a sentence."""

    card: EventCard
    own: str
    parts: Sequence[EventPart]
    news: Sequence[str]


class EventCancelled(EventContent, frozen=True, kw_only=True):
    """The event is cancelled, before or after its beginning, and why."""

    reason: str


class EventPage(EventContent, frozen=True, kw_only=True):
    """Tables or sentences about an event, on request."""

    title: str
    parts: Sequence[EventPart]


class EventFile(EventContent, frozen=True, kw_only=True):
    """A file about an event, with its content in lines."""

    title: str
    lines: Sequence[str]
    file: str
    kind: str
    text: str

    @property
    def attachment(self) -> Attachment | None:
        """The file."""
        return Attachment(self.file, self.kind, self.text)


class EventCorrected(EventContent, frozen=True, kw_only=True):
    """A correction by the operator, with the reason."""

    change: str
