"""Checks of how mail comes and goes: listener, mailbox, relay."""

from __future__ import annotations

import os
import smtplib
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pbm.cli import Failed
from pbm.cli.doctor.finding import RESTART, Finding, summarize
from pbm.cli.doctor.host import find_nearest_existing
from pbm.cli.mailing import find_smtp_address
from pbm.config import Config, ConfigError
from pbm.mail.imap import describe_failure, open_mailbox, parse_account


def check_listener(config: Config) -> Iterator[Finding]:
    try:
        host, port = find_smtp_address(config)
    except Failed:
        return
    local, domain = config.server.local, config.server.host
    try:
        with smtplib.SMTP(host, port, timeout=10) as client:
            client.ehlo()
            for what, address in (
                ("own address", config.server.address),
                ("subaddress", f"{local}+u0-aaaaaaaaaaaaaaaa@{domain}"),
            ):
                client.mail("")
                code, reply = client.rcpt(address)
                client.rset()
                fits = code == 250
                yield Finding(
                    what,
                    "ok" if fits else "BAD",
                    f"the listener at {host}:{port} says {code} {reply.decode()[:60]}",
                    "" if fits else "is another server listening there?",
                )
    except (OSError, smtplib.SMTPException) as error:
        do = "start it with pbm serve" if isinstance(error, ConnectionRefusedError) else RESTART
        yield Finding("listener", "BAD", f"{host}:{port}: {summarize(error)}", do)


def check_trusted_peers(config: Config) -> Iterator[Finding]:
    """Check whether anything that comes by SMTP can count as the mail server that is trusted."""
    server, smtp = config.server, config.smtp
    if not server.trusts or not smtp.listen or smtp.listen.startswith("unix:"):
        return
    if server.trusted_peers:
        yield Finding(
            "trusts", "ok", f"by SMTP: {server.trusts} at {', '.join(server.trusted_peers)}"
        )
        return
    yield Finding(
        "trusts",
        "note" if config.lmtp.listen or config.imap.url else "BAD",
        f"no SMTP client counts as {server.trusts}: what it says of a sender is not believed",
        'name it in [server] trusted_peers; where it uses no SMTP, set [smtp] listen = ""',
    )


def check_mailbox(config: Config) -> Iterator[Finding]:
    """Log in to the mailbox and count its mails. A server's words may contain the account, so only
    the kind of an error is shown."""
    if not config.imap.url:
        return
    try:
        account = parse_account(config.imap.url)
    except ConfigError as error:
        yield Finding("mailbox", "BAD", str(error), "see [imap] url")
        return
    try:
        with open_mailbox(account) as box:
            count = len(box.uids("ALL"))
        yield Finding("mailbox", "ok", f"{account.host}: {count} mails in {account.folder}")
    except ConfigError as error:
        yield Finding("mailbox", "BAD", str(error), "see [imap] url")
    except Exception as error:
        says = f"{account.place}: {describe_failure(error)}"
        yield Finding("mailbox", "BAD", says, _advise_mailbox(error))


def _advise_mailbox(error: Exception) -> str:
    """Return what to do when the mailbox cannot be read."""
    kind = type(error).__name__
    if isinstance(error, socket.gaierror):
        return "no such host: see [imap] url"
    if isinstance(error, ssl.SSLError):
        return "TLS failed: check its certificate, and [imap] url for imaps:// or imap+starttls://"
    if isinstance(error, ConnectionError | TimeoutError):
        return "no answer at that host and port: is it running, is there a firewall?"
    if "Login" in kind:
        return "wrong user or password, or the provider requires an app password"
    if "Folder" in kind:
        return "no such folder: see the path of [imap] url"
    return "see [imap] url: host, user, password"


def check_relay(config: Config) -> Iterator[Finding]:
    scheme, _, rest = config.relay.url.partition(":")
    at = scheme if "smtp" not in scheme else "{}:{}".format(*_parse_relay_address(config))
    try:
        if scheme == "maildir":
            reply = _probe_maildir(Path(rest))
        elif scheme == "sendmail":
            reply = _probe_sendmail(rest)
        else:
            reply = _probe_smtp(config)
        yield Finding("relay", "ok", reply)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        yield Finding("relay", "BAD", f"{at}: {summarize(error)}", _advise_relay(error))


def _advise_relay(error: Exception) -> str:
    """Return what to do when the relay cannot be used."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return "wrong user or password in [relay] url, or the provider requires an app password"
    if isinstance(error, smtplib.SMTPResponseException):
        return "have the relay accept mail from this machine, or log in: see [relay] url"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there: start the relay, or correct [relay] url"
    if isinstance(error, socket.gaierror):
        return "no such host: see [relay] url"
    if isinstance(error, ssl.SSLError):
        return "check its certificate, and whether [relay] url is smtps:// or smtp+starttls://"
    if isinstance(error, TimeoutError | smtplib.SMTPServerDisconnected):
        return "no answer at that host and port: is it running, is there a firewall?"
    return "check [relay] url"


def _probe_maildir(folder: Path) -> str:
    parent = find_nearest_existing(folder.absolute())
    if not os.access(parent, os.W_OK):
        raise PermissionError(13, "not writable", str(parent))
    return f"mails become files under {folder}; none leaves this machine"


def _probe_sendmail(path: str) -> str:
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(2, "no such program", path)
    return f"mails go to {path}"


def _parse_relay_address(config: Config) -> tuple[str, int]:
    parts = urlsplit(config.relay.url)
    return parts.hostname or "localhost", parts.port or (465 if parts.scheme == "smtps" else 25)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def connect_to_relay(config: Config) -> smtplib.SMTP:
    """Return an SMTP session with the relay, logged in when its URL has a user."""
    parts = urlsplit(config.relay.url)
    implicit = parts.scheme == "smtps"
    host, port = _parse_relay_address(config)
    context = ssl.create_default_context()
    client: smtplib.SMTP = (
        smtplib.SMTP_SSL(host, port, timeout=20, context=context)
        if implicit
        else smtplib.SMTP(host, port, timeout=20)
    )
    if parts.scheme == "smtp+starttls":
        client.starttls(context=context)
    if parts.username:
        client.login(unquote(parts.username), unquote(parts.password or ""))
    return client


def _probe_smtp(config: Config) -> str:
    """Offer the relay a mail to the server's own address, without sending it."""
    with connect_to_relay(config) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("")
        code, reply = client.rcpt(config.server.address)
        client.rset()
    if code >= 400:
        raise smtplib.SMTPResponseException(code, reply)
    return f"{urlsplit(config.relay.url).hostname} accepts mail ({code})"
