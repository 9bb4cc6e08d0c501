"""Fetches mail from an IMAP mailbox, so that an ordinary account with subaddresses is enough to
host a server. A mail is moved to the folder `pbm` once it is in the journal; mail that names no
address of the server is left where it is."""

from __future__ import annotations

import hashlib
import re
import ssl
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import structlog

from pbm.config import Config, ConfigError
from pbm.logs import Outage, describe_cause
from pbm.mail.headers import TooCostly, split_header
from pbm.mail.letter import BRIEF
from pbm.mail.receive import MAX_SHOWN, build_aside_row, build_piped_row, is_ours

if TYPE_CHECKING:
    from imap_tools import BaseMailBox


log = structlog.get_logger()

TAKEN = "pbm"
"""The folder for fetched mail."""
_SECONDS = 30.0
_LONGEST_PAUSE = 300.0
_RECIPIENTS = (b"delivered-to", b"x-original-to", b"envelope-to", b"to", b"cc")
_ADDRESS = re.compile(r"[^\s<>,;:\"()@]{1,80}@[^\s<>,;:\"()@]{1,250}")


@dataclass(frozen=True, slots=True)
class Account:
    """A mailbox and how to log in."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    folder: str

    @property
    def place(self) -> str:
        """Where it is, without the user."""
        return f"{self.host}:{self.port}"


def parse_account(url: str) -> Account:
    """Parse the URL of a mailbox. ConfigError names the forms."""
    parts = urlsplit(url)
    ports = {"imaps": 993, "imap": 143, "imap+starttls": 143}
    if parts.scheme not in ports or not parts.hostname or not parts.username:
        raise ConfigError(
            "[imap] url is imaps://USER:PASSWORD@HOST/INBOX, imap+starttls://... or imap://..., "
            "with %40 for an @ in USER"
        )
    return Account(
        parts.scheme,
        parts.hostname,
        parts.port or ports[parts.scheme],
        unquote(parts.username),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
    )


def _import_tools() -> ModuleType:
    """Import imap-tools. ConfigError when it is not installed."""
    try:
        return import_module("imap_tools")
    except ImportError:
        raise ConfigError("[imap] url needs imap-tools: install pbm-server[imap]") from None


def open_mailbox(account: Account) -> BaseMailBox:
    """Log in to the mailbox. Certificates are checked against the system's authorities, or those of
    SSL_CERT_FILE."""
    tools = _import_tools()
    box: BaseMailBox
    if account.scheme == "imap":
        box = tools.MailBoxUnencrypted(account.host, account.port, timeout=_SECONDS)
    else:
        kind = tools.MailBox if account.scheme == "imaps" else tools.MailBoxStartTls
        context = ssl.create_default_context()
        box = kind(account.host, account.port, timeout=_SECONDS, ssl_context=context)
    try:
        box.login(account.user, account.password, initial_folder=account.folder)
    except BaseException:
        box.client.shutdown()
        raise
    return box


def describe_failure(error: Exception) -> str:
    """Return why the mailbox cannot be read. What the error says may quote the account and is left
    out."""
    kind = type(error).__name__
    if "Login" in kind:
        return "the login is refused"
    if "Folder" in kind:
        return "there is no such folder"
    return describe_cause(error) or kind


class Fetcher:
    """The thread that fetches. `journal` stores a row and returns once it is committed; it is
    called in this thread. `trouble` says why mail cannot be fetched, "" while it can."""

    def __init__(
        self,
        config: Config,
        journal: Callable[[dict[str, Any]], object],
        clock: Callable[[], float],
    ) -> None:
        self._config = config
        self._account = parse_account(config.imap.url)
        self._journal = journal
        self._clock = clock
        self._stopping = threading.Event()
        self._ignored: set[str] = set()
        self._outage = Outage("imap fetch failed")
        self.trouble = "not logged in yet"
        self._thread = threading.Thread(target=self._run, name="fetcher", daemon=True)
        _import_tools()

    @property
    def host(self) -> str:
        """The host of the mailbox."""
        return self._account.host

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the current mail, then end."""
        self._stopping.set()
        self._thread.join(_SECONDS)

    def _run(self) -> None:
        pause = 1.0
        while not self._stopping.is_set():
            try:
                with open_mailbox(self._account) as box:
                    folder = _find_folder(box)
                    is_told = "IDLE" in _read_capabilities(box)
                    log.info("imap logged in", host=self.host)
                    while not self._stopping.is_set():
                        box.client.response("EXISTS")
                        self._fetch_all(box, folder)
                        pause, self.trouble = 1.0, ""
                        self._outage.end()
                        # What it told of new mail between other answers, it does not repeat.
                        if box.client.response("EXISTS")[1] == [None]:
                            self._wait(box, is_told)
            except Exception as error:
                self.trouble = f"{self._account.place}: {describe_failure(error)}"
                self._outage.report(error, mailbox=self._account.place, why=describe_failure(error))
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _fetch_all(self, box: BaseMailBox, folder: str) -> None:
        """Fetch every mail that is for the server."""
        for uid in box.uids("ALL"):
            if self._stopping.is_set():
                return
            if uid not in self._ignored:
                self._fetch_one(box, uid, folder)

    def _fetch_one(self, box: BaseMailBox, uid: str, folder: str) -> None:
        size = _parse_size(_fetch(box, uid, "(RFC822.SIZE)"))
        most = self._config.limits.size
        too_large = bool(most and size > most)
        wanted = f"BODY.PEEK[]<0.{MAX_SHOWN}>" if too_large else "BODY.PEEK[]"
        raw = _get_octets(_fetch(box, uid, f"({wanted})"))
        head = raw[: raw.find(b"\r\n\r\n") + 4] or raw[:MAX_SHOWN]
        recipient = find_recipient(self._config, head)
        if not recipient:
            self._ignored.add(uid)
            log.info("imap mail ignored: no address of ours", uid=uid)
            return
        row = self._build_row(raw, recipient, f"{size} bytes" if too_large else "")
        if (row["fingerprint"] or BRIEF).startswith(BRIEF):
            # A mail that is fetched again after a crash is recognized as a copy (RFC 3501 2.3.1.1).
            validity = box.folder.status(self._account.folder)["UIDVALIDITY"]
            identity = f"{self._account.host}/{self._account.user}/{validity}/{uid}"
            row["fingerprint"] = hashlib.blake2b(identity.encode(), digest_size=16).hexdigest()
        self._journal(row)
        box.move(uid, folder)

    def _build_row(self, raw: bytes, recipient: str, too_large: str) -> dict[str, Any]:
        """Return the row of the journal; a mail that SMTP would have refused is set aside."""
        now = self._clock()
        if too_large:
            why = f"the mail is too large: {too_large}"
            row = build_aside_row(
                raw, why, via="imap", envelope_from=None, recipient=recipient, now=now
            )
        else:
            row = {**build_piped_row(self._config, raw, "", recipient, now), "via": "imap"}
        return {**row, "envelope_from": _find_return_path(raw)}

    def _wait(self, box: BaseMailBox, is_told: bool) -> None:
        """Wait until the mailbox tells of new mail (IDLE), or for the configured seconds."""
        seconds = float(self._config.imap.seconds or 60)
        if not is_told:
            self._stopping.wait(seconds)
            return
        with box.idle as idle:
            if _has_read_ahead(box):
                return
            while seconds > 0 and not self._stopping.is_set():
                if idle.poll(timeout=min(1.0, seconds)):
                    return
                seconds -= 1.0


def find_recipient(config: Config, head: bytes) -> str:
    """Return the server's address that a mail was sent to: what the delivering server wrote, else
    To and Cc; an address with a token first. "" when there is none."""
    try:
        fields, _ = split_header(head)
    except TooCostly:
        return ""
    for names in (_RECIPIENTS[:3], _RECIPIENTS[3:]):
        values = (value for name in names for value in fields.get(name, ()))
        ours = [address for address in _find_addresses(values) if is_ours(config, address)]
        if ours:
            return next((address for address in ours if "+" in address), ours[0])
    return ""


def _find_addresses(values: Iterable[bytes]) -> Iterable[str]:
    for value in values:
        yield from _ADDRESS.findall(value[:4096].decode("latin-1"))


def _find_return_path(raw: bytes) -> str | None:
    """Return the envelope sender, if the delivering server recorded it."""
    try:
        fields, _ = split_header(raw)
    except TooCostly:
        return None
    values = fields.get(b"return-path")
    return values[0].decode("latin-1").strip().strip("<>") if values else None


def _find_folder(box: BaseMailBox) -> str:
    """Find or create the folder for fetched mail; some servers want all folders below INBOX."""
    below = next((f"INBOX{info.delim}{TAKEN}" for info in box.folder.list("", "INBOX")), TAKEN)
    for name in (TAKEN, below):
        if box.folder.exists(name):
            return name
    try:
        box.folder.create(TAKEN)
    except Exception:
        box.folder.create(below)
        return below
    return TAKEN


def _read_capabilities(box: BaseMailBox) -> str:
    """Return the server's capabilities after login (RFC 3501 6.1.1)."""
    _, response = box.client.capability()
    return b" ".join(part for part in response if isinstance(part, bytes)).decode("latin-1").upper()


def _has_read_ahead(box: BaseMailBox) -> bool:
    """Whether the mailbox told something in the same packet as its last answer: imaplib's buffer
    has it then, and a look at the socket, which is all that `poll` does, misses it."""
    connection = box.client.socket()
    patience = connection.gettimeout()
    connection.settimeout(0)
    try:
        return bool(box.client.readline())
    except OSError:
        return False
    finally:
        connection.settimeout(patience)


def _fetch(box: BaseMailBox, uid: str, what: str) -> list[Any]:
    state, response = box.client.uid("FETCH", uid, what)
    if state != "OK":
        raise ConnectionError("FETCH returned no mail")
    return response


def _parse_size(response: list[Any]) -> int:
    for part in response:
        line = part[0] if isinstance(part, tuple) else part
        match = re.search(rb"RFC822\.SIZE (\d+)", line or b"")
        if match:
            return int(match[1])
    raise ConnectionError("FETCH returned no size")


def _get_octets(response: list[Any]) -> bytes:
    for part in response:
        if isinstance(part, tuple):
            return bytes(part[1])
    raise ConnectionError("FETCH returned no mail")
