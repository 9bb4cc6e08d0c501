"""The HTML part of a board's mail: the same text, with the picture in colours and moves as links.

Everything is escaped. Styles are inline, since mail programs drop others; nothing is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from urllib.parse import quote

from pbm.core.kernel.notices.content import Drawing
from pbm.mail.outgoing.rendering import clean
from pbm.rules.drawing.picture import LABEL, LAST, Picture

_NAMED = {
    "white": ("#1f1f1f", "#ffffff"),
    "black": ("#ffffff", "#1f1f1f"),
    "red": ("#ffffff", "#b3261e"),
    "blue": ("#ffffff", "#0b57d0"),
    "green": ("#ffffff", "#146c2e"),
    "yellow": ("#1f1f1f", "#f5d000"),
    "orange": ("#1f1f1f", "#ff9100"),
}
"""Text and background colours of seats that are named after a colour, readable on light and dark
pages."""
_PALETTE = tuple(
    ("#ffffff", ground)
    for ground in (
        "#00707a",
        "#7b1fa2",
        "#5d4037",
        "#37474f",
        "#ad1457",
        "#4527a0",
        "#33691e",
        "#8a5a00",
    )
)
"""Text and background colours of other seats, by number."""
_ROLES = {LABEL: "color:#6b6b6b", LAST: "background:#ffe27a;font-weight:bold"}
_HEAD = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light"><title>'
)
_BODY = '</title></head><body style="margin:0;padding:8px;background:#ffffff;color:#1f1f1f">'
_TEXT = '<pre style="margin:0;white-space:pre-wrap;font-family:monospace">'
_BOARD = (
    '<pre style="display:inline-block;box-sizing:border-box;max-width:100%;overflow-x:auto;'
    "margin:4px 0;padding:8px 12px;background:#f7f5ee;"
    'color:#1f1f1f;font-family:monospace;line-height:1.15">'
)
_LINK = '<a href="{}" style="color:#0b57d0;font-family:monospace">{}</a>'
_latest: list[tuple[Picture, tuple[str, ...], str]] = []
"""The latest board: mails to its other players show the same."""


def build_page(drawing: Drawing, subject: str, before: str, after: str, reply_to: str) -> str:
    """Return the page of a notice, made of its text before and after the picture. All lines end as
    lines of mails do."""
    pieces = [
        f"{_HEAD}{escape(subject)}{_BODY}",
        _render_lines(before),
        _render_board(drawing.picture, drawing.colours),
        _render_lines(after),
        "</body></html>\r\n",
    ]
    if drawing.moves:
        links = " &nbsp; ".join(_link(move, subject, reply_to) for move in drawing.moves)
        lines = clean(links).replace("\n", "\r\n")
        pieces.insert(3, f'<p style="margin:4px 0">{lines}</p>')
    return "\r\n".join([piece for piece in pieces if piece])


def _has_markup(text: str) -> bool:
    """Whether there is something to escape in a text; in most there is not."""
    return "&" in text or "<" in text or ">" in text


def _escape(text: str) -> str:
    """Return the text as it stands in a page."""
    return escape(text, quote=False) if _has_markup(text) else text


def _render_lines(text: str) -> str:
    text = text.strip("\r\n")
    return f"{_TEXT}{_escape(text)}</pre>" if text else ""


def _render_board(picture: Picture, colours: tuple[str, ...]) -> str:
    for latest, its_colours, html in _latest:
        if latest is picture and its_colours == colours:
            return html
    write = _escape if _has_markup(picture.text) else str
    rows = [
        _render_row(line, tuple(roles.items()), colours) if roles else write(line)
        for line, roles in zip(picture.lines, picture.roles, strict=True)
    ]
    html = _BOARD + "\r\n".join(rows) + "</pre>"
    _latest[:] = [(picture, colours, html)]
    return html


@lru_cache(2048)
def _render_row(line: str, roles: tuple[tuple[int, str], ...], colours: tuple[str, ...]) -> str:
    """Return a row of a picture with the columns that have a role; most such rows are the same on
    many boards."""
    pieces, at = list[str](), 0
    for start, end, role in _find_runs(line, roles):
        if style := find_style(role, colours):
            text = _escape(line[start:end])
            pieces.append(f'{_escape(line[at:start])}<span style="{style}">{text}</span>')
            at = end
    return "".join(pieces) + _escape(line[at:])


def _find_runs(line: str, roles: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield where each run of one role starts and ends in a row, with labels that only blanks
    separate as one run: a page is sent with each mail."""
    start = end = -1
    running = ""
    for column, role in sorted(roles):
        if role == running and (column == end or (role == LABEL and line[end:column].isspace())):
            end = column + 1
            continue
        if running:
            yield start, end, running
        start, end, running = column, column + 1, role
    yield start, end, running


@lru_cache(256)
def find_style(role: str, colours: tuple[str, ...] = ()) -> str:
    """Return the inline style of a role in the picture, "" for an unknown role; `colours` are the
    names of the seats."""
    seat = role.removeprefix("seat")
    if seat != role and seat.isdecimal() and seat.isascii():
        number = int(seat)
        name = colours[number] if number < len(colours) else ""
        letters, ground = _NAMED.get(name, _PALETTE[number % len(_PALETTE)])
        return f"color:{letters};background:{ground};font-weight:bold"
    return _ROLES.get(role, "")


def _link(move: str, subject: str, reply_to: str) -> str:
    """Return a mailto link that opens a reply with the move on its first line."""
    title = quote("Re: " + subject, safe="", errors="replace")
    address = f"mailto:{quote(reply_to, safe='@+')}?subject={title}"
    return _LINK.format(
        escape(f"{address}&body={quote(move, safe='', errors='replace')}"), escape(move)
    )
