"""Checks of TLS on the way in, to the domain's mail hosts, and on the way out, to the relay."""

from __future__ import annotations

import smtplib
import ssl
import time
from collections.abc import Iterator
from typing import cast
from urllib.parse import urlsplit

from pbm.cli.doctor.finding import Finding, summarize
from pbm.cli.doctor.mail_routes import connect_to_relay, is_loopback
from pbm.cli.doctor.names import Names, NamesError
from pbm.config import Config

_SECONDS = 10.0
_DAY = 86400.0
_SOON = 14
"""Days before its end at which a certificate should have been renewed."""


def check_port_25(config: Config, names: Names) -> Iterator[Finding]:
    """Connect to each mail host of the domain as another mail server would."""
    try:
        for host in names.find_exchangers(config.server.host):
            for address in names.find_addresses(host) if host else []:
                yield _check_host(host, str(address))
    except NamesError:
        return  # the check of MX records says so


def _check_host(host: str, address: str) -> Finding:
    what = "port 25"
    try:
        with smtplib.SMTP(address, 25, timeout=_SECONDS) as client:
            client.ehlo()
            if not client.has_extn("starttls"):
                says = f"{host} ({address}) has no STARTTLS: mail arrives unencrypted"
                return Finding(what, "note", says, "give that mail server a certificate")
            # The name that the certificate must have; smtplib would look it up for itself.
            client._host = host  # type: ignore[attr-defined]
            client.starttls(context=ssl.create_default_context())
            return _describe_tls(what, f"{host} ({address})", client)
    except ssl.SSLCertVerificationError as error:
        says = f"{host} ({address}): {error.verify_message}"
        return Finding(what, "note", says, "get a certificate for that name; few senders mind")
    except (OSError, smtplib.SMTPException) as error:
        do = "open port 25, or, if this machine may not connect to that port, ask from another"
        return Finding(what, "BAD", f"{host} ({address}): {summarize(error)}", do)


def check_relay_tls(config: Config) -> Iterator[Finding]:
    """Check whether mails, and a password, reach the relay encrypted."""
    parts = urlsplit(config.relay.url)
    if "smtp" not in parts.scheme:
        return
    host = parts.hostname or "localhost"
    what, is_local = "relay TLS", is_loopback(host)
    if parts.scheme == "smtp":
        says = f"mails go to {host} unencrypted"
        if parts.username and not is_local:
            do = "write smtp+starttls:// or smtps:// in [relay] url"
            yield Finding(what, "BAD", f"{says}, and so does the password", do)
        else:
            yield Finding(what, "ok" if is_local else "note", says)
        return
    try:
        with connect_to_relay(config) as client:
            yield _describe_tls(what, host, client)
    except (OSError, smtplib.SMTPException) as error:
        says = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else ""
        do = "check [relay] url, its user and its certificate; SSL_CERT_FILE for authorities"
        yield Finding(what, "BAD", f"{host}: {says or summarize(error)}", do)


def _describe_tls(what: str, place: str, client: smtplib.SMTP) -> Finding:
    """Return version and certificate of the connection."""
    connection = cast(ssl.SSLSocket, client.sock)
    certificate = connection.getpeercert() or {}
    ends = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
    days = int((ends - time.time()) // _DAY)
    says = f"{place}: {connection.version()}, certificate for {days} more days"
    late = days < _SOON
    return Finding(what, "note" if late else "ok", says, "renew the certificate" if late else "")
