"""Notices: what somebody is told, and where it goes. Mail and terminal write it as text."""

from __future__ import annotations

from msgspec import Struct

from pbm.core.kernel.notices.content import Content
from pbm.core.kernel.players.stopped import BOARDS
from pbm.core.kernel.refusal import RefusalCode


class Thread(Struct, frozen=True):
    """The conversation that a mail belongs to: a board of a game, the seat (None for a spectator),
    the ply to play, how often moves were taken back, and the userids at the seats."""

    game: str
    board: int
    seat: int | None
    ply: int
    undos: int
    names: tuple[str, ...]


class Notice(Struct, frozen=True):
    """One thing to tell somebody.

    content    what it says
    addresses  where it goes; empty for a terminal
    player     whose reply token it carries; 0 for a stranger
    thread     the board's conversation it belongs to
    is_answer  it answers the command itself: it goes to whoever sent it
    left       lines of the mail that were neither done nor passed on
    puzzle     whose reply token it carries instead of the player's, or 0
    cause      the player whose act it tells somebody else of; 0 where no limit counts it
    code       the reply token of the code that it brings, or ""
    language   that of its reader, where no player's preferences tell it; or ""
    is_unproved  a mail that does not prove who wrote it has caused it, or it brings a code to an
               address that nobody has confirmed: it counts in the budget of its addresses
    is_last    its address gets no more such mails today, codes aside
    """

    content: Content
    addresses: tuple[str, ...] = ()
    player: int = 0
    thread: Thread | None = None
    is_answer: bool = False
    left: tuple[str, ...] = ()
    puzzle: int = 0
    cause: int = 0
    code: str = ""
    language: str = ""
    is_unproved: bool = False
    is_last: bool = False

    @property
    def refusal(self) -> RefusalCode | None:
        """Why a command was refused."""
        return self.content.refusal

    @property
    def mail_kind(self) -> str:
        """The kind of mails that it belongs to, which its reader can stop: all about the reader's
        own boards is one."""
        thread = self.thread
        return BOARDS if thread is not None and thread.seat is not None else self.content.mail_kind

    @property
    def is_failure(self) -> bool:
        """Whether it says that something was not done."""
        return self.content.is_failure
