"""Notices about mails themselves: those that could not be read, and those of many commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.model.notices.content import Content
from pbm.core.model.refusal import RefusalCode


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCommand(Content):
    """A mail held no command: what its writer can send, with own userid, game and board where they
    are known, else USERID, GAME and BOARD."""

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
    """To somebody whose address is not known: what this server is."""

    is_failure = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MailKept(Content):
    """A mail will be tried again when a fault of the server's is mended."""

    is_failure = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorsOver(Content):
    """No more errors are answered today."""

    is_failure = True


@dataclass(frozen=True, slots=True)
class TranscriptPart:
    """A line of a mail with the subjects and texts that answered it."""

    line: str
    texts: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(Content):
    """One answer to a mail of several commands; `facts` are the blocks of all boards."""

    parts: Sequence[TranscriptPart]
    done: int
    count: int
    facts: Sequence[str]
