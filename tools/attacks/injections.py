"""Injections: texts of players that become headers, HTML, templates, paths or terminal control."""

from __future__ import annotations

import os
import re
from email.header import Header
from pathlib import Path

from pbm.store.tables import addresses, players
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail, controls
from tests.harness.servers import until
from tools.attacks.catalogue import Run, attack, column, run_admin, served
from tools.attacks.corpus import read_seeds

_PAYLOADS = (*read_seeds("texts"), "a\u0300" * 300, "x" * 3000)
_BAD_HTML = re.compile(
    r"<script|<svg|<style>\*|onerror=alert\(1\)>|<h1>|<img(?! src=\"cid:board\.[0-9]+@[a-z.]+\")"
)
"""What only an injection brings into a page: our own picture is a part of the mail."""


def _harmless(mails: list[Mail], seats: set[str]) -> None:
    """Check the mails beyond what the conversation checks of all: headers, columns and printable
    text."""
    for mail in mails:
        assert mail.address in seats, mail
        assert "Bcc" not in mail.message, mail
        assert "1337" not in mail.text, mail
        assert mail.message["Content-Type"].count("\n") == 0
        for part in mail.message.walk():
            if part.get_content_type() == "text/html":
                page = str(part.get_content()).lower()
                assert _BAD_HTML.search(page) is None, page


@attack("injection", "headers, HTML, templates and queries inside texts of players")
def injected(run: Run) -> str:
    """Inject as names, comments, chat, messages, subjects, From, userids and options; ann reads
    HTML."""
    talk = run.talk(limits=UNLIMITED | {"chats_an_hour": 0, "looks_a_day": 0})
    talk.signup("ann", "bob")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.proves("ann", "set ann mail=picture")
    talk.any_mail("ann")
    talk.challenge("tictactoe", "ann", "bob", options="-size=6")
    seats = {"ann@example.org", "bob@example.org"}
    forms = (
        ("tictactoe chat 1 bob {b}", "{x}"),
        ("message bob {b} ann", "{x}"),
        ("set bob {b} name={x}", ""),
        ("tictactoe show 1 {x}", ""),
        ("tictactoe move 1 bob {b} {x}", ""),
        ("tictactoe seek bob {b} {x}", ""),
        ("tictactoe challenge bob {x}", "{x}"),
        ("signup {x} Sesame-none", ""),
        ("help {x}", ""),
        ("tictactoe export {x}", ""),
        ("rating {x}", ""),
        ("{x}", "{x}"),
        ("tictactoe note 1 bob {b}", "{x}"),
        ("multiple", "chat 1 bob {b} {x}\n{x}\ntictactoe show {x}"),
    )
    told = 0
    for number, (payload, (subject, body)) in enumerate(
        run.some([(x, form) for x in _PAYLOADS for form in forms], 60)
    ):
        words = subject.format(x=payload, b=bob), body.format(x=payload, b=bob)
        raw = _written(number, payload, *words)
        served(talk).take("bob@example.org", SERVER, raw)
        if number % 20 == 19:
            mails = talk.everything()
            told += len(mails)
            _harmless(mails, seats)
    mails = talk.everything()
    _harmless(mails, seats)
    userids = column(talk, players.c.userid)
    assert all(re.fullmatch("[a-z][a-z0-9_-]{1,19}", each, re.I) for each in userids), userids
    assert {*column(talk, addresses.c.address)} == seats
    _terminal(talk)
    assert ann
    return f"{told + len(mails)} mails went out, each whole, to ann and bob; the terminal is safe"


def _written(number: int, payload: str, subject: str, body: str) -> bytes:
    """Return a mail that carries the words as a mail program would, and raw where it can."""
    clean = subject.encode("utf-8", "replace").decode()
    head = Header(" ".join(clean.splitlines())[:900], "utf-8").encode(linesep="\r\n")
    if number % 2 and subject.isascii() and not controls(subject):
        head = subject[:900]
    name = Header(
        payload.encode("utf-8", "replace").decode().replace("\r", " ").replace("\n", " ")[:200],
        "utf-8",
    ).encode(linesep="\r\n")
    text = body.encode("utf-8", "replace").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return (
        (
            f"From: {name} <bob@example.org>\r\nTo: {SERVER}\r\nSubject: {head}\r\n"
            f"Message-ID: <{number}@injected.example>\r\nMIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        ).encode()
        + text.replace(b"\n", b"\r\n").replace(b"\0", b"")
        + b"\r\n"
    )


def _terminal(talk: Conversation) -> None:
    """Require that what the operator is shown holds no control character."""
    for words in (
        ["mails", "--limit", "400"],
        ["players"],
        ["board", "1"],
        ["moves"],
        ["sql", "SELECT * FROM players"],
        ["sql", "SELECT * FROM moves"],
    ):
        done = run_admin(served(talk).config, *words)
        assert done.returncode == 0, (words, done.stderr)
        assert not controls(done.stdout.replace("\n", "")), (words, done.stdout)


_PATHS = (
    "../x",
    "../../x",
    "../../../../var/x",
    "/etc/x",
    "/var/x",
    "a/b",
    "a/../b",
    "./x",
    ".",
    "..",
    "...",
    "a/./b",
    "//x",
    "x/",
    "new",
    "tmp",
    "cur",
    "../new/x",
    "a\\b",
    "..\\x",
    "C:x",
    "x:y",
    "~",
    "~root",
    "$HOME",
    "%2e%2e%2fx",
    "..%2fx",
    "x%00y",
    '"../x"',
    '"a/b"',
    '" "',
    '"x\\"y"',
    "-rf",
    "--help",
    "*",
    "?",
    "x|y",
    "x;y",
    "x&y",
    "`x`",
    "{x}",
    "+x",
    "CON",
    "x" * 64,
    "\u2024\u2024/x",
    "\uff0e\uff0e/x",
)


@attack("paths", "addresses that are paths, where a Maildir is made for each")
def paths(run: Run) -> str:
    folder = run.folder / "outside" / "inside"
    folder.mkdir(parents=True)
    talk = run.talk(
        relay={"url": f"maildir:{folder}/mail"}, limits=UNLIMITED | {"strangers_an_hour": 0}
    )
    before = {path for path in run.folder.rglob("*") if folder not in path.parents}
    for number, local in enumerate(run.some(_PATHS, 46)):
        for host in ("example.org", "..", "x/../../y.example"):
            address = f"{local}@{host}"
            raw = (
                f"From: {address}\r\nSubject: signup user{number} Sesame-{number} {address}\r\n"
                f"Message-ID: <{number}{len(host)}@x>\r\n\r\n"
            )
            served(talk).offer("eve@evil.example", SERVER, raw.encode())
    served(talk).rests()
    until(lambda: not _new(before, run.folder, folder), "a file outside")
    for path in folder.rglob("*"):
        where = path.relative_to(folder).parts
        assert where[0] == "mail", path
        assert len(where) < 3 or where[2] in ("new", "tmp", "cur"), path
        assert path.is_dir() or len(where) == 4, path
    boxes = os.listdir(folder / "mail") if (folder / "mail").exists() else []
    stored = len({*column(talk, addresses.c.address)})
    return (
        f"{stored} addresses were taken, {len(boxes)} Maildirs made, nothing lies outside of them"
    )


def _new(before: set[Path], top: Path, inside: Path) -> list[Path]:
    after = {path for path in top.rglob("*") if inside not in path.parents}
    return [path for path in after - before if not path.name.startswith(("pbm.db", "log"))]


@attack("L10", "a userid that is a word of the server's, or its own address")
def reserved(run: Run) -> str:
    talk = run.talk(limits=UNLIMITED)
    names = (
        "operator",
        "admin",
        "postmaster",
        "pbm",
        "root",
        "new",
        "none",
        "yes",
        "no",
        "random",
        "mcts",
        "chess",
        "go",
        "all",
        "next",
        "active",
        "resign",
        "move",
        "challenge",
        "confirm",
        "help",
        "server",
        "system",
        "mailer-daemon",
        "abuse",
        "OPERATOR",
        "Admin",
        "-x",
        "1x",
        "a",
        "x" * 21,
    )
    for number, name in enumerate(run.some(names, 31)):
        talk.mails(f"p{number}", f"signup {name} {talk.secret(f'Sesame-r{number}')}")
    for number, address in enumerate(
        run.some((SERVER, SERVER.upper(), SERVER.replace("@", "+x@")), 3)
    ):
        talk.mails("eve", f"signup eve{number} {talk.secret(f'Sesame-s{number}')} {address}")
    talk.everything()
    taken = column(talk, players.c.userid)
    assert not taken, taken
    return "none could be signed up"
