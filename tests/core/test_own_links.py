"""No secret link or reply address of the server goes to anybody else, however it is written."""

from __future__ import annotations

import quopri
import re
from base64 import b64encode
from collections.abc import Callable
from html import escape
from textwrap import wrap
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbm.config import Config, Server, Web
from pbm.core.links import ADDRESS, LINK, make_player_link, make_seat_link, remove_own_links
from pbm.core.secrets import Secrets

CONFIG = replace(
    Config(), server=Server(address="pbm@example.net"), web=Web("", "https://club.example/pbm")
)
SECRETS = Secrets((b"k" * 32,), lambda size: b"e" * size)
WHO = ("ann@example.org",)
SEAT = make_seat_link(SECRETS, 17, 0, "hash", WHO)
PLAYER = make_player_link(SECRETS, 5, "hash", WHO)
BOARD_TOKEN = SECRETS.make_board_token(17, 0, 5, 0, "hash")
PLAYER_TOKEN = SECRETS.make_player_token(5, "hash", 0.0)
KEYS = [SEAT, PLAYER, BOARD_TOKEN, PLAYER_TOKEN, SECRETS.make_player_token(3, "hash", 0.0, "p3")]
LINKS = [
    f"https://club.example/pbm/s/{SEAT}",
    f"club.example/pbm/u/{PLAYER}/event/3",
    f"HTTPS://CLUB.EXAMPLE/PBM/S/{SEAT.upper()}?m=a1",
    SEAT,
    PLAYER,
]
ADDRESSES = [
    f"pbm+{BOARD_TOKEN}@example.net",
    f"PBM+{PLAYER_TOKEN.upper()}@EXAMPLE.NET",
    f"mailto:pbm+{BOARD_TOKEN}@example.net?subject=a1",
    f"<{BOARD_TOKEN}.12@example.net>",
    BOARD_TOKEN,
    PLAYER_TOKEN,
]


def as_is(text: str) -> str:
    return text


def encode_all(text: str) -> str:
    return "".join(f"%{ord(letter):02x}" for letter in text)


def encode_printable(text: str) -> str:
    """As quoted-printable, with every sign encoded."""
    text = "".join(f"={ord(each):02X}" if not each.isalnum() else each for each in text)
    return text[:30] + "=\n" + text[30:]


WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": as_is,
    "upper case": str.upper,
    "percent": lambda text: quote(text, safe=""),
    "percent twice": lambda text: quote(encode_all(text), safe=""),
    "every letter": encode_all,
    "entities": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "entities in hex": lambda text: text.replace("-", "&#x2d;").replace("/", "&#x2F;"),
    "HTML": lambda text: f'<a href="{escape(text)}">here</a>',
    "a break": lambda text: "<wbr>".join(wrap(text, 11)),
    "wrapped": lambda text: "\n".join(wrap(text, 19)),
    "quoted": lambda text: "\n> > ".join(wrap(text, 23)),
    "wrapped with CRLF": lambda text: "\r\n  ".join(wrap(text, 31)),
    "quoted-printable": encode_printable,
    "soft breaks": lambda text: "=\n".join(wrap(text, 13)),
    "base64": lambda text: b64encode(f"See {text} there".encode()).decode(),
    "base64 in lines": lambda text: "\n> ".join(
        wrap(b64encode(f"Dear Bob, see\n{text}\nfor more.".encode()).decode(), 50)
    ),
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: text[:20] + "\u00ad" + text[20:],
    "long hyphens": lambda text: text.replace("-", "\u2013"),
    "full width": lambda text: "".join(
        chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text
    ),
    "wrapped and joined by blanks": lambda text: " ".join(wrap(text, 20)),
    "quotes": lambda text: f"“{text}”, `{text}`, *{text}*",
}


def holds_key(text: str) -> bool:
    """Whether a reader who takes everything together that is not a blank finds a key."""
    joined = re.sub(r"[\s>\u200b\u00ad]", "", text).lower()
    return any(key in joined for key in KEYS)


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("secret", [*LINKS, *ADDRESSES])
def test_a_secret_is_removed(how: str, secret: str) -> None:
    written = WRITTEN[how](secret)
    text = remove_own_links(f"Look here:\n{written}.\nFine, isn't it?", CONFIG)
    assert text.startswith("Look here:\n")
    assert text.endswith("\nFine, isn't it?")
    assert LINK in text or ADDRESS in text
    rest = text.removeprefix("Look here:").removesuffix("Fine, isn't it?").lower()
    assert not re.search(
        r"[a-z2-7]{12}", rest.lower().replace("club", "").replace("example", "")
    ), text


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        (f"See {LINKS[0]}, Bob!", f"See {LINK}, Bob!"),
        (f"See <{LINKS[0]}>.", f"See <{LINK}>."),
        (f"Write to pbm+{BOARD_TOKEN}@example.net.", f"Write to {ADDRESS}."),
        (f"(club.example/pbm/u/{PLAYER})", f"({LINK})"),
        ("https://club.example/pbm/s/17-0-cut", LINK),
        ("pbm+whatever-1@example.net", ADDRESS),
        (f"x=club&token={BOARD_TOKEN}", ADDRESS),
    ],
)
def test_what_stands_in_its_place(text: str, instead: str) -> None:
    assert remove_own_links(text, CONFIG) == instead


@pytest.mark.parametrize(
    "text",
    [
        "",
        "See https://club.example/pbm/board/17 and https://club.example/pbm/game/hex.",
        "Write to pbm@example.net or ann+chess@example.org, in 2026-03-02.",
        "https://example.org/s/17-0-something/else?u=5",
        "In step 2 - then we shall see - 16 letters: abcdefghijklmnop.",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O b5 6. Bb3",
        "a1-b2\nc3-d4\ne5-f6\ng7-h8",
        "I won 2-0 - that was a surprise for everybody who had seen 27 of my games, u5 - too.",
        "50 % of 100=fifty & 20% off &amp; more <b>",
        "d4-abcdef\nb2-b4-b6-b8",
        f"The hash is {'0123456789abcdef' * 4}.",
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert remove_own_links(text, CONFIG) == text


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60)


@settings(max_examples=300, deadline=None)
@given(WORDS, st.sampled_from([*LINKS, *ADDRESSES]), WORDS, st.sampled_from(sorted(WRITTEN)))
def test_whatever_stands_around_it(before: str, secret: str, after: str, how: str) -> None:
    text = remove_own_links(f"{before}\n{WRITTEN[how](secret)} {after}", CONFIG)
    assert not holds_key(text)
    if how == "quoted-printable":
        assert not holds_key(quopri.decodestring(text.encode()).decode("utf-8", "replace"))


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("abu127-/=%&;+@. \n>xzklmnopqrst"), max_size=400))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(remove_own_links(text, CONFIG), str)


@pytest.mark.parametrize("token", ["b1-0-1-clnpuiswmrkqykkk", "u1-clnpuiswmrkqykkk"])
@pytest.mark.parametrize("form", ["pbm+{}@exam ple.net", "{}"])
def test_a_tag_without_digits_is_no_sentence(token: str, form: str) -> None:
    head, tag = token.rsplit("-", 1)
    text = f"See {form.format(f'{head}- {tag}')} !"
    assert remove_own_links(text, CONFIG) == f"See {ADDRESS} !"
