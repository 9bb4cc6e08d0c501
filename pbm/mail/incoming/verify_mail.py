"""Verifies the passwords of a mail before any write lock is taken, and who it is from."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbm.core import player as bans
from pbm.core.authenticate import authenticate, find_senders
from pbm.core.call import MustWrite
from pbm.core.password_checks import PasswordChecks
from pbm.core.player import find_player, find_players_by_address
from pbm.mail.incoming.answered_mails import leave_out_quotes
from pbm.mail.incoming.commands.command_text import remove_secret_text
from pbm.mail.incoming.commands.entry import Entry
from pbm.mail.incoming.desk import Desk
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.message.letter import Letter
from pbm.mail.incoming.pages import show_pages
from pbm.mail.incoming.read_mail import find_commands
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.reads.board_rows import find_sent_language
from pbm.store.transaction import Session

_MOST_ANSWERED = 5
_BANNED = MailResult(MailOutcome.BANNED, "banned")


def verify_mail(desk: Desk, session: Session, mail: IncomingMail) -> IncomingMail:
    """Return the mail without the lines of the mails that it answers, with its commands' passwords
    verified, and with its pages when it asks for pages only; ignored when its sender is banned. The
    session only reads."""
    own = leave_out_quotes(session, mail, mail.to or desk.config.server.address)
    if own is not None:
        mail = find_commands(desk, mail, own)
    letter = mail.letter
    if letter is None or mail.ignored is not None or mail.bounce is not None:
        return mail
    kind = bans.find_ban_kind(session, letter.sender)
    if kind == bans.BAN:
        return replace(mail, entries=(), ignored=_BANNED)
    if kind == bans.STOP:
        mail = replace(mail, is_stopped=True)
    mail = _add_language(session, mail, letter)
    if not mail.entries:
        return mail
    asker = mail.asker if mail.is_stranger else None
    checks = PasswordChecks(desk.secrets, desk.config, desk.guesses, asker)
    entries = _verify_entries(session, mail.entries, checks, mail.received)
    proofs = [each.command.proof for each in entries if each.command is not None]
    proven = next((proof[0] for proof in proofs if proof is not None), 0)
    mail = replace(
        mail,
        entries=entries,
        guessed=tuple(checks.wrong),
        vain=checks.vain if mail.is_stranger else 0,
        is_unchecked=checks.is_unchecked,
        proven=proven,
        is_verified=True,
    )
    sender, asks_for_pages = entries[0].sender, mail.asks_for_pages
    if proven:
        mail = _drop_forged_sender(session, mail)
    elif asks_for_pages or sender.token is None or sender.token.is_reference:
        is_unknown = not find_players_by_address(session, sender.address)
        mail = replace(mail, is_unknown=is_unknown)
    if asks_for_pages and not mail.is_unknown:
        return _add_pages(desk, session, mail, letter)
    return mail


def _add_language(session: Session, mail: IncomingMail, letter: Letter) -> IncomingMail:
    """Return a stranger's mail with the language of the mail of ours that it answers, in which it
    is answered."""
    is_proven = mail.token is not None and mail.token.kind in "bup" and not mail.token.is_reference
    if not mail.answers or is_proven or find_players_by_address(session, letter.sender):
        return mail
    language = find_sent_language(session, mail.answers[:_MOST_ANSWERED])
    if not language:
        return mail
    entries = []
    for entry in mail.entries:
        sender = replace(entry.sender, language=language)
        command = entry.command and replace(entry.command, sender=sender)
        entries.append(replace(entry, sender=sender, command=command))
    return replace(mail, entries=tuple(entries), language=language)


def _verify_entries(
    session: Session, entries: Sequence[Entry], checks: PasswordChecks, now: float
) -> tuple[Entry, ...]:
    """Return the entries with their passwords verified and without texts that should not travel."""
    passwords = {entry.command.password for entry in entries if entry.command is not None}
    passwords -= {""}

    def exists(name: str) -> bool:
        return find_player(session, name) is not None

    verified = []
    for entry in entries:
        if entry.command is not None:
            command = remove_secret_text(entry.command, passwords, exists)
            command = authenticate(session, command, checks, now)
            entry = replace(entry, command=command)
        verified.append(entry)
    return tuple(verified)


def _add_pages(desk: Desk, session: Session, mail: IncomingMail, letter: Letter) -> IncomingMail:
    """Return the mail with the pages that it asks for, unless a board has to be woken for them."""
    now = mail.received
    senders_of_each = [
        find_senders(session, command, now, desk.secrets, desk.config) for command in mail.commands
    ]
    player = next((people[0] for people in senders_of_each if people), None)
    try:
        pages = show_pages(desk, session, mail.entries, player, letter.sender, mail.peer, now)
    except MustWrite:
        return mail
    return replace(mail, pages=pages)


def _drop_forged_sender(session: Session, mail: IncomingMail) -> IncomingMail:
    """Return a mail that a password proves to be a player's. When From is not an address of that
    player, the entries without a proof lose it as sender, so that nothing is answered to its
    owner."""
    if all(entry.command and entry.command.proof for entry in mail.entries):
        return mail
    sender = mail.entries[0].sender
    if any(player.id == mail.proven for player in find_players_by_address(session, sender.address)):
        return mail
    entries = []
    for entry in mail.entries:
        if entry.command is None or entry.command.proof is None:
            nobody = replace(entry.sender, address="")
            command = entry.command and replace(entry.command, sender=nobody)
            entry = replace(entry, sender=nobody, command=command)
        entries.append(entry)
    return replace(mail, entries=tuple(entries))
