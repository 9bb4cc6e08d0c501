"""Real mail programs play: `python -m tools.mail.programs FOLDER [NAME...]` gives each a mailbox on
a post office of loopback and a board of chess, reads its mails on a screen of its own, and replies
with moves by its keys.

FOLDER gets what was seen, as a picture or the text of a terminal, and the raw mail that the program
made of its second move, in the form of tests/mail/corpus/templates. Needs root, and Debian's xvfb,
openbox, xdotool, imagemagick, dbus, gnome-keyring, libsecret-tools, tmux and vim beside the
programs; Roundcube is roundcube-core, roundcube-sqlite3, php-cli and chromium, KMail is kmail and
akonadi-backend-sqlite. The keys are those of Debian 12."""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.harness.mail_programs import PASSWORD
from tools.mail.keys import PROGRAMS, Program
from tools.mail.post_office import PostOffice
from tools.mail.screens import Desktop, Terminal, write

_MOVES = ("e4", "Nf3")
_ANSWER = "e5"
_PATIENCE = 60.0


@contextlib.contextmanager
def _running(program: Program, office: PostOffice, name: str) -> Iterator[Terminal | Desktop]:
    home = office.folder / "homes" / name
    home.mkdir(parents=True)
    known = {"name": name, "password": PASSWORD, "imap": office.imap, "smtp": office.smtp}
    for file, text in program.files.items():
        for key, value in known.items():
            text = text.replace(f"@{key}@", str(value))
        write(home / file, text.lstrip())
    screen = (Terminal if program.is_terminal else Desktop)(home, program.command)
    try:
        yield screen
    finally:
        screen.close()


def _work(screen: Terminal | Desktop, steps: str, folder: Path, label: str, **words: str) -> None:
    """Do the steps. A number waits for so many seconds, `await` until the screen, or
    the title of a window, has some words; after all others there is a second of rest."""
    for line in steps.format(password=PASSWORD, **words).split(";"):
        kind, *rest = line.split()
        if kind.replace(".", "").isdigit():
            time.sleep(float(kind))
        elif kind == "await":
            _await(screen, " ".join(rest))
        elif kind == "show":
            screen.show(folder / f"{label}{screen.ends}")
        else:
            screen.do(kind, rest)
            time.sleep(1)


def _await(screen: Terminal | Desktop, words: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not screen.has(words):
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing says {words!r}")
        time.sleep(0.3)
    time.sleep(1)


def play(name: str, office: PostOffice, folder: Path) -> None:
    """Play two moves by that program."""
    program = PROGRAMS[name]
    office.begin(name)
    with _running(program, office, name) as screen:
        try:
            for turn, move in enumerate(_MOVES):
                ply = 2 * turn
                board = office.await_board(name, ply)
                _work(screen, program.reads[turn], folder, f"{name}-{turn + 1}-list", name=name)
                screen.show(folder / f"{name}-{turn + 1}{screen.ends}")
                _work(screen, program.replies, folder, f"{name}-{turn + 1}-reply", move=move)
                office.await_board(name, ply + 1)
                if turn == 0:
                    office.answer(board, _ANSWER)
        except TimeoutError:
            screen.show(folder / f"{name}-last{screen.ends}")
            raise
    (folder / f"{name}.eml").write_bytes(_make_template(office.find_sent(name)))


def _make_template(raw: bytes) -> bytes:
    """Return a mail with a word in the place of the second move, as its program made it."""
    move = re.escape(_MOVES[-1].encode())
    typed = re.sub(rb"(?m)(^|>)%s\b" % move, rb"\1@@COMMAND@@", raw.replace(b"\r\n", b"\n"))
    return re.sub(rb"(?m)^(?:Return-Path|Received):.*\n(?:[ \t].*\n)*", b"", typed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []], metavar="NAME")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    failed = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with PostOffice() as office:
        for name in given.names or PROGRAMS:
            if not (Path(PROGRAMS[name].where).is_file() or shutil.which(name)):
                print(f"{name}: not installed", flush=True)
                continue
            try:
                play(name, office, given.folder)
                print(f"{name}: played", flush=True)
            except TimeoutError as error:
                failed.append(name)
                print(f"{name}: {error}", flush=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
