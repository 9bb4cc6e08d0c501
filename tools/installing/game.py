"""Two people play Hex by mail with the server of this machine, patiently, while it is upgraded:
`python3 game.py MAILDIRS PORT UPGRADED`.

Prints each move once the other has got it, and `done` three moves after there is a file UPGRADED;
exit 1 when a mail is missing. Runs where nothing but Python is installed."""

from __future__ import annotations

import email
import smtplib
import sys
import time
from email.message import Message
from pathlib import Path

_CELLS = [f"{column}{row}" for row in (1, 3, 5, 7, 9, 11) for column in "abcdefghij"]
"""Moves that connect nothing."""
_LAST = 3
"""Moves that are left for when it is upgraded."""
_PAUSE = 1.0
_PATIENCE = 120.0


def main() -> None:
    maildirs, port, upgraded = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    game = Game(maildirs, port)
    mail = game.begin()
    players = ["ann", "bob"]
    left = list(_CELLS)
    after = _LAST
    while after:
        if upgraded.exists():
            after -= 1
        elif len(left) == _LAST:
            time.sleep(_PAUSE)
            continue
        cell = left.pop(0)
        mail = game.move(players[0], players[1], mail, cell)
        print(cell, flush=True)
        players.reverse()
        time.sleep(_PAUSE)
    print("done")


class Game:
    """The mails of ann and bob, by SMTP to a port and out of the Maildirs of their addresses."""

    def __init__(self, maildirs: Path, port: int) -> None:
        self._maildirs = maildirs
        self._port = port

    def begin(self) -> Message:
        """Sign up, challenge and accept; the mail to ann that asks for the first move."""
        for name in ("ann", "bob"):
            self._send(name, "pbm@localhost", f"signup {name} cartwheel-{name}")
            self._await(name, f"welcome, {name}")
        self._send("ann", "pbm@localhost", "hex challenge ann bob -size=11 -noswap")
        begun = self._await("bob", "[hex 1]")
        if "invitation" in str(begun["Subject"]):
            self._reply("bob", begun, "accept")
        return self._await("ann", "your move (1)")

    def move(self, mover: str, other: str, mail: Message, cell: str) -> Message:
        """Reply with a move; the mail with it that the other gets."""
        self._reply(mover, mail, cell)
        return self._await(other, f"{mover} played {cell}")

    def _reply(self, sender: str, mail: Message, body: str) -> None:
        to, subject = str(mail["Reply-To"]), f"Re: {mail['Subject']}"
        self._send(sender, to, subject, body, str(mail["Message-ID"]))

    def _send(self, sender: str, to: str, subject: str, body: str = "", reply_to: str = "") -> None:
        head = [f"From: {sender}@example.org", f"To: {to}", f"Subject: {subject}"]
        head.append(f"Message-ID: <{time.time_ns()}@example.org>")
        if reply_to:
            head.append(f"In-Reply-To: {reply_to}")
        text = "\r\n".join([*head, "", body, ""])
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                with smtplib.SMTP("127.0.0.1", self._port, timeout=_PATIENCE) as smtp:
                    smtp.sendmail(f"{sender}@example.org", [to], text)
                return
            except (OSError, smtplib.SMTPException) as error:  # as a mail server, it tries again
                if time.monotonic() > until:
                    sys.exit(f"nobody takes mail: {error}")
                time.sleep(0.2)

    def _await(self, reader: str, wanted: str) -> Message:
        """Return the mail to a reader whose subject or text has these words."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            for path in (self._maildirs / f"{reader}@example.org" / "new").glob("*"):
                mail = email.message_from_bytes(path.read_bytes())
                part = next(each for each in mail.walk() if each.get_content_type() == "text/plain")
                text = part.get_payload(decode=True)
                assert isinstance(text, bytes)
                if wanted in " ".join(f"{mail['Subject']} {text.decode()}".split()):
                    return mail
            time.sleep(0.1)
        sys.exit(f"{reader} got no mail with {wanted!r}")


if __name__ == "__main__":
    main()
