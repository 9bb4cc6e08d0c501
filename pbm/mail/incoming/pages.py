"""Looking: mails that ask for pages only. They are answered from a session that reads, within what
a mail may cost and, where nothing proves who sends it, an address and its peer in a day."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from pbm.config import Config
from pbm.core.model.notice import Notice
from pbm.core.model.player import Player, mark_seen
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.secrets import Secrets
from pbm.core.service.execute import count_commands, look, refuse, require_commands
from pbm.mail.incoming.extract_commands import Step
from pbm.mail.outgoing.rendering import render
from pbm.store import daily_counters
from pbm.store.daily_counters import day_of
from pbm.store.transaction import Session

_SECONDS = 1.0
"""Processor time that the pages of one mail take."""
_OCTETS = 100_000
"""Characters of the pages of one mail."""
_PEER_SHARE = 10
"""A peer (a mail server that many write through) may cost as much as so many addresses."""
_OVER = "no more pages for this address today: reply to a mail of ours to see more"
_TOO_MUCH = "one answer holds no more: send this line again in another mail"


@dataclass(frozen=True, slots=True)
class Looks:
    """What the commands of a mail show, the notices of each. It is charged to the player who is
    proven to ask, else to an address; `is_over` says that this has had all there is for a day."""

    shown: tuple[list[Notice], ...]
    player: Player | None = None
    address: str = ""
    is_over: bool = False


class Meter:
    """Seconds of processor time that each address and each peer has cost today."""

    def __init__(self) -> None:
        self._day = 0
        self._spent: dict[str, float] = {}

    def spent(self, who: str, now: float) -> float:
        """Today's seconds."""
        return self._spent.get(who, 0.0) if day_of(now) == self._day else 0.0

    def add(self, who: str, seconds: float, now: float) -> None:
        """So many seconds more."""
        if day_of(now) != self._day:
            self._day, self._spent = day_of(now), {}
        self._spent[who] = self._spent.get(who, 0.0) + seconds


class Looker:
    """Answers mails that only look."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._secrets = secrets
        self._meter = Meter()

    def looks(
        self,
        session: Session,
        steps: Sequence[Step],
        player: Player | None,
        address: str,
        peer: str,
        now: float,
    ) -> Looks:
        """What the commands show, each until the mail has cost too much. `player` is who is proven
        to have sent it; else `address` and `peer` are charged."""
        spent = self._spent(session, player, address, peer, now)
        shown: list[list[Notice]] = []
        begun, length = time.thread_time(), 0
        for step in steps:
            if spent is not None:
                refusal = spent
            elif length > _OCTETS or time.thread_time() - begun > _SECONDS:
                refusal = Refusal(RefusalCode.LIMIT_REACHED, _TOO_MUCH)
            elif step.command is None:
                refusal = step.refusal or Refusal(RefusalCode.NO_COMMAND, "this is no command")
            else:
                notices = look(session, step.command, now, self._secrets, self._config)
                if len(steps) > 1:
                    length += sum(len(render(notice, self._config)[1]) for notice in notices)
                shown.append(notices)
                continue
            shown.append(refuse(session, step.sender, refusal, now, self._secrets, self._config))
        if player is not None:
            return Looks(tuple(shown), player)
        cost = time.thread_time() - begun
        for who in filter(None, (address, peer)):
            self._meter.add(who, cost, now)
        return Looks(tuple(shown), None, address, is_over=spent is not None)

    def _spent(
        self, session: Session, player: Player | None, address: str, peer: str, now: float
    ) -> Refusal | None:
        """Why nothing more is shown today, if so."""
        if player is None:
            if self._is_over(session, address, peer, now):
                return Refusal(RefusalCode.LIMIT_REACHED, _OVER)
            return None
        try:
            require_commands(session, player, now, self._config)
        except Refusal as refusal:
            return refusal
        return None

    def _is_over(self, session: Session, address: str, peer: str, now: float) -> bool:
        """Whether the address, or the peer, has had what there is for a day."""
        limits, day = self._config.limits, day_of(now)
        seconds = limits.look_seconds_a_day
        return bool(
            (
                limits.looks_a_day
                and daily_counters.count_on(session, f"looks {address}", day) >= limits.looks_a_day
            )
            or (
                limits.looks_bytes_a_day
                and daily_counters.count_on(session, f"look bytes {address}", day)
                >= limits.looks_bytes_a_day
            )
            or (seconds and self._meter.spent(address, now) >= seconds)
            or (seconds and peer and self._meter.spent(peer, now) >= seconds * _PEER_SHARE)
        )


def charge(session: Session, looks: Looks, octets: int, now: float, config: Config) -> None:
    """Count what a player or an address was shown."""
    if looks.player is not None:
        count_commands(session, looks.player, now, config, len(looks.shown))
        mark_seen(session, looks.player, now)
    elif not looks.is_over:
        daily_counters.increment(session, f"looks {looks.address}", now, len(looks.shown))
        daily_counters.increment(session, f"look bytes {looks.address}", now, octets)
