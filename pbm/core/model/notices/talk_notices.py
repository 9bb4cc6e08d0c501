"""Notices that pass on what somebody wrote, and help pages."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.core.model.notices.content import Content, GameContent


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Content):
    """What a player wrote to the reader."""

    userid: str
    writer: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast(Content):
    """What a player wrote to everybody."""

    stopped_by = "set broadcasts=no"

    userid: str
    writer: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat(GameContent):
    """What a player wrote at a board; the reader is `seated` there, or watches."""

    board: int
    userid: str
    writer: str
    text: str
    seated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOn(GameContent):
    """Confirms that the reader's text was passed on: to whom, in how many mails."""

    game: str = ""
    board: int = 0
    names: str
    text: str
    count: int
    watchers: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching(GameContent):
    """The reader now watches a board (`on`), or no longer does."""

    board: int
    userid: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpPage(Content):
    """A help page."""

    topic: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorMessage(Content):
    """What the operator wrote to the reader."""

    subject: str
    text: str
