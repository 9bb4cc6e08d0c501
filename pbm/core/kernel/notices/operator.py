"""Notices from the server's operator."""

from __future__ import annotations

from pbm.core.kernel.notices.content import Content


class OperatorMessage(Content, frozen=True, kw_only=True):
    """What the operator wrote to the reader."""

    subject: str
    text: str


class PlayerWaits(Content, frozen=True, kw_only=True):
    """Tells the operator that a new player waits to be approved."""

    userid: str
    address: str
