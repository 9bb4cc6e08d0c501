"""Notices from the server's operator."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.kernel.notices.content import Content


class OperatorMessage(Content, frozen=True, kw_only=True):
    """What the operator wrote to the reader, or a moderator."""

    subject: str
    text: str
    is_moderators: bool = False


class DailyDigest(Content, frozen=True, kw_only=True):
    """Tells the operator what is worth a look: what has happened in a day, and what is wrong."""

    lines: Sequence[str]


class PlayerWaits(Content, frozen=True, kw_only=True):
    """Tells the operator that a new player waits to be approved."""

    userid: str
    address: str
