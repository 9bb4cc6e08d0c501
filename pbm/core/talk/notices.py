"""Notices that pass on what somebody wrote, and help pages."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.kernel.notices.content import AccountContent, Content, GameContent


class Message(Content, frozen=True, kw_only=True):
    """What a player wrote to the reader."""

    userid: str
    writer: str
    text: str

    @property
    def passed_on(self) -> str:
        """The text."""
        return self.text


class Broadcast(Content, frozen=True, kw_only=True):
    """What a player wrote to everybody."""

    stopped_by = "set broadcasts=no"

    userid: str
    writer: str
    text: str

    @property
    def passed_on(self) -> str:
        """The text."""
        return self.text


class Chat(GameContent, frozen=True, kw_only=True):
    """What a player wrote at a board; the reader is `seated` there, or watches."""

    board: int
    userid: str
    writer: str
    text: str
    seated: bool

    @property
    def passed_on(self) -> str:
        """The text."""
        return self.text


class PassedOn(GameContent, frozen=True, kw_only=True):
    """Confirms that the reader's text was passed on: to whom, in how many mails."""

    game: str = ""
    board: int = 0
    names: str
    text: str
    count: int
    watchers: str = ""


class Watching(GameContent, frozen=True, kw_only=True):
    """The reader now watches a board (`on`), or no longer does."""

    board: int
    userid: str
    on: bool


class AbuseReport(Content, frozen=True, kw_only=True):
    """Tells the operator that `writer` complains of a player: with the board whose mail was
    answered, or 0, and what that player wrote there last."""

    writer: str
    reported: str
    text: str
    board: int
    chats: Sequence[str]


class ReportPassedOn(Content, frozen=True, kw_only=True):
    """Confirms that the operator has the reader's report."""

    userid: str
    reported: str


class Blocked(AccountContent, frozen=True, kw_only=True):
    """Whom the reader blocks."""

    names: Sequence[str]
