"""The fetcher: takes the mails of an IMAP mailbox into the journal, so that an ordinary account
with subaddresses is enough to host a server.

A mail leaves the mailbox for the folder `pbm` once it is committed, not before. What names no
address of ours stays where it is. Nothing here reads a command or answers."""

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
from pbm.mail.incoming.arrival import MAX_SHOWN, build_aside_row, is_ours
from pbm.mail.incoming.message.headers import split
from pbm.mail.incoming.message.letter import BRIEF, TooCostly
from pbm.mail.incoming.stdin import build_journal_row

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

log = structlog.get_logger()

TAKEN = "pbm"
"""The folder for what has been taken."""
_SECONDS = 30.0
_LONGEST_PAUSE = 300.0
_RECIPIENTS = (b"delivered-to", b"x-original-to", b"envelope-to", b"to", b"cc")
_WRITTEN = re.compile(r"[^\s<>,;:\"()@]{1,80}@[^\s<>,;:\"()@]{1,250}")


@dataclass(frozen=True, slots=True)
class Account:
    """Where the mailbox is."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    folder: str


def account_of(url: str) -> Account:
    """The mailbox that a URL names. ConfigError says which forms there are."""
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


def _tools() -> ModuleType:
    """imap-tools, which only a server with a mailbox needs. ConfigError."""
    try:
        return import_module("imap_tools")
    except ImportError:
        raise ConfigError("[imap] url needs imap-tools: install pbm[imap]") from None


def opened_box(there: Account) -> BaseMailBox:
    """The mailbox, logged in. Certificates are checked against the system's authorities, or those
    of SSL_CERT_FILE."""
    tools = _tools()
    box: BaseMailBox
    if there.scheme == "imap":
        box = tools.MailBoxUnencrypted(there.host, there.port, timeout=_SECONDS)
    else:
        kind = tools.MailBox if there.scheme == "imaps" else tools.MailBoxStartTls
        context = ssl.create_default_context()
        box = kind(there.host, there.port, timeout=_SECONDS, ssl_context=context)
    try:
        box.login(there.user, there.password, initial_folder=there.folder)
    except BaseException:
        box.client.shutdown()
        raise
    return box


class Fetcher:
    """The thread that empties the mailbox. `journal` stores a row and returns once it is
    committed; it may be called from any thread."""

    def __init__(
        self,
        config: Config,
        journal: Callable[[dict[str, Any]], object],
        clock: Callable[[], float],
    ) -> None:
        self._config = config
        self._account = account_of(config.imap.url)
        self._journal = journal
        self._clock = clock
        self._stopping = threading.Event()
        self._left: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="fetcher", daemon=True)
        _tools()

    @property
    def host(self) -> str:
        """Where the mailbox is."""
        return self._account.host

    def start(self) -> None:
        """Begin to fetch."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the mail in hand, then end."""
        self._stopping.set()
        self._thread.join(_SECONDS)

    def _run(self) -> None:
        pause = 1.0
        while not self._stopping.is_set():
            try:
                with opened_box(self._account) as box:
                    folder = _made(box)
                    while not self._stopping.is_set():
                        self._empty(box, folder)
                        pause = 1.0
                        self._rest(box)
            except Exception as error:
                # Nothing of the account is logged: the words of an error may hold it.
                log.warning("imap", error=type(error).__name__, pause=pause)
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _empty(self, box: BaseMailBox, folder: str) -> None:
        """Take every mail that is for us."""
        for uid in box.uids("ALL"):
            if self._stopping.is_set():
                return
            if uid not in self._left:
                self._take(box, uid, folder)

    def _take(self, box: BaseMailBox, uid: str, folder: str) -> None:
        size = _size(_fetched(box, uid, "(RFC822.SIZE)"))
        most = self._config.limits.size
        too_large = bool(most and size > most)
        wanted = f"BODY.PEEK[]<0.{MAX_SHOWN}>" if too_large else "BODY.PEEK[]"
        raw = _octets(_fetched(box, uid, f"({wanted})"))
        head = raw[: raw.find(b"\r\n\r\n") + 4] or raw[:MAX_SHOWN]
        recipient = recipient_of(self._config, head)
        if not recipient:
            self._left.add(uid)
            log.info("imap: a mail names no address of ours and stays", uid=uid)
            return
        row = self._row(raw, recipient, f"{size} bytes" if too_large else "")
        if (row["fingerprint"] or BRIEF).startswith(BRIEF):
            # Fetched again after a crash it is known as a copy (RFC 3501 2.3.1.1).
            validity = box.folder.status(self._account.folder)["UIDVALIDITY"]
            said = f"{self._account.host}/{self._account.user}/{validity}/{uid}"
            row["fingerprint"] = hashlib.blake2b(said.encode(), digest_size=16).hexdigest()
        self._journal(row)
        box.move(uid, folder)

    def _row(self, raw: bytes, recipient: str, too_large: str) -> dict[str, Any]:
        """The row of the journal; a mail that the door would have refused is set aside."""
        now = self._clock()
        if too_large:
            why = f"the mail is too large: {too_large}"
            row = build_aside_row(
                raw, why, via="imap", envelope_from=None, recipient=recipient, now=now
            )
        else:
            row = {**build_journal_row(self._config, raw, "", recipient, now), "via": "imap"}
        return {**row, "envelope_from": _return_path(raw)}

    def _rest(self, box: BaseMailBox) -> None:
        """Wait until the mailbox tells of a new mail (IDLE), or for the seconds configured."""
        seconds = float(self._config.imap.seconds or 60)
        if "IDLE" not in _abilities(box):
            self._stopping.wait(seconds)
            return
        with box.idle as idle:
            while seconds > 0 and not self._stopping.is_set():
                if idle.poll(timeout=min(1.0, seconds)):
                    return
                seconds -= 1.0


def recipient_of(config: Config, head: bytes) -> str:
    """The address of ours that a mail was sent to, by what the delivering server wrote and then by
    To and Cc; one with a token before the plain address. "" when there is none."""
    try:
        fields, _ = split(head)
    except TooCostly:
        return ""
    for names in (_RECIPIENTS[:3], _RECIPIENTS[3:]):
        values = (value for name in names for value in fields.get(name, ()))
        ours = [found for found in _addresses(values) if is_ours(config, found)]
        if ours:
            return next((found for found in ours if "+" in found), ours[0])
    return ""


def _addresses(values: Iterable[bytes]) -> Iterable[str]:
    for value in values:
        yield from _WRITTEN.findall(value[:4096].decode("latin-1"))


def _return_path(raw: bytes) -> str | None:
    """The envelope sender, where the delivering server wrote it down."""
    try:
        fields, _ = split(raw)
    except TooCostly:
        return None
    values = fields.get(b"return-path")
    return values[0].decode("latin-1").strip().strip("<>") if values else None


def _made(box: BaseMailBox) -> str:
    """The folder for what has been taken, made when it is missing; some servers want all folders
    below INBOX."""
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


def _abilities(box: BaseMailBox) -> str:
    """What the server can do, after login (RFC 3501 6.1.1)."""
    _, said = box.client.capability()
    return b" ".join(part for part in said if isinstance(part, bytes)).decode("latin-1").upper()


def _fetched(box: BaseMailBox, uid: str, what: str) -> list[Any]:
    state, said = box.client.uid("FETCH", uid, what)
    if state != "OK":
        raise ConnectionError("the mailbox gave no mail")
    return said


def _size(said: list[Any]) -> int:
    for part in said:
        line = part[0] if isinstance(part, tuple) else part
        found = re.search(rb"RFC822\.SIZE (\d+)", line or b"")
        if found:
            return int(found[1])
    raise ConnectionError("the mailbox gave no size")


def _octets(said: list[Any]) -> bytes:
    for part in said:
        if isinstance(part, tuple):
            return bytes(part[1])
    raise ConnectionError("the mailbox gave no mail")
