"""Sends mail by SMTP from a player's terminal and watches a Maildir for the answers."""

from __future__ import annotations

import smtplib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import formatdate, make_msgid
from pathlib import Path

import click

from pbm.cli import REFUSED, TRY_AGAIN, USAGE, CommandFailed, get_config
from pbm.cli.terminal.output import clean, join_lines
from pbm.config import Config

_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class ShownMail:
    """A mail as its reader sees it."""

    subject: str
    text: str
    answers: str
    reply_to: str

    def format_mail(self) -> str:
        """Return subject and text for a terminal."""
        return f"Subject: {self.subject}\n\n{self.text}"


def build_mail(sender: str, recipient: str, subject: str, body: str) -> EmailMessage:
    """Return a mail with its own Message-ID. Fails when the sender is no mail address."""
    mail = EmailMessage(policy=SMTP.clone(max_line_length=998))
    try:
        address = Address(addr_spec=sender)
    except (ValueError, IndexError):
        raise CommandFailed(f"not a mail address: {join_lines(sender)}", USAGE) from None
    mail["From"] = address
    mail["To"] = recipient
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain=address.domain or "localhost")
    mail.set_content(body or "\n")
    return mail


def find_smtp_address(config: Config) -> tuple[str, int]:
    """Return host and port at which this configuration's server takes SMTP. Fails when it takes
    none."""
    host, _, port = config.smtp.listen.rpartition(":")
    if not port.isdigit():
        raise CommandFailed("this server takes no mail by SMTP: [smtp] listen is off", USAGE)
    host = host.strip("[]")
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), int(port)  # noqa: S104 (compared, not bound)


def send_mail(mail: EmailMessage, host: str, port: int) -> None:
    """Send the mail by SMTP. Fails when no server is there or it refuses."""
    at = f"{host}:{port}"
    try:
        with smtplib.SMTP(host, port, timeout=20) as client:
            client.send_message(mail)
    except smtplib.SMTPRecipientsRefused as error:
        number, words = next(iter(error.recipients.values()))
        text = words.decode(errors="replace")
        raise CommandFailed(f"refused: {number} {join_lines(text)}", REFUSED) from None
    except smtplib.SMTPResponseException as error:
        reply = error.smtp_error
        text = reply.decode(errors="replace") if isinstance(reply, bytes) else str(reply)
        code = TRY_AGAIN if error.smtp_code < 500 else REFUSED
        raise CommandFailed(f"refused: {error.smtp_code} {join_lines(text)}", code) from None
    except (OSError, smtplib.SMTPException):
        raise CommandFailed(
            f"no server answers at {at}; to start it: pbm serve", TRY_AGAIN
        ) from None


class Maildir:
    """The mails that arrive for one address from now on."""

    def __init__(self, folder: Path) -> None:
        self._new = folder / "new"
        self._seen = set(self._list_names())
        self._waiting: list[ShownMail] = []

    def _list_names(self) -> list[str]:
        return sorted(path.name for path in self._new.glob("*")) if self._new.is_dir() else []

    def take_new(self) -> list[ShownMail]:
        """Return all mails that arrived and were not taken yet, oldest first."""
        self._scan()
        mails, self._waiting = self._waiting, []
        return mails

    def _scan(self) -> None:
        fresh = [name for name in self._list_names() if name not in self._seen]
        self._seen.update(fresh)
        self._waiting += [parse_mail((self._new / name).read_bytes()) for name in fresh]

    def next(self, seconds: float) -> ShownMail | None:
        """Return the next mail; None if it does not come in time."""
        end = time.monotonic() + seconds
        while not self._waiting and time.monotonic() < end:
            self._scan()
            time.sleep(0 if self._waiting else _PAUSE)
        return self._waiting.pop(0) if self._waiting else None

    def wait(self, seconds: float, quiet: float = 0.0, answers: str = "") -> Iterator[ShownMail]:
        """Yield mails as they arrive: until `quiet` seconds after the first answer to the
        Message-ID `answers` (without it, the first mail), for at most `seconds`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for mail in self.take_new():
                if not answers or mail.answers == answers:
                    end = min(end, time.monotonic() + quiet)
                yield mail
            time.sleep(_PAUSE)
        yield from self.take_new()


def find_maildir(relay: str, address: str) -> Path | None:
    """Return the Maildir of an address; None when the relay is none."""
    scheme, _, folder = relay.partition(":")
    return Path(folder) / address.lower().replace("/", "_") if scheme == "maildir" else None


def parse_mail(raw: bytes) -> ShownMail:
    """Return a mail of the server, cleaned for a terminal."""
    mail = message_from_bytes(raw, policy=default)
    part = mail.get_body(("plain",))
    text = part.get_content() if part is not None else ""
    return ShownMail(
        join_lines(str(mail["Subject"] or "")),
        clean(str(text)).rstrip() + "\n",
        str(mail["In-Reply-To"] or "").strip(),
        str(mail["Reply-To"] or "").strip(),
    )


# `pbm send`: mails the running server and prints its answers; opens no database.


@click.command("send")
@click.option("--from", "sender", required=True, metavar="ADDRESS", help="the sender")
@click.option(
    "--to", "recipient", metavar="ADDRESS", help="the Reply-To address of a mail to answer it"
)
@click.option("--body", default="", metavar="TEXT|-", help="the text; - reads standard input")
@click.option(
    "--wait",
    default=10.0,
    metavar="SECONDS",
    show_default=True,
    help="how long to wait for the answer",
)
@click.argument("subject")
@click.pass_context
def command(
    ctx: click.Context, sender: str, recipient: str | None, body: str, wait: float, subject: str
) -> None:
    """Mail a command to the running server and print the answers as they arrive.

    \b
      pbm send --from ann@example.org 'signup ann secret'
      pbm send --from ann@example.org 'cradle challenge ann bob'
    """
    config = get_config(ctx)

    if body == "-":
        body = sys.stdin.read()
    mail = build_mail(sender, recipient or config.server.address, subject, body)
    folder = find_maildir(config.relay.url, sender)
    inbox = Maildir(folder) if folder is not None else None
    send_mail(mail, *find_smtp_address(config))
    if inbox is None:
        click.echo(
            f"accepted; the answer goes to {sender} through {config.relay.url.partition(':')[0]}"
        )
        return
    answered = refused = False
    for letter in inbox.wait(wait, quiet=0.3, answers=mail["Message-ID"]):
        click.echo(f"{letter.format_mail()}\n")
        if letter.answers == mail["Message-ID"]:
            answered, refused = True, letter.text.startswith("Not done: ")
    if not answered:
        raise CommandFailed(
            f"accepted, but no answer within {wait:g} s: see pbm admin mails", TRY_AGAIN
        )
    if refused:
        ctx.exit(REFUSED)
