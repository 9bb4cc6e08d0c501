"""What mails are read, verified and executed with, the same for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbm.config import Config
from pbm.core.limits import Limit, Tally
from pbm.core.secrets import Secrets
from pbm.core.submit import CommandService
from pbm.mail.compose import build_service


@dataclass(frozen=True, slots=True)
class MailServices:
    """What does not change from mail to mail.

    guesses  today's wrong passwords, as far as this process knows
    looks    seconds of processor time for pages, of each address
    peers    the same of each mail server
    """

    service: CommandService
    guesses: Tally = field(default_factory=lambda: Tally(Limit.FAILURES))
    looks: Tally = field(default_factory=lambda: Tally(Limit.LOOK_SECONDS))
    peers: Tally = field(default_factory=lambda: Tally(Limit.PEER_SECONDS))

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
