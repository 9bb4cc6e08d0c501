"""Reads the bytes of a mail: who sent it, which commands it holds, and whether it is ignored."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.command import Command, Sender
from pbm.core.limits import Asker, find_network
from pbm.core.secrets import Token, read_reference, read_token
from pbm.mail.bounces import Bounce, read_bounce
from pbm.mail.find_commands import FoundCommand, extract_commands, is_persons, leave_out_card
from pbm.mail.headers import TooCostly
from pbm.mail.letter import REACTION, Letter, Machine, read_letter
from pbm.mail.pages import ShownPages
from pbm.mail.receive import is_from_own_mail_server, is_local, mask_text
from pbm.mail.services import MailServices
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.tables import InboundRow


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


_NOT_A_REPORT = MailResult(MailOutcome.NOT_A_REPORT, "not a report")
_NO_SENDER = MailResult(MailOutcome.NO_SENDER, "no single sender")
_OWN_ADDRESS = MailResult(MailOutcome.OWN_ADDRESS, "our own address")


def read_mail(services: MailServices, row: InboundRow) -> IncomingMail:
    """Read a mail of the journal and find its commands; that needs no database."""
    server = services.config.server
    try:
        letter = read_letter(
            row.raw,
            envelope_from=row.envelope_from,
            trusts=server.trusts,
            club=server.name,
        )
    except TooCostly as error:
        unreadable = MailResult(MailOutcome.UNREADABLE, f"too costly: {error}")
        return IncomingMail(row.id, row.received, row.raw, ignored=unreadable)
    # Whoever writes in the name of our mail server may say that it failed, not that it passed.
    if letter.vouched and not is_from_own_mail_server(server, row.via, row.peer):
        letter = replace(letter, vouched=False)
    if letter.sender != letter.sender.lower():
        letter = replace(letter, sender=letter.sender.lower())
    mail = IncomingMail(
        row.id,
        row.received,
        row.raw,
        letter,
        row.fingerprint or "",
        "" if is_local(row.peer) else find_network(row.peer),
        is_stranger=row.stranger,
        to=services.config.find_sender(row.recipient),
    )
    token = read_token(row.recipient.rpartition("@")[0].partition("+")[2])
    sent = _find_sent_mail(services, token)
    if sent or letter.machine is Machine.HARD:
        bounce = read_bounce(row.raw, sent, has_sender=bool(row.envelope_from))
        if bounce.reports or bounce.is_complaint:
            return replace(mail, bounce=bounce)
        return replace(mail, ignored=_find_reason_to_ignore(services, letter) or _NOT_A_REPORT)
    ignored = _find_reason_to_ignore(services, letter)
    if ignored is not None:
        return replace(mail, ignored=ignored)
    numbers = [_read_message_id(services, each)[1] for each in letter.in_reply_to]
    answers = tuple(number for number in numbers if number)
    token = _find_reply_token(services, token, letter)
    return find_commands(services, replace(mail, token=token, answers=answers), letter)


def build_sender(services: MailServices, mail: IncomingMail, letter: Letter) -> Sender:
    """Return who sends the commands of a mail, as far as the mail says it."""
    token = mail.token
    code = token.tag if token is not None and token.kind == "c" else ""
    invitation = token if token is not None and token.kind == "i" else None
    token = None if code or invitation else token
    return Sender(
        letter.sender,
        token,
        vouched=letter.vouched,
        failed=letter.failed,
        answers=_find_answered_mail(services, letter) if token is not None else 0,
        is_person=letter.machine is Machine.NO,
        peer=mail.peer,
        code=code,
        invitation=invitation,
        to=mail.to,
    )


def find_commands(services: MailServices, mail: IncomingMail, letter: Letter) -> IncomingMail:
    """Return the mail with the commands of the letter, which is the mail's own or has fewer
    lines."""
    sender = build_sender(services, mail, letter)
    entries, is_list = extract_commands(letter, sender, services.config.limits.commands_a_mail)
    withheld = letter.withheld
    entries = [leave_out_card(each, () if at else withheld) for at, each in enumerate(entries)]
    if letter.machine is Machine.SOFT:
        is_reaction = letter.mark == REACTION
        entries = [entry for entry in entries if not (is_reaction or is_persons(entry))]
        if not entries:
            return replace(mail, bounce=read_bounce(mail.raw, 0), ignored=_ignore_machine(letter))
    return replace(mail, letter=letter, entries=tuple(entries), is_list=is_list)


def _find_reason_to_ignore(services: MailServices, letter: Letter) -> MailResult | None:
    """Return the result of a mail whose sender is never answered, whatever its content."""
    if letter.machine is Machine.HARD:
        return _ignore_machine(letter)
    if not letter.sender:
        return _NO_SENDER
    if services.config.server.is_at(letter.sender):
        return _OWN_ADDRESS
    return None


def _find_sent_mail(services: MailServices, token: Token | None) -> int:
    """Return the number of the outgoing mail that a bounce to the address with this token is about,
    else 0."""
    is_ours = token is not None and token.kind == "d" and services.secrets.is_genuine(token)
    return services.secrets.reveal_number(token.number) if token is not None and is_ours else 0


def _find_reply_token(services: MailServices, token: Token | None, letter: Letter) -> Token | None:
    """Return the reply token of the recipient address, else a reference to the mail that was
    answered, which proves nothing."""
    if token is not None and token.kind != "d":
        return token
    for message_id in letter.in_reply_to:
        answered, _ = _read_message_id(services, message_id)
        if answered is not None:
            return answered
    return None


def _find_answered_mail(services: MailServices, letter: Letter) -> int:
    """Return the number of the outgoing mail that the letter answers, or 0. It is not proved by a
    token."""
    return _read_message_id(services, letter.in_reply_to[0])[1] if letter.in_reply_to else 0


def _read_message_id(services: MailServices, message_id: str) -> tuple[Token | None, int]:
    """Return the subject matter of one of the server's Message-IDs, and its number; (None, 0) for
    any other."""
    left, _, host = message_id.strip("<>").rpartition("@")
    is_ours = host.lower() in services.config.server.hosts
    answered, number = read_reference(left) if is_ours else (None, 0)
    return answered, services.secrets.reveal_number(number)


def _ignore_machine(letter: Letter) -> MailResult:
    return MailResult(MailOutcome.MACHINE, f"a machine: {letter.mark}", letter.mark)
