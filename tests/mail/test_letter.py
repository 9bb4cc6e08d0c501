"""Bytes to Letter: sender, ids, text parts, what is refused and what is the same mail again."""

import re
from codecs import lookup

import pytest

from pbm.mail.letter import BRIEF, examine, read_letter
from pbm.mail.text import find_codec, normalize
from pbm.rules.typed import quoted
from tests.harness.mail import (
    COMMAND,
    MOVE,
    PERSONS,
    controls,
    in_base64,
    mail,
    multipart,
    typed,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ann@example.com", "ann@example.com"),
        ("<ann@Example.COM>", "ann@example.com"),
        ("Ann@example.com", "Ann@example.com"),
        ("Ann Smith <ann@example.com>", "ann@example.com"),
        ('"Smith, Ann" <ann@example.com>', "ann@example.com"),
        ('"bob@example.org" <ann@example.com>', "ann@example.com"),
        ("ann@example.com (Ann Smith)", "ann@example.com"),
        ("ann@example.com <Ann@example.com>", "Ann@example.com"),
        ("=?utf-8?q?Ann?= <ann@example.com>", "ann@example.com"),
        ("Åsa <ann@example.com>", "ann@example.com"),
        ("A | =?utf-8?q?b?= <ann@example.com>", "ann@example.com"),
        ("Ann\r\n <ann@example.com>", "ann@example.com"),
        ("root@localhost", "root@localhost"),
        ("ann@sub_domain.example.", "ann@sub_domain.example"),
        ("ann+pbm@example.com", "ann+pbm@example.com"),
        ("", ""),
        ("<>", ""),
        ("Ann <>", ""),
        ("no_host", ""),
        ("ann@", ""),
        ("@example.com", ""),
        ("ann@example.com, bob@example.org", ""),
        ("Keller, Ann <ann@example.com>", "ann@example.com"),
        ("Ann Keller <ann@example.com>;", "ann@example.com"),
        ("Ann <ann@example.com>, Bob <bob@example.org>", ""),
        ("ann@example.com bob@example.org", ""),
        ("ann@example.com <bob@example.org>", ""),
        ("Ann <ann@example.com> <bob@example.org>", ""),
        ("Ann <ann@example.com> bob", ""),
        ("players: ann@example.com;", ""),
        ("Ann <@relay.example:ann@example.com>", ""),
        ("Ann <ann@example.com", ""),
        ('"Ann <ann@example.com>', ""),
        ("ann@exa(comment)mple.com", ""),
        ('ann"bob"@example.com', ""),
        ("ann@exam ple.com", ""),
        ("jdöe@mächine.example", ""),
        ("ann@[10.0.0.1]", ""),
        ("ann\rbob@example.com", ""),
        ("ann@example.com\x00", ""),
    ],
)
def test_sender(value: str, expected: str) -> None:
    assert read_letter(mail(MOVE, sender=value), envelope_from=None).sender == expected


@pytest.mark.parametrize(
    "header", ["From: bob@example.org", "from: ann@example.com", "From : bob@example.org"]
)
def test_a_second_from_makes_the_sender_doubtful(header: str) -> None:
    assert read_letter(mail(MOVE, headers=(header,)), envelope_from=None).sender == ""


def test_other_fields_name_no_sender() -> None:
    raw = b"Sender: a@b.example\r\nReply-To: a@b.example\r\nFrom : a@b.example\r\n\r\nx\r\n"
    assert read_letter(raw, envelope_from="a@b.example").sender == ""


def test_only_a_line_feed_ends_a_header() -> None:
    raw = b"Subject: x\rFrom: bob@example.org\r\nFrom: ann@example.com\r\n\r\nb1\r\n"
    letter = read_letter(raw, envelope_from=None)
    assert (letter.sender, letter.subject) == ("ann@example.com", "x From: bob@example.org")


def test_a_line_that_is_no_header_ends_the_header() -> None:
    raw = b"Subject: x\r\nno header\r\nFrom: ann@example.com\r\n\r\nb1\r\n"
    assert read_letter(raw, envelope_from=None).sender == ""


def test_mailbox_separator_and_blanks_above_the_header() -> None:
    for head in (b"From ann@example.com Mon Jan  5 10:00:00 2026\n", b"    \n"):
        letter = read_letter(head + mail(MOVE), envelope_from=None)
        assert (letter.sender, letter.own_lines) == ("ann@example.com", (MOVE,))


def test_message_ids() -> None:
    letter = read_letter(
        mail(
            MOVE,
            headers=(
                "In-Reply-To: Your mail <b17-0-5-abcdefghijklmnop.7@games.example>",
                "References: <a@x> <b@x>\r\n <c@x> <b@x> <not an id> <",
            ),
        ),
        envelope_from=None,
    )
    assert letter.message_id == "<1@example.com>"
    assert letter.in_reply_to == (
        "<b17-0-5-abcdefghijklmnop.7@games.example>",
        "<b@x>",
        "<c@x>",
        "<a@x>",
    )


def test_long_threads_keep_the_nearest_ids() -> None:
    references = " ".join(f"<{number}@x>" for number in range(5000))
    letter = read_letter(mail(MOVE, headers=(f"References: {references}",)), envelope_from=None)
    assert letter.in_reply_to[0] == "<4999@x>"
    assert len(letter.in_reply_to) == 30


@pytest.mark.parametrize("name", sorted(set(PERSONS) - {"command", "latin-1", "words"}))
def test_the_first_own_line_is_the_move(name: str) -> None:
    raw = PERSONS[name]
    for whole in (raw, raw.replace(b"\r\n", b"\n")):
        letter = read_letter(whole, envelope_from="ann@example.com")
        assert letter.own_lines[0] == MOVE
        assert not any("resign" in line for line in letter.own_lines)
        assert letter.is_reply


def test_a_command_in_the_subject_and_its_comment() -> None:
    letter = read_letter(PERSONS["command"], envelope_from=None)
    assert (letter.subject, letter.own_lines) == (COMMAND, ("Good luck!",))
    assert read_letter(PERSONS["words"], envelope_from=None).subject == "cradle move"
    assert read_letter(PERSONS["latin-1"], envelope_from=None).own_lines == ("Grüße",)


ALTERNATIVE = multipart(
    "multipart/alternative", ("Content-Type: text/html", "<p>b1</p>"), ("", "c1")
)
PARTS = {
    "plain after html in mixed": (
        multipart("multipart/mixed", ("Content-Type: text/html", "<p>b1</p>"), ("", "footer")),
        ("b1", "", "footer"),
    ),
    "html first in alternative": (ALTERNATIVE, ("c1",)),
    "two texts": (multipart("multipart/mixed", ("", "b1"), ("", "Hi")), ("b1", "", "Hi")),
    "blank first text": (multipart("multipart/mixed", ("", " "), ("", "b1")), ("b1",)),
    "enclosed mail": (
        multipart("multipart/mixed", ("Content-Type: message/rfc822", "Subject: x\n\nresign")),
        (),
    ),
    "digest": (multipart("multipart/digest", ("", "Subject: x\n\nresign")), ()),
    "named text": (
        multipart("multipart/mixed", ('Content-Disposition: inline; filename="a"', "b1")),
        ("b1",),
    ),
    "named text beside another": (
        multipart(
            "multipart/mixed",
            ("", "b1"),
            ('Content-Disposition: inline; filename="a"', "resign"),
        ),
        ("b1",),
    ),
    "no boundary": (mail("--x", "", "resign", headers=("Content-Type: multipart/mixed",)), ()),
    "other boundary": (
        mail("--x", "", "resign", headers=("Content-Type: multipart/mixed; boundary=y",)),
        (),
    ),
    "boundary with a longer one": (
        mail(
            *("--a", "", "b1", "--ab", "resign", "--a--", "resign"),
            headers=("Content-Type: multipart/mixed; boundary=a",),
        ),
        ("b1", "--ab", "resign"),
    ),
    "text after the end": (
        mail(
            *("resign", "--a", "", "b1", "--a--", "resign"),
            headers=("Content-Type: multipart/mixed; boundary=a",),
        ),
        ("b1",),
    ),
    "no end": (
        mail("--a", "", "b1", headers=("Content-Type: multipart/mixed; boundary=a",)),
        ("b1",),
    ),
    "two types": (
        mail("b1", headers=("Content-Type: text/plain", "Content-Type: text/html")),
        ("b1",),
    ),
    "image": (typed("image/png", "resign"), ()),
    "broken type": (typed("text", "b1"), ("b1",)),
    "uuencoded": (typed("text/plain", "resign", encoding="x-uuencode"), ()),
    "broken base64": (
        typed("text/plain", in_base64("b1,c1").rstrip("=") + "*", encoding="base64"),
        ("b1,c1",),
    ),
    "utf-16": (typed("text/plain; charset=utf-16", in_base64("b1"), encoding="8bit"), None),
    "utf-7": (typed("text/plain; charset=utf-7", "b1+ACw-c1"), ("b1,c1",)),
    "flowed and stuffed": (typed("text/plain; format=flowed", "  x", "b1"), (" x", "b1")),
    "flowed quote": (typed("text/plain; format=flowed", "> re ", "> sign", "b1"), ("b1",)),
    "flowed signature": (typed("text/plain; format=flowed", "b1", "-- ", "resign"), ("b1",)),
    "flowed, blanks deleted": (
        typed("text/plain; format=flowed; delsp=yes", "b1, ", "c1"),
        ("b1,c1",),
    ),
}


@pytest.mark.parametrize(("raw", "expected"), PARTS.values(), ids=PARTS)
def test_the_part_a_person_wrote(raw: bytes, expected: tuple[str, ...] | None) -> None:
    own = read_letter(raw, envelope_from=None).own_lines
    assert expected is None or own == expected


def test_no_result_holds_a_control_character() -> None:
    raw = (
        b"From: a\x0bb <ann@example.com>\r\nMessage-ID: <a\x00b@x> <c\x1b@x>\r\n"
        b"In-Reply-To: <a\x0b@x> <ok@x>\r\nSubject: =?utf-8?q?a=0D=0Ab=00=C2=85=E2=80=A8?=\x1b\r\n"
        b"\r\nb1\x00\x1b[0m\x0c\x0b\xc2\x85\xe2\x80\xa8x\r\n"
    )
    letter = read_letter(raw, envelope_from="x\r\ny")
    texts = [
        letter.sender,
        letter.subject,
        letter.message_id,
        *letter.in_reply_to,
        *letter.own_lines,
    ]
    assert not any(map(controls, texts))
    assert letter.in_reply_to == ("<ok@x>",)


def test_a_line_is_brought_to_command_form() -> None:
    assert normalize(" “b\uff11\u200d,c1”\u00a0\u2013x ") == '"b1,c1" -x'


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("b1\u3001c1\uff0cd1\u3002", "b1,c1,d1."),
        ("b1\uff64c1\uff61", "b1,c1."),
        ("b1\u060cc1\u06d4", "b1,c1."),
        ("a2\uff1bb2\u0964", "a2;b2."),
    ],
)
def test_marks_of_other_scripts_are_read_like_their_ascii_relatives(typed: str, read: str) -> None:
    assert normalize(typed) == read


def test_a_refused_mark_is_named() -> None:
    assert quoted("e4\u2603") == "'e4<snowman>'"


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("cp-850", "cp850"),
        ("CP 850", "cp850"),
        ("iso8859_15", "iso8859-15"),
        ("UTF8", "utf-8"),
        ("x-user-defined", None),
    ],
)
def test_names_of_charsets_are_compared_without_their_marks(name: str, codec: str | None) -> None:
    found = find_codec(name)
    assert (found and lookup(found)) == (codec and lookup(codec))


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (mail(MOVE), None),
        (mail(MOVE, sender="Jos\u00e9 <jos\u00e9@home.example>"), "not ASCII"),
        (mail("a" * 998), None),
        (mail("a" * 999), "line"),
        (mail("a\x00"), "NUL"),
        (mail("a\rb"), "CR"),
        (mail(MOVE).replace(b"\r\n", b"\n"), None),
        (mail(MOVE, headers=("X: y",) * 1000), "header"),
        (mail(MOVE, headers=("X: " + "y" * 900,) * 100), "header"),
        (mail(MOVE, subject="\r\n ".join(["=?utf-8?q?a?="] * 300)), "encoded words"),
        (mail(MOVE, subject="\r\n ".join(["x" * 90] * 100)), "header"),
        (mail(*["Content-Type: multipart/mixed; boundary=a", ""] * 101), "parts"),
    ],
)
def test_refuse(raw: bytes, reason: str | None) -> None:
    found, _ = examine(raw, line=998)
    assert (found is None) == (reason is None)
    assert reason is None or reason in (found or "")


def fingerprint_of(raw: bytes) -> str:
    reason, fingerprint = examine(raw)
    assert reason is None
    return fingerprint


def test_fingerprint() -> None:
    raw = mail(MOVE)
    key = fingerprint_of(raw)
    assert not key.startswith(BRIEF)
    trace = b"Received: from x\r\nReturn-Path: <x@y>\r\nDelivered-To: b@c\r\nX-Spam-Flag: NO\r\n"
    assert fingerprint_of(trace + raw) == key
    assert fingerprint_of(raw.replace(b"pbm@games", b"pbm+token@games")) == key
    assert fingerprint_of(raw.replace(b"\r\n", b"\n")) == key
    for old, new in ((b"ann@", b"bob@"), (b"<1@", b"<2@"), (b"b1,c1", b"b1,c2"), (b"(5)", b"(6)")):
        assert fingerprint_of(raw.replace(old, new)) != key
    dated = raw.replace(b"Message-ID: <1@example.com>\r\n", b"")
    later = dated.replace(b" 10:", b" 11:")
    assert fingerprint_of(dated) not in (key, fingerprint_of(later))
    assert not fingerprint_of(dated).startswith(BRIEF)
    for head in (b"", b"Message-ID:\r\n"):
        brief = head + re.sub(rb"Date: .*\r\n", b"", dated)
        fingerprint = fingerprint_of(brief)
        assert fingerprint.startswith(BRIEF)
        assert fingerprint == fingerprint_of(trace + brief)
