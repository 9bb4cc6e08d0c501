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
    """The next hop has accepted the mail. `answer` is what it said: with most relays the number
    under which their log has it."""

    answer: str = ""


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
_MESSAGE_ID = re.compile(rb"(?mi)^Message-ID:[ \t]*(<[^<>\s]+>)")
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
    """Name the result: delivered, deferred, failed or given up."""
    if is_last and isinstance(result, Deferred):
        return "given up"
    return type(result).__name__.lower()


def find_message_id(message: bytes) -> str:
    """Return the Message-ID of a mail, with its brackets; "" when it has none."""
    found = _MESSAGE_ID.search(message.partition(b"\r\n\r\n")[0])
    return found[1].decode("ascii", "replace") if found else ""


def find_answer(result: Result) -> str | None:
    """Return what may be logged of the relay's answer: all of it, unless it quotes an address."""
    if not isinstance(result, Delivered) or not result.answer:
        return None
    return find_code(result.answer) if "@" in result.answer else result.answer


def find_code(why: str) -> str:
    """Return what may be logged of a relay's words: its codes, or what this program says itself.
    The rest may quote an address."""
    code = _CODE.match(why)
    return code[0] if code else why if "@" not in why else "refused"
