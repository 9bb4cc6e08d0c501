"""Notices about mails themselves: unread ones, those of several commands, those that bounce."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.model.notices.content import Content
from pbm.core.model.refusal import RefusalCode


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCommand(Content):
    """A mail held no command: what its writer can send, with the writer's userid, game and board,
    or USERID, GAME and BOARD where they are not known."""

    is_failure = True

    userid: str = "USERID"
    game: str = "GAME"
    board: str = "BOARD"

    @property
    def refusal(self) -> RefusalCode | None:
        """It counts as a refusal."""
        return RefusalCode.NO_COMMAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Stranger(Content):
    """What this server is, for a writer whose address is not known."""

    is_failure = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MailKept(Content):
    """A mail failed because of an error in the server and will be tried again."""

    is_failure = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorsOver(Content):
    """Errors go unanswered for the rest of the day."""

    is_failure = True


@dataclass(frozen=True, slots=True)
class TranscriptPart:
    """One line of a mail, with the subjects and texts that answer it."""

    line: str
    texts: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(Content):
    """The answer to a mail of several commands; `facts` are the blocks at the end of all boards."""

    parts: Sequence[TranscriptPart]
    done: int
    count: int
    facts: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressStopped(Content):
    """Mail to one of the reader's addresses bounced on so many days and is stopped."""

    userid: str
    address: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable(Content):
    """Mail to an opponent of the reader's bounces; `reached`: other addresses still work."""

    userid: str
    boards: Sequence[int]
    reached: bool
