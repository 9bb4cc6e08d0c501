"""Whose lines are whose: quotes, attributions, signatures and footers of many programs."""

# ruff: noqa: RUF001 -- letters of many languages look alike

import re

import pytest

from pbm.mail.own_words import extract_own_lines
from tests.harness.mail import reply_bodies

_ADDED = re.compile("sent from (?:my|outlook)", re.IGNORECASE)
ONE = ("b1,c1",)
# What stands between the move and a command that must not be found, by program or language.
BETWEEN = {
    "gmail": "\n\nOn Mon, Jan 5, 2026 at 10:00 AM pbm <p@x.example> wrote:\n\n> ",
    "gmail folded": "\nOn Mon, Jan 5, 2026 at 10:00 AM pbm <\np+b17@x.example> wrote:\n\n> ",
    "gmail german": "\n\nAm Mo., 5. Jan. 2026 um 10:00 Uhr schrieb pbm <p@x.example>:\n\n> ",
    "gmail french": "\n\nLe lun. 5 janv. 2026 à 10:00, pbm <p@x.example>\na écrit :\n\n",
    "folded thrice": "\n\nLe lundi 5 janvier 2026 à 10:00,\npbm <p@x.example>\na écrit :\n\n",
    "broken in the address": '\n\nAm 21.04.2026 17:48 schrieb "pbm" <p@x.example\n>:\n\n> ',
    "spanish": "\n\nEl lun, 5 ene 2026 a las 10:00, pbm (<p@x.example>) escribió:\n\n> ",
    "italian": "\n\nIl giorno lun 5 gen 2026 alle ore 10:00 pbm <p@x.example> ha scritto:\n\n> ",
    "portuguese": "\n\nEm seg., 5 de jan. de 2026 às 10:00, pbm <p@x.example> escreveu:\n\n> ",
    "dutch": "\n\nOp ma 5 jan 2026 om 10:00 schreef pbm <p@x.example>:\n\n> ",
    "swedish": "\n\nDen mån 5 jan. 2026 kl 10:00 skrev pbm <p@x.example>:\n\n> ",
    "finnish": "\n\n5.1.2026 klo 10.00 pbm kirjoitti:\n> ",
    "polish": "\n\nW dniu 5.01.2026 o 10:00, pbm pisze:\n",
    "czech": "\n\npo 5. 1. 2026 v 10:00 odesílatel pbm <p@x.example> napsal:\n\n> ",
    "russian": "\n\nпн, 5 янв. 2026 г. в 10:00, pbm <p@x.example>:\n\n> ",
    "turkish": "\n\npbm <p@x.example>, 5 Oca 2026 Pzt, 10:00 tarihinde şunu yazdı:\n\n> ",
    "greek": "\n\nΣτις Δευ 5 Ιαν 2026 στις 10:00 ο χρήστης pbm <p@x.example> έγραψε:\n\n> ",
    "hebrew": "\n\nבתאריך יום ב׳, 5 בינו׳ 2026 ב-10:00 מאת pbm \u202a<p@x.example>\u202c:\n\n> ",
    "vietnamese": "\n\nVào Th 2, 5 thg 1, 2026 vào lúc 10:00 pbm <p@x.example> đã viết:\n\n> ",
    "chinese": "\n\npbm <p@x.example> 于2026年1月5日周一 10:00写道\uff1a\n\n> ",
    "japanese": "\n\n2026年1月5日(月) 10:00 pbm <p@x.example>:\n\n> ",
    "korean": "\n\n2026년 1월 5일 (월) 오전 10:00, pbm <p@x.example>님이 작성:\n\n> ",
    "no verb": "\n\n2026-01-05 10:00 GMT+01:00 pbm <p@x.example>:\n\n",
    "no verb and no colon": '\n\n"pbm" pbm+b17-0@x.example \u2013 5. Januar 2026 10:00\n> ',
    "aol": "\n\nIn a message dated 1/5/2026 10:00:41 A.M., p@x.example writes:\n\n",
    "horde": "\n\nQuoting pbm <p@x.example>:\n\n> ",
    "yahoo on android": "\n\n  On Mon, Jan 5, 2026 at 10:00 AM, pbm<p@x.example> wrote:   Hi\n",
    "outlook": "\n\nFrom: pbm <p@x.example>\nSent: Monday\nTo: ann\nSubject: [cradle 17]\n\n",
    "outlook bold": "\n\n*From:* pbm <p@x.example>\n*Sent:* Monday\n*To:* ann\n*Subject:* x\n\n",
    "outlook german": "\n\nVon: pbm <p@x.example>\nGesendet: Montag\nAn: ann\nBetreff: x\n\n",
    "outlook french": "\n\nDe : pbm <p@x.example>\nEnvoyé : lundi\nÀ : ann\nObjet : x\n\n",
    "outlook japanese": "\n\n差出人: pbm <p@x.example>\n送信日時: 2026年\n宛先: ann\n件名: x\n\n",
    "outlook chinese": "\n\n发件人\uff1apbm <p@x.example>\n发送时间\uff1a2026\n收件人\uff1aann\n\n",
    "gmx": "\n\nGesendet: Montag um 10:00 Uhr\nVon: p@x.example\nAn: ann\nBetreff: x\n",
    "fields above the attribution": (
        "\n\n----------------\nKam: Ann (a@x.example);\nPredmet: [cradle 17] ann - bob;\n"
        '05.01.2026, 10:00, "pbm" <p@x.example>:\n\n'
    ),
    "apple forward": (
        "\n\nBegin forwarded message:\n\nFrom: pbm <p@x.example>\n"
        "Date: 5 January 2026\nTo: ann\nSubject: x\n\n"
    ),
    "received fields": (
        "\n\nReceived: by mail.x.example (Postfix, from userid 505)\n id 2B; 5 Jan 2026 10:00:00\n"
        "DKIM-Signature: v=1; a=rsa-sha256;\n d=x.example; s=1;\n h=From:To:Subject;\n b=abc\n"
        "From: pbm <p@x.example>\nTo: ann\n\n"
    ),
    "rule and one field": "\n____________\nFrom: pbm\n",
    "signature": "\n-- \n",
    "signature without blank": "\n--\n",
    "signature with a dash": "\n\u2014\n",
    "no blank": "\n>",
    "deep": "\n>> >> > ",
    "bar": "\n| ",
    "name": "\npbm> ",
    "escaped": "\n&gt; ",
    "full width": "\n\uff1e ",
    "pgp": "\n-----BEGIN PGP SIGNATURE-----\n",
}


@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
def test_what_follows_the_move_is_not_the_persons(between: str) -> None:
    lines = extract_own_lines(f"b1,c1{between}cradle resign 17 ann secret\n").lines
    assert lines == ONE


@pytest.mark.parametrize(
    "line",
    [
        "-----Original Message-----",
        "-------- Message d'origine --------",
        "------------------ 原始邮件 ------------------",
        "*-------- Original Message --------*",
        "----- nice game -----",
        "On Monday 23 Nov 2026 at 9:12 ann@home.example beat me:",
    ],
)
def test_below_what_may_begin_a_quote_all_is_kept_apart(line: str) -> None:
    own = extract_own_lines(f"b1,c1\n{line}\nresign\n")
    assert (own.lines, own.signature) == (ONE, (line, "resign"))


def test_a_signature_is_kept_apart() -> None:
    for below in ("", "\n\nOn 5 Jan 2026 at 10:00, pbm <p@x.example> wrote:\n> q\n"):
        own = extract_own_lines(f"b1,c1\n-- \nAnn\nACME{below}")
        assert (own.lines, own.signature) == (ONE, ("Ann", "ACME"))


def test_the_mail_of_somebody_else_is_kept_apart() -> None:
    head = ("From: Eve <eve@y.example>", "Date: 5 Jan 2026 10:00", "To: ann", "Subject: hi")
    own = extract_own_lines("\n".join(["b1,c1", "", *head, "", "resign"]))
    assert (own.lines, own.signature) == (ONE, (*head, "resign"))


CASES = {
    "below the quote": ("On Mon, 5 Jan 2026, pbm wrote:\n> a\n> resign\n\nb1,c1\n-- \nAnn\n", ONE),
    "between quotes": ("> your move?\nb1,c1\n> and this\nnice\n", ("b1,c1", "nice")),
    "between short quotes": ("> the board\nb1,c1\n> and this\nnice\n", ("b1,c1", "nice")),
    "a person who writes of us": (
        "I wrote to pbm <p@x.example>: they are kind\nb1,c1",
        ("I wrote to pbm <p@x.example>: they are kind", "b1,c1"),
    ),
    "a postscript about us": (
        "b1,c1\n-----\nPS: pbm is great",
        ("b1,c1", "-----", "PS: pbm is great"),
    ),
    "leading blank": (" a comment\nb1,c1", (" a comment", "b1,c1")),
    "several commands": (
        "mult move ann secret\ncradle 17 b1,c1\n  note\n# no\nquit\n",
        ("mult move ann secret", "cradle 17 b1,c1", "  note", "# no", "quit"),
    ),
    "signed with PGP": (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nb1,c1\n"
        "-----BEGIN PGP SIGNATURE-----\nresign\n-----END PGP SIGNATURE-----\n",
        ONE,
    ),
    "colon in a sentence": ("let us play at 18:00:\nb1,c1", ("let us play at 18:00:", "b1,c1")),
    "wrote in a sentence": ("as I wrote: b1", ("as I wrote: b1",)),
    "to in a line": ("hello to: bob", ("hello to: bob",)),
    "one quote": ("> resign", ()),
    "empty": ("", ()),
    "blank": ("\n \n\t\n", ()),
    "old Mac": ("b1,c1\r> resign\r", ONE),
    "trailing blanks": ("b1,c1 \t \n", ONE),
    "controls": ("b1\x00,c1\x1b[2J\x0bx\u2028y\x85z", ("b1 ,c1 [2J x y z",)),
    "zero width": ("\ufeffb1,\u200bc1\u2060", ONE),
    "own words survive": ("Grüße – “schön” 👩‍👧", ("Grüße – “schön” 👩‍👧",)),
    "not a signature": (
        "Sent from my desk, is much easier.",
        ("Sent from my desk, is much easier.",),
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_the_persons_lines(text: str, expected: tuple[str, ...]) -> None:
    assert extract_own_lines(text).lines == expected
    assert extract_own_lines(text.replace("\n", "\r\n")).lines == expected


def test_real_replies() -> None:
    """Where the collection says what the person wrote, the lines that may act are these, but for
    those that apps add."""
    wrong = []
    known = [entry for entry in reply_bodies() if entry.get("reply_only") is not None]
    known = [entry for entry in known if not _ADDED.search(entry["text"])]
    assert known
    for entry in known:
        wanted = entry["reply_only"]
        lines = [line.rstrip() for line in wanted.splitlines() if not line.startswith(">")]
        own = extract_own_lines(entry["text"]).lines
        found = "\n".join(own).strip()
        if found != "\n".join(lines).strip():
            wrong.append(entry["name"])
    assert wrong == []


@pytest.mark.parametrize(
    "attribution",
    [
        "On Thu, 26 Nov 2026 at 09:30, pbm <pbm@games.example> wrote:",
        "Am 26.11.2026 um 09:30 schrieb pbm <pbm@games.example>:",
    ],
)
def test_lines_of_a_name_and_a_value_above_an_attribution_are_no_header(attribution: str) -> None:
    own = ("Look:", "king: safe", "queen: bored", "rook: asleep")
    text = "\n".join([*own, "", attribution, "", "> Your move"])
    assert extract_own_lines(text).lines == own
