"""Finds the encoding of a file of records, and says when it had to be guessed."""

from __future__ import annotations

import codecs
import re

from pbm.rules.errors import RecordError
from pbm.rules.formats import sgf_trees
from pbm.rules.typed import quoted

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = re.compile(rb"CA\[([A-Za-z0-9_:. -]{1,40})\]")
_OLD = "cp1252"


def decode(raw: bytes, encoding: str = "") -> tuple[str, str]:
    """Return the text of a file, and what to tell who named it: "" where nothing was guessed.
    `encoding` is what they say it is; otherwise a byte-order mark, the CA of SGF, UTF-8 and, for
    lines that are none, Windows-1252 are tried. RecordError where `encoding` does not exist or
    fit."""
    if encoding:
        return _decode_as(raw, encoding), ""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            try:
                return raw.decode(name), "" if name == "utf-8-sig" else f"read as {name.upper()}"
            except UnicodeDecodeError:
                break
    if re.match(rb"\s*\(\s*;", raw) and (text := _decode_sgf(raw)) is not None:
        return text, ""
    try:
        return raw.decode(), ""
    except UnicodeDecodeError:
        return _decode_lines(raw)


def _decode_as(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise RecordError(
            f"there is no encoding {quoted(encoding)}; some are utf-8, cp1252, latin-1, cp1251, "
            "koi8-r, shift_jis, gb18030 and big5"
        ) from None
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start} ({raw[error.start : error.start + 1].hex()}) is not of the "
            f"encoding {encoding}"
        ) from None
    except UnicodeError:
        raise RecordError(f"it is not in the encoding {encoding}") from None


def _decode_sgf(raw: bytes) -> str | None:
    """Return a collection by what its games say in CA; None if they say nothing, or something else
    than is true."""
    told = {match.decode().strip().lower() for match in _CHARSET.findall(raw)}
    try:
        if len(told) <= 1:
            return raw.decode(told.pop()) if told else None
        trees = [tree.text.encode("latin-1") for tree in sgf_trees.games(raw.decode("latin-1"))]
        return "\n".join(
            tree.decode(match[1].decode().strip() if (match := _CHARSET.search(tree)) else "utf-8")
            for tree in trees
        )
    except (LookupError, UnicodeError, RecordError):
        return None


def _decode_lines(raw: bytes) -> tuple[str, str]:
    """Return a file whose lines differ, since it was joined of several, or that is in no UTF-8 at
    all."""
    lines, count = list[str](), 0
    for line in raw.split(b"\n"):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            count += 1
            lines.append(_decode_old(line))
    what = "1 line is" if count == 1 else f"{count:,} lines are"
    return "\n".join(lines), (
        f"{what} not UTF-8, and read as Windows-1252: --encoding=NAME reads the file otherwise"
    )


def _decode_old(line: bytes) -> str:
    try:
        return line.decode(_OLD)
    except UnicodeDecodeError:
        return line.decode("latin-1")
