"""How much anybody may do: one table, a row a limit, and what has been spent of each.

Every key of [limits] has a row. What somebody has at once, or one mail may hold, is compared where
it is known; the row says so to the operator.

What is done within a window of time is counted in the table `counters`, in the transaction that
does it: what is undone is not counted. The counter of a limit has its word and whoever is counted
for a name."""

from __future__ import annotations

from enum import Enum, unique
from ipaddress import IPv6Address
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct
from sqlalchemy import func, select

from pbm.config import Config
from pbm.store import daily_counters
from pbm.store.daily_counters import DAY, count_days
from pbm.store.tables import counters
from pbm.store.transaction import Session

HOUR = 3600.0
WEEK = 7 * DAY


_STRANGERS = "limits.strangers_an_hour"


@unique
class Limit(Enum):
    """A limit.

    most    how much: a key of the configuration, where 0 is no limit, or a number
    who     who is counted: "player", "board", "address" and so on for each word of it
    spent   what happens when it is spent
    window  seconds within which it is counted: whole days of UTC, or a part of one; 0 for what
            there is at once
    share   what whoever is counted gets of `most`, and at least one
    """

    def __init__(
        self, most: str | int, who: str, spent: str, window: float = DAY, share: float = 1.0
    ) -> None:
        self.most = most
        self.who = who
        self.spent = spent
        self.window = window
        self.share = share

    # What there is at once.

    OPEN_BOARDS = "limits.open_boards", "player", "no further board begins", 0
    TEAMS = "limits.teams", "player", "no further team is made", 0
    CLUBS = "limits.clubs", "player", "no further club is made", 0
    OPEN_OFFERS = "limits.open_offers", "player", "no further offer is made", 0
    OFFER_DAYS = "limits.offer_days", "offer", "the offer ends", 0
    OPEN_EVENTS = "events.open_events", "player", "no further event is made", 0
    ADDRESSES = "limits.addresses", "player", "no further address is added", 0
    SIGNUP_ADDRESSES = "limits.signup_addresses", "signup", "the signup is refused", 0
    JOIN_LINKS = "limits.join_links", "player", "no further link is made", 0
    JOINS_A_LINK = "limits.joins_a_link", "link", "nobody else joins by it", 0
    MESSAGE_PLAYERS = "limits.message_players", "message", "the message is refused", 0
    BLOCKED_PLAYERS = "limits.blocked_players", "player", "nobody else is blocked", 0
    PLAN_MOVES = "limits.plan_moves", "plan", "the plan is refused", 0
    NOTES = "limits.notes", "board player", "the note is refused", 0

    # What a mail, its text or its connection may take.

    COMMANDS_A_MAIL = "limits.commands_a_mail", "mail", "the other lines are not read", 0
    PASSWORDS_A_MAIL = "limits.passwords_a_mail", "mail", "further passwords are wrong", 0
    TEXT = "limits.text", "text", "a plan or record is refused, other texts are cut", 0
    SIZE = "limits.size", "mail", "the mail is refused", 0
    LINE = "limits.line", "mail", "the mail is refused", 0
    RECIPIENTS = "limits.recipients", "mail", "further recipients are refused", 0
    ATTEMPTS = "limits.attempts", "mail", "the mail is set aside", 0
    SECONDS_A_MAIL = "limits.seconds_a_mail", "mail", "its worker is ended", 0
    RETRY_DAYS = "limits.retry_days", "outgoing mail", "the mail is given up", 0
    SESSIONS = "limits.sessions", "", "the idle one is closed, or the new one refused", 0
    SESSIONS_BY = "limits.sessions_per_address", "source", "as for all of them", 0
    SESSION_SECONDS = "limits.session_seconds", "connection", "the connection is closed", 0
    WEB_CONNECTIONS_BY = "limits.web_connections_per_address", "source", "the slowest is closed", 0

    # Requests for pages, which their process counts as they come.

    PAGES = "limits.pages_a_second", "source", "the request is refused", 1
    LINK_PAGES = "limits.link_pages_a_second", "link", "the request is refused", 1
    XFCC_CALLS = "limits.xfcc_calls_a_second", "source", "the request is refused", 1

    # Which errors are answered.

    ERRORS = "limits.errors_a_day", "player", "no more error messages, but of moves"
    QUICK = (
        "limits.quick_replies",
        "player",
        "texts are held, and the player is asked once",
        2 * DAY,
    )
    ASKED = 1, "player", "whether a program writes is not asked again", 2 * DAY
    ALIKE = "limits.quick_replies", "player row command", "it is done and not answered", 2 * DAY
    QUICK_COMMANDS = 12, "player row", "further ones are done and not answered", 2 * DAY
    FIRST_ANSWERS = 1, "player mail", "further ones do not count as quick"
    ONCE = 1, "reader text", "what is said once a day is not said again"

    # Wrong passwords, and codes.

    FAILURES = "limits.failures_a_day", "player", "no password is verified without a code"
    FAILURES_AT_HOME = "limits.failures_a_day", "player source", "no password is right there"
    FAILURES_BY = "limits.failures_a_day", "player source", "no password is right there", DAY, 0.25
    FAILURES_ELSEWHERE = (
        "limits.failures_a_day",
        "player",
        "no password is verified from networks that never brought the right one",
    )
    UNLOCKS = "limits.unlocks_an_hour", "player", "no more codes to unlock the account", HOUR
    CODES = "limits.codes_a_week", "address", "no more codes that others ask for", WEEK
    RESETS = "limits.resets_a_week", "player", "no more codes that others ask for", WEEK

    # What players do.

    COMMANDS = "limits.mails_a_day", "player", "commands are refused, moves are not"
    NOTICES = "limits.notices_a_day", "address player", "the rest goes out in a summary"
    NEWS = "limits.news_a_day", "address", "the rest goes out in a summary"
    SIGNUPS = "limits.signups_a_day", "address", "no more accounts"
    EXPORTS = "limits.exports_a_day", "player", "personal data are not sent again"
    INVITATIONS = "limits.invitations_a_day", "address", "further ones wait for a moderator"
    ANNOUNCEMENTS = "limits.announcements_a_day", "address", "further ones wait for a moderator"
    CHATS = "limits.chats_an_hour", "board address player", "the rest goes out in a summary", HOUR
    REPORTS = "limits.reports_a_day", "address", "no more reports"
    PUZZLES = "limits.puzzles_a_day", "player", "no more puzzles"
    STOPS = 1, "player", "stop ends all mails, without an offer of fewer", 2 * DAY
    FORMS = 1, "player form", "words that are sent again are passed on once"
    ANALYSES = "limits.analyses_a_day", "player", "no more analyses"

    # What the server does for people who have proved nothing.

    PROMPT_MAILS = "limits.prompt_mails_an_hour", "address", "further ones wait for others", HOUR
    LOOKS = "limits.looks_a_day", "address", "no more pages"
    LOOK_SECONDS = "limits.look_seconds_a_day", "address", "no more pages"
    PEER_SECONDS = "limits.look_seconds_a_day", "source", "no more pages through it", DAY, 10.0
    LOOK_BYTES = "limits.looks_bytes_a_day", "address", "no more pages"
    UNPROVED = "limits.unproved_a_day", "address", "no more mails because of such mails"
    STRANGERS = _STRANGERS, "", "strangers get no mail", HOUR
    STRANGERS_BY = _STRANGERS, "source", "strangers whom it brings get no mail", HOUR, 0.25
    STRANGERS_AT = _STRANGERS, "domain", "strangers there get no mail", HOUR, 0.5
    CHECKS = _STRANGERS, "", "no password of a stranger is verified", HOUR
    CHECKS_BY = _STRANGERS, "source", "no password from there is verified", HOUR, 0.25
    CHECKS_AT = _STRANGERS, "domain", "no password of strangers there is verified", HOUR, 0.5

    @property
    def word(self) -> str:
        """The word for it, with which the names of its counters begin."""
        return self.name.lower().replace("_", "-")

    @property
    def key(self) -> str:
        """The key as the configuration has it; "" for a number."""
        section, _, key = str(self.most).partition(".")
        return f"[{section}] {key}" if key else ""

    def find_most(self, config: Config) -> int:
        """Return the limit; 0 = no limit."""
        found = self.most if isinstance(self.most, int) else int(attrgetter(self.most)(config))
        return max(1, int(found * self.share)) if found else 0


def spend(session: Session, limit: Limit, who: object, now: float, config: Config) -> bool:
    """Count one more for `who` if there is room, and return whether there was. `who` names all that
    are counted together: "BOARD PLAYER"."""
    most = limit.find_most(config)
    if most and count(session, limit, who, now) >= most:
        return False
    if most:
        add(session, limit, who, now)
    return True


def has_room(session: Session, limit: Limit, who: object, now: float, config: Config) -> bool:
    """Whether something is left, without counting."""
    most = limit.find_most(config)
    return not most or count(session, limit, who, now) < most


def count(session: Session, limit: Limit, who: object, now: float) -> int:
    """Return what was spent in the window that includes `now`."""
    return daily_counters.count_since(session, _name(limit, who, now), _begin(limit, now))


class Spent(NamedTuple):
    """What somebody has spent of a limit. `is_now` unless that part of the day is over."""

    who: list[str]
    amount: int
    is_now: bool


def list_spent(session: Session, limit: Limit, now: float, least: float) -> list[Spent]:
    """Return those who have spent at least an amount, today or in the limit's window, the most
    first."""
    total = func.sum(counters.c.count)
    query = (
        select(counters.c.name, total.label("amount"))
        .where(counters.c.name.startswith(f"{limit.word} "), counters.c.day >= _begin(limit, now))
        .group_by(counters.c.name)
        .having(total >= least)
        .order_by(total.desc(), counters.c.name)
    )
    found = []
    for row in session.execute(query).mappings():
        _, *who = row["name"].split(" ")
        part = who.pop() if limit.window < DAY else ""
        is_now = not part or part == str(int(now // limit.window))
        found.append(Spent(who, int(row["amount"]), is_now))
    return found


def add(session: Session, limit: Limit, who: object, now: float, amount: int = 1) -> int:
    """Count what was done, whether or not there was room; the count of its day, or part of one."""
    return daily_counters.increment(session, _name(limit, who, now), now, amount)


def _begin(limit: Limit, now: float) -> int:
    """Return the first day of a limit's window."""
    return count_days(now) - max(0, round(limit.window / DAY) - 1)


def _name(limit: Limit, who: object, now: float) -> str:
    """Return the name of a counter. Each part of a day has one of its own."""
    part = str(int(now // limit.window)) if limit.window < DAY else ""
    return " ".join(filter(None, (limit.word, str(who), part)))


class Tally:
    """What has been spent of a limit, in the memory of this process alone: what is not worth a
    write, or is counted elsewhere too."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._window = 0
        self._counts: dict[object, float] = {}

    def has_room(self, who: object, now: float, config: Config) -> bool:
        """Whether something is left."""
        most = self._limit.find_most(config)
        return not most or self.count(who, now) < most

    def count(self, who: object, now: float) -> float:
        """Return what was spent in the window that includes `now`."""
        return self._counts.get(who, 0) if now // self._limit.window == self._window else 0

    def add(self, who: object, now: float, amount: float = 1) -> None:
        """Count what was done."""
        self.set(who, now, self.count(who, now) + amount)

    def set(self, who: object, now: float, amount: float) -> None:
        """Take over what was counted elsewhere."""
        if now // self._limit.window != self._window:
            self._window, self._counts = int(now // self._limit.window), {}
        self._counts[who] = amount


# Shares of an hour: how much the server does in an hour for people who have proved nothing, so
# that a flood of them neither goes on for long nor closes the door to newcomers.


class Asker(Struct, frozen=True):
    """Somebody who has proved nothing.

    source   who asks, as far as it is known: the network of the client that brought the mail, or a
             player; "" for unknown
    address  the address that they name
    vouched  the operator's own mail server says that the mail comes from there
    """

    source: str
    address: str
    vouched: bool = False

    @property
    def domain(self) -> str:
        """The domain of the address."""
        return self.address.rpartition("@")[2]


class HourlyShares(Struct, frozen=True):
    """What strangers may have in an hour: all of them together, one source, and the addresses of
    one domain.

    The last quarter is kept for newcomers: the first from a source, those whom the operator's mail
    server vouches for, and those who were turned away in an earlier hour of this day or the last.
    """

    in_all: Limit
    of_source: Limit
    of_domain: Limit

    def has_room(self, session: Session, who: Asker, now: float, config: Config) -> bool:
        """Whether there is something left for whoever asks."""
        most = self.in_all.find_most(config)
        if not most:
            return True
        total = count(session, self.in_all, "", now)
        if total >= most or (
            who.source and not has_room(session, self.of_source, who.source, now, config)
        ):
            return False
        is_early = total < most - most // 4
        if is_early and has_room(session, self.of_domain, who.domain, now, config):
            return True
        is_first = bool(who.source) and not count(session, self.of_source, who.source, now)
        return is_first or who.vouched or self._was_turned_away(session, who, now)

    def take(
        self, session: Session, who: Asker, now: float, config: Config, amount: int = 1
    ) -> None:
        """Count an amount for the asker."""
        if not (amount and self.in_all.find_most(config)):
            return
        add(session, self.in_all, "", now, amount)
        add(session, self.of_domain, who.domain, now, amount)
        if who.source:
            add(session, self.of_source, who.source, now, amount)

    def spend(self, session: Session, who: Asker, now: float, config: Config) -> bool:
        """Count one more for whoever asks if there is room, and return whether there was."""
        if not self.has_room(session, who, now, config):
            return False
        self.take(session, who, now, config)
        return True

    def turn_away(self, session: Session, who: Asker, now: float) -> None:
        """Note that the asker, who may write again, got nothing."""
        for name in self._list_refusals(who, now):
            daily_counters.increment(session, name, now)

    def _list_refusals(self, who: Asker, now: float) -> tuple[str, str]:
        """Return the counters of refusals to the address: of all hours, and of this one."""
        name = f"{self.in_all.word}-refused {who.address}"
        return name, f"{name} {int(now // HOUR)}"

    def _was_turned_away(self, session: Session, who: Asker, now: float) -> bool:
        """Whether there was nothing left for the address in an earlier hour."""
        yesterday = count_days(now) - 1
        in_all, in_this_hour = (
            daily_counters.count_since(session, name, yesterday)
            for name in self._list_refusals(who, now)
        )
        return in_all > in_this_hour


STRANGERS = HourlyShares(Limit.STRANGERS, Limit.STRANGERS_BY, Limit.STRANGERS_AT)
"""Mails to addresses that nobody has confirmed."""
CHECKS = HourlyShares(Limit.CHECKS, Limit.CHECKS_BY, Limit.CHECKS_AT)
"""Wrong passwords that argon2 verifies for strangers, as many as they get mails."""


def find_network(address: str) -> str:
    """Return what counts as one source: an IPv4 address, or the IPv6 network of one customer."""
    if ":" not in address:
        return address
    try:
        network = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(network.ipv4_mapped or int(network) >> 64)
