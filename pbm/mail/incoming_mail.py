"""An incoming mail on its way from bytes to outcome."""

from __future__ import annotations

from msgspec import Struct

from pbm.core.command import Command
from pbm.core.limits import Asker
from pbm.core.secrets import Token
from pbm.mail.bounces import Bounce
from pbm.mail.find_commands import FoundCommand
from pbm.mail.letter import Letter
from pbm.mail.pages import ShownPages
from pbm.mail.receive import mask_text
from pbm.store.mail_outcome import MailResult


class IncomingMail(Struct, frozen=True):
    """A mail that was read. Without a letter it cost too much to read, and is set aside.

    token        the reply token that it has, genuine or not
    answers      the numbers of the mails of ours that it says it answers
    language     that of the mail of ours that a stranger answers; "" for the server's
    to           the address of ours that it went to, where mails may come from several
    ignored      what becomes of it when nothing in it is executed or answered
    is_list      it is a list of commands, which are answered in one mail
    is_stopped   the operator stopped mail to its sender
    is_verified  its passwords were verified
    is_unknown   it proves nothing, and From is nobody's confirmed address
    is_stranger  it came from no known address, as the journal has it
    guessed      accounts that it tried a wrong password on
    vain         how many wrong passwords argon2 verified for it
    is_unchecked a password in it was not verified: strangers had used up their hour
    proven       the player whose password was right in it, or 0
    beginning    a hash of its first paragraph, and `endings` those of its last lines
    pages        what it shows, when it asks for pages only
    """

    number: int
    received: float
    raw: bytes
    letter: Letter | None = None
    fingerprint: str = ""
    peer: str = ""
    entries: tuple[FoundCommand, ...] = ()
    is_list: bool = False
    bounce: Bounce | None = None
    ignored: MailResult | None = None
    is_stopped: bool = False
    is_verified: bool = False
    is_unknown: bool = False
    is_stranger: bool = False
    guessed: tuple[int, ...] = ()
    vain: int = 0
    is_unchecked: bool = False
    proven: int = 0
    beginning: str = ""
    endings: tuple[str, ...] = ()
    pages: ShownPages | None = None
    token: Token | None = None
    answers: tuple[int, ...] = ()
    to: str = ""
    language: str = ""

    @property
    def commands(self) -> list[Command]:
        """The commands in it that can be read."""
        return [entry.command for entry in self.entries if entry.command is not None]

    @property
    def asks_for_pages(self) -> bool:
        """Whether it asks for pages only: it can change nothing, and may cost a lot."""
        asks = False
        for entry in self.entries:
            if entry.command is not None:
                if not entry.command.verb.is_read_only:
                    return False
                asks = True
        return asks

    @property
    def asker(self) -> Asker:
        """Who asks for what it brings, when nothing is proved."""
        letter = self.letter
        if letter is None:
            return Asker(self.peer, "")
        return Asker(self.peer, letter.sender, letter.vouched)

    @property
    def has_wrong_password(self) -> bool:
        """Whether a command in it names a player and has no right password."""
        if self.is_unchecked:
            return False
        unproven = [command for command in self.commands if command.proof is None]
        return any(command.verb.needs_password and bool(command.user) for command in unproven)

    @property
    def masked(self) -> bytes:
        """What is kept of it once it is done."""
        return mask_text(self.raw)
