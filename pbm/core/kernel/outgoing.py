"""Outgoing mails between the notices that they are of and the bytes that are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from pbm.core.kernel.notices.notice import Notice
from pbm.store.transaction import Session


class OutgoingMail(Struct, frozen=True):
    """A mail of one notice to one address, numbered, but not composed.

    answers      the Message-ID of the mail that it answers, or ""
    inbound      the number of the mail that caused it
    stored       the hash of the reader's password, which its token is bound to
    preferences  those of the reader
    sender       the address of the server that it comes from
    due          when it is sent
    told         what the mail that a bot's answer makes of it repeats, as JSON; None when no bot is
                 to answer
    """

    notice: Notice
    address: str
    number: int
    created: float
    answers: str
    inbound: int | None
    stored: str
    preferences: Mapping[str, str]
    sender: str
    due: float
    told: str | None = None


class Outgoing(Protocol):
    """Turns notices into mails and puts these into the outgoing queue."""

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> list[OutgoingMail]:
        """Number a mail for each address of each notice. `inbound` is the number of the mail that
        caused them, `answers` its Message-ID, `to` the address of the server that it went to, where
        mails may come from that one too."""

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Compose these mails and enqueue them; their rows."""


class NothingOutgoing:
    """For submissions of which nothing goes out: those whose policy is `send_nothing`."""

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> list[OutgoingMail]:
        """Address no mails. ValueError when there are notices to send."""
        if notices:
            raise ValueError("these notices were not to be sent")
        return []

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Post no mails."""
        return []
