"""A provider with a certificate: takes mail at port 587 from who logs in, has mailboxes at 993."""

from __future__ import annotations

import smtplib
import ssl
import subprocess
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.harness.mail_programs import Service, program

PASSWORD = "PASSWORD"
"""As config/README.md writes it."""
_NAMES = "DNS:smtp.provider.example,DNS:imap.provider.example,DNS:games.example.org"
_MAILBOX = "pbm@provider.example"
_DOVECOT = """
base_dir = {folder}/run
state_dir = {folder}/state
protocols = imap lmtp
log_path = /var/log/dovecot.log
ssl = required
ssl_cert = <{folder}/chain.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{folder}/mail/%u
first_valid_uid = 1
mail_privileged_group = mail
!include {ours}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={folder}/mail/%u allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = 993
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = 24
  }}
}}
"""


class Provider:
    """What is mailed through it is kept by recipient, and goes on to the games server at port 25
    or into the mailbox."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mails: dict[str, list[bytes]] = {}
        self._serves_games = False
        folder.mkdir()
        self.authority = folder / "chain.pem"
        self._certify()

    def start(self, *, serves_games: bool) -> None:
        """Listen; with `serves_games`, mail for games.example.org is sent on to port 25."""
        self._serves_games = serves_games
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.authority, self._folder / "key.pem")
        Controller(
            self,
            hostname="127.0.0.1",
            port=587,
            tls_context=context,
            authenticator=self._authenticate,
            auth_required=True,
        ).start()
        if not serves_games:
            self._start_mailboxes()

    def _authenticate(self, *given: Any) -> AuthResult:
        login = given[4]
        fits = isinstance(login, LoginPassword) and login.password == PASSWORD.encode()
        return AuthResult(success=fits)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Take a mail of the games server."""
        self.deliver(envelope.mail_from, envelope.rcpt_tos, envelope.original_content)
        return "250 taken"

    def deliver(self, sender: str, recipients: list[str], raw: bytes) -> None:
        """Send a mail on to where it belongs."""
        for recipient in recipients:
            self._mails.setdefault(recipient, []).append(raw)
            if self._serves_games and recipient.endswith("@games.example.org"):
                with smtplib.SMTP("127.0.0.1", 25) as client:
                    client.sendmail(sender, [recipient], raw)
            elif recipient.partition("@")[2] == "provider.example":
                with smtplib.LMTP("127.0.0.1", 24) as client:
                    client.sendmail(sender, [recipient], raw)

    def list_mails(self, recipient: str) -> list[Message]:
        return [message_from_bytes(raw) for raw in self._mails.get(recipient, [])]

    def _start_mailboxes(self) -> None:
        mail = self._folder / "mail"
        mail.mkdir()
        subprocess.run(["chown", "mail:mail", str(mail)], check=True)
        config = self._folder / "dovecot.conf"
        ours = Path(__file__).parents[2] / "config" / "dovecot" / "pbm.conf"
        config.write_text(_DOVECOT.format(folder=self._folder, ours=ours, password=PASSWORD))
        log = Path("/var/log/dovecot.log")
        Service([program("dovecot") or "", "-F", "-c", str(config)], log, [993, 24])

    def _certify(self) -> None:
        """A certificate of its own authority, also where Certbot would have put it."""
        names = ("-subj", "/CN=provider.example", "-addext", f"subjectAltName={_NAMES}")
        files = ("-keyout", str(self._folder / "key.pem"), "-out", str(self.authority))
        words = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90")
        subprocess.run([*words, *names, *files], check=True, capture_output=True)
        self._folder.chmod(0o755)
        self.authority.chmod(0o644)
        live = Path("/etc/letsencrypt/live/games.example.org")
        live.mkdir(parents=True)
        for name, source in (("fullchain", "chain"), ("privkey", "key")):
            (live / f"{name}.pem").write_text((self._folder / f"{source}.pem").read_text())
