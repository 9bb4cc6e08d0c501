"""How much anybody may do: one table, a row a limit, and what has been spent of each.

What is done within a window of time is counted in the table `counters`, in the transaction that
does it: what is undone is not counted. The counter of a limit has its word and whoever is counted
for a name."""

from __future__ import annotations

from enum import Enum, unique
from operator import attrgetter

from pbm.config import Config
from pbm.store import daily_counters
from pbm.store.daily_counters import DAY, count_days
from pbm.store.transaction import Session


@unique
class Limit(Enum):
    """A limit.

    most    how much: a key of the configuration, where 0 is no limit, or a number
    who     who is counted: "player", "board", "address" and so on for each word of it
    spent   what happens when it is spent
    window  seconds within which it is counted: whole days of UTC, or a part of one
    """

    def __init__(self, most: str | int, who: str, spent: str, window: float = DAY) -> None:
        self.most = most
        self.who = who
        self.spent = spent
        self.window = window

    # What players do.

    SIGNUPS = "limits.signups_a_day", "address", "no more accounts"
    INVITATIONS = "limits.invitations_a_day", "player", "no more invitations"
    BROADCASTS = "limits.broadcasts_a_day", "player", "no more broadcasts"
    MESSAGES = "limits.messages_a_day", "player player", "no more messages to that player"
    CHATS = "limits.chats_a_day", "board player", "no more comments and press at that board"
    REPORTS = "limits.reports_a_day", "player", "no more reports"
    PUZZLES = "limits.puzzles_a_day", "player", "no more puzzles"
    ANALYSES = "limits.analyses_a_day", "player", "no more analyses"
    ANNOUNCEMENTS = "events.announcements_a_day", "player", "further events are not announced"
    UNHEARD = 1, "player", "a silenced player is not told again"

    @property
    def word(self) -> str:
        """The word for it, with which the names of its counters begin."""
        return self.name.lower().replace("_", "-")

    def find_most(self, config: Config) -> int:
        """Return how much there is; 0 = no limit."""
        return self.most if isinstance(self.most, int) else int(attrgetter(self.most)(config))


def spend(
    session: Session, limit: Limit, who: object, now: float, config: Config, amount: int = 1
) -> bool:
    """Count what is done by, or for, `who` if there is room; whether there was. Of two who are
    counted together `who` names both: "BOARD PLAYER"."""
    if not has_room(session, limit, who, now, config):
        return False
    add(session, limit, who, now, amount)
    return True


def has_room(session: Session, limit: Limit, who: object, now: float, config: Config) -> bool:
    """Whether something is left, without counting."""
    most = limit.find_most(config)
    return not most or count(session, limit, who, now) < most


def count(session: Session, limit: Limit, who: object, now: float) -> int:
    """Return what was spent in the window of now."""
    first = count_days(now) - max(0, round(limit.window / DAY) - 1)
    return daily_counters.count_since(session, _name(limit, who, now), first)


def add(session: Session, limit: Limit, who: object, now: float, amount: int = 1) -> None:
    """Count what was done, whether or not there was room."""
    daily_counters.increment(session, _name(limit, who, now), now, amount)


def _name(limit: Limit, who: object, now: float) -> str:
    """Return the name of a counter. Each part of a day has one of its own."""
    part = f" {int(now // limit.window)}" if limit.window < DAY else ""
    return f"{limit.word} {who}{part}"
