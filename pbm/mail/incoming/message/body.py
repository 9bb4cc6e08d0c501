"""Finds the text that the writer of a mail typed, outside attachments and enclosed mails."""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbm.mail.incoming.message.headers import Fields, decode_base64, get_first, split_header
from pbm.mail.incoming.message.html_text import html_to_text
from pbm.mail.incoming.message.limits import (
    MAX_DELIMITERS,
    MAX_DEPTH,
    MAX_LINES,
    MAX_PARTS,
    MAX_TEXT,
    TooCostly,
)
from pbm.mail.incoming.message.text import clean, decode

_TYPE = re.compile(rb"\s*([\w.+-]+)\s*/\s*([\w.+-]+)")
_PARAMETER = re.compile(
    rb";\s*([\w-]+)(?:\*0?)?\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;\s]*))", re.DOTALL
)
_LEGACY = frozenset({b"protected-headers", b"hp-legacy-display"})
_HEADER_LINE = re.compile(
    r"[ \t]|(?:subject|from|to|cc|date|reply-to|followup-to|message-id|newsgroups)[ \t]*:",
    re.IGNORECASE,
)
_FLOWED_QUOTE = re.compile(r">+")


@dataclass(frozen=True, slots=True)
class Part:
    """A MIME part: its fields, its type in lower case, and the span of its content in the mail."""

    fields: Fields
    kind: bytes
    parameters: dict[bytes, bytes]
    start: int
    end: int
    depth: int


class Walk:
    """Walks the parts of a mail within the limits on depth, number and boundary lines."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.parts = 0
        self.delimiters = 0

    def top(self, fields: Fields, start: int) -> Part:
        """Return the mail itself as a part; its header section has been read."""
        return self._build_part(fields, start, len(self.raw), 0, b"text/plain")

    def children(self, part: Part) -> Iterator[Part]:
        """Yield the parts of a multipart; nothing for any other type."""
        boundary = part.parameters.get(b"boundary", b"").rstrip()
        if not part.kind.startswith(b"multipart/") or not boundary:
            return
        if part.depth >= MAX_DEPTH:
            raise TooCostly("MIME depth")
        inner = b"message/rfc822" if part.kind == b"multipart/digest" else b"text/plain"
        for start, end in self._split_bodies(part, b"--" + boundary):
            self.parts += 1
            if self.parts > MAX_PARTS:
                raise TooCostly("MIME parts")
            fields, body = split_header(self.raw, start, end)
            yield self._build_part(fields, body, end, part.depth + 1, inner)

    def _build_part(self, fields: Fields, start: int, end: int, depth: int, default: bytes) -> Part:
        value = get_first(fields, b"content-type")
        match = _TYPE.match(value)
        if match is None:
            return Part(fields, default if not value else b"text/plain", {}, start, end, depth)
        kind = (match[1] + b"/" + match[2]).lower()
        parameters: dict[bytes, bytes] = {}
        for match in _PARAMETER.finditer(value):
            text = match[2].replace(b"\\", b"") if match[2] is not None else match[3]
            parameters.setdefault(match[1].lower(), text)
        return Part(fields, kind, parameters, start, end, depth)

    def _split_bodies(self, part: Part, delimiter: bytes) -> Iterator[tuple[int, int]]:
        """Yield start and end of each body between boundary lines (RFC 2046 5.1.1)."""
        raw, end, size = self.raw, part.end, len(delimiter)
        begun = -1
        pos = part.start
        while True:
            if pos == part.start and raw.startswith(delimiter, pos, end):
                at = pos
            else:
                at = raw.find(b"\n" + delimiter, max(pos - 1, part.start), end) + 1
            if at == 0:
                break
            self.delimiters += 1
            if self.delimiters > MAX_DELIMITERS:
                raise TooCostly("MIME boundaries")
            eol = raw.find(b"\n", at + size, end)
            eol = end if eol < 0 else eol
            rest = raw[at + size : min(eol, at + size + 200)].strip(b" \t\r")
            pos = eol + 1
            if rest not in (b"", b"--"):
                pos = eol
                if pos >= end:
                    break
                continue
            if begun >= 0:
                yield begun, max(begun, at - 2 if raw[at - 2 : at] == b"\r\n" else at - 1)
            if rest == b"--" or pos >= end:
                return
            begun = pos
        if begun >= 0:
            yield begun, end


def extract_text(raw: bytes, fields: Fields, start: int) -> str:
    """Return the text a person typed: the first text part that is not blank, plain before HTML.

    Attachments, enclosed mails, further text parts and the HTML alternative are ignored.
    """
    if b"content-type" not in fields and b"content-transfer-encoding" not in fields:
        return decode(raw[start : start + MAX_TEXT])
    walk = Walk(raw)
    return _extract_from(walk, walk.top(fields, start))


def _extract_from(walk: Walk, part: Part) -> str:
    if part.kind.startswith(b"multipart/"):
        spare = ""
        for child in walk.children(part):
            text = _extract_from(walk, child)
            if not any(map(str.strip, map(clean, text.split("\n", MAX_LINES)))):
                continue
            if part.kind != b"multipart/alternative" or child.kind != b"text/html":
                return text
            spare = spare or text
        return spare
    if part.kind not in (b"text/plain", b"text/html") or _is_attachment(part):
        return ""
    charset = part.parameters.get(b"charset", b"").decode("latin-1")
    if part.kind == b"text/html":
        return html_to_text(decode(decode_content(walk.raw, part), charset))
    text = decode(decode_content(walk.raw, part), charset)
    if part.parameters.get(b"format", b"").lower() == b"flowed":
        text = _unflow(text, part.parameters.get(b"delsp", b"").lower() == b"yes")
    if not _LEGACY.isdisjoint(part.parameters):
        text = _leave_out_header(text)
    return text


def _leave_out_header(text: str) -> str:
    """Return a text without the fields of the header that stand above it for programs that cannot
    decrypt (RFC 9788 4.10), in this part or in one of their own."""
    head, _, rest = text.lstrip("\r\n").replace("\r\n", "\n").partition("\n\n")
    lines = [line for line in head.split("\n") if line.strip()]
    return rest if lines and all(map(_HEADER_LINE.match, lines)) else text


def list_texts(raw: bytes) -> list[str]:
    """Return the texts of a mail of ours, plain and HTML."""
    fields, start = split_header(raw)
    walk = Walk(raw)
    return [text for text in _list_leaves(walk, walk.top(fields, start)) if text]


def _list_leaves(walk: Walk, part: Part) -> Iterator[str]:
    if part.kind.startswith(b"multipart/"):
        for child in walk.children(part):
            yield from _list_leaves(walk, child)
    else:
        yield _extract_from(walk, part)


def _is_attachment(part: Part) -> bool:
    disposition = get_first(part.fields, b"content-disposition").lower()
    return disposition.startswith(b"attachment") or b"filename" in disposition


def decode_content(raw: bytes, part: Part) -> bytes:
    """Return the beginning of a part's content, its transfer encoding decoded."""
    encoding = get_first(part.fields, b"content-transfer-encoding").strip().lower()
    if encoding.startswith(b"base64"):
        data = decode_base64(raw[part.start : min(part.end, part.start + 2 * MAX_TEXT)])
    elif encoding.startswith(b"quoted-printable"):
        data = binascii.a2b_qp(raw[part.start : min(part.end, part.start + 3 * MAX_TEXT)])
    elif encoding.startswith((b"x-uu", b"uuencode", b"x-gzip", b"x-yenc")):
        data = b""
    else:
        data = raw[part.start : min(part.end, part.start + MAX_TEXT)]
    return data[:MAX_TEXT]


def _unflow(text: str, delete: bool) -> str:
    """Join the lines of format=flowed and remove its stuffing (RFC 3676 4)."""
    lines: list[str] = []
    joined: list[str] = []
    depth = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        quote = _FLOWED_QUOTE.match(line)
        level = len(quote[0]) if quote else 0
        rest = line[level:]
        rest = rest.removeprefix(" ")
        if joined and (level != depth or rest == "-- " or not rest):
            lines.append("".join(joined))
            joined.clear()
        if not joined:
            depth = level
            if level:
                joined.append(">" * level + " ")
        if rest.endswith(" ") and rest != "-- ":
            joined.append(rest[:-1] if delete else rest)
            continue
        joined.append(rest)
        lines.append("".join(joined))
        joined.clear()
    if joined:
        lines.append("".join(joined))
    return "\n".join(lines)
