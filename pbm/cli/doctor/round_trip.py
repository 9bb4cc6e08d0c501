"""A mail of `pbm doctor` to the server itself, by the route that players' mails take."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid

from sqlalchemy import select

from pbm.cli import Failed
from pbm.cli.doctor.finding import Finding, summarize
from pbm.cli.doctor.mail_routes import connect_to_relay
from pbm.cli.mailing import find_smtp_address
from pbm.cli.open_database import open_database
from pbm.config import Config, ConfigError
from pbm.store.tables import inbound


def check_round_trip(config: Config, wait: float) -> Iterator[Finding]:
    """Send a mail to a subaddress of the server through the relay (or the listener, when the relay
    is a folder) and wait until the server has received and ignored it."""
    began = time.time()
    mail = _compose(config)
    try:
        by_relay = "smtp" in config.relay.url.partition(":")[0]
        client = (
            connect_to_relay(config)
            if by_relay
            else smtplib.SMTP(*find_smtp_address(config), timeout=20)
        )
        with client:
            client.sendmail(config.server.address, [mail["To"]], _sign(config, mail))
        while time.time() < began + wait:
            state = _read_mail_state(config, mail["Message-ID"], began)
            if state is not None and state != "waiting":
                yield Finding("round trip", "ok", f"returned in {time.time() - began:.1f} s")
                return
            time.sleep(0.2)
        yield Finding(
            "round trip",
            "BAD",
            f"the mail did not return within {wait:g} s",
            f"route {config.server.address} and its subaddresses (+) to this server",
        )
    except (OSError, smtplib.SMTPException, Failed) as error:
        yield Finding("round trip", "BAD", summarize(error), "see the lines above")


def _compose(config: Config) -> EmailMessage:
    server = config.server
    mail = EmailMessage()
    mail["From"] = server.address
    mail["To"] = f"{server.local}+u0-aaaaaaaaaaaaaaaa@{server.host}"
    mail["Subject"], mail["Date"] = "pbm doctor", formatdate()
    mail["Message-ID"] = make_msgid(domain=server.host)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("A test: this mail should return to the server that sent it.\n")
    return mail


def _sign(config: Config, mail: EmailMessage) -> bytes:
    """Return the mail as the server would send it."""
    raw = mail.as_bytes(policy=SMTP)
    if not config.dkim.key:
        return raw
    from pbm.mail.signer import load_signer

    try:
        return load_signer(config).sign(raw)
    except ConfigError:
        return raw  # the check of the key says so


def _read_mail_state(config: Config, number: str, since: float) -> str | None:
    """Return the state of the inbound mail with that Message-ID."""
    query = select(inbound.c.state, inbound.c.raw).where(inbound.c.received >= since - 1)
    with open_database(config) as store, store.reading() as session:
        for state, raw in session.tuples(query):
            if number.encode() in raw:
                return str(state)
    return None
