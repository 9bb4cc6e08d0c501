"""What mails are read, verified and executed with, the same for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbm.config import Config
from pbm.core.password_checks import FailureCounts
from pbm.core.secrets import Secrets
from pbm.core.submit import CommandService
from pbm.mail.postbox import build_service
from pbm.store.daily_counters import count_days


class CpuMeter:
    """Seconds of processor time that each address and each peer has cost today."""

    def __init__(self) -> None:
        self._day = 0
        self._seconds: dict[str, float] = {}

    def seconds(self, name: str, now: float) -> float:
        """Return today's seconds."""
        return self._seconds.get(name, 0.0) if count_days(now) == self._day else 0.0

    def add(self, name: str, seconds: float, now: float) -> None:
        """Charge some more seconds."""
        if count_days(now) != self._day:
            self._day, self._seconds = count_days(now), {}
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds


@dataclass(frozen=True, slots=True)
class MailServices:
    """What does not change from mail to mail.

    guesses  today's wrong passwords, as far as this process knows
    meter    what the pages of each address have cost today
    """

    service: CommandService
    guesses: FailureCounts = field(default_factory=FailureCounts)
    meter: CpuMeter = field(default_factory=CpuMeter)

    @property
    def config(self) -> Config:
        """The configuration."""
        return self.service.config

    @property
    def secrets(self) -> Secrets:
        """The server's secrets."""
        return self.service.secrets


def open_services(config: Config, secrets: Secrets) -> MailServices:
    """Return the services of a server."""
    return MailServices(build_service(config, secrets))
