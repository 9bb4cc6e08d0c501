"""`pbm demo`: a temporary server and two players who play a whole game by mail.

It touches no other server and leaves nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import click

import pbm
from pbm.cli import TRY_AGAIN, CommandFailed
from pbm.cli.mailing import Maildir, ShownMail, build_mail, find_maildir, send_mail
from pbm.store import migrate
from pbm.store.engine import Store

_SERVER = "pbm@games.example"
_ANN, _BOB = "ann@ann.example", "bob@bob.example"
_SECRETS = {"ann": "orchard7", "bob": "kettle42"}
_MOVES = (
    "a2,b2,c2,c3",
    "b1,c1,d1,d2",
    "e2,f2,g2,e3",
    "d3,d4,e4,f4",
    "c1,d1,c2,d2",
    "d3,e3,d4,e4",
    "c2,d2,c3,d3",
)
_REPLY = 3
_CODE = re.compile(r"^ *Code: ([a-z0-9-]+)$", re.MULTILINE)
_PATIENCE = 20.0


@dataclass
class Demo:
    """The demo's server and the mailboxes of its players."""

    port: int
    relay: str
    inboxes: dict[str, Maildir] = field(default_factory=dict)

    def mail(self, sender: str, subject: str, body: str = "", to: str = _SERVER) -> None:
        """Send a mail and print it with the password masked."""
        if sender not in self.inboxes:
            folder = find_maildir(self.relay, sender)
            self.inboxes[sender] = Maildir(folder or Path())
        send_mail(build_mail(sender, to, subject, body), "127.0.0.1", self.port)
        masked = subject
        for password in _SECRETS.values():
            masked = masked.replace(password, "********")
        click.echo(f"{'=' * 78}\n{sender} mails to {to}\n  Subject: {masked}")
        for text in body.splitlines():
            click.echo(f"  {text}")
        click.echo("")

    def read(self, reader: str) -> ShownMail:
        """Wait for the reader's next mail and print it. Fails if none comes."""
        letter = self.inboxes[reader].next(_PATIENCE)
        if letter is None:
            raise CommandFailed(f"no mail for {reader} arrived within {_PATIENCE:g} s", TRY_AGAIN)
        click.echo(f"{reader} reads\n  Subject: {letter.subject}\n")
        click.echo("".join(f"  | {text}".rstrip() + "\n" for text in letter.text.splitlines()))
        return letter


@click.command("demo")
def command() -> None:
    """Watch two players play a whole game of Cradle by mail.

    Starts a server on a free local port with its data in a temporary folder and mails it over real
    SMTP. Takes a few seconds.
    """
    with tempfile.TemporaryDirectory(prefix="pbm-demo-") as folder:
        _play(Path(folder))
    click.echo("To play yourself: pbm serve, and in another terminal")
    click.echo("  pbm send --from ann@example.org 'signup ann PASSWORD'")


def _play(folder: Path) -> None:
    relay = f"maildir:{folder / 'mail'}"
    (folder / "pbm.toml").write_text(
        f'[server]\naddress = "{_SERVER}"\n'
        f'[database]\nurl = "sqlite:///{folder / "pbm.db"}"\n'
        '[smtp]\nlisten = "127.0.0.1:0"\n'
        f'[relay]\nurl = "{relay}"\n',
        encoding="utf-8",
    )
    store = Store(f"sqlite:///{folder / 'pbm.db'}")
    migrate.create(store)
    store.close()
    with (folder / "log").open("w+b") as log:
        server = _start(folder / "pbm.toml", log)
        try:
            demo = Demo(_read_port(server, log), relay)
            _play_game(demo, _sign_up(demo))
        finally:
            server.terminate()
            server.wait(30)


def _start(config: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start the server as a child process with the same Python and modules."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PBM_")}
    paths = [str(Path(pbm.__file__).parent.parent), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return subprocess.Popen(  # noqa: S603 (our own program)
        [sys.executable, "-m", "pbm", "--config", str(config), "serve"],
        stdout=subprocess.PIPE,
        stderr=log,
        env=environment,
    )


def _read_port(server: subprocess.Popen[bytes], log: IO[bytes]) -> int:
    """Return the port in the server's ready line. Fails if it did not start."""
    ready = server.stdout.readline().decode() if server.stdout is not None else ""
    match = re.search(r"ready smtp \S+:(\d+)$", ready)
    if match is None:
        log.seek(0)
        last = log.read().decode(errors="replace").strip().splitlines()[-1:] or ["no output"]
        raise CommandFailed(f"the server did not start: {last[0]}", TRY_AGAIN)
    return int(match[1])


def _sign_up(demo: Demo) -> ShownMail:
    """Open both accounts. Return ann's welcome mail."""
    welcomes = []
    for address, userid in ((_ANN, "ann"), (_BOB, "bob")):
        demo.mail(address, f"signup {userid} {_SECRETS[userid]}")
        code = _CODE.search(demo.read(address).text)
        if code is None:
            raise CommandFailed("the mail contains no code", TRY_AGAIN)
        demo.mail(address, f"confirm {code[1]}")
        welcomes.append(demo.read(address))
    return welcomes[0]


def _play_game(demo: Demo, welcome: ShownMail) -> None:
    """Have ann challenge by replying, which proves her identity; both play, one move in each
    reply."""
    demo.mail(_ANN, f"Re: {welcome.subject}", "cradle challenge ann bob\n", to=welcome.reply_to)
    letters = {address: demo.read(address) for address in (_ANN, _BOB)}
    board = re.search(r"\[cradle (\d+)\]", letters[_ANN].subject)
    number = board[1] if board else "?"
    for at, move in enumerate(_MOVES):
        userid, address = (("ann", _ANN), ("bob", _BOB))[at % 2]
        if at == _REPLY:
            last = letters[address]
            demo.mail(address, f"Re: {last.subject}", f"{move}\n", to=last.reply_to)
        else:
            demo.mail(address, f"cradle move {number} {userid} {_SECRETS[userid]} {move}")
        letters = {reader: demo.read(reader) for reader in (_ANN, _BOB)}
    if not letters[_BOB].text.startswith("ann won"):
        raise CommandFailed(f"the game did not end: {letters[_BOB].subject}", TRY_AGAIN)
