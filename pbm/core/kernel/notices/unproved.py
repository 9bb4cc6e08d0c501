"""The budget of an address: how many mails a day go there because of mails that prove nothing.

Anybody can write anybody's address into From, or name it in a command. What that leads to is
counted here, of all kinds together and where notices become mails."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbm.config import Config
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import find_players_by_address
from pbm.core.kernel.refusal import RefusalCode
from pbm.store import daily_counters
from pbm.store.daily_counters import count_days
from pbm.store.transaction import Session

_OF_LIMITS = {RefusalCode.LIMIT_REACHED, RefusalCode.TOO_MANY_GUESSES}


def keep_within_budget(
    session: Session, notices: Sequence[Notice], now: float, config: Config
) -> list[Notice]:
    """Return the notices without those, caused by mails that prove nothing, for which their
    addresses have no room left today, and count the others. Of three in ten of an address's mails
    only codes get any, so that nobody who forges its mails keeps a code from its owner. The last of
    the rest says so. That a limit is reached is not mailed to an address that nobody has
    confirmed."""
    kept = []
    for notice in notices:
        if not notice.is_unproved or not notice.addresses:
            kept.append(notice)
            continue
        if not notice.player and notice.refusal in _OF_LIMITS:
            continue
        most = config.limits.unproved_a_day
        addresses, is_last = [], False
        for address in notice.addresses:
            player = notice.player if notice.content.is_code else None
            if has_room(session, address, now, config, code_for=player):
                count = daily_counters.increment(session, _name(address), now)
                is_last |= bool(most) and player is None and count == most - _reserve(most)
                addresses.append(address)
        if addresses:
            kept.append(replace(notice, addresses=tuple(addresses), is_last=is_last))
    return kept


def has_room(
    session: Session, address: str, now: float, config: Config, *, code_for: int | None = None
) -> bool:
    """Whether one more mail may go to the address today because of one that proves nothing.
    `code_for` is the player whose code it brings, 0 for nobody yet. What is kept for codes is for
    those of the address's own players, or, where it has none, for those that make it somebody's."""
    most = config.limits.unproved_a_day
    if not most:
        return True
    count = daily_counters.count_on(session, _name(address), count_days(now))
    if count < most - _reserve(most):
        return True
    if code_for is None or count >= most:
        return False
    owners = find_players_by_address(session, address)
    return not owners or any(owner.id == code_for for owner in owners)


def _reserve(most: int) -> int:
    """Return how many of an address's mails of a day are for codes alone."""
    return most * 3 // 10


def _name(address: str) -> str:
    return f"unproved {address}"
