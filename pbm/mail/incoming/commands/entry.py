"""One command of a mail, or a line that is meant as one."""

from __future__ import annotations

from msgspec import Struct

from pbm.core.command import Command, Sender
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.submit import Unread
from pbm.rules.phrases import phrase

_NO_COMMAND = Refusal(RefusalCode.NO_COMMAND, phrase("this is not a command"))


class Entry(Struct, frozen=True):
    """One command of a mail, or why a line that is meant as one cannot be read. `printable` is what
    may be shown of such a line."""

    sender: Sender
    command: Command | None
    refusal: Refusal | None = None
    printable: str = "..."

    @property
    def unread(self) -> Unread:
        """What is submitted for a line that cannot be read."""
        return Unread(self.sender, self.refusal or _NO_COMMAND)


def redeems_code(entry: Entry) -> bool:
    """Whether it redeems a one-time code or answers an invitation. Only a person may do so, not a
    program, nor the subject of a reply."""
    if entry.command is None:
        return False
    return entry.command.verb.slots == ("code",) or entry.sender.invitation is not None
