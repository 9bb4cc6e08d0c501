"""A player at a terminal: writes and answers mails with mutt, and reads a mailbox over IMAP."""

from __future__ import annotations

import imaplib
import os
import pty
import select
import subprocess
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from tests.harness.mail_programs import PASSWORD, PATIENCE, program

_RC = """
set realname="{name}"
set from="{address}"
set use_from=yes
set hostname="example.test"
set smtp_url="smtp://127.0.0.1:{smtp}"
set folder="imap://127.0.0.1:{imap}/"
set imap_user="{address}"
set imap_pass="{password}"
set spoolfile="imap://127.0.0.1:{imap}/INBOX"
set ssl_starttls=no
set ssl_force_tls=no
set editor="sh {editor}"
set include=yes
set fast_reply=yes
set reply_to=yes
set crypt_autopgp=no
set crypt_autosmime=no
set crypt_use_gpgme=no
set abort_unmodified=no
set abort_nosubject=no
set copy=no
set record=""
set recall=no
set sort=mailbox-order
set quit=yes
set delete=no
set mark_old=no
set wait_key=no
set timeout=5
set pager_stop=yes
"""
# A file that seems newer than its stamp, to the second, would make mutt ask before it sends.
_EDITOR = """
{{ cat {text}; echo; cat "$1"; printf '\\n-- \\n{name}\\n'; }} > "$1.new" && mv "$1.new" "$1"
touch -d '1 minute ago' "$1"
"""


class Player:
    """Somebody with a mailbox."""

    def __init__(self, folder: Path, name: str, smtp: int, imap: int) -> None:
        self.name, self.address = name, f"{name}@example.test"
        self._imap, self._read = imap, 0
        folder.mkdir()
        self._text = folder / "text"
        editor = folder / "editor.sh"
        editor.write_text(_EDITOR.format(text=self._text, name=name))
        self._rc = folder / "muttrc"
        self._rc.write_text(
            _RC.format(
                name=name.title(),
                address=self.address,
                smtp=smtp,
                imap=imap,
                password=PASSWORD,
                editor=editor,
            )
        )
        self._environment = {**os.environ, "HOME": str(folder), "TERM": "xterm", "LANG": "C.UTF-8"}

    def writes(self, to: str, subject: str, body: str = "") -> None:
        """Send a new mail."""
        subprocess.run(
            [program("mutt") or "", "-F", str(self._rc), "-s", subject, "--", to],
            input=body.encode(),
            env=self._environment,
            check=True,
            timeout=PATIENCE,
            capture_output=True,
        )

    def answers(self, text: str) -> None:
        """Answer the newest mail: the text above, all of it quoted, a signature below."""
        self._text.write_text(text)
        keys = "<last-entry><reply><send-message><exit>"
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [program("mutt") or "", "-F", str(self._rc), "-e", f"push '{keys}'"],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=self._environment,
            start_new_session=True,
        )
        os.close(follower)
        screen, deadline = b"", time.monotonic() + PATIENCE
        try:
            while process.poll() is None:
                assert time.monotonic() < deadline, screen[-3000:]
                if select.select([leader], [], [], 0.1)[0]:
                    try:
                        screen += os.read(leader, 65536)
                    except OSError:
                        break
            assert process.wait(60) == 0, screen[-3000:]
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            os.close(leader)

    def receives(self) -> EmailMessage:
        """The next mail in the mailbox, waiting for it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            mails = mailbox(self._imap, self.address)
            if len(mails) > self._read:
                self._read += 1
                return mails[self._read - 1]
            assert time.monotonic() < deadline, f"{self.name} receives nothing"
            time.sleep(0.1)

    def unread(self) -> int:
        """How many mails have come that nobody received yet."""
        return len(mailbox(self._imap, self.address)) - self._read


def mailbox(port: int, user: str, folder: str = "INBOX") -> list[EmailMessage]:
    """The mails of a mailbox, in order."""
    with imaplib.IMAP4("127.0.0.1", port, timeout=PATIENCE) as client:
        client.login(user, PASSWORD)
        if client.select(folder, readonly=True)[0] != "OK":
            return []
        found: list[EmailMessage] = []
        for number in client.search(None, "ALL")[1][0].split():
            part = client.fetch(number.decode(), "(BODY.PEEK[])")[1][0]
            assert isinstance(part, tuple)
            message = message_from_bytes(part[1], policy=policy.default)
            assert isinstance(message, EmailMessage)
            found.append(message)
        return found


def text(message: EmailMessage) -> str:
    """What a person reads."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())
