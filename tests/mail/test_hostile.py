"""Mails made to exhaust: each is read, refused or set aside in time."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from pbm.mail.bounces import read_report
from pbm.mail.headers import MAX_CHARS, MAX_LINES, TooCostly
from pbm.mail.letter import Letter, examine, read_letter
from tests.harness.mail import controls, in_time

BIG = 4_000_000


def mail(body: bytes = b"hi", subject: bytes = b"x", extra: bytes = b"") -> bytes:
    head = b"From: Ann <ann@example.com>\r\nSubject: " + subject + b"\r\nMessage-ID: <a@b>\r\n"
    return head + extra + b"\r\n" + body + b"\r\n"


def kind(value: bytes, body: bytes, more: bytes = b"") -> bytes:
    return mail(body, extra=b"Content-Type: " + value + b"\r\n" + more)


def html(body: bytes) -> bytes:
    return kind(b"text/html; charset=utf-8", body)


def nested(depth: int) -> bytes:
    lines = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (level, level + 1)
        for level in range(depth)
    )
    return kind(b"multipart/mixed; boundary=b0", lines + b"--b%d\r\n\r\nhi" % depth)


QP = b"Content-Transfer-Encoding: quoted-printable\r\n"
BASE64 = b"Content-Transfer-Encoding: base64\r\n"
MAILS: dict[str, Callable[[], bytes]] = {
    "no newline": lambda: b"a" * 10_000_000,
    "a body without newline": lambda: mail(b"a" * 10_000_000),
    "a header without newline": lambda: mail(extra=b"X: " + b"a" * 10_000_000),
    "bare CRs": lambda: mail(b"a\r" * BIG),
    "bare CRs in the header": lambda: b"From: a@b\rSubject: x\r" * 200_000,
    "newlines": lambda: mail(b"\n" * BIG),
    "spaces": lambda: mail(b" " * BIG),
    "lines of spaces": lambda: mail((b" " * 399 + b"x\n") * 10_000),
    "spaces in a header": lambda: mail(subject=b" " * 60_000),
    "megabytes of spaces in a header": lambda: mail(subject=b" " * BIG),
    "50,000 encoded words": lambda: mail(subject=b"=?utf-8?q?a?= " * 50_000),
    "folded encoded words": lambda: mail(subject=b"\r\n ".join([b"=?utf-8?q?a?="] * 4_000)),
    "encoded words without end": lambda: mail(subject=b"=?utf-8?b?" * 800),
    "beginnings of encoded words": lambda: mail(subject=b"=?" * 4_000),
    "reply marks": lambda: mail(subject=b"Re: " * 2_000),
    "brackets": lambda: mail(subject=b"[" * 8_000),
    "tags": lambda: mail(subject=b"[]" * 4_000),
    "quotes in the subject": lambda: mail(subject=b'"' * 8_000),
    "tails": lambda: mail(subject=b"(was: " * 1_300 + b")"),
    "parentheses in From": lambda: b"From: " + b"(" * 8_000 + b"\r\n\r\nhi",
    "quotes in From": lambda: b"From: " + b'"\\' * 4_000 + b"\r\n\r\nhi",
    "addresses in From": lambda: b"From: " + b"<a@b" * 2_000 + b"\r\n\r\nhi",
    "at signs in From": lambda: b"From: " + b"a@" * 4_000 + b"\r\n\r\nhi",
    "references": lambda: mail(extra=b"References: " + b"<" * 60_000 + b"\r\n"),
    "headers": lambda: mail(extra=b"X: y\r\n" * 9_000),
    "continuations": lambda: mail(extra=b"X: y\r\n" + b" z\r\n" * 15_000),
    "depth 1,000": lambda: nested(1_000),
    "parts": lambda: kind(b"multipart/mixed; boundary=a", b"--a\r\n\r\n \r\n" * 500_000),
    "boundary lines": lambda: kind(b"multipart/mixed; boundary=a", b"\n--ab" * 1_000_000),
    "boundary of dashes": lambda: kind(b'multipart/mixed; boundary="-"', b"-" * BIG),
    "boundary of blanks": lambda: kind(b'multipart/mixed; boundary="' + b" " * 5_000 + b'"', b"--"),
    "Content-Types": lambda: mail(extra=b"Content-Type: text/plain\r\n" * 900),
    "parameters": lambda: kind(b"text/plain" + b';a="' * 2_000, b"hi"),
    "escapes in a parameter": lambda: kind(b'text/plain;a="' + b"\\" * 8_000, b"hi"),
    "quotes": lambda: mail(b">" * BIG),
    "quoted lines": lambda: mail(b">\n" * (BIG // 2)),
    "attributions": lambda: mail(b"On 5 Jan 2026 a@b.example wrote:\n" * 100_000),
    "half attributions": lambda: mail(b"a@b.example,\n" * 100_000 + b"wrote:\n"),
    "addresses before a colon": lambda: mail((b"a@" * 190 + b":\n") * 10_000),
    "dates before a colon": lambda: mail((b"1:01" * 95 + b":\n") * 10_000),
    "verbs": lambda: mail((b"wrote " * 60 + b":\n") * 10_000),
    "heads": lambda: mail((b"From: x\n" + b"y\n" * 6) * 30_000),
    "heads between blank lines": lambda: mail((b"From: x\n" + b"\n" * 8) * 30_000),
    "dashes": lambda: mail((b"--- " + b"a-" * 190 + b"\n") * 10_000),
    "phones": lambda: mail(b"Sent from my iPhone\n" * 100_000),
    "armour": lambda: mail(b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 50_000),
    "uuencode": lambda: mail(b"begin 644 x\n" * 200_000),
    "uuencoded files": lambda: mail(b"begin 644 x\nend\n" * 200_000),
    "combining marks": lambda: mail("\u0315\u0300".encode() * 500_000),
    "divs": lambda: html(b"<div>" * 1_000_000 + b"hi"),
    "blockquotes": lambda: html(b"<blockquote>" * 100_000),
    "comments": lambda: html(b"<!--" * 500_000),
    "closed comments": lambda: html(b"<!---->" * 500_000),
    "less-than signs": lambda: html(b"<" * BIG),
    "tags without end": lambda: html(b"<a " * 1_000_000),
    "attributes without end": lambda: html(b"<a b=\"'" * 500_000),
    "attributes": lambda: html((b"<a " + b"class=a " * 240 + b">") * 2_000),
    "styles": lambda: html((b"<a style='" + b"border-left" * 170 + b"'>") * 2_000),
    "scripts": lambda: html(b"<script>" * 500_000),
    "closed scripts": lambda: html(b"<script></script>" * 200_000),
    "ampersands": lambda: html(b"&" * BIG),
    "a long character number": lambda: html(b"&#" + b"9" * BIG),
    "character numbers": lambda: html(b"&#9999999" * 400_000),
    "flowed": lambda: kind(b"text/plain; format=flowed", b"a \n" * 1_000_000),
    "equals signs": lambda: kind(b"text/plain", b"=" * BIG, QP),
    "rubbish in base64": lambda: kind(b"text/plain", b"*" * BIG, BASE64),
    "utf-7": lambda: kind(b"text/plain; charset=utf-7", b"+AAA" * 500_000),
    "open utf-7": lambda: kind(b"text/plain; charset=utf-7", b"+" * BIG),
    "idna": lambda: kind(b"text/plain; charset=idna", b"a." * 500_000),
    "punycode": lambda: kind(b"text/plain; charset=punycode", b"a-" * 500_000),
    "zip": lambda: kind(b"text/plain; charset=zip", b"x" * 500_000),
    "iso-2022-jp": lambda: kind(b"text/plain; charset=iso-2022-jp", b"\x1b$B" * 500_000),
    "hz": lambda: kind(b"text/plain; charset=hz", b"~{" * 500_000),
    "surrogates": lambda: kind(b"text/plain; charset=utf-16", b"\xd8\x00" * 500_000),
    "zeros": lambda: mail(b"\0" * BIG),
    "nothing": lambda: b"",
    "one octet": lambda: b"\r",
}
COSTLY = {
    "a header without newline",
    "no newline",
    "bare CRs in the header",
    "megabytes of spaces in a header",
    "50,000 encoded words",
    "folded encoded words",
    "encoded words without end",
    "headers",
    "depth 1,000",
    "parts",
    "boundary lines",
}


@pytest.mark.parametrize("name", MAILS)
def test_is_read_in_time(name: str) -> None:
    raw = MAILS[name]()

    def reading() -> Letter | None:
        try:
            return read_letter(raw, envelope_from="ann@example.com")
        except TooCostly:
            return None

    def others() -> None:
        examine(raw)
        with suppress(TooCostly):
            read_report(raw)

    letter = in_time(reading)
    in_time(others)
    assert letter is None or name not in COSTLY
    if isinstance(letter, Letter):
        assert not any(map(controls, (letter.subject, *letter.own_lines)))


@pytest.mark.parametrize("name", sorted(COSTLY))
def test_the_budget_is_named(name: str) -> None:
    with pytest.raises(TooCostly, match=r"\w"):
        read_letter(MAILS[name](), envelope_from=None)


def test_a_move_under_the_budgets_is_still_found() -> None:
    raw = mail(b"b1,c1\n\n" + b"> quoted\n" * 20_000)
    assert read_letter(raw, envelope_from=None).own_lines == ("b1,c1",)


LARGE = 262_000
SHAPES = {
    "one line": mail(b"word " * (LARGE // 5)),
    "lines": mail(b"A line that somebody wrote, with a comma.\r\n" * (LARGE // 43)),
    "letters": mail(b"a\r\n" * (LARGE // 3)),
    "utf-8": mail("Grüße, schöne Zeit\r\n".encode() * (LARGE // 23)),
    "colons": mail(b"a@b.example,\r\nwrote:\r\n" * (LARGE // 22)),
    "rules": mail(b"----------\r\n" * (LARGE // 12)),
    "fields": mail(b"To: x\r\n" * (LARGE // 7)),
    "html": html(b"a&#252;<br>" * (LARGE // 11)),
    "quoted-printable": kind(b"text/plain; charset=utf-8", b"=C3=A4 a,=\r\n" * (LARGE // 12), QP),
    "base64": kind(b"text/plain", b"MTowMSBhQGIuZXhhbXBsZSB3cm90ZToK\r\n" * (LARGE // 34), BASE64),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_largest_mail_that_is_taken_costs_little(name: str) -> None:
    """What is examined is bounded: a tenth of a second each on a machine of its own."""
    letter = in_time(lambda: read_letter(SHAPES[name], envelope_from="ann@example.com"), seconds=1)
    assert isinstance(letter, Letter)
    assert len(letter.own_lines) <= MAX_LINES
    assert sum(map(len, letter.own_lines)) <= MAX_CHARS
