"""Finds the text that the writer of a mail typed, outside attachments and enclosed mails."""

from __future__ import annotations

import binascii
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbm.mail.headers import (
    MAX_CHARS,
    MAX_DELIMITERS,
    MAX_DEPTH,
    MAX_LINES,
    MAX_PARTS,
    MAX_TEXT,
    Fields,
    TooCostly,
    decode_base64,
    get_first,
    split_header,
)
from pbm.mail.text import clean, decode

_TYPE = re.compile(rb"\s*([\w.+-]+)\s*/\s*([\w.+-]+)")
_PARAMETER = re.compile(
    rb";\s*([\w-]+)(?:\*0?)?\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;\s]*))", re.DOTALL
)
_IN_NOTES = (b"text/", b"image/")
_SIGNATURE = re.compile(rb"application/(?:pgp|(?:x-)?pkcs7)-signature")
_LEGACY = frozenset({b"protected-headers", b"hp-legacy-display"})
_HEADER_LINE = re.compile(
    r"[ \t]|(?:subject|from|to|cc|date|reply-to|followup-to|message-id|newsgroups)[ \t]*:",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MimePart:
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

    def top(self, fields: Fields, start: int) -> MimePart:
        """Return the mail itself as a part; its header section has been read."""
        return self._build_part(fields, start, len(self.raw), 0, b"text/plain")

    def children(self, part: MimePart) -> Iterator[MimePart]:
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

    def _build_part(
        self, fields: Fields, start: int, end: int, depth: int, default: bytes
    ) -> MimePart:
        value = get_first(fields, b"content-type")
        match = _TYPE.match(value)
        if match is None:
            return MimePart(fields, default if not value else b"text/plain", {}, start, end, depth)
        kind = (match[1] + b"/" + match[2]).lower()
        parameters: dict[bytes, bytes] = {}
        for match in _PARAMETER.finditer(value):
            text = match[2].replace(b"\\", b"") if match[2] is not None else match[3]
            parameters.setdefault(match[1].lower(), text)
        return MimePart(fields, kind, parameters, start, end, depth)

    def _split_bodies(self, part: MimePart, delimiter: bytes) -> Iterator[tuple[int, int]]:
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
    """Return the text a person typed: the text parts one below the other, plain before HTML.

    Attachments, enclosed mails and the HTML alternative are ignored; a part with the name of a file
    is the text where there is no other.
    """
    if b"content-type" not in fields and b"content-transfer-encoding" not in fields:
        return decode(raw[start : start + MAX_TEXT])
    for takes_named in (False, True):
        walk = Walk(raw)
        if text := _extract_from(walk, walk.top(fields, start), takes_named=takes_named):
            return text
    return ""


def _extract_from(walk: Walk, part: MimePart, *, takes_named: bool = False) -> str:
    if part.kind.startswith(b"multipart/"):
        texts, spare = list[str](), ""
        for child in walk.children(part):
            text = _extract_from(walk, child, takes_named=takes_named)
            if not any(map(str.strip, map(clean, text.split("\n", MAX_LINES)))):
                continue
            if part.kind == b"multipart/alternative" and child.kind == b"text/html":
                spare = spare or text
                continue
            texts.append(text.strip("\r\n"))
            if part.kind != b"multipart/mixed" or sum(map(len, texts)) > MAX_CHARS:
                break
        return "\n\n".join(texts) or spare
    if part.kind not in (b"text/plain", b"text/html") or _is_attachment(part, takes_named):
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
    """Return the texts of a mail of the server, plain and HTML."""
    walk = Walk(raw)
    return [text for part in _list_leaves(walk) if (text := _extract_from(walk, part))]


def read_note(raw: bytes) -> list[str] | None:
    """Return the texts of a mail that has nothing else but pictures within them and signatures,
    HTML as its source; None where it has an attachment or an enclosed mail, or no part at all."""
    walk = Walk(raw)
    texts = []
    for part in _list_leaves(walk):
        if _SIGNATURE.match(part.kind):
            continue
        is_picture = part.kind.startswith(b"image/")
        if _is_attachment(part, takes_named=is_picture) or not part.kind.startswith(_IN_NOTES):
            return None
        if not is_picture:
            texts.append(decode_content(raw, part).decode("latin-1"))
    return texts or None


def _list_leaves(walk: Walk) -> Iterator[MimePart]:
    """Yield the parts of a mail that have no parts themselves."""
    parts = [walk.top(*split_header(walk.raw))]
    while parts:
        part = parts.pop()
        if part.kind.startswith(b"multipart/"):
            parts += reversed(list(walk.children(part)))
        else:
            yield part


def _is_attachment(part: MimePart, takes_named: bool) -> bool:
    disposition = get_first(part.fields, b"content-disposition").lower()
    is_named = b"filename" in disposition and not takes_named
    return disposition.startswith(b"attachment") or is_named


def decode_content(raw: bytes, part: MimePart) -> bytes:
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
    lines: list[list[str]] = []
    flowing = -1  # the depth of the quote whose last line goes on
    for line in text.replace("\r\n", "\n").split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        rest = line[depth:].removeprefix(" ")
        goes_on = rest.endswith(" ") and rest != "-- "
        if depth != flowing or rest in ("", "-- "):
            lines.append([">" * depth + " "] if depth else [])
        lines[-1].append(rest[:-1] if goes_on and delete else rest)
        flowing = depth if goes_on else -1
    return "\n".join(map("".join, lines))


# Writes HTML as a mail of text would have it: a quotation is a marked quote, and a rule is a
# row of dashes, so that one set of rules tells what the writer's own lines are.

_BLOCKS = frozenset(
    {"p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "h1", "h2", "h3", "h4", "h5"}
    | {"h6", "pre", "center", "section", "article", "header", "footer", "form", "body", "html"}
    | {"tbody", "thead", "caption", "address", "fieldset", "blockquote", "figure", "hr"}
)
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "noscript", "template", "svg"})
_VOID = frozenset(
    {"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "wbr", "source"}
)
_INSTEAD = {"hr": "-----", "/p": ""}
"""The line that stands for a tag."""
_HIDDEN = re.compile(r"display *: *none|visibility *: *hidden|mso-hide *: *all", re.IGNORECASE)
_NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9:-]{0,30}")
_STOP = re.compile(r"[>\"']")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_LONG_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9A-Fa-f]{7,});?")
_ATTRIBUTES = 2000  # characters of a tag that are examined


def html_to_text(source: str) -> str:
    """Return the text of an HTML document, one line per block, behind as many marks as there are
    quotations around it, and without hidden elements. It ends at a tag that is not closed, and at
    the maximum of lines."""
    lines: list[str] = []
    line: list[str] = []
    skipped = ""  # name of the element being skipped; `depth` counts how often it nests
    depth = pre = quotes = 0

    def end_line(*, is_kept: bool = False) -> None:
        """End the current line, which is not kept if it is empty."""
        whole = html.unescape(_LONG_NUMBER.sub("", "".join(line)))
        if not pre:
            whole = _BLANKS.sub(" ", whole.replace("\u00a0", " ")).strip()
        if whole or is_kept:
            add(whole)
        line.clear()

    def add(whole: str) -> None:
        lines.append(f"{'>' * quotes} {whole}" if quotes else whole)

    for text, tag, attributes in _split_tags(source):
        name, closes = tag.lstrip("/"), tag.startswith("/")
        if skipped:
            depth += (name == skipped) * (-1 if closes else 1)
            skipped = skipped if depth else ""
            continue
        first, *others = text.replace("\r", "").split("\n") if pre else [_BLANKS.sub(" ", text)]
        line.append(first)
        for other in others:
            end_line(is_kept=True)
            line.append(other)
        if len(lines) > MAX_LINES:
            break
        if name in _BLOCKS or tag == "br":
            end_line(is_kept=tag == "br")
        elif tag in ("td", "th"):
            line.append(" ")
        if tag in _INSTEAD:
            add(_INSTEAD[tag])
        if name == "pre":
            pre = max(0, pre + (-1 if closes else 1))
        if name == "blockquote":
            quotes = max(0, quotes + (-1 if closes else 1))
            lines += [] if closes else [">" * quotes]
        if _HIDDEN.search(attributes) and not closes and name not in _VOID:
            end_line()
            skipped, depth = name, 1
    end_line()
    return "\n".join(lines)


def _split_tags(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield each text of a document, the tag behind it, with `/` if it closes an element, and that
    one's attributes, up to a tag without an end. It takes one pass over the characters."""
    begin = at = 0
    missing = {'"': False, "'": False}
    while (at := source.find("<", at)) >= 0:
        name = _NAME.match(source, at + 1)
        if name is None and source[at + 1 : at + 2] not in ("!", "?", "/"):
            at += 1
            continue
        if source.startswith("<!--", at):
            end = source.find("-->", at + 4)
            end += 2 if end > 0 else 0
        elif name is None:
            end = source.find(">", at + 2)
        else:
            end = _find_tag_end(source, name.end(), missing)
        if end < 0:
            break
        tag = name[0].lower() if name is not None else ""
        shown = source[name.end() : min(end, name.end() + _ATTRIBUTES)] if name is not None else ""
        yield source[begin:at], tag, shown
        begin = at = end + 1
        if tag in _RAW:
            over = re.compile(rf"</{tag}\b", re.IGNORECASE).search(source, at)
            if over is None:
                return
            begin = at = over.start()
    yield source[begin:at] if at >= 0 else source[begin:], "", ""


def _find_tag_end(source: str, pos: int, missing: dict[str, bool]) -> int:
    """Return the index of a tag's `>`, ignoring quoted values; -1 if it has none."""
    while (stop := _STOP.search(source, pos)) is not None:
        char = stop[0]
        if char == ">":
            return stop.start()
        pos = stop.end()
        if missing[char] or not source[max(0, pos - 9) : pos - 1].rstrip().endswith("="):
            continue
        end = source.find(char, pos)
        missing[char] = end < 0
        pos = max(pos, end + 1)
    return -1
