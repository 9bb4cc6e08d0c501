"""The page of a mail for who wants pictures (`mail=html`): the words of its text, the board as a
picture, moves as buttons.

What mail programs do to pages decides its form: styles stand in the elements, since some drop all
others; nothing is loaded; a dark page is asked for by a style sheet that they may ignore. The
picture is on a light card of its own, which can be seen on both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from urllib.parse import quote

from pbm.core.kernel.notices.content import Drawing
from pbm.mail.outgoing.rendering import clean

_SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO = "ui-monospace,Consolas,Menlo,'DejaVu Sans Mono',monospace"
_HEAD = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta name="supported-color-schemes" content="light dark">'
    "<title>{title}</title>"
    "<style>:root{{color-scheme:light dark}}@media(prefers-color-scheme:dark){{"
    ".sheet{{background:#17181b!important;color:#ece7dd!important}}"
    ".quiet{{color:#a59d90!important}}.rule{{border-color:#45423c!important}}"
    ".move{{background:#26303f!important;color:#cfe1ff!important;border-color:#4a617f!important}}"
    "}}</style></head>\n"
)
_BODY = '<body class="sheet" style="margin:0;padding:0;background:#ffffff;color:#22201c">\n'
_SHEET = (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>'
    '<td class="sheet" style="padding:12px;background:#ffffff;color:#22201c;'
    f'font:16px/1.45 {_SANS}">\n<div style="max-width:640px">\n'
)
_END = "</div>\n</td></tr></table>\n</body></html>\n"
_LEAD = '<p style="margin:0 0 12px;font-size:19px;font-weight:600">{}</p>'
_PARAGRAPH = '<p style="margin:0 0 12px">{}</p>'
_PRE = (
    '<pre style="margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere;'
    f'font:14px/1.4 {_MONO}">{{}}</pre>'
)
_FACTS = (
    '<pre class="quiet rule" style="margin:16px 0 0;padding-top:8px;border-top:1px solid #d9d2c5;'
    f'white-space:pre-wrap;overflow-wrap:anywhere;color:#6f675b;font:12px/1.4 {_MONO}">{{}}</pre>'
)
_QUOTE = (
    '<blockquote class="rule" style="margin:0 0 12px;padding-left:12px;'
    'border-left:3px solid #d9d2c5">{}</blockquote>'
)
_PICTURE = (
    '<p style="margin:0 0 12px"><img src="cid:{content_id}" width="{width}" alt="{words}" '
    'style="display:block;width:100%;max-width:{width}px;height:auto;border:0;border-radius:8px">'
    "</p>"
)
_MOVE = (
    '<a class="move" href="{link}" style="display:inline-block;min-width:24px;margin:0 8px 8px 0;'
    "padding:10px 12px;border:1px solid #a9bdd8;border-radius:6px;background:#eef4fc;"
    'color:#0b4aa2;text-align:center;text-decoration:none">{move}</a>'
)
_CHOICE = (
    '<p class="quiet" style="margin:0 0 6px;color:#6f675b;font-size:14px">'
    "Choose a move to open a reply with it, and send that.</p>"
)
_LARGER = 4 / 3
"""How much larger the picture is on a wide screen than on a phone."""
_SENTENCE_END = re.compile(r"[.!?:]$")


def build_picture_page(
    drawing: Drawing, svg: str, subject: str, body: str, reply_to: str, content_id: str
) -> str:
    """Return the page of a notice, made of its text `body`. In place of the text picture stands the
    one with that Content-ID, which is made of `svg`."""
    before, is_shown, after = body.partition(drawing.picture.text)
    if not is_shown:
        before, after = "", body
    picture = _PICTURE.format(
        content_id=escape(content_id),
        width=round(_LARGER * float(svg.partition(' width="')[2].partition('"')[0])),
        words=escape(" ".join(drawing.appearance.words().split())),
    )
    title = quote("Re: " + subject, safe="", errors="replace")
    address = f"mailto:{quote(reply_to, safe='@+')}?subject={title}"
    buttons = "\n".join(
        _build_button(move, drawing.appearance.describe(move), address) for move in drawing.moves
    )
    pieces = [
        *_build_blocks(before, is_first=True),
        picture,
        *([_CHOICE, f'<p style="margin:0 0 4px">{buttons}</p>'] if buttons else []),
        *_build_blocks(after, is_first=not before.strip()),
    ]
    head = _HEAD.format(title=escape(subject))
    return head + _BODY + _SHEET + clean("\n".join(pieces)) + "\n" + _END


def _build_button(move: str, shown: str, address: str) -> str:
    """Return a link that opens a reply with the move on its first line."""
    link = f"{address}&body={quote(move, safe='', errors='replace')}"
    return _MOVE.format(link=escape(link), move=escape(shown))


def _build_blocks(text: str, *, is_first: bool) -> Iterator[str]:
    """Yield the blocks of a text between blank lines, as elements."""
    text, has_facts, facts = f"\n{text}".partition("\n-- \n")
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        for kind, run in groupby(block.split("\n"), _classify):
            lines = list(run)
            if not any(lines):
                continue
            if kind == "quote":
                yield _QUOTE.format("<br>".join(escape(line[2:]) for line in lines))
            elif kind == "pre":
                yield _PRE.format(escape("\n".join(lines)))
            else:
                yield (_LEAD if is_first else _PARAGRAPH).format(_join_lines(lines))
                is_first = False
    if has_facts:
        yield _FACTS.format(escape(facts.strip("\n")))


def _classify(line: str) -> str:
    """Return what a line is part of: a quotation, something aligned, or a paragraph."""
    if line.startswith(">"):
        return "quote"
    return "pre" if line.startswith(" ") else "paragraph"


def _join_lines(lines: list[str]) -> str:
    """Return the lines of a paragraph: one that ends with a sentence keeps its end."""
    words = "".join(
        escape(line.rstrip()) + ("<br>" if _SENTENCE_END.search(line.rstrip()) else " ")
        for line in lines
    )
    return words.strip().removesuffix("<br>")
