"""What a courier does with a mail, and what may come of it."""

from __future__ import annotations

import re
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
_CODE = re.compile(r"[2-5]\d\d(?:[ -]\d\.\d{1,3}\.\d{1,3})?(?=\s|$)")


class Courier(Protocol):
    """What delivers a mail; a seam that tests may fake."""

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Deliver one mail. `following` is the envelope of the one that most likely comes next: it
        may be announced already, but no mail is owed for it."""

    async def close(self) -> None:
        """Close connections."""


def name_result(result: Result, *, is_last: bool) -> str:
    """delivered, deferred, failed or given up."""
    if is_last and isinstance(result, Deferred):
        return "given up"
    return type(result).__name__.lower()


def find_code(why: str) -> str:
    """What may be logged of a relay's words: its codes, or what this program says itself. The rest
    may quote an address."""
    code = _CODE.match(why)
    return code[0] if code else why if "@" not in why else "refused"
