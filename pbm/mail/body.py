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
_LEGACY = frozenset({b"protected-headers", b"hp-legacy-display"})
_HEADER_LINE = re.compile(
    r"[ \t]|(?:subject|from|to|cc|date|reply-to|followup-to|message-id|newsgroups)[ \t]*:",
    re.IGNORECASE,
)
_FLOWED_QUOTE = re.compile(r">+")


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
    fields, start = split_header(raw)
    walk = Walk(raw)
    return [text for text in _list_leaves(walk, walk.top(fields, start)) if text]


def _list_leaves(walk: Walk, part: MimePart) -> Iterator[str]:
    if part.kind.startswith(b"multipart/"):
        for child in walk.children(part):
            yield from _list_leaves(walk, child)
    else:
        yield _extract_from(walk, part)


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


# Extracts the text that a person wrote in an HTML part, without quotes.

_BREAKS = frozenset({"br", "hr"})
_BLOCKS = frozenset(
    {"p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "h1", "h2", "h3", "h4", "h5"}
    | {"h6", "pre", "center", "section", "article", "header", "footer", "form", "body", "html"}
    | {"tbody", "thead", "caption", "address", "fieldset", "blockquote", "figure"}
)
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "noscript", "template", "svg"})
_VOID = frozenset(
    {"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "wbr", "source"}
)
# Elements, by class or id, with what others wrote or what the mail program added.
_QUOTED = re.compile(
    r"gmail_quote|gmail_attr|gmail_signature|yahoo_quoted|yahoo-quoted|moz-cite-prefix"
    r"|moz-signature|protonmail_quote|protonmail_signature|tutanota_quote|zmail_extra"
    r"|mail_quote|quote-header|reply-?quote|applemailsignature|ms-outlook-mobile-signature"
    r"|\bsignature\b|edo-original|edo-signature|fm-quote|cite-?prefix|replyheader|quoted-?text",
    re.IGNORECASE,
)
# Elements after which everything is quoted.
_END = re.compile(
    r"appendonsend|divrplyfwdmsg|stopspelling|moz-forward-container|isforwardcontent"
    r"|isreplycontent|replysplit|olk_src_body_section|ms-outlook-mobile-reference-message"
    r"|mail-editor-reference-message|outlookmessageheader|reply-intro|originalcontent"
    r"|forwardedmessage|aolreplacedbody|mailcontainerbody_quoted",
    re.IGNORECASE,
)
_STYLE = re.compile(r"border-left *:(?! *(?:none|0|medium none|initial|inherit))", re.IGNORECASE)
_HIDDEN = re.compile(r"display *: *none|visibility *: *hidden|mso-hide *: *all", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(class|id|style|type|name)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:-]{0,30}")
_STOP = re.compile(r"[>\"']")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_LONG_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9A-Fa-f]{7,});?")
_ATTRIBUTES = 2000  # characters of a tag that are examined


def html_to_text(source: str) -> str:
    """Return the text of an HTML document without quoted and hidden elements, one line per block.

    It takes one pass over the characters. A tag that is not closed ends the text, as does the
    maximum of lines.
    """
    lines: list[str] = []
    line: list[str] = []
    skipped = ""  # name of the element being skipped; `depth` counts how often it nests
    depth = pre = pos = 0
    missing = {'"': False, "'": False}

    def flush(force: bool = False) -> None:
        """End the current line, unless it is empty."""
        whole = _resolve_entities("".join(line))
        if not pre:
            whole = _BLANKS.sub(" ", whole.replace("\u00a0", " ")).strip()
        if whole or force:
            lines.append(whole)
        line.clear()

    while len(lines) <= MAX_LINES:
        at = source.find("<", pos)
        piece = source[pos:] if at < 0 else source[pos:at]
        if piece and not skipped:
            if pre:
                first, *rest = piece.replace("\r", "").split("\n")
                line.append(first)
                for more in rest:
                    flush(force=True)
                    line.append(more)
            else:
                line.append(_BLANKS.sub(" ", piece))
        if at < 0:
            break
        if source.startswith("<!--", at):
            end = source.find("-->", at + 4)
            if end < 0:
                break
            pos = end + 3
            continue
        mark = source[at + 1 : at + 2]
        closing = mark == "/"
        name = _NAME.match(source, at + 1 + closing)
        if name is None:
            if mark in ("!", "?", "/"):
                end = source.find(">", at + 2)
                if end < 0:
                    break
                pos = end + 1
            else:
                if not skipped:
                    line.append("<")
                pos = at + 1
            continue
        end = _find_tag_end(source, name.end(), missing)
        if end < 0:
            break
        pos = end + 1
        tag = name[0].lower()
        if skipped:
            if tag == skipped:
                depth += -1 if closing else 1
                if depth == 0:
                    skipped = ""
            continue
        if tag in _RAW and not closing:
            over = re.compile(rf"</{tag}\b", re.IGNORECASE).search(source, pos)
            if over is None:
                break
            pos = over.start()
            continue
        if tag in _BREAKS:
            flush(force=tag == "br")
        elif tag in _BLOCKS:
            flush()
            if tag == "p" and closing:
                lines.append("")
        elif tag in ("td", "th") and not closing:
            line.append(" ")
        if tag == "pre":
            flush()
            pre = max(0, pre + (-1 if closing else 1))
        if closing:
            continue
        verdict = _classify(tag, source[name.end() : min(end, name.end() + _ATTRIBUTES)])
        if verdict == "end":
            break
        if verdict == "skip" and tag not in _VOID:
            flush()
            skipped, depth = tag, 1
    flush()
    return "\n".join(lines)


def _find_tag_end(source: str, pos: int, missing: dict[str, bool]) -> int:
    """Return the index of a tag's `>`, ignoring quoted values; -1 if it has none."""
    while True:
        stop = _STOP.search(source, pos)
        if stop is None:
            return -1
        char = stop[0]
        if char == ">":
            return stop.start()
        pos = stop.end()
        if missing[char] or not source[max(0, pos - 9) : pos - 1].rstrip().endswith("="):
            continue
        end = source.find(char, pos)
        if end < 0:
            missing[char] = True
        else:
            pos = end + 1


def _classify(tag: str, attributes: str) -> str:
    """Return whether to skip an element ("skip"), to stop at it ("end") or to keep it ("")."""
    if tag == "blockquote":
        return "skip"
    if "=" not in attributes:
        return ""
    for match in _ATTRIBUTE.finditer(attributes):
        value = match[2] or match[3] or match[4] or ""
        key = match[1].lower()
        if key == "style":
            if _STYLE.search(value) or _HIDDEN.search(value):
                return "skip"
        elif key == "type":
            if tag == "div" and value.lower() == "cite":
                return "skip"
        elif _END.search(value):
            return "end"
        elif _QUOTED.search(value) or (key == "name" and value.lower() == "quote"):
            return "skip"
    return ""


def _resolve_entities(piece: str) -> str:
    """Resolve character references and drop numbers too long for one."""
    if "&" not in piece:
        return piece
    return html.unescape(_LONG_NUMBER.sub("", piece))
