"""Mails between a player's terminal and the server: sending by SMTP, watching a Maildir.

It knows nothing of commands and opens no database."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import formatdate, make_msgid
from pathlib import Path

from pbm.cli import REFUSED, TRY_AGAIN, USAGE, Failed
from pbm.cli.terminal.output import clean, line
from pbm.config import Config

_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as its reader sees it."""

    subject: str
    text: str
    answers: str
    reply_to: str

    def written(self) -> str:
        """Subject and text for a terminal."""
        return f"Subject: {self.subject}\n\n{self.text}"


def write(sender: str, recipient: str, subject: str, body: str, answers: str = "") -> EmailMessage:
    """A mail with a Message-ID of its own. Failed when an address is none."""
    mail = EmailMessage(policy=SMTP.clone(max_line_length=998))
    try:
        address = Address(addr_spec=sender)
    except (ValueError, IndexError):
        raise Failed(f"not a mail address: {line(sender)}", USAGE) from None
    mail["From"] = address
    mail["To"] = recipient
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain=address.domain or "localhost")
    if answers:
        mail["In-Reply-To"] = answers
    mail.set_content(body or "\n")
    return mail


def where(config: Config) -> tuple[str, int]:
    """Host and port at which the server of this configuration takes SMTP. Failed when it does
    not."""
    host, _, port = config.smtp.listen.rpartition(":")
    if not port.isdigit():
        raise Failed("this server takes no mail by SMTP: [smtp] listen is off", USAGE)
    host = host.strip("[]")
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), int(port)  # noqa: S104 (compared, not bound)


def hand_over(mail: EmailMessage, host: str, port: int) -> None:
    """Send it. Failed with a clear sentence when no server is there or it refuses."""
    at = f"{host}:{port}"
    try:
        with smtplib.SMTP(host, port, timeout=20) as client:
            client.send_message(mail)
    except smtplib.SMTPRecipientsRefused as error:
        number, words = next(iter(error.recipients.values()))
        text = words.decode(errors="replace")
        raise Failed(f"refused: {number} {line(text)}", REFUSED) from None
    except smtplib.SMTPResponseException as error:
        said = error.smtp_error
        text = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
        code = TRY_AGAIN if error.smtp_code < 500 else REFUSED
        raise Failed(f"refused: {error.smtp_code} {line(text)}", code) from None
    except (OSError, smtplib.SMTPException):
        raise Failed(f"no server answers at {at}; to start it: pbm serve", TRY_AGAIN) from None


class Maildir:
    """The mails that arrive for one address from now on."""

    def __init__(self, folder: Path) -> None:
        self._new = folder / "new"
        self._seen = set(self._names())
        self._waiting: list[Letter] = []

    def _names(self) -> list[str]:
        return sorted(path.name for path in self._new.glob("*")) if self._new.is_dir() else []

    def arrived(self) -> list[Letter]:
        """Everything that has come and was not handed out yet, oldest first."""
        self._look()
        found, self._waiting = self._waiting, []
        return found

    def _look(self) -> None:
        fresh = [name for name in self._names() if name not in self._seen]
        self._seen.update(fresh)
        self._waiting += [read((self._new / name).read_bytes()) for name in fresh]

    def next(self, seconds: float) -> Letter | None:
        """The next mail, waiting for it at most so long."""
        end = time.monotonic() + seconds
        while not self._waiting and time.monotonic() < end:
            self._look()
            time.sleep(0 if self._waiting else _PAUSE)
        return self._waiting.pop(0) if self._waiting else None

    def wait(self, seconds: float, quiet: float = 0.0, answers: str = "") -> Iterator[Letter]:
        """Mails as they arrive: until `quiet` seconds after the one that answers the Message-ID
        `answers` (the first one, without), at most `seconds`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for letter in self.arrived():
                if not answers or letter.answers == answers:
                    end = min(end, time.monotonic() + quiet)
                yield letter
            time.sleep(_PAUSE)
        yield from self.arrived()


def box(relay: str, address: str) -> Path | None:
    """The Maildir of an address, when the relay is one."""
    scheme, _, folder = relay.partition(":")
    return Path(folder) / address.lower().replace("/", "_") if scheme == "maildir" else None


def read(raw: bytes) -> Letter:
    """A mail of the server's, cleaned for a terminal."""
    mail = message_from_bytes(raw, policy=default)
    part = mail.get_body(("plain",))
    text = part.get_content() if part is not None else ""
    return Letter(
        line(str(mail["Subject"] or "")),
        clean(str(text)).rstrip() + "\n",
        str(mail["In-Reply-To"] or "").strip(),
        str(mail["Reply-To"] or "").strip(),
    )
