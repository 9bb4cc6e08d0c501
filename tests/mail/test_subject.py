"""Subjects as they arrive: encoded words, folding, marks, tags, blanks, quotes and dashes."""

# ruff: noqa: RUF001 -- letters of many languages look alike

import base64

import pytest

from pbm.mail.letter import read_letter, strip_marks
from tests.harness.mail import COMMAND, mail

_PREFIXES = """
Re: RE: re: RE\uff1a Re[2]: RE(3): Re^4: Re*5: Re2: AW: Aw: Antw: Antwort: SV: Sv: VS: RV:
Rv: Ynt: YNT: Odp: ODP: PD: Atb: Vá: RES: Res: R: RIF: Ref: Réf: Respuesta: Réponse: Ats: ΑΠ:
Отв: На: 回复: 回复\uff1a 回覆: 返信: 답장: 회신: השב: رد: ตอบ: Fwd: FWD: Fw: FW: WG: Wg: TR:
Tr: I: ENC: Enc: VB: VL: Doorst: FS: Ilt: İlt: ΠΡΘ: 转发: 转发\uff1a 轉寄: 転送: 전달:
"""
_TAGS = """
[EXTERNAL] [EXT] [External_Sender] [list-name] [SPAM] [SPAM?] [***SPAM***] ***SPAM***
*****SPAM***** **EXTERN** {Spam?} {Disarmed} (EXTERNAL) (SPAM) <EXTERNAL> EXTERNAL: EXT:
SPAM: 【外部】 ##External## __SPAM__ > >> [EXTERNAL][list] [EXT]***SPAM***
"""
PREFIXES = [*_PREFIXES.split(), "Re :"]
TAGS = _TAGS.split()


@pytest.mark.parametrize("mark", [*PREFIXES, *TAGS])
def test_marks_before_a_command_fall(mark: str) -> None:
    for text in (f"{mark} {COMMAND}", f"Re: {mark} {COMMAND}", f"{mark} Fwd: {mark} {COMMAND}"):
        assert strip_marks(text)[0] == COMMAND
    raw = mail(
        subject="=?utf-8?b?" + base64.b64encode(f"{mark} {COMMAND}".encode()).decode() + "?="
    )
    assert read_letter(raw, envelope_from="a@b.example").subject == COMMAND


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("help", "help"),
        ("  help \t hex  ", "help hex"),
        ("help\u00a0hex", "help hex"),
        ("help\u3000hex", "help hex"),
        ("he\u200blp\ufeff hex\u200e", "help hex"),
        ("so\u00adlo", "solo"),
        ("“help hex”", "help hex"),
        ("„help hex“", "help hex"),
        ("«help hex»", "help hex"),
        ("'help hex'", "help hex"),
        ("‘help hex’", "help hex"),
        ("<help hex>", "help hex"),
        ("`help hex`", "help hex"),
        ('"Re: help hex"', "help hex"),
        ("> help hex", "help hex"),
        (">help hex", "help hex"),
        ("ｈｅｌｐ　ｈｅｘ", "help hex"),
        ("ｂ１，ｃ１", "b1,c1"),
        ("hex challenge ann bob –size=11", "hex challenge ann bob -size=11"),
        ("hex challenge ann bob —size=11", "hex challenge ann bob -size=11"),
        ("hex challenge ann bob −−nag=3", "hex challenge ann bob --nag=3"),
        ("hex‐move", "hex-move"),
        ("help (fwd)", "help"),
        ("help [EXTERNAL]", "help"),
        ("help *** SPAM ***", "help"),
        ("[SPAM 7.2] help hex", "help hex"),
        ("Re: Re: AW: Fwd: SV: help", "help"),
        ("Re:help", "help"),
        ("Re:", ""),
        ("", ""),
        ("[EXTERNAL]", ""),
        ("Regarding: help", "Regarding: help"),
        ("Rehelp", "Rehelp"),
        ("help: hex", "help: hex"),
        ("re help", "re help"),
        ("password: p“q", 'password: p"q'),
        ("[cradle 17] your move (5)", "[cradle 17] your move (5)"),
        ("Re: [cradle 17] your move (5)", "[cradle 17] your move (5)"),
        ("AW: [EXT] Re: [cradle 17] help", "[cradle 17] help"),
        ("Re: [pbm] help hex", "[pbm] help hex"),
        ("[PBM] resign", "[PBM] resign"),
        ("[space-truckin 3] resign", "[space-truckin 3] resign"),
    ],
)
def test_bare(text: str, expected: str) -> None:
    assert strip_marks(text)[0] == expected


@pytest.mark.parametrize("mark", ["Trả lời:", "Továbbítás:", "Odpověď:", "Caution: Re:", "x [y]"])
def test_whatever_stands_before_our_bracket_falls(mark: str) -> None:
    ours = "[cradle 17] ann - bob"
    assert strip_marks(f"{mark} {ours}") == (ours, ":" in mark)


def test_replies_are_told() -> None:
    assert strip_marks("Re: help")[1]
    assert strip_marks("WG: AW: help")[1]
    assert not strip_marks("help")[1]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"=?utf-8?q?help_hex?=", "help hex"),
        (b"=?UTF-8?Q?help_hex?=", "help hex"),
        (b"=?utf-8?q?help?= =?utf-8?q?_hex?=", "help hex"),
        (b"=?utf-8?q?help?=\r\n =?utf-8?q?_hex?=", "help hex"),
        (b"=?utf-8?q?help?==?utf-8?q?_hex?=", "help hex"),
        (b"=?utf-8?b?aGVscA?= hex", "help hex"),
        (b"=?utf-8?b?aGVs cCBo ZXg=?=", "help hex"),
        (b"=?utf-8?b?aGVs\r\n cCBoZXg=?=", "help hex"),
        (b"=?utf-8?b?aGVscCBoZXg", "help hex"),
        (b"=?utf-8?q?help hex?=", "help hex"),
        (b"=?utf-8?q?help?=hex", "helphex"),
        (b"help =?utf-8?q?h=65x?=", "help hex"),
        (b'"=?utf-8?q?help?="', "help"),
        (b"=?utf-8?b?w7Y=?=", "ö"),
        (b"=?utf-8?b?ww==?= =?utf-8?b?tg==?=", "ö"),
        (b"=?utf-8?q?=C3?= =?utf-8?b?tg==?=", "ö"),
        (b"=?utf-8*en?q?help?=", "help"),
        (b"=?iso-8859-1?q?=F6?= =?utf-8?q?=C3=B6?=", "öö"),
        (b"=?iso-8859-1?q?=93x=94?=", "x"),
        (b"=?gb2312?b?u9i4tDo=?= help", "help"),
        (b"=?iso-2022-jp?b?GyRCSlY/LhsoQjogaGVscA==?=", "help"),
        (b"=?nonsense?q?h=C3=B6?=", "hö"),
        (b"=?unknown-8bit?q?h=F6?=", "hö"),
        (b"=?idna?q?help?=", "help"),
        (b"=?utf-16be?q?=00h=00i?=", "hi"),
        (b"=?utf-8?x?help?=", "=?utf-8?x?help?="),
        (b"=?utf-8?q?help", "help"),
        (b"=?=?=?", "=?=?=?"),
        (b"=?utf-8?q??= help", "help"),
        (b"help\r\n hex", "help hex"),
        (b"help\r\n\thex", "help hex"),
        (b"help\n hex", "help hex"),
        (b"\r\n help hex", "help hex"),
        (b"help\r\n \r\n hex", "help hex"),
        (b"h\xc3\xb6lp", "hölp"),
        (b"h\xf6lp", "hölp"),
        (b"=?utf-8?q?help=0D=0Ahex=00?=", "help hex"),
        (b"=?utf-8?q?help=E2=80=A8hex?=", "help hex"),
        (b"help\rhex", "help hex"),
    ],
)
def test_encoded_words(raw: bytes, expected: str) -> None:
    whole = b"From: a@b.example\r\nSubject: " + raw + b"\r\nX-Next: y\r\n\r\nbody\r\n"
    assert read_letter(whole, envelope_from=None).subject == expected
