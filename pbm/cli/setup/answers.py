"""The answers of whoever sets up a server, from options or questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from pbm.cli import USAGE, Failed

BEHIND, MX, MAILBOX = "behind", "mx", "mailbox"
WAYS: Mapping[str, str] = {
    BEHIND: "behind a mail server on this machine, such as Postfix",
    MX: "as the mail server of its domain, at port 25",
    MAILBOX: "with a mailbox at a provider, by IMAP",
}
SQLITE_URL = "sqlite:////var/lib/pbm/pbm.db"
POSTGRESQL_URL = "postgresql://pbm@/pbm?host=/var/run/postgresql"
_SCHEMES = {25: "smtp", 465: "smtps", 587: "smtp+starttls"}
_SUBMISSION = 587
_PASSWORD = re.compile(r"(://[^/@]*?:).*@")


class Answers(Struct, frozen=True):
    """How mail reaches the server and leaves it, where boards are kept and who may sign up.

    way         behind, mx or mailbox
    address     the address that players write to
    mail_server postfix, exim or opensmtpd, for `behind`
    host        the host name of the mail server ("" = not known)
    imap, smtp  HOST or HOST:PORT at the provider
    user        the login there, with `password`
    spf         what the SPF record needs beside `mx`, such as include:spf.provider.example
    database    the URL of the database
    signups     open, invited, approved or closed
    folder      where configuration and key are
    units       where the units of systemd are
    signs       whether the server signs its mails
    """

    way: str
    address: str
    mail_server: str = ""
    host: str = ""
    imap: str = ""
    smtp: str = ""
    user: str = ""
    password: str = ""
    spf: str = ""
    database: str = SQLITE_URL
    signups: str = "open"
    folder: Path = Path("/etc/pbm")
    units: Path = Path("/etc/systemd/system")
    signs: bool = True

    @property
    def local(self) -> str:
        """The part of the address before the @."""
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]

    def build_database_url(self, *, hides: bool) -> str:
        """Return the URL of the database; with `hides`, dots in place of the password."""
        return _PASSWORD.sub(r"\1...@", self.database) if hides else self.database

    def build_relay_url(self, *, hides: bool) -> str:
        """Return the URL of the relay; with `hides`, dots in place of the password."""
        if self.way == BEHIND:
            return "smtp://127.0.0.1:25"
        host, port = _split_port(self.smtp, _SUBMISSION)
        scheme = _SCHEMES.get(port, "smtp+starttls")
        return f"{scheme}://{self._build_login(hides=hides)}{host}:{port}"

    def build_imap_url(self, *, hides: bool) -> str:
        """Return the URL of the mailbox; with `hides`, dots in place of the password."""
        return f"imaps://{self._build_login(hides=hides)}{self.imap}/INBOX"

    def _build_login(self, *, hides: bool) -> str:
        if not self.user:
            return ""
        password = "..." if hides else quote(self.password, safe="")
        return f"{quote(self.user, safe='')}:{password}@"


def _split_port(text: str, port: int) -> tuple[str, int]:
    """Host and port of HOST or HOST:PORT. Failed when the port is no number."""
    host, colon, digits = text.rpartition(":")
    if not colon or text.endswith("]"):
        return text, port
    if not digits.isdigit():
        raise Failed(f"{text} must be HOST or HOST:PORT", USAGE)
    return host, int(digits)


def read_address(text: str) -> str:
    """Return the address that a domain or an address means: the local part is pbm unless it is
    given."""
    text = text.strip()
    return text if "@" in text else f"pbm@{text}"


def read_database(text: str) -> str:
    """Return the URL that `sqlite`, `postgresql` or a URL means."""
    return {"sqlite": SQLITE_URL, "postgresql": POSTGRESQL_URL}.get(text.strip(), text.strip())
