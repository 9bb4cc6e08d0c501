"""A received mail, and what must hold for every mail that leaves the server."""

from __future__ import annotations

import base64
import csv
import json
import re
import time
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from pbm.core.words import list_command_words
from pbm.features.finding.help import list_topics
from pbm.games import get_game, list_game_names
from pbm.locale import LANGUAGES

_T = TypeVar("_T")

COLUMNS = 78
_ONCE = ("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version")
_AT_MOST_ONCE = ("Reply-To", "In-Reply-To", "References", "Content-Type")
_ENCODINGS = ("7bit", "quoted-printable")


@cache
def _parse_header(name: str, value: str) -> Any:
    return policy.default.header_fetch_parse(name, value)


class _Policy(policy.EmailPolicy):
    """The policy of mails that are read, which parses headers that are alike once: that takes
    longer than all else that is done with a mail."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return _parse_header(name, value)


_POLICY = _Policy()


def has_name(text: str, userid: str) -> bool:
    """Whether a text names a player; the random letters of a link or address do not."""
    return re.search(rf"(?<!\w){re.escape(userid)}(?!\w)", text) is not None


@dataclass(frozen=True)
class Mail:
    """A mail received at an address."""

    address: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The parsed mail."""
        parsed = message_from_bytes(self.raw, policy=_POLICY)
        assert isinstance(parsed, EmailMessage)
        return parsed

    @cached_property
    def headers(self) -> Mapping[str, Sequence[str]]:
        """The decoded headers, each on one line, by lower-case name. Only those with encoded words
        are parsed."""
        found: dict[str, list[str]] = {}
        for name, raw in self.message.raw_items():
            value = self.message.policy.header_fetch_parse(name, raw) if "=?" in raw else raw
            found.setdefault(name.lower(), []).append(" ".join(str(value).split()))
        return found

    def header(self, name: str) -> str:
        """A header on one line; "" if there is none."""
        return self.headers.get(name.lower(), [""])[0]

    @property
    def subject(self) -> str:
        """The decoded Subject."""
        return self.header("Subject")

    @property
    def example(self) -> str:
        """The turn that the mail names as an example."""
        shown = re.search(r"for instance\s+([^.]+)\.\n|on one line:\n {4}(.+)", self.text)
        assert shown, self
        return " ".join((shown[1] or shown[2]).split())

    @property
    def message_id(self) -> str:
        """The Message-ID."""
        return self.header("Message-ID")

    @property
    def reply_to(self) -> str:
        """The address a reply goes to."""
        return self.header("Reply-To") or self.header("From")

    @property
    def in_reply_to(self) -> str:
        """The Message-ID of the mail it answers."""
        return self.header("In-Reply-To")

    @property
    def references(self) -> list[str]:
        """The Message-IDs of its thread, oldest first."""
        return self.header("References").split()

    @property
    def number(self) -> int:
        """The number of the outbound mail, which is part of its Message-ID."""
        found = re.fullmatch(r"<(?:.+)-([0-9]+)@[^@]+>", self.message_id)
        assert found is not None, self.message_id
        return int(found[1])

    @cached_property
    def text(self) -> str:
        """The plain text."""
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    def line(self, beginning: str) -> str:
        """The rest of the first line with that beginning, stripped."""
        for line in self.lines:
            if line.strip().startswith(beginning):
                return line.strip()[len(beginning) :].strip()
        raise AssertionError(f"no line begins with {beginning!r}:\n{self.text}")

    def fact(self, name: str) -> str:
        """A value of the machine-readable block at the end."""
        return self.line(f'[{name} "').rstrip('"]')

    def __str__(self) -> str:
        return f"to {self.address}: {self.subject}\n{self.text}"


def check_outgoing(mail: Mail, servers: Collection[str], passwords: Iterable[str]) -> None:
    """AssertionError unless the mail meets every rule for outgoing mail and comes from one of these
    addresses."""
    head, _, body = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    for name in _ONCE:
        assert len(mail.headers.get(name.lower(), ())) == 1, f"{name}: {mail}"
    for name in _AT_MOST_ONCE:
        assert len(mail.headers.get(name.lower(), ())) <= 1, f"{name}: {mail}"
    assert mail.raw.isascii(), mail
    assert all(len(line) <= 998 for line in mail.raw.splitlines()), mail
    assert not mail.message.defects, f"{mail.message.defects}: {mail}"
    _, sender = parseaddr(mail.header("From"))
    assert sender in servers, mail
    local, _, host = sender.partition("@")
    replies_to = mail.header("Reply-To")
    assert not replies_to or re.fullmatch(rf"{local}\+[^@]+@{host}", replies_to), mail
    assert mail.message_id.endswith(f"@{host}>"), mail
    assert mail.header("To") == mail.address
    assert mail.subject.startswith("["), mail
    assert mail.header("Auto-Submitted") in ("auto-replied", "auto-generated")
    for part in mail.message.walk():
        if part.get_content_maintype() == "text":
            assert part["Content-Transfer-Encoding"] in _ENCODINGS, mail
    for line in mail.lines:
        assert len(line) <= COLUMNS, f"{len(line)} columns: {line!r} in {mail}"
        assert line.isprintable(), f"{line!r} in {mail}"
    shown = (*(value for values in mail.headers.values() for value in values), mail.text)
    for password in passwords:
        assert password.encode() not in head + body, f"a password in {mail}"
        assert all(password not in text for text in shown), f"a password in {mail}"


def draw_nothing(board: str, most: int) -> None:
    """Draw no picture, as a server without pictures does."""


# Mails of each kind: built here, in the sample of mail programs and robots beside this module, and
# in the larger corpus that lies beside a checkout.

SAMPLE = Path(__file__).parents[1] / "mail" / "corpus"
"""Replies and other mails as mail programs and robots write them; its README says more."""
CORPORA = tuple(
    folder
    for folder in (SAMPLE, Path(__file__).parents[3] / "shared" / "corpus")
    if folder.is_dir()
)
MOVE = "b1,c1,d1,d2"
COMMAND = "cradle move 17 ann secret b1,c1,d1,d2"
TOKEN = "b17-0-5-abcdefghijklmnop"


def rows(folder: str) -> list[dict[str, str]]:
    """The rows of the indexes of that folder, each with the `path` of its mail: what is expected of
    it stands beside it."""
    found: list[dict[str, str]] = []
    for corpus in CORPORA:
        with (corpus / folder / "INDEX.tsv").open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                found.append({**row, "path": str(corpus / folder / row["file"])})
    assert found, f"no corpus has {folder}"
    return found


def reply_bodies() -> list[dict[str, Any]]:
    """Bodies of replies; `reply_only` is what the person wrote, where it is known."""
    files = (corpus / "reply-bodies.jsonl" for corpus in CORPORA)
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def mail(
    *lines: str,
    sender: str = "Ann <ann@example.com>",
    subject: str = "Re: [cradle 17] your move (5)",
    headers: tuple[str, ...] = (),
    charset: str = "utf-8",
) -> bytes:
    """Build a person's mail with those lines as its body."""
    head = [
        f"From: {sender}",
        "To: pbm@games.example",
        f"Subject: {subject}",
        "Date: Mon, 5 Jan 2026 10:00:00 +0000",
        "Message-ID: <1@example.com>",
        *headers,
    ]
    return "\r\n".join([*head, "", *lines, ""]).encode(charset)


def typed(kind: str, *lines: str, encoding: str = "8bit") -> bytes:
    """Build a mail with one part of that Content-Type."""
    return mail(*lines, headers=(f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}"))


def multipart(kind: str, *parts: tuple[str, str]) -> bytes:
    """Build a multipart mail of parts, each a header section and a content."""
    body: list[str] = ["This is a multi-part message in MIME format."]
    for head, content in parts:
        body += ["--frontier", *head.split("\n"), "", *content.split("\n")]
    return mail(*body, "--frontier--", headers=(f'Content-Type: {kind}; boundary="frontier"',))


def in_base64(text: str) -> str:
    """The lines of a base64 part."""
    return base64.encodebytes(text.encode()).decode().strip()


def in_time(work: Callable[[], _T], seconds: float = 5) -> _T:
    """Run the work; fail if it takes five seconds of CPU: alone it takes a fraction of one, and a
    parser that goes wrong takes minutes."""
    begun = time.process_time()
    result = work()
    spent = time.process_time() - begun
    assert spent < seconds, f"took {spent:.1f} s of CPU"
    return result


def controls(text: str) -> bool:
    """Whether a text contains a control character, line separator or surrogate."""
    if text.isprintable():
        return False
    kinds = {unicodedata.category(char) for char in text if not char.isprintable()}
    return not kinds.isdisjoint({"Cc", "Cs", "Zl", "Zp"})


PERSONS = {
    "plain": mail(MOVE),
    "command": mail("Good luck!", subject=COMMAND),
    "bottom": mail("On Mon, 5 Jan 2026, pbm wrote:", "> resign", "", MOVE, "-- ", "Ann"),
    "html": typed("text/html; charset=utf-8", f"<p>{MOVE}</p><blockquote>resign</blockquote>"),
    "base64": typed("text/plain; charset=utf-8", in_base64(f"{MOVE}\n> x\n"), encoding="base64"),
    "quoted-printable": typed("text/plain", "b1,c1,=", "d1,d2", encoding="quoted-printable"),
    "flowed": typed("text/plain; format=flowed; delsp=yes", "b1,c1, ", "d1,d2", "> re ", "> sign"),
    "alternative": multipart(
        "multipart/alternative",
        ("Content-Type: text/plain", MOVE),
        ("Content-Type: text/html", "<p>resign</p>"),
    ),
    "attachment": multipart(
        "multipart/mixed",
        ("Content-Type: text/plain", MOVE),
        ("Content-Type: text/plain\nContent-Disposition: attachment", "resign"),
        ("Content-Type: message/rfc822", "Subject: resign\n\nresign"),
    ),
    "outlook": mail(
        MOVE, "", "From: pbm <p@games.example>", "Sent: Monday", "To: ann", "Subject: x", "resign"
    ),
    "latin-1": mail("Grüße", charset="latin-1"),
    "words": mail(subject="=?utf-8?b?Y3JhZGxl?= =?utf-8?q?_move?="),
}
MACHINES = {
    "null path": mail("x", headers=("Return-Path: <>",)),
    "vacation": mail("I am away", headers=("Auto-Submitted: auto-replied (vacation)",)),
    "daemon": mail("x", sender="Mail Delivery Subsystem <MAILER-DAEMON@mx.example>"),
    "report": multipart(
        "multipart/report; report-type=delivery-status",
        ("Content-Type: text/plain", "It failed."),
        (
            "Content-Type: message/delivery-status",
            "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; bob@example.org\n"
            "Action: failed\nStatus: 5.1.1",
        ),
        ("Content-Type: message/rfc822", f"Message-ID: <{TOKEN}.12@games.example>\n\nx"),
    ),
    "list": mail("x", headers=("List-Id: <talk.example.org>", "Precedence: list")),
}


def seeds() -> Iterator[bytes]:
    """The mails to start mutations from: those above and the small ones of the corpora."""
    yield from PERSONS.values()
    yield from MACHINES.values()
    for row in rows("mails"):
        raw = Path(row["path"]).read_bytes()
        if len(raw) < 12000:
            yield raw


# The sentences of a mail, and which of them are in which language, as an identifier sees it.

_FEWEST = 4
"""Fewer words tell no language: of three, one is often a day of the week or the value of an option.
That these are not English is held by `tests/mail/test_plain_words.py`, which needs no judgement."""
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|<[^>]*>|\[[^\]]*\]")
_QUOTED = re.compile(r"'[^']*'|`[^`]*`|\"[^\"]*\"|„[^“]*“|«[^»]*»")
_END = re.compile(r"(?<=[.!?:;])\s+")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


def list_sentences(mail: Mail, *values: str) -> Iterator[str]:
    """Yield the sentences of a mail, without what is a value in them: the words given, addresses,
    places and numbers, commands and names of games; and without boards, lines to send and
    quotes."""
    text = mail.text.partition("\n-- \n")[0]
    lines = [line if line[:1] not in (" ", ">", "\t") else "" for line in text.split("\n")]
    for paragraph in re.split(r"\n\s*\n", "\n".join([mail.subject, "", *lines])):
        for sentence in _END.split(" ".join(paragraph.split())):
            if plain := _drop_values(sentence, values):
                yield plain


def _drop_values(sentence: str, values: tuple[str, ...]) -> str:
    """Return the words of a sentence that are no values; "" where there are too few."""
    sentence = _QUOTED.sub(" ", _ADDRESS.sub(" ", sentence))
    dropped = {*values, *_list_commands()}
    for title in _list_titles():
        sentence = sentence.replace(title, " ")
    words = [word for word in sentence.split() if not any(map(str.isdigit, word))]
    kept = [
        word
        for word in _WORD.findall(" ".join(words))
        if word not in dropped and not (word.isupper() and len(word) > 1)
    ]
    whole = {word for word in kept if len(word) > 1}
    return " ".join(kept) if len(whole) >= _FEWEST else ""


@cache
def _list_commands() -> frozenset[str]:
    return list_command_words() | {*list_game_names(), *list_topics()}


@cache
def _list_titles() -> tuple[str, ...]:
    titles = {get_game(name).info.title for name in list_game_names()}
    return tuple(sorted((title for title in titles if len(title) > 2), key=len, reverse=True))


@cache
def _identify() -> Callable[[str], tuple[str, float]]:
    """Return the identifier, for the languages of the server."""
    import py3langid

    py3langid.set_languages([*LANGUAGES])
    found: Callable[[str], tuple[str, float]] = py3langid.classify
    return found


def identify(sentence: str) -> str:
    """Return the language of a sentence."""
    return str(_identify()(sentence)[0])
