"""A mail from its row to its answers, without a worker."""

from __future__ import annotations

from typing import Any

from pbm.mail.execute import execute_mail, post_outcome
from pbm.mail.incoming_mail import IncomingMail
from pbm.mail.read import read_mail
from pbm.mail.services import MailServices
from pbm.mail.verify import verify_mail
from pbm.store.tables import InboundRow
from pbm.store.transaction import Session


def prepare(services: MailServices, session: Session, row: InboundRow) -> IncomingMail:
    """Read and verify a mail."""
    return verify_mail(services, session, read_mail(services, row))


def execute(
    services: MailServices, session: Session, mail: IncomingMail, now: float
) -> list[dict[str, Any]]:
    """Execute a mail and post what it sends; the rows."""
    return post_outcome(services, session, execute_mail(services, session, mail, now), now)
