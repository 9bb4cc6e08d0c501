"""What a courier does with a mail, and what may come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Envelope(NamedTuple):
    """Whom a mail is from and to, as the next hop is told."""

    sender: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """The next hop has accepted the mail."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Try again later. `relay_down`: neither the mail nor its recipient is the reason."""

    why: str
    relay_down: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The next hop has refused the mail for good."""

    why: str


Result = Delivered | Deferred | Failed


class Courier(Protocol):
    """What delivers a mail; a seam that tests may fake."""

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Deliver one mail. `following` is the envelope of the one that most likely comes next: it
        may be announced already, but no mail is owed for it."""

    async def close(self) -> None:
        """Close connections."""
