"""Handles mails from bytes to outcome: read, verify without a lock, execute in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbm.config import Config
from pbm.core.kernel.boards.log_view import LOG_SHOWN
from pbm.core.kernel.players import bans
from pbm.core.kernel.secrets import Secrets
from pbm.core.kernel.submit import Post, Submission
from pbm.mail.incoming import bounces
from pbm.mail.incoming.answered_mails import leave_out_quotes
from pbm.mail.incoming.execute_mail import COPIES_WITHIN, MailExecutor
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.read_mail import MailReader
from pbm.mail.incoming.verify_mail import MailVerifier
from pbm.mail.outgoing.postbox import build_service
from pbm.store import reads
from pbm.store.queues import inbound_queue, outbound_queue
from pbm.store.tables import InboundRow
from pbm.store.transaction import Session


class MailHandler:
    """What a worker handles mails with. `service` executes what is submitted without a mail."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self.config = config
        self.secrets = secrets
        self.service = build_service(config, secrets)
        self._reader = MailReader(config, secrets)
        self._verifier = MailVerifier(config, self.service)
        self._executor = MailExecutor(config, self.service)

    def read(self, row: InboundRow) -> IncomingMail:
        """Read a mail of the journal and find its commands."""
        return self._reader.read(row)

    def verify(self, session: Session, mail: IncomingMail) -> IncomingMail:
        """The mail without the lines of the mails that it answers, with its passwords verified and
        its pages drawn; it only reads."""
        letter = leave_out_quotes(session, mail, self.config.server.address)
        if letter is not None:
            mail = self._reader.find_commands(mail, letter)
        return self._verifier.verify(session, mail)

    def prepare(self, session: Session, row: InboundRow) -> IncomingMail:
        """Read and verify a mail of the journal."""
        return self.verify(session, self.read(row))

    def is_costly(self, session: Session, mail: IncomingMail) -> bool:
        """Whether the mail takes long to verify, so that others should not wait behind it."""
        return self._verifier.is_costly(session, mail)

    def execute(self, session: Session, mail: IncomingMail, now: float) -> list[dict[str, Any]]:
        """Execute a verified mail and mark it done; the rows of the mails that go out. Never
        commits."""
        return self._executor.execute(session, mail, now)

    def perform(self, session: Session, mail: IncomingMail, now: float) -> Post:
        """Like `execute`, except that the mails that go out are left for the caller to post."""
        return self._executor.perform(session, mail, now)

    def is_kept(self, session: Session, mail: IncomingMail, now: float) -> bool:
        """Whether a mail that fails by an error in the server is kept, to be tried again."""
        return self._executor.is_kept(session, mail, now)

    def apologise(
        self, session: Session, mail: IncomingMail, now: float, *, is_kept: bool = True
    ) -> None:
        """Tell a player that the mail is kept until the server is mended, or that it is not."""
        self._executor.apologise(session, mail, now, is_kept=is_kept)

    def find_writer(self, session: Session, mail: IncomingMail, now: float) -> int:
        """The player who provably wrote a mail, by hand; 0 for nobody."""
        return self._executor.find_writer(session, mail, now)

    def report_set_aside(self, session: Session, number: int, player: int, now: float) -> None:
        """Tell the player who wrote it, once, that a mail was set aside for what it did to its
        worker."""
        self._executor.report_set_aside(session, number, player, now)

    def count_refusal(self, session: Session, recipient: str, why: str, now: float) -> None:
        """Count a mail of ours that the relay refused for good as a bounce, when the relay says
        that there is no such mailbox."""

        def count(session: Session) -> Sequence[Any]:
            return bounces.count_refusal(session, recipient, why, now)

        self.service.submit(session, Submission((count,), now), now)

    def prefetch(self, session: Session, mails: Sequence[IncomingMail]) -> None:
        """Claim these mails and read what they will most likely ask for, all at once."""
        if not mails:
            return
        since = min(mail.received for mail in mails) - COPIES_WITHIN
        inbound_queue.prefetch(
            session, {mail.number: mail.fingerprint or None for mail in mails}, since
        )
        self.prefetch_players(session, mails)
        commands = [command for mail in mails for command in mail.commands]
        numbers = {command.board or command.sender.board for command in commands} - {0}
        reads.prefetch_boards(session, numbers, LOG_SHOWN)
        outbound_queue.reserve_numbers(session, 0)

    def prefetch_bans(self, session: Session, mails: Sequence[IncomingMail]) -> None:
        """Look up which of these mails' senders are banned."""
        bans.prefetch(session, {mail.letter.sender for mail in mails if mail.letter is not None})

    def prefetch_players(self, session: Session, mails: Sequence[IncomingMail]) -> None:
        """Read the players whom these mails name."""
        names = {command.user.lower() for mail in mails for command in mail.commands}
        reads.prefetch_players(session, names - {""})
