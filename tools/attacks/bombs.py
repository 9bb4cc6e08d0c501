"""Bombs: small mails that cost much to read, in this process, by processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from pbm.mail.bounces import read_report
from pbm.mail.headers import TooCostly
from pbm.mail.letter import examine, read_letter
from tests.harness.mail import controls
from tests.mail.test_hostile import BASE64, MAILS, QP, SHAPES, html, kind, mail
from tools.attacks.catalogue import Run, attack
from tools.mail.mutate import run as mutated

LARGE = 262_000
"""The octets of a mail that is taken, just."""
_PIECES = (
    b"(",
    b"<",
    b'"',
    b"\\",
    b"=?utf-8?q?a?= ",
    b"=?",
    b"<a ",
    b"<!--",
    b"&#",
    b"a@b.example, ",
    b"> ",
    b"On 5 Jan 2026 a@b.example wrote: ",
    b"[x] ",
    b"Re: ",
    b"wrote:\r\n",
    b"--\r\n",
    b"=\r\n",
    b"-----Original Message-----\r\n",
    b"a" * 70 + b"\r\n",
    b"\xe2\x80\x8b",
    b"\t \t",
    b"<div><blockquote>",
    b"<table><tr><td>",
    "\u0315\u0300".encode(),
)
_CHARSETS = (
    b"utf-7",
    b"utf-16",
    b"utf-32",
    b"idna",
    b"punycode",
    b"unicode_escape",
    b"raw_unicode_escape",
    b"iso-2022-jp",
    b"iso-2022-kr",
    b"hz",
    b"gb18030",
    b"big5",
    b"shift_jis",
    b"zip",
    b"bz2",
    b"hex",
    b"base64",
    b"rot13",
    b"uu",
    b"quopri",
    b"mbcs",
    b"oem",
    b"undefined",
    b"x" * 5000,
)


def _places(piece: bytes, size: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield mails with that piece, as often as fits, wherever something is parsed."""
    field = min(size, 60_000)
    text = (piece * (size // len(piece))).replace(b"\r\n", b" ")
    folded = b"\r\n ".join(text[at : at + 900] for at in range(0, field, 900))
    yield "body", lambda: mail(piece * (size // len(piece)))
    yield "subject", lambda: mail(subject=text[:8000])
    yield "folded subject", lambda: mail(subject=folded)
    yield "From", lambda: b"From: " + text[:8000] + b" <ann@example.com>\r\n\r\nhi\r\n"
    yield "html", lambda: html(piece * (size // len(piece)))
    yield "quoted-printable", lambda: kind(b"text/plain; charset=utf-8", text, QP)
    yield "base64", lambda: kind(b"text/html", text, BASE64)
    yield "references", lambda: mail(extra=b"References: " + folded + b"\r\n")
    yield "boundary", lambda: kind(b'multipart/mixed; boundary="' + text[:70] + b'"', text)
    yield "parameters", lambda: kind(b"text/plain; a=" + text[:8000], b"hi")
    yield (
        "Authentication-Results",
        lambda: mail(extra=b"Authentication-Results: mx.example; " + folded + b"\r\n"),
    )


def _all() -> Iterator[tuple[str, Callable[[], bytes]]]:
    yield from MAILS.items()
    for name, raw in SHAPES.items():
        yield name, partial(bytes, raw)
    for piece in _PIECES:
        for place, made in _places(piece, LARGE):
            yield f"{piece[:20]!r} in {place}", made
    for charset in _CHARSETS:
        for text in (b"+AAA", b"\x1b$B~{", b"\xd8\x00\xff"):
            body = text * (LARGE // len(text))
            yield (
                f"{charset[:20]!r} {text!r}",
                partial(kind, b'text/plain; charset="' + charset + b'"', body),
            )


def costs(raw: bytes) -> float:
    """Return the seconds of processor time that a mail takes to be read in every way there is."""
    began = time.thread_time()
    with suppress(TooCostly):
        letter = read_letter(raw, envelope_from="ann@example.com", trusts="mx.example")
        assert not any(map(controls, (letter.subject, *letter.own_lines)))
    for work in (examine, read_report):
        with suppress(TooCostly):
            work(raw)
    return time.thread_time() - began


@attack("bombs", "a mail that takes seconds to read", in_suite=True)
def bombs(run: Run) -> str:
    slowest, worst = "", 0.0
    for name, made in run.some(_all(), 40):
        raw = made()
        spent = min(costs(raw), costs(raw)) if costs(raw) > 0.5 else 0.0
        spent = spent or costs(raw)
        assert spent < 1, (name, spent)
        slowest, worst = max((slowest, worst), (name, spent), key=lambda each: each[1])
    return f"none over a second; the longest took {worst:.2f} s: {slowest}"


@attack("mutated", "a mail with octets changed, doubled, cut or moved", in_suite=True)
def mutations(run: Run) -> str:
    worst = 0.0
    for _, spent in mutated(200 if run.short else 5000, seed=20260105):
        run.tries += 1
        worst = max(worst, spent)
        assert spent < 1, spent
    return f"each was read or refused, within {worst:.2f} s"
