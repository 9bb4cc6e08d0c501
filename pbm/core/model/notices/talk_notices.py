"""Notices that pass on what somebody wrote, and pages of help."""

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
    """To whom the reader's text went: the board, if any, `names`, and how many mails that made."""

    game: str = ""
    board: int = 0
    names: str
    text: str
    count: int
    watchers: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching(GameContent):
    """The reader gets the mails of a board (`on`), or no longer does."""

    board: int
    userid: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpPage(Content):
    """A page of help."""

    topic: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorMessage(Content):
    """What the operator wrote to the reader."""

    subject: str
    text: str
