"""`pbm demo`: a server of its own in a temporary folder, and two players who mail each other's
boards to an end. It touches no other server and leaves nothing behind."""

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
from pbm.cli import TRY_AGAIN, Failed
from pbm.cli.mailing import Letter, Maildir, box, hand_over, write

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
class Stage:
    """The server that plays along, and what has been printed."""

    port: int
    relay: str
    inboxes: dict[str, Maildir] = field(default_factory=dict)

    def mail(self, sender: str, subject: str, body: str = "", to: str = _SERVER) -> None:
        """Send a mail and print it, without its password."""
        if sender not in self.inboxes:
            folder = box(self.relay, sender)
            self.inboxes[sender] = Maildir(folder or Path())
        hand_over(write(sender, to, subject, body), "127.0.0.1", self.port)
        shown = subject
        for password in _SECRETS.values():
            shown = shown.replace(password, "********")
        click.echo(f"{'=' * 78}\n{sender} mails to {to}\n  Subject: {shown}")
        for text in body.splitlines():
            click.echo(f"  {text}")
        click.echo("")

    def read(self, reader: str) -> Letter:
        """Wait for the next mail to somebody and print it."""
        letter = self.inboxes[reader].next(_PATIENCE)
        if letter is None:
            raise Failed(f"no mail came for {reader} within {_PATIENCE:g} s", TRY_AGAIN)
        click.echo(f"{reader} reads\n  Subject: {letter.subject}\n")
        click.echo("".join(f"  | {text}".rstrip() + "\n" for text in letter.text.splitlines()))
        return letter


@click.command("demo")
def command() -> None:
    """Watch two players play a whole game of Cradle by mail.

    A server is started on a free port of this machine with its data in a temporary folder; the
    mails go through real SMTP. It ends by itself within a few seconds.
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
    with (folder / "log").open("w+b") as log:
        server = _start(folder / "pbm.toml", log)
        try:
            stage = Stage(_port(server, log), relay)
            _game(stage, _sign_up(stage))
        finally:
            server.terminate()
            server.wait(30)


def _start(config: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """The server as a child process of the same Python, with the same modules."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PBM_")}
    paths = [str(Path(pbm.__file__).parent.parent), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return subprocess.Popen(  # noqa: S603 (our own program)
        [sys.executable, "-m", "pbm", "--config", str(config), "serve"],
        stdout=subprocess.PIPE,
        stderr=log,
        env=environment,
    )


def _port(server: subprocess.Popen[bytes], log: IO[bytes]) -> int:
    """The port in the line that says it is ready."""
    said = server.stdout.readline().decode() if server.stdout is not None else ""
    found = re.search(r"ready smtp \S+:(\d+)$", said)
    if found is None:
        log.seek(0)
        last = log.read().decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise Failed(f"the server did not start: {last[0]}", TRY_AGAIN)
    return int(found[1])


def _sign_up(stage: Stage) -> Letter:
    """Open both accounts; what welcomes ann."""
    welcomes = []
    for address, userid in ((_ANN, "ann"), (_BOB, "bob")):
        stage.mail(address, f"signup {userid} {_SECRETS[userid]}")
        code = _CODE.search(stage.read(address).text)
        if code is None:
            raise Failed("the mail holds no code", TRY_AGAIN)
        stage.mail(address, f"confirm {code[1]}")
        welcomes.append(stage.read(address))
    return welcomes[0]


def _game(stage: Stage, welcome: Letter) -> None:
    """Ann challenges in a reply, which proves who it is, and both play; one move is a reply too."""
    stage.mail(_ANN, f"Re: {welcome.subject}", "cradle challenge ann bob\n", to=welcome.reply_to)
    letters = {address: stage.read(address) for address in (_ANN, _BOB)}
    board = re.search(r"\[cradle (\d+)\]", letters[_ANN].subject)
    number = board[1] if board else "?"
    for at, move in enumerate(_MOVES):
        userid, address = (("ann", _ANN), ("bob", _BOB))[at % 2]
        if at == _REPLY:
            last = letters[address]
            stage.mail(address, f"Re: {last.subject}", f"{move}\n", to=last.reply_to)
        else:
            stage.mail(address, f"cradle move {number} {userid} {_SECRETS[userid]} {move}")
        letters = {reader: stage.read(reader) for reader in (_ANN, _BOB)}
    if "ann won" not in letters[_BOB].subject:
        raise Failed(f"the game did not end: {letters[_BOB].subject}", TRY_AGAIN)
