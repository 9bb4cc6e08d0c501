"""Reads at once what a batch of mails will most likely ask of the database."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.log_view import LOG_SHOWN
from pbm.mail.incoming.execute_mail import COPIES_WITHIN
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.store import inbound_queue, outbound_queue, reads
from pbm.store.transaction import Session


def claim_mails(session: Session, mails: Sequence[IncomingMail]) -> None:
    """Claim these mails and read what executing them needs."""
    if not mails:
        return
    since = min(mail.received for mail in mails) - COPIES_WITHIN
    inbound_queue.prefetch(
        session, {mail.number: mail.fingerprint or None for mail in mails}, since
    )
    names = {command.user.lower() for mail in mails for command in mail.commands}
    reads.prefetch_players(session, names - {""})
    commands = [command for mail in mails for command in mail.commands]
    numbers = {command.board or command.sender.board for command in commands} - {0}
    reads.prefetch_boards(session, numbers, LOG_SHOWN)
    outbound_queue.reserve_numbers(session, 0)
