"""Splits a header section into fields and decodes them."""

from __future__ import annotations

import binascii
import re
import string

from pbm.mail.text import decode

Fields = dict[bytes, list[bytes]]

_NAME = re.compile(rb"[!-9;-~]+")
_PLAIN_FIELD = re.compile(rb"([!-9;-~]+):([^\n]*)\n(?![ \t])")
"""A field that is not folded, as most are."""
_ALPHABET = (string.ascii_letters + string.digits + "+/").encode()
_NOT_BASE64 = bytes(set(range(256)) - set(_ALPHABET))
_URL_SAFE = bytes.maketrans(b"-_", b"+/")


def split_header(raw: bytes, start: int = 0, end: int | None = None) -> tuple[Fields, int]:
    """Return the fields of the header section at `start`, and where the body begins.

    Names are in lower case, values unfolded. Only LF ends a line; a bare CR never does. A line
    that is neither a field nor a continuation ends the section, as in most mail servers. Raise
    TooCostly for a section that exceeds the limits.
    """
    stop = len(raw) if end is None else end
    limit = min(stop, start + MAX_SECTION)
    fields: Fields = {}
    pos = start
    count = 0
    while pos < limit:
        plain = _PLAIN_FIELD.match(raw, pos, limit)
        if plain is not None:
            name, value = plain.groups()
            pos = plain.end()
        else:
            eol = raw.find(b"\n", pos, limit)
            if eol == pos or (eol == pos + 1 and raw[pos] == 13):
                return fields, eol + 1
            while eol >= 0 and raw[eol + 1 : eol + 2] in (b" ", b"\t") and eol + 1 < limit:
                eol = raw.find(b"\n", eol + 1, limit)
            if eol < 0:
                if limit < stop:
                    raise TooCostly("header section")
                eol = limit
            name, colon, value = raw[pos:eol].partition(b":")
            if not colon or not _NAME.fullmatch(name):
                bare = name.rstrip(b" \t")
                if colon and _NAME.fullmatch(bare):
                    # Obsolete syntax (RFC 5322 4.5.8), which readers disagree on: kept apart.
                    name = bare + b" "
                elif pos == start and name[:5] in (b"From ", b">From"):
                    pos = eol + 1  # a mailbox file's separator
                    continue
                elif not fields and not raw[pos:eol].strip():
                    pos = eol + 1  # blank lines above the header, as in copied sources
                    continue
                else:
                    return fields, pos
            if b"\n" in value:
                value = value.replace(b"\r\n", b"").replace(b"\n", b"")
            pos = eol + 1
        count += 1
        if count > MAX_FIELDS:
            raise TooCostly("number of headers")
        name = name.lower()
        if name in fields:
            fields[name].append(value.strip())
        else:
            fields[name] = [value.strip()]
    if pos < stop:
        raise TooCostly("header section")
    return fields, stop


def get_first(fields: Fields, name: bytes) -> bytes:
    """Return the first field of that name, b"" if there is none. Raise TooCostly if too long."""
    values = fields.get(name)
    if values is None:
        return b""
    if len(values[0]) > MAX_FIELD:
        raise TooCostly("length of a header")
    return values[0]


def decode_base64(data: bytes) -> bytes:
    """Decode base64 as far as possible, despite blanks, garbage, truncation or missing padding."""
    data = data.translate(_URL_SAFE).translate(None, _NOT_BASE64)
    rest = len(data) % 4
    if rest:
        data = data[:-1] if rest == 1 else data + b"=" * (4 - rest)
    return binascii.a2b_base64(data)


def decode_words(value: bytes) -> str:
    """Decode the encoded words of a field (RFC 2047), even malformed ones.

    Words may touch text or one another, contain blanks, split a character, lack their padding or
    end, or name an unknown charset. Raise TooCostly for more than MAX_WORDS.
    """
    if b"=?" not in value:
        return decode(value)
    pieces: list[str] = []
    octets: list[bytes] = []  # of words in a row that share a charset
    charset = ""
    count = pos = 0
    size = len(value)
    while pos < size:
        at = value.find(b"=?", pos)
        word = None if at < 0 else _parse_word(value, at)
        if word is None:
            after = size if at < 0 else at + 2
            if octets:
                pieces.append(decode(b"".join(octets), charset))
                octets.clear()
            pieces.append(decode(value[pos:after]))
            pos = after
            continue
        count += 1
        if count > MAX_WORDS:
            raise TooCostly("encoded words")
        name, data, after = word
        between = value[pos:at]
        if between and (pos == 0 or not octets or not between.isspace()):
            if octets:
                pieces.append(decode(b"".join(octets), charset))
                octets.clear()
            pieces.append(decode(between))
        elif octets and name != charset:
            pieces.append(decode(b"".join(octets), charset))
            octets.clear()
        charset = name
        octets.append(data)
        pos = after
    if octets:
        pieces.append(decode(b"".join(octets), charset))
    return "".join(pieces)


def _parse_word(value: bytes, at: int) -> tuple[str, bytes, int] | None:
    """Return charset, octets and end of the encoded word at `at`; None if there is none."""
    mark = value.find(b"?", at + 2, at + 64)
    if mark < 0 or value[mark + 2 : mark + 3] != b"?":
        return None
    kind = value[mark + 1 : mark + 2].lower()
    if kind not in (b"q", b"b") or b" " in value[at:mark]:
        return None
    end = value.find(b"?=", mark + 3)
    after = end + 2
    if end < 0:  # truncated: the word extends to the end of the field
        end = after = len(value)
    data = value[mark + 3 : end]
    data = decode_base64(data) if kind == b"b" else binascii.a2b_qp(data.rstrip(b"?"), header=True)
    return value[at + 2 : mark].decode("latin-1").lower(), data, after


# Limits on what reading a mail may cost.

MAX_SECTION = 65536  # octets of a header section
MAX_FIELD = 8192  # octets of one header that is used
MAX_FIELDS = 1000  # headers in a section
MAX_WORDS = 100  # encoded words in one header
MAX_DEPTH = 10  # nested MIME parts
MAX_PARTS = 50  # MIME parts examined
MAX_DELIMITERS = 2000  # boundary lines of all multiparts
MAX_TEXT = 262144  # octets of body text that are decoded
MAX_CHARS = 100000  # characters of body text that are examined
MAX_LINES = 4000  # lines of body text that are examined
MAX_LINE = 998  # octets of a line without its end (RFC 5322 2.1.1)
MAX_IDS = 30  # message ids followed in In-Reply-To and References


class TooCostly(Exception):
    """A mail exceeds the limit that the text names: it is refused or set aside, never answered."""
