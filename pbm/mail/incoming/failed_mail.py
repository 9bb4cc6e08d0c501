"""What becomes of a mail that fails by an error in the server: it is tried again, and then kept if
somebody would miss it, which its writer is told."""

from __future__ import annotations

import structlog
from sqlalchemy import bindparam, select
from sqlalchemy.exc import DBAPIError

from pbm.core.authenticate import find_senders
from pbm.core.notices import MailFailed, MailKept, MailSetAside, Notice
from pbm.core.player import find_players_by_address
from pbm.core.submit import Received, Submission
from pbm.mail.incoming.arrival import mask_text
from pbm.mail.incoming.desk import Desk
from pbm.mail.incoming.execute_mail import answer_with
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.message.letter import Machine
from pbm.store import inbound_queue, reads
from pbm.store.mail_outcome import MailResult
from pbm.store.tables import InboundRow, outbound
from pbm.store.transaction import Session

log = structlog.get_logger()
_CAUSED = select(outbound.c.id).where(outbound.c.inbound_id == bindparam("number")).limit(1)


def count_failure(
    desk: Desk,
    session: Session,
    mail: InboundRow,
    job: IncomingMail | None,
    result: MailResult,
    now: float,
) -> bool:
    """Count a failed attempt at a mail; `job` is the mail as far as it was read. After the last one
    it is set aside, which is returned, or, when nobody would miss it, done; its sender, if known,
    gets an apology the first time."""
    most = desk.config.limits.attempts
    if not most or mail.attempts + 1 < most:
        inbound_queue.count_failed_attempt(session, mail.id, result)
        return False
    is_aside = not mail.stranger
    if is_aside and job is not None and job.is_verified:
        is_aside = is_kept(desk, session, job, mail.received)
    if is_aside:
        inbound_queue.set_aside(session, mail.id, result, now, is_fault=True)
    else:
        inbound_queue.give_up(session, mail.id, result, now, mask_text(mail.raw))
    if not mail.faults and job is not None:
        _apologise_if_possible(desk, session, job, now, is_kept=is_aside)
    return is_aside


def _apologise_if_possible(
    desk: Desk, session: Session, job: IncomingMail, now: float, *, is_kept: bool
) -> None:
    """Send an apology, unless that is what fails."""
    try:
        apologise(desk, session, job, now, is_kept=is_kept)
    except DBAPIError:
        raise
    except Exception as error:
        log.error("failure answer not sent", mail=job.number, exc_info=error)


def is_kept(desk: Desk, session: Session, mail: IncomingMail, now: float) -> bool:
    """Whether a mail that fails by an error in the server is kept, to be tried again: somebody
    proved to have written it, and it may change something."""
    return not mail.asks_for_pages and any(
        find_senders(session, command, now, desk.secrets, desk.config) for command in mail.commands
    )


def apologise(
    desk: Desk, session: Session, mail: IncomingMail, now: float, *, is_kept: bool = True
) -> None:
    """Tell a player that the mail is kept until the server is mended, or that it is not; nobody
    else, and no program."""
    letter = mail.letter
    if letter is None or mail.ignored or mail.bounce or mail.is_stopped:
        return
    if letter.machine is not Machine.NO:
        return
    player = next((command.proof[0] for command in mail.commands if command.proof), 0)
    is_proved = bool(player)
    if player:
        addresses = reads.find_addresses(session, player)
    else:
        players = find_players_by_address(session, letter.sender)
        if not players:
            return
        addresses, player, is_proved = (letter.sender,), players[0].id, False
    content = MailKept() if is_kept else MailFailed()
    notice = Notice(content, addresses, player, is_answer=True, is_unproved=not is_proved)
    policy = answer_with((notice,), None)
    received = Received(mail.number, letter.message_id, mail.masked)
    desk.service.submit(session, Submission((), mail.received, policy, received), now)


def find_writer(desk: Desk, session: Session, mail: IncomingMail, now: float) -> int:
    """Return the player who provably wrote a mail, by hand; 0 for nobody."""
    letter = mail.letter
    if letter is None or mail.ignored or mail.bounce or mail.is_stopped:
        return 0
    if letter.machine is not Machine.NO:
        return 0
    for command in mail.commands:
        senders = find_senders(session, command, now, desk.secrets, desk.config)
        if len(senders) == 1 and senders[0].is_active:
            return senders[0].id
    return 0


def report_set_aside(desk: Desk, session: Session, number: int, player: int, now: float) -> None:
    """Tell the player who wrote it, once, that a mail was set aside for what it did to its
    worker. The mail itself is not read: that may be what ended the worker."""
    if session.execute(_CAUSED, {"number": number}).scalar():
        return
    addresses = reads.find_addresses(session, player)
    policy = answer_with((Notice(MailSetAside(), addresses, player, is_answer=True),), None)
    mail = Received(number, "", b"")
    desk.service.submit(session, Submission((), now, policy, mail), now)
