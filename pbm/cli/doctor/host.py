"""Checks of this machine: versions, games, configuration, file permissions, disk space."""

from __future__ import annotations

import importlib.metadata
import platform
import shlex
import shutil
import smtplib
import stat
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dns.exception
import dns.rdatatype
import dns.resolver
import dns.reversename
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pbm import games
from pbm.cli.terminal.output import format_duration
from pbm.config import Config
from pbm.daemon.startup import read_expiry
from pbm.logs import describe_cause
from pbm.version import find_version

# A finding of `pbm doctor`.

RESTART = "the server is there but does not answer: look at its log, restart it"
"""Advice about a server that hangs."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of the report: subject, grade (ok, note, BAD, or next for a step of an installation
    that is still to come), finding, advice, and the DNS record that helps."""

    what: str
    grade: str
    says: str
    do: str = ""
    record: str = ""


def summarize(error: Exception) -> str:
    """Return the error in a few words, on one line."""
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        words = reply.decode(errors="replace") if isinstance(reply, bytes) else str(reply)
        return f"{error.smtp_code} {words}"[:120]
    return describe_cause(error) or str(error)[:120] or type(error).__name__


_LITTLE = 500 * 1024**2
_NEAR = 14 * 86400.0
"""Seconds before a certificate's end from which on it gets a note."""


def check_versions() -> Iterator[ReportLine]:
    names = ("SQLAlchemy", "aiosmtpd", "aiosmtplib", "click")
    libraries = [f"{name} {importlib.metadata.version(name)}" for name in names]
    yield ReportLine(
        "versions",
        "ok",
        f"pbm {find_version()}, Python {platform.python_version()}, " + ", ".join(libraries),
    )


def check_games() -> Iterator[ReportLine]:
    """Check whether every installed game can be played."""
    playable = games.load_games()
    for fault in games.list_faults():
        says = f"{fault.name} of {fault.package} was not loaded: {fault.cause}"
        do = f"fix, upgrade or remove {fault.package}, then restart the server"
        if "/" in fault.package:  # a file of [games] variants
            says = f"{fault.package} is left out, or a part of it: {fault.cause}"
            do = "mend the file, then have the server read it: systemctl reload pbm"
        yield ReportLine("games", "BAD", says, do)
    if not games.list_faults():
        yield ReportLine("games", "ok", f"{len(playable)} can be played")


def check_configuration(config: Config) -> Iterator[ReportLine]:
    if config.trial:
        yield ReportLine(
            "configuration",
            "note",
            "none: a trial server that does not confirm addresses",
            "pbm setup writes one; pbm --config FILE uses it, or PBM_CONFIG",
        )
        return
    yield ReportLine(
        "configuration", "ok", f"{config.source}: the server is {config.server.address}"
    )
    for domain in config.dkim.domain:
        address = config.server.find_address_at(domain.name)
        yield ReportLine(
            "configuration",
            "ok" if address else "BAD",
            f"mails come from {address}, too, for who writes there"
            if address
            else f"[[dkim.domain]] {domain.name}: no address of the server is there",
            "" if address else "add one to [server] aliases",
        )
    if config.server.host in ("localhost", "localhost.localdomain"):
        yield ReportLine(
            "configuration",
            "note",
            "the address ends in localhost",
            "set [server] address to the address players write to",
        )
    if not config.smtp.listen and not config.lmtp.listen and not config.imap.url:
        yield ReportLine(
            "configuration",
            "note",
            "no listener: mail arrives only through pbm receive",
            "fine behind another mail server; otherwise set [smtp] listen",
        )


def check_certificate(config: Config) -> Iterator[ReportLine]:
    """Yield the remaining validity of the STARTTLS certificate. A server loads a renewed one by
    itself."""
    path = config.smtp.certificate
    if not path:
        return
    do = "renew it: the server takes the new file by itself"
    try:
        left = read_expiry(path) - time.time()
    except OSError as error:
        yield ReportLine(
            "certificate", "BAD", f"{path}: {error.strerror}", "see [smtp] certificate"
        )
    except ValueError as error:
        yield ReportLine("certificate", "BAD", f"{path}: {error}", "see [smtp] certificate")
    else:
        if left <= 0:
            says = f"{path} expired {format_duration(-left)} ago"
            yield ReportLine("certificate", "BAD", says, do)
        else:
            is_near = left < _NEAR
            says = f"{path} is valid for {format_duration(left)}"
            yield ReportLine(
                "certificate", "note" if is_near else "ok", says, do if is_near else ""
            )


def check_permissions(config: Config) -> Iterator[ReportLine]:
    """Check whether other users of this machine can read passwords or mails."""
    open_to_all = [path for path in _find_secret_paths(config) if _others_can_read(path)]
    for path in open_to_all:
        yield ReportLine(
            "permissions",
            "BAD",
            f"every user of this machine can read {path}",
            f"chmod -R o-rwx {shlex.quote(str(path))}",
        )
    if not open_to_all:
        yield ReportLine("permissions", "ok", "no other user can read configuration and state")


def _find_secret_paths(config: Config) -> Iterator[Path]:
    """Yield files and folders that contain passwords, mails or keys."""
    urls = (config.database.url, config.relay.url, config.imap.url)
    if config.source and any(_has_password(url) for url in urls):
        yield Path(config.source)
    if config.dkim.key:
        yield Path(config.dkim.key)
    if config.database.url.startswith("sqlite:///"):
        database = config.database.url.removeprefix("sqlite:///").partition("?")[0]
        yield from (Path(database + end) for end in ("", "-wal", "-shm"))
    scheme, _, folder = config.relay.url.partition(":")
    if scheme == "maildir":
        yield Path(folder)


def _has_password(url: str) -> bool:
    """Whether the URL contains a password; if it cannot be parsed, whether it might."""
    try:
        return bool(urlsplit(url).password)
    except ValueError:
        return "@" in url


def _others_can_read(path: Path) -> bool:
    """Whether other users can read it, by its mode and those of its parent folders."""
    try:
        is_readable = path.stat().st_mode & stat.S_IROTH
        return bool(is_readable) and all(
            above.stat().st_mode & stat.S_IXOTH for above in path.resolve().parents
        )
    except OSError:
        return False


def check_disk(config: Config) -> Iterator[ReportLine]:
    """Check the free space on the database's disk."""
    try:
        url = make_url(config.database.url)
    except ArgumentError:
        return
    if url.get_backend_name() != "sqlite":
        return
    path = find_nearest_existing(Path(url.database or ".").absolute().parent)
    free = shutil.disk_usage(path).free
    if free < _LITTLE:
        yield ReportLine(
            "disk",
            "BAD",
            f"{free // 1024**2} MiB free at {path}",
            "free some space there; pbm admin vacuum needs as much again as the database",
        )
    else:
        yield ReportLine("disk", "ok", f"{free // 1024**3} GiB free at {path}")


def find_nearest_existing(path: Path) -> Path:
    """Return the path, or its nearest parent that exists."""
    return next(each for each in (path, *path.parents) if each.exists())


# Looks names up in the DNS, as a receiver of mail does.

Address = IPv4Address | IPv6Address
_SECONDS = 8.0


class NamesError(Exception):
    """The name servers do not answer."""


class NameLookup:
    """Looks up names at one name server, HOST or HOST:PORT, or at the system's. After a failure it
    asks no more: each attempt takes seconds."""

    def __init__(self, server: str = "") -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=not server)
            if server:
                host, _, port = (
                    server.rpartition(":") if server.count(":") == 1 else (server, "", "")
                )
                self._resolver.port = int(port or 53)
                self._resolver.nameservers = [host]
        except (dns.exception.DNSException, ValueError):
            raise NamesError("there is no such name server") from None
        self._resolver.lifetime = _SECONDS
        self._is_silent = False

    def find_texts(self, name: str) -> list[str]:
        """Return the TXT records of a name, each in one piece."""
        return [
            b"".join(record.strings).decode("utf-8", "replace")
            for record in self._find(name, "TXT")
        ]

    def find_addresses(self, name: str) -> list[Address]:
        """Return the IPv4 and IPv6 addresses of a name."""
        return [
            ip_address(record.address)
            for kind in ("A", "AAAA")
            for record in self._find(name, kind)
        ]

    def find_exchangers(self, name: str) -> list[str]:
        """Return the hosts of the MX records of a name, the preferred ones first; "" for the null
        MX."""
        records = sorted(self._find(name, "MX"), key=lambda record: record.preference)
        return [_format_name(record.exchange) for record in records]

    def find_alias(self, name: str) -> str:
        """Return the target of a name that is an alias, else ""."""
        return next((_format_name(record.target) for record in self._find(name, "CNAME")), "")

    def find_hosts(self, address: Address) -> list[str]:
        """Return the names of an address in the reverse DNS."""
        name = dns.reversename.from_address(str(address)).to_text()
        return [_format_name(record.target) for record in self._find(name, "PTR")]

    def _find(self, name: str, kind: str) -> Iterable[Any]:
        """Return the records of that kind; none when the name does not exist."""
        if self._is_silent:
            raise NamesError(f"no answer about {name} {kind}")
        try:
            return self._resolver.resolve(name, kind, raise_on_no_answer=False, search=False)
        except dns.resolver.NXDOMAIN:
            return []
        except dns.exception.Timeout:
            self._is_silent = True
            raise NamesError(f"no answer about {name} {kind}") from None
        except dns.exception.DNSException as error:
            raise NamesError(f"{name} {kind}: {type(error).__name__}") from None


def _format_name(name: Any) -> str:
    return str(name.to_text(omit_final_dot=True)).lower().rstrip(".")
