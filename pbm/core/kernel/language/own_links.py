"""Takes the secret links and reply addresses of this server out of texts that go to others, however
they are wrapped, encoded or written, and a word that its writer calls the password."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64decode
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from msgspec.structs import replace

from pbm.config import Config
from pbm.core.kernel.language.command import Command

LINK, ADDRESS = "(link removed)", "(address removed)"
_WORD = "(password removed)"
_TOLD = re.compile(r"(\bpassword\s*(?:\bis\b|\bwas\b|[:=])\s*)[^\s,;]+(?<![.!?])", re.IGNORECASE)
"""A word that is called the password. No other is known for one: it is compared with nothing."""

_SHORTEST = 19
"""The length of the shortest reply token: `u1-` and its tag."""
_REPLY = r"(?:b[0-9]{1,10}-[0-9]{1,2}-[0-9]{1,6}|[udpcij][0-9]{1,12})-[a-z2-7]{16}"
_KEY = r"(?:[0-9]{1,10}-[0-9]{1,2}|u[0-9]{1,12}|a[0-9a-f]{64})-[a-z2-7]{32}"
_WRAP = r"=?\r?\n[ \t>|]*"
_WRITTEN = re.compile(rf"{_WRAP}|.", re.DOTALL)
_OF_PAGES = re.compile(
    r"%[0-9a-f]{2}|&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});|.",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN_TAGS = re.compile(r"</?[a-z]+[1-6]?(?:\s[^<>]{0,200})?/?>|.", re.IGNORECASE | re.DOTALL)
_OF_MAILS = re.compile(r"=[0-9a-f]{2}|.", re.IGNORECASE | re.DOTALL)
_HYPHENS = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
_LEAST_LINE = 8
"""The characters of a line below which nothing breaks a link."""
_HINT = re.compile(r"[-%&=]|[^\x00-\x7f]|[A-Za-z0-9+/_]{20}")
"""What a text holds that has a secret in it: a hyphen, something encoded, or base64."""
_BASE64 = re.compile(rf"(?:[A-Za-z0-9+/_-](?:{_WRAP})?){{24,}}={{0,2}}")
_FORBIDDEN = " \t\r\n<>\"'()[]{}"
"""Characters that end a link or an address."""
_PUNCTUATION = ".,;:!?*_"
_NO_TEXT = {"address*", "address+", "code", "new_password"}
"""Arguments that are for the server alone."""


class _Plain(NamedTuple):
    """A text without wraps and encodings, in lower case, or without blanks too (`is_joined`); each
    character with where it begins and ends in the text as written."""

    letters: str
    begins: list[int]
    ends: list[int]
    is_joined: bool = False


def clean_command(command: Command, config: Config) -> Command:
    """Return the command without secret links, reply addresses and told passwords in what others
    may read of it."""
    text, words, rest = command.text, command.words, command.rest
    if text:
        text = _clean(text, config)
    if rest and _NO_TEXT.isdisjoint(command.verb.slots):
        cleaned = _clean(rest, config)
        if cleaned != rest:
            rest, words = cleaned, tuple([_clean(word, config) for word in words])
            joined = " ".join(words)
            if joined != _clean(joined, config):
                words = tuple(_clean(joined, config).split())
    if (text, rest) == (command.text, command.rest):
        return command
    return replace(command, text=text, words=words, rest=rest)


def _clean(text: str, config: Config) -> str:
    return _TOLD.sub(rf"\1{_WORD}", remove_own_links(text, config))


def remove_own_links(text: str, config: Config) -> str:
    """Return the text with `(link removed)` and `(address removed)` in place of what proves who
    somebody is: a secret link or its key, a reply address or its token."""
    if len(text) < _SHORTEST or not _HINT.search(text):
        return text
    spans = [*_find_secrets(text, config), *_find_encoded(text, config)]
    for begin, end, instead in sorted(_merge(spans), reverse=True):
        text = f"{text[:begin]}{instead}{text[end:]}"
    return text


@lru_cache(maxsize=4)
def _build_pattern(addresses: tuple[str, ...], url: str) -> re.Pattern[str]:
    own = [each.rpartition("@") for each in addresses]
    forms = [rf"{re.escape(local)}\+[a-z0-9._=-]+@{re.escape(host)}" for local, _, host in own]
    parts = [
        rf"(?P<address>{'|'.join(forms)})",
        rf"(?P<key>{_KEY})",
        rf"(?P<token>{_REPLY})",
    ]
    site = url.lower().rstrip("/").partition("://")[2]
    if site:
        parts.insert(0, rf"(?P<link>{re.escape(site)}/+(?:s|u|stop)/+[a-z0-9-]*[a-z0-9])")
    return re.compile("|".join(parts))


def _find_secrets(text: str, config: Config) -> Iterator[tuple[int, int, str]]:
    """Yield where secrets begin and end in a text, with what stands in their place."""
    pattern = _build_pattern(config.server.addresses, config.web.url)
    readings = [*_read(text)]
    if pattern.search("".join(text.lower().split())):
        readings.append(_join(readings[0]))
    for plain in readings:
        for match in pattern.finditer(plain.letters):
            begin, end = plain.begins[match.start()], plain.ends[match.end() - 1]
            if plain.is_joined and _is_prose(text[begin:end], match[0]):
                continue
            while begin and text[begin - 1] not in _FORBIDDEN:
                begin -= 1
            last = end
            while last < len(text) and text[last] not in _FORBIDDEN:
                last += 1
            while last > end and text[last - 1] in _PUNCTUATION:
                last -= 1
            yield begin, last, LINK if match.lastgroup in ("link", "key") else ADDRESS


def _find_encoded(text: str, config: Config) -> Iterator[tuple[int, int, str]]:
    """Yield where base64 begins and ends that holds secrets, wherever its first whole group
    stands."""
    for match in _BASE64.finditer(text):
        letters = match[0].replace("-", "+").replace("_", "/")
        letters = re.sub(r"[^A-Za-z0-9+/]", "", letters)
        for skipped in range(4):
            group = letters[skipped:]
            decoded = b64decode(group[: len(group) // 4 * 4]).decode("latin-1")
            if any(_find_secrets(decoded, config)):
                yield match.start(), match.end(), LINK
                break


def _read(text: str) -> Iterator[_Plain]:
    """Yield the text in lower case and without wraps: as it stands, as a page has it, which may be
    encoded twice, and as a mail has it."""
    as_written = _Plain(text, list(range(len(text))), list(range(1, len(text) + 1)))
    unwrapped = _decode(as_written, _WRITTEN)
    yield unwrapped
    if "%" in text or "&" in text or "<" in text:
        once = _decode(unwrapped, _OF_PAGES)
        yield once
        yield _decode(once, _OF_PAGES)
        yield _decode(once, _BETWEEN_TAGS)
    if "=" in text:
        yield _decode(unwrapped, _OF_MAILS)


def _join(plain: _Plain) -> _Plain:
    """Return the text without blanks."""
    kept = [at for at, letter in enumerate(plain.letters) if not letter.isspace()]
    return _Plain(
        "".join([plain.letters[at] for at in kept]),
        [plain.begins[at] for at in kept],
        [plain.ends[at] for at in kept],
        is_joined=True,
    )


def _decode(plain: _Plain, pieces: re.Pattern[str]) -> _Plain:
    letters, begins, ends = list[str](), list[int](), list[int]()
    for match in pieces.finditer(plain.letters):
        for letter in _decode_piece(match[0]):
            letters.append(letter)
            begins.append(plain.begins[match.start()])
            ends.append(plain.ends[match.end() - 1])
    return _Plain("".join(letters), begins, ends)


def _decode_piece(piece: str) -> str:
    """Return what a character, an encoded one, a tag or the end of a line stands for."""
    if len(piece) == 1:
        if " " <= piece <= "~":
            return piece.lower()
        if piece in _HYPHENS:
            return "-"
        if piece == "\n" or unicodedata.category(piece) == "Cf":
            return ""
        return unicodedata.normalize("NFKC", piece).lower()
    if piece[0] == "&":
        return unescape(piece).lower()
    if piece[0] in "%=" and not piece.endswith("\n") and len(piece.strip(" \t>|")) == 3:
        return chr(int(piece[1:], 16)).lower()
    return ""


def _is_prose(written: str, found: str) -> bool:
    """Whether words of a sentence have been put together to what looks like a key: there are too
    many for a key that is broken into lines."""
    return len(written.split()) - 1 > len(found) // _LEAST_LINE


def _merge(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the spans, of those that overlap one that covers them."""
    merged: list[tuple[int, int, str]] = []
    for begin, end, instead in sorted(spans):
        if merged and begin < merged[-1][1]:
            first, last, text = merged[-1]
            merged[-1] = first, max(last, end), text
        else:
            merged.append((begin, end, instead))
    return merged
