"""Notices as mails: a template's first line is the Subject, the rest the body; headers are written
by hand, so that they cost little and can hold nothing but what they should.

Nothing here decides who is told what."""

from __future__ import annotations

import quopri
import re
import textwrap
from collections.abc import Sequence
from email.utils import formatdate
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote as percent

from pbm.config import Config
from pbm.core.model.notice import Notice
from pbm.core.model.secrets import Secrets
from pbm.mail.outgoing.html_part import html_of

if TYPE_CHECKING:
    from jinja2 import Environment, Template

COLUMNS = 78
_LONGEST_SUBJECT = 160
_ENCODED = "Content-Transfer-Encoding: quoted-printable"
_PLAIN = ("Content-Type: text/plain; charset=us-ascii", "Content-Transfer-Encoding: 7bit")
_UNCLEAN = re.compile(r"[^\n -~]")
_JOINERS = "\u200c\u200d"
"""What holds the letters of some scripts together, and the parts of an emoji."""
_STOPPED_BY = {"broadcast": "set broadcasts=no", "digest": "set digest=no"}
"""The command that ends mails of a kind."""
_BOUNDARY = "=_pbm_"
"""No text holds it: in quoted-printable `=` is followed by two hexadecimal digits."""


@cache
def load() -> dict[str, str]:
    """Read all templates, by the names of their files: a server that runs needs them no more."""
    folder = files("pbm.mail.outgoing").joinpath("templates")
    return {page.name: page.read_text(encoding="utf-8") for page in folder.iterdir()}


@cache
def _environment() -> Environment:
    """Jinja is loaded with the first mail: a daemon listens earlier without it."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        loader=DictLoader(load()),
        autoescape=False,  # noqa: S701 (plain text; the HTML part escapes for itself)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    environment.filters["quote"] = quote
    environment.filters["fill"] = fill
    environment.filters["sentence"] = sentence
    return environment


@cache
def _template(name: str) -> Template:
    """The template of a kind of notice. It gets the globals as a plain mapping: Jinja would copy
    its chain of them, entry by entry, for every mail."""
    template = _environment().get_template(f"{name}.txt")
    template.globals = dict(template.globals)
    return template


def quote(text: str) -> str:
    """What a person wrote, as lines that begin with `> ` and fit."""
    lines = []
    for line in text.splitlines():
        plain = "".join(
            letter if letter.isprintable() or letter in _JOINERS else " " for letter in line
        ).rstrip()
        lines += textwrap.wrap(plain, COLUMNS - 2) or [""]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def sentence(text: str, names: str = "") -> str:
    """The text as a sentence: a full stop, and a capital unless a userid begins it."""
    first = text.partition(" ")[0].rstrip(",:")
    if text and first not in names.split():
        text = text[0].upper() + text[1:]
    return fill(text if text[-1:] in (".", "!", "?") else f"{text}.")


def fill(text: str, indent: int = 0) -> str:
    """A sentence as lines that fit, the later ones indented."""
    if len(text) <= COLUMNS and "\n" not in text:
        return text
    return textwrap.fill(
        text, COLUMNS, subsequent_indent=" " * indent, break_long_words=True, break_on_hyphens=False
    )


def text_of(notice: Notice, config: Config) -> tuple[str, str]:
    """Subject and body of a notice, as mail and terminal show them."""
    written = _template(notice.template).render(notice.data, server=config.server.address)
    subject, _, body = written.partition("\n")
    body = _clean(body).strip("\n")
    if left := notice.data.get("left"):
        body = _with_left(body, left)
    return _one_line(subject), _fitted(body) + "\n"


def _with_left(body: str, left: Sequence[str]) -> str:
    """The body with the lines that were not done named below its first paragraph."""
    first, _, rest = body.partition("\n\n")
    said = "Neither done nor passed on; send it in a mail of its own:"
    if len(left) > 1:
        said = "Neither done nor passed on; send each in a mail of its own:"
    lines = "\n".join(f"    {_clean(line)}" for line in left)
    return "\n\n".join(part for part in (first, f"{said}\n{lines}", rest) if part)


def _clean(body: str) -> str:
    """The body with nothing but lines of printable characters."""
    if _UNCLEAN.search(body) is None or body.replace("\n", "").isprintable():
        return body
    return "".join(
        letter if letter == "\n" or letter.isprintable() or letter in _JOINERS else " "
        for letter in body
    )


def _fitted(body: str) -> str:
    """The body with each line that is too long (by a long userid or address) broken at a blank."""
    lines = body.split("\n")
    if max(map(len, lines)) <= COLUMNS:
        return body
    return "\n".join(piece for line in lines for piece in _pieces(line))


def _pieces(line: str) -> list[str]:
    """The line, or what it is broken into: an indented one goes on two blanks further right."""
    if len(line) <= COLUMNS:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line,
        COLUMNS,
        subsequent_indent=indent and indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _one_line(text: str) -> str:
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_SUBJECT else plain[: _LONGEST_SUBJECT - 3] + "..."


class Composer:
    """Writes the bytes of outgoing mails."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._secrets = secrets
        self._dates: tuple[int, str] = (0, "")
        self._from = f"From: pbm <{config.server.address}>"

    def mail(
        self,
        notice: Notice,
        recipient: str,
        number: int,
        now: float,
        answers: str = "",
        text: tuple[str, str] | None = None,
        *,
        stored: str = "",
    ) -> bytes:
        """One mail to one address. `answers` is the Message-ID of the mail it answers, `stored` the
        hash of the player's password, which its token is bound to."""
        server = self._config.server
        token = self._token(notice, stored, now)
        subject, body = text or text_of(notice, self._config)
        head = [
            self._from,
            f"To: {recipient if _is_safe(recipient) else _safe(recipient)}",
            f"Subject: {_header(subject)}",
            f"Date: {self._date(now)}",
            f"Message-ID: <{token or 'n'}.{number}@{server.host}>",
        ]
        if token:
            head.append(f"Reply-To: {self._address(token)}")
        references = self._references(notice, answers)
        if references:
            head.append(f"In-Reply-To: {references[-1]}")
            head.append("References: " + "\r\n ".join(references))
        head.append(f"Auto-Submitted: {'auto-replied' if notice.answer else 'auto-generated'}")
        head.append("X-Auto-Response-Suppress: All")
        if notice.thread is not None and "game" in notice.data:
            head.append(f"List-Id: <{notice.data['game']}.{server.host}>")
        if token and notice.player and not notice.answer:
            head += self._unsubscribe(notice, token)
        if notice.html and token and "picture" in notice.data:
            return _both(head, body, html_of(notice.data, subject, body, self._address(token)))
        kind, written = _content(body)
        head += ["MIME-Version: 1.0", *kind]
        return "\r\n".join(head).encode("ascii") + b"\r\n\r\n" + written

    def _address(self, token: str) -> str:
        server = self._config.server
        return f"{server.local}+{token}@{server.host}"

    def _unsubscribe(self, notice: Notice, token: str) -> list[str]:
        """The header that names the way to no more of such mails (RFC 2369); none for mails that
        a player's own boards and account bring. From the player's own address it needs no
        password."""
        thread, line = notice.thread, _STOPPED_BY.get(notice.template, "")
        if thread is not None and thread.seat is None and "game" in notice.data:
            line = f"{notice.data['game']} unwatch {thread.board}"
        if not line:
            return []
        where = f"mailto:{self._address(token)}?subject={percent(line, safe='')}"
        return [f"List-Unsubscribe: <{where}>"]

    def envelope_from(self, number: int) -> str:
        """The envelope sender of a mail: what bounces names the mail it was."""
        server = self._config.server
        return f"{server.local}+{self._secrets.delivery_token(number)}@{server.host}"

    def _token(self, notice: Notice, stored: str, now: float) -> str:
        thread = notice.thread
        if thread is not None and thread.seat is not None:
            return self._secrets.board_token(
                thread.board, thread.seat, thread.ply, thread.undos, stored
            )
        return self._secrets.player_token(notice.player, stored, now) if notice.player else ""

    def _references(self, notice: Notice, answers: str) -> list[str]:
        """Board first, so that a mail program shows its mails as one conversation."""
        found = []
        if notice.thread is not None:
            found.append(f"<board.{notice.thread.board}@{self._config.server.host}>")
        if notice.answer and answers:
            found.append(answers)
        return found

    def _date(self, now: float) -> str:
        second = int(now)
        if self._dates[0] != second:
            self._dates = (second, formatdate(second, usegmt=False))
        return self._dates[1]


def _header(text: str) -> str:
    """A header's text: folded when long, RFC 2047 when not ASCII."""
    if text.isascii() and len(text) <= 180:
        return text
    if text.isascii():
        return "\r\n ".join(textwrap.wrap(text, 180, break_on_hyphens=False)) or ""
    from email.header import Header

    return Header(text, "utf-8", maxlinelen=75).encode(linesep="\r\n")


def _is_safe(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _safe(text: str) -> str:
    """A header's text without anything that could end the header."""
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text)


def _both(head: list[str], body: str, page: str) -> bytes:
    """A mail of two parts that say the same: the text first, for those who read no HTML."""
    kind = f'Content-Type: multipart/alternative; boundary="{_BOUNDARY}"'
    pieces = ["\r\n".join([*head, "MIME-Version: 1.0", kind, "", ""]).encode("ascii")]
    for name, text in (("plain", body), ("html", _clean(page))):
        lines = (f"--{_BOUNDARY}", f"Content-Type: text/{name}; charset=utf-8", _ENCODED, "", "")
        pieces += ["\r\n".join(lines).encode("ascii"), _quoted_printable(text), b"\r\n"]
    return b"".join([*pieces, f"--{_BOUNDARY}--\r\n".encode("ascii")])


def _quoted_printable(text: str) -> bytes:
    return quopri.encodestring(text.encode("utf-8", "replace")).replace(b"\n", b"\r\n")


def _content(body: str) -> tuple[tuple[str, str], bytes]:
    """The headers that say how the body is written, and the body so written."""
    if body.isascii() and max(map(len, body.split("\n"))) <= 990:
        return _PLAIN, body.replace("\n", "\r\n").encode("ascii")
    return ("Content-Type: text/plain; charset=utf-8", _ENCODED), _quoted_printable(body)


def row(
    composer: Composer,
    notice: Notice,
    recipient: str,
    number: int,
    now: float,
    answers: str,
    *,
    stored: str,
    inbound: int | None,
    text: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """The row of the outgoing queue for one mail."""
    return {
        "id": number,
        "inbound_id": inbound,
        "board_id": notice.thread.board if notice.thread is not None else None,
        "player_id": notice.player or None,
        "envelope_from": composer.envelope_from(number),
        "recipient": recipient,
        "message": composer.mail(notice, recipient, number, now, answers, text, stored=stored),
        "state": "waiting",
        "created": now,
        "next_attempt": now,
    }
