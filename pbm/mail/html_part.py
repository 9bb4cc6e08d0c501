"""The HTML twin of a board's mail: the same words with the board in colours and the moves as links.

Everything is escaped; styles are inline, since mail programs drop others. It loads nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from pbm.rules.picture import LABEL, LAST, PLAIN, Picture

_SEATS = ("#b3261e", "#0b57d0", "#146c2e", "#8a5a00", "#7b1fa2", "#00707a", "#5d4037", "#37474f")
_ROLES = {LABEL: "color:#6b6b6b", LAST: "background:#ffe27a;font-weight:bold"}
_PAGE = (
    '<!DOCTYPE html><html><head><meta charset="utf-8"></head>'
    '<body style="margin:0;padding:8px;background:#ffffff;color:#1f1f1f">'
)
_TEXT = '<pre style="margin:0;white-space:pre-wrap;font-family:monospace">'
_BOARD = (
    '<pre style="display:inline-block;margin:4px 0;padding:8px 12px;background:#f7f5ee;'
    'color:#1f1f1f;font-family:monospace;line-height:1.15">'
)
_LINK = '<a href="{}" style="color:#0b57d0;font-family:monospace">{}</a>'


def html_of(data: Mapping[str, Any], subject: str, body: str, reply_to: str) -> str:
    """The page of a notice: `body` is its text, in which `data["picture"]` stands as text, and
    `data["moves"]` are the legal moves of whom it goes to, if few."""
    picture: Picture = data["picture"]
    before, found, after = body.partition(picture.text)
    if not found:
        before, after = "", body
    pieces = [_PAGE, _lines(before), _board(picture), _lines(after)]
    moves: Sequence[str] = data.get("moves", ())
    if moves:
        links = " &nbsp; ".join(_link(move, subject, reply_to) for move in moves)
        pieces.insert(3, f'<p style="margin:4px 0">{links}</p>')
    return "\n".join(piece for piece in pieces if piece) + "\n</body></html>\n"


def _lines(text: str) -> str:
    text = text.strip("\n")
    return f"{_TEXT}{escape(text)}</pre>" if text else ""


def _board(picture: Picture) -> str:
    rows = ("".join(_run(text, role) for text, role in row) for row in picture.rows)
    return _BOARD + "\n".join(rows) + "</pre>"


def _run(text: str, role: str) -> str:
    style = "" if role == PLAIN else style_of(role)
    return f'<span style="{style}">{escape(text)}</span>' if style else escape(text)


def style_of(role: str) -> str:
    """The inline style of a run's role; "" for one that is not known."""
    seat = role.removeprefix("seat")
    if seat != role and seat.isdecimal() and seat.isascii():
        return f"color:{_SEATS[int(seat) % len(_SEATS)]};font-weight:bold"
    return _ROLES.get(role, "")


def _link(move: str, subject: str, reply_to: str) -> str:
    """A link that opens an answer with the move on its first line."""
    title = quote("Re: " + subject, safe="", errors="replace")
    where = f"mailto:{quote(reply_to, safe='@+')}?subject={title}"
    return _LINK.format(
        escape(f"{where}&body={quote(move, safe='', errors='replace')}"), escape(move)
    )
