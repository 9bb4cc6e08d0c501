"""Shares of an hour: how much the server does in an hour for people who have proved nothing, so
that a flood of them neither goes on for long nor closes the door to newcomers."""

from __future__ import annotations

from ipaddress import IPv6Address

from msgspec import Struct

from pbm.store import daily_counters
from pbm.store.daily_counters import count_days
from pbm.store.transaction import Session

_HOUR = 3600.0


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


class HourlyShares:
    """What strangers may have in an hour, `most` in all (0 = no limit), counted under a name.

    One source gets a quarter of it, and the addresses of one domain half. The last quarter is kept
    for newcomers: the first from a source, those whom the operator's mail server vouches for, and
    those who were turned away in an earlier hour of this day or the last.
    """

    def __init__(self, name: str, most: int) -> None:
        self._name = name
        self._most = most

    def has_room(self, session: Session, who: Asker, now: float) -> bool:
        """Whether there is something left for whoever asks."""
        if not self._most:
            return True
        total, by_source, by_domain = (
            daily_counters.count_on(session, name, count_days(now))
            for name in self._list_names(who, now)
        )
        quarter = self._most // 4
        if total >= self._most or (who.source and by_source >= max(1, quarter)):
            return False
        if total < self._most - quarter and by_domain < max(1, self._most // 2):
            return True
        is_first = bool(who.source) and not by_source
        return is_first or who.vouched or self._was_turned_away(session, who, now)

    def take(self, session: Session, who: Asker, now: float, more: int = 1) -> None:
        """Count what whoever asks got."""
        if self._most and more:
            for name in filter(None, self._list_names(who, now)):
                daily_counters.increment(session, name, now, more)

    def allow(self, session: Session, who: Asker, now: float) -> bool:
        """Count one more for whoever asks if there is room; whether it was counted."""
        if not self.has_room(session, who, now):
            return False
        self.take(session, who, now)
        return True

    def turn_away(self, session: Session, who: Asker, now: float) -> None:
        """Note that there was nothing left for whoever asks, who may write again."""
        for name in self._list_refusals(who, now):
            daily_counters.increment(session, name, now)

    def _list_names(self, who: Asker, now: float) -> tuple[str, str, str]:
        """Return the counters of the hour: of all, of the source ("" when that is unknown) and of
        the domain."""
        begins = f"{self._name} {int(now // _HOUR)}"
        by_source = f"{begins} by {who.source}" if who.source else ""
        return begins, by_source, f"{begins} at {who.domain}"

    def _list_refusals(self, who: Asker, now: float) -> tuple[str, str]:
        """Return the counters of refusals to the address: of all hours, and of this one."""
        name = f"{self._name} refused {who.address}"
        return name, f"{name} {int(now // _HOUR)}"

    def _was_turned_away(self, session: Session, who: Asker, now: float) -> bool:
        """Whether there was nothing left for the address in an earlier hour."""
        yesterday = count_days(now) - 1
        in_all, in_this_hour = (
            daily_counters.count_since(session, name, yesterday)
            for name in self._list_refusals(who, now)
        )
        return in_all > in_this_hour


def find_network(address: str) -> str:
    """Return who counts as one source: an IPv4 address, or the IPv6 network of one customer."""
    if ":" not in address:
        return address
    try:
        network = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(network.ipv4_mapped or int(network) >> 64)
