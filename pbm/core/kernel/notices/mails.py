"""Notices about mails themselves: unread ones, those of several commands, those that bounce."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.core.kernel.notices.content import AccountContent, Content
from pbm.core.kernel.refusal import RefusalCode


class NoCommand(Content, frozen=True, kw_only=True):
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


class CodeWaits(Content, frozen=True, kw_only=True):
    """Answers an address that has yet to send back a code, of a signup or of an account's, which
    went there at the time `asked`."""

    userid: str
    asked: str


class Stranger(Content, frozen=True, kw_only=True):
    """What this server is, the names of its games, how many variants there are of them, and who may
    sign up (`signups`: "" for everybody), for a writer whose address is not known; `may_join`: some
    may; `waits`: the writer's account waits for the operator."""

    is_failure = True

    games: Sequence[str] = ()
    variants: int = 0
    signups: str = ""
    may_join: bool = True
    waits: bool = False


class MailKept(Content, frozen=True, kw_only=True):
    """A mail failed because of an error in the server and will be tried again."""

    is_failure = True


class MailFailed(Content, frozen=True, kw_only=True):
    """A mail failed because of an error in the server and is not kept: it proved nothing, or it
    would only have shown something."""

    is_failure = True


class MailSetAside(Content, frozen=True, kw_only=True):
    """A mail ended the process that executed it, and is not tried again."""

    is_failure = True


class ErrorsOver(Content, frozen=True, kw_only=True):
    """Errors go unanswered for the rest of the day."""

    is_failure = True


class TranscriptPart(Struct, frozen=True):
    """One line of a mail, with the subjects and texts that answer it."""

    line: str
    texts: Sequence[tuple[str, str]]


class Transcript(Content, frozen=True, kw_only=True):
    """The answer to a mail of several commands; `facts` are the blocks at the end of all boards."""

    parts: Sequence[TranscriptPart]
    done: int
    count: int
    facts: Sequence[str]


class AddressStopped(Content, frozen=True, kw_only=True):
    """Mail to one of the reader's addresses keeps coming back, or was reported as spam there, and
    is stopped."""

    userid: str
    address: str
    is_complaint: bool = False


class Unreachable(Content, frozen=True, kw_only=True):
    """Mail to an opponent of the reader's bounces; `reached`: other addresses still work;
    `is_wish`: it does not bounce, the opponent has stopped it."""

    userid: str
    boards: Sequence[int]
    reached: bool
    is_wish: bool = False


class HeldRow(Struct, frozen=True):
    """Notices of one kind about one board, or none: the news of the last, how many there were, and
    what was written in them."""

    subject: str
    count: int
    text: str


class HeldNotices(Content, frozen=True, kw_only=True):
    """What the players `names`, of whom one is `example`, have caused beyond `most` notices a day:
    so many of them, and `more` that are not described."""

    userid: str
    names: str
    example: str
    most: int
    count: int
    rows: Sequence[HeldRow]
    more: int


class MailResumed(AccountContent, frozen=True, kw_only=True):
    """Mails go to the reader again, who had stopped them and has sent a command."""


class Unheard(AccountContent, frozen=True, kw_only=True):
    """Tells a player who is silenced that the words beside a command went nowhere."""

    userid: str
    until: str
