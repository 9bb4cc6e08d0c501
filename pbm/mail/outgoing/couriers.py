"""Couriers deliver one mail to a Maildir, a relay or a program, and report what came of it.

Queues and retries are the outbox's."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from itertools import count
from pathlib import Path

from pbm.mail.outgoing.delivery import Courier, Deferred, Delivered, Envelope, Failed, Result


class MaildirCourier:
    """Delivers to a Maildir for each recipient, FOLDER/ADDRESS/new. Files appear atomically."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._host = socket.gethostname().replace("/", "_").replace(":", "_")
        self._numbers = count()

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Write the file under tmp, flush it to disk and rename it into new."""
        try:
            await asyncio.to_thread(self._write, envelope.recipient, message)
        except OSError as error:
            return Deferred(f"maildir: {error.strerror}", relay_down=True)
        return Delivered()

    def _write(self, recipient: str, message: bytes) -> None:
        box = self._folder / _build_file_name(recipient)
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir(parents=True, exist_ok=True)
        name = f"{time.time():.6f}.P{os.getpid()}Q{next(self._numbers)}.{self._host}"
        with open(box / "tmp" / name, "wb") as file:
            file.write(message.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        os.rename(box / "tmp" / name, box / "new" / name)

    async def close(self) -> None:
        """Do nothing: nothing is kept open."""


def _build_file_name(recipient: str) -> str:
    """Return the address as the name of a folder."""
    plain = recipient.replace("/", "_").replace("\0", "_")
    return plain if plain not in (".", "..") else "_"


class SendmailCourier:
    """Delivers through a local program that reads a mail on standard input, as sendmail does."""

    def __init__(self, program: str) -> None:
        self._program = program

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        """Run the program. Exit codes 65, 67 and 68 fail the mail; others but 0 defer it."""
        try:
            process = await asyncio.create_subprocess_exec(
                self._program,
                "-i",
                "-f",
                envelope.sender,
                "--",
                envelope.recipient,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await process.communicate(message.replace(b"\r\n", b"\n"))
        except OSError as error:
            return Deferred(f"{self._program}: {error.strerror}", relay_down=True)
        if process.returncode == 0:
            return Delivered()
        why = f"{self._program} ended with {process.returncode}"
        return Failed(why) if process.returncode in (65, 67, 68) else Deferred(why)

    async def close(self) -> None:
        """Do nothing: nothing is kept open."""


def build_courier(url: str) -> Courier:
    """Return the courier for a relay URL; raise a ValueError that names the valid forms."""
    scheme, _, rest = url.partition(":")
    if scheme == "maildir":
        return MaildirCourier(rest)
    if scheme == "sendmail":
        return SendmailCourier(rest)
    if scheme in ("smtp", "smtps", "smtp+starttls"):
        from pbm.mail.outgoing.smtp_courier import SmtpCourier  # imports a library of its own

        return SmtpCourier(url)
    raise ValueError(
        "[relay] url is maildir:FOLDER, smtp://HOST:PORT, smtps://HOST:PORT, "
        "smtp+starttls://USER:PASSWORD@HOST:PORT or sendmail:PROGRAM"
    )
