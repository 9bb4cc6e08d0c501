"""Notices that pass press on, confirm it and list it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.kernel.notices.content import GameContent


class PressReceived(GameContent, frozen=True, kw_only=True):
    """What one power wrote to the reader's; `writer` is "" where it is not signed, `names` are all
    powers that it went to, and `word` is what a reply to it begins with."""

    board: int
    userid: str
    writer: str
    names: str
    word: str
    text: str

    @property
    def passed_on(self) -> str:
        """The text."""
        return self.text


class PressSent(GameContent, frozen=True, kw_only=True):
    """Confirms that the reader's press went to these powers, `signed` or not."""

    board: int
    names: str
    text: str
    signed: bool
    count: int


class PressLine(Struct, frozen=True):
    """One text: when it was written, a line that says by whom and to whom, and the text."""

    at: str
    head: str
    text: str


class PressList(GameContent, frozen=True, kw_only=True):
    """What the reader has sent and received at a board, oldest first."""

    board: int
    lines: Sequence[PressLine]
    userid: str

    @property
    def is_personal(self) -> bool:
        """Whether it holds what its reader alone may know: it does."""
        return True
