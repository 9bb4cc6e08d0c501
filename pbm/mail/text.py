"""Decodes the text of mails and normalizes its characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from encodings.aliases import aliases

# Only these names are looked up: codecs.lookup() imports modules by the names that it gets and
# caches all of them, and codecs such as idna take quadratic time.
_CODEC_NAMES = """ascii big5 big5hkscs cp1026 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256
    cp1257 cp1258 cp437 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866
    cp869 cp874 cp932 cp949 cp950 euc_jis_2004 euc_jisx0213 euc_jp euc_kr gb18030 gb2312 gbk hz
    iso2022_jp iso2022_jp_1 iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext iso2022_kr
    iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 iso8859_2 iso8859_3
    iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 johab koi8_r koi8_u latin_1
    mac_cyrillic mac_greek mac_iceland mac_latin2 mac_roman mac_turkish ptcp154 shift_jis
    shift_jis_2004 shift_jisx0213 tis_620 utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le
    utf_7 utf_8 utf_8_sig"""
_CODECS = frozenset(_CODEC_NAMES.split())
# Supersets that senders use under the name of the smaller set (WHATWG Encoding 4.2).
_SUPERSETS = {
    "latin_1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "tis_620": "cp874",
    "iso8859_11": "cp874",
    "iso8859_9": "cp1254",
    "iso2022_jp": "iso2022_jp_ext",
}
_CHARSETS = {codec: codec for codec in _CODECS}
_CHARSETS.update({alias: codec for alias, codec in aliases.items() if codec in _CODECS})
_CHARSETS.update(
    {
        "iso_8859_8_i": "iso8859_8",
        "iso_8859_8_e": "iso8859_8",
        "ks_c_5601_1987": "cp949",
        "ks_c_5601": "cp949",
        "windows_31j": "cp932",
        "x_sjis": "cp932",
        "x_gbk": "gb18030",
        "windows_874": "cp874",
        "windows_949": "cp949",
        "windows_936": "gb18030",
        "unicode_1_1_utf_7": "utf_7",
        "x_mac_roman": "mac_roman",
        "x_mac_cyrillic": "mac_cyrillic",
    }
)
# Names are compared without the marks in them: `cp-850` is cp850, `utf8` is utf-8.
_NOT_NAME = re.compile(r"[^a-z0-9]+")
_CHARSETS = {_NOT_NAME.sub("", name): codec for name, codec in _CHARSETS.items()}


def find_codec(charset: str) -> str | None:
    """Return the codec for a charset name in a mail; None for ASCII and unknown names."""
    name = _NOT_NAME.sub("", charset[:40].partition("*")[0].lower())
    codec_name = _CHARSETS.get(name)
    if codec_name is None or codec_name == "ascii":
        return None
    return _SUPERSETS.get(codec_name, codec_name)


def decode(data: bytes, charset: str = "") -> str:
    """Decode octets by their charset; guess it if it is unknown or wrong."""
    if data.isascii() and b"\x1b" not in data:
        name = find_codec(charset) if charset else None
        if name is None or name[:3] not in ("utf", "hz"):
            return data.decode("ascii")
    else:
        name = find_codec(charset) if charset else None
    if name is not None:
        try:
            return data.decode(name, "replace")
        except (UnicodeError, ValueError):  # utf-16 and stateful codecs raise all the same
            pass
    if b"\x1b$" in data or b"\x1b(" in data:
        return data.decode("iso2022_jp_ext", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end >= len(data) - 4 and error.start > 8:  # cut off inside a character
            return data.decode("utf-8", "replace")
    return data.decode("cp1252", "replace")


_BLANKS = [0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]
_BREAKS = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]
_HIDDEN = [0x00AD, 0x034F, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0xFEFF]
_HIDDEN += [*range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x2070)]
_CLEAN: dict[int, int | str | None] = {
    **dict.fromkeys(_BLANKS, " "),
    **dict.fromkeys(_BREAKS, " "),
    **dict.fromkeys(_HIDDEN),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
# The ASCII mark that marks of other scripts stand for, by the end of their Unicode names.
_MARK_NAMES = (
    ("SEMICOLON", ";"),
    ("COMMA", ","),
    ("COLON", ":"),
    ("FULL STOP", "."),
    ("MIDDLE DOT", "."),
    (" DANDA", "."),
    ("QUESTION MARK", "?"),
    ("EXCLAMATION MARK", "!"),
    ("APOSTROPHE", "'"),
    ("HYPHEN", "-"),
    ("ELLIPSIS", "..."),
)
_SIGNS = {0x00B4: "'", 0x2032: "'", 0x2033: '"', 0x2043: "-", 0x2212: "-", 0x00B7: "\u00b7"}


def _list_marks() -> Iterator[tuple[int, str]]:
    """Yield the punctuation of other scripts, with what it stands for."""
    for code in range(0xA1, 0xD800):
        char = chr(code)
        category = unicodedata.category(char)
        if category == "Pd":
            yield code, "-"
        elif category[0] == "P":
            name = unicodedata.name(char, "")
            mark = next((mark for end, mark in _MARK_NAMES if name.endswith(end)), "")
            if name.endswith("QUOTATION MARK"):
                mark = "'" if "SINGLE" in name else '"'
            if mark and not name.startswith("INVERTED"):
                yield code, mark


_PLAIN = {
    **_CLEAN,
    **dict.fromkeys([0x200C, 0x200D, *range(0xFE00, 0xFE10)]),
    **{0xFF01 + i: 0x21 + i for i in range(94)},
    **dict(_list_marks()),
    **_SIGNS,
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0xFE50, 0xFE6C), 0xFF61)},
    **dict.fromkeys([0x3002, 0xFF61, 0xFF65], "."),
    0xFF64: ",",
}


def clean(line: str) -> str:
    """Return a line without control, hidden and direction characters, its blanks made ASCII.

    Everything else stays, leading blanks included.
    """
    if line.isascii() and line.isprintable():
        return line.rstrip(" ")
    return line.translate(_CLEAN).rstrip(" ")


def normalize(line: str) -> str:
    """Return a line as a command is written: ASCII quotes, dashes and letters, single blanks.

    Only for lines that are read as commands; comments are only cleaned.
    """
    if not (line.isascii() and line.isprintable()):
        line = line.translate(_PLAIN)
    return " ".join(line.split())
