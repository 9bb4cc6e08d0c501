"""Extracts the text that a person wrote in an HTML part, without quotes."""

import html
import re

from pbm.mail.incoming.message.limits import MAX_LINES

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
    """Return where the `>` of a tag is, ignoring quoted values; -1 if it has none."""
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
