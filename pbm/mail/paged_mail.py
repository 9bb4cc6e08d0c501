"""Mails with a page beside their text, most of which show a board as a picture. A mail is stored
with what its page and its picture are made of; they are made when the mail is sent."""

from __future__ import annotations

import json
import quopri
from base64 import encodebytes
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec
import structlog
from msgspec.structs import asdict

from pbm.core.notices import Drawing
from pbm.mail.picture_page import PageFacts, build_page, keep_whole_rows, name_picture
from pbm.pictures.mailed_board import (
    BoardPicture,
    describe_written_board,
    draw_written_board,
    write_board,
)
from pbm.pictures.png import MOST_BYTES

# Texts as the parts of mails.

ENCODED = "Content-Transfer-Encoding: quoted-printable"
_UNENCODED = "Content-Transfer-Encoding: 7bit"
BOUNDARY = "=_pbm_"
"""Quoted-printable text cannot contain it: there `=` is followed by two hexadecimal digits. Text
that contains it is encoded."""
_LONGEST_LINE = 991
"""Longer lines, with the first character of their ends, are encoded: SMTP allows 998 without."""


def build_part(boundary: str, name: str, text: str) -> tuple[str, ...]:
    """Return the lines of a part; the last one is all that it says."""
    kind, written = encode_text(text, name)
    return f"--{boundary}", *kind, "", written


def join_lines(*lines: str) -> bytes:
    return "\r\n".join(lines).encode("ascii")


def encode_quoted_printable(text: str) -> str:
    written = quopri.encodestring(text.encode("utf-8", "replace"))
    return written.replace(b"\n", b"\r\n").decode("ascii")


def end_lines(text: str) -> str:
    """Return the text with the ends that lines of mails have."""
    return text.replace("\n", "\r\n")


end_lines_of_picture = lru_cache(maxsize=1)(end_lines)
"""The same for a picture: mails to both players of a board show the same."""


def encode_text(text: str, kind: str = "plain") -> tuple[tuple[str, str], str]:
    """Return a text as sent, and the headers that describe its encoding."""
    if text.isascii() and BOUNDARY not in text and not _has_long_line(text):
        return (f"Content-Type: text/{kind}; charset=us-ascii", _UNENCODED), text
    written = encode_quoted_printable(text.replace("\r\n", "\n"))
    return (f"Content-Type: text/{kind}; charset=utf-8", ENCODED), written


def _has_long_line(text: str) -> bool:
    """Whether a line is too long to be sent unencoded."""
    # Searching each stretch for its last line end takes a tenth of the time of splitting.
    at, size = 0, len(text)
    while size - at > _LONGEST_LINE:
        end = text.rfind("\n", at, at + _LONGEST_LINE + 1)
        if end < 0:
            return True
        at = end + 1
    return False


# Mails with a page.

log = structlog.get_logger()

Draw = Callable[[str, int], BoardPicture | None]
"""Draws a board that is written as a line, with a PNG of at most so many bytes; None when there is
no picture of it. May raise `NotYet` and `TooBusy`."""
_PICTURED = "=_pbm_pictured_"
"""The boundary of mails with a picture, by which they are known. Quoted-printable text contains no
boundary of ours: there `=` is followed by two hexadecimal digits."""
_RELATED = "=_pbm_related_"
_MARK = f'\r\nContent-Type: multipart/alternative; boundary="{_PICTURED}"\r\n'
_OPENING = f"--{_PICTURED}\r\nContent-Type: application/vnd.pbm.board\r\n\r\n"
_CLOSING = f"--{_PICTURED}--\r\n"
_MOST_MAIL = 59_000
"""How large a mail with a picture may be; larger boards get coarser pictures."""
_SIZES = (MOST_BYTES, MOST_BYTES // 2, MOST_BYTES // 4)
_MOST_PAGE = 99_000
"""How large a mail may be that somebody asked for, with several pictures in its text."""
_MOST_FIGURE, _MOST_FIGURES = 12_000, 48_000
"""How large the PNG of a figure may be, and of all together, of which most mails are small
enough."""


class NotYet(Exception):
    """The picture is being drawn."""


class TooBusy(Exception):
    """There are too many mails for pictures."""


def store_page(
    head: Sequence[str],
    body: str,
    drawing: Drawing | None,
    facts: PageFacts,
    lessons: Sequence[str] = (),
) -> bytes:
    """Return a mail in stored form: its text, and on further lines the board, if it shows one, the
    lessons that are the figures in its text, and the other data of its page."""
    text = build_part(_PICTURED, "plain", body)
    board = "" if drawing is None else write_board(drawing, facts.language)
    rest = json.dumps(asdict(facts), default=asdict)
    mark = _MARK.strip("\r\n")
    shown = (_OPENING + board, *lessons)
    return join_lines(*head, "MIME-Version: 1.0", mark, "", *text, *shown, rest, _CLOSING)


def has_page(message: bytes) -> bool:
    """Whether a mail is stored with what its page is made of."""
    return message.find(_MARK.encode(), 0, message.find(b"\r\n\r\n") + 2) >= 0


def finish_mail(message: bytes, draw: Draw) -> bytes:
    """Return a stored mail as it is sent: its text, and a page with the pictures, or with boards as
    text where there are none, since a mail matters more than its pictures; its text alone while the
    server is too busy. Where they do not all fit, the largest are left out."""
    before, boards, facts = _split(message)
    sizes: tuple[int, ...] = _SIZES
    limit = _MOST_MAIL
    if facts.figures:
        first = min(_MOST_FIGURE, _MOST_FIGURES // len(facts.figures))
        sizes, limit = (first, first // 2), _MOST_PAGE
    pictures = list[BoardPicture | None]()
    for most in sizes if any(boards) else ():
        try:
            pictures = [draw(each, most) if each else None for each in boards]
        except TooBusy:
            return before + _CLOSING.encode()
        sent = _join(before, facts, pictures)
        if len(sent) <= limit:
            return sent
    while any(pictures):
        lengths = [len(picture.png) if picture else 0 for picture in pictures]
        pictures[lengths.index(max(lengths))] = None
        sent = _join(before, facts, pictures)
        if len(sent) <= limit:
            return sent
    return _join(before, facts, [])


def draw_at_once(board: str, most: int) -> BoardPicture | None:
    """Draw here and now; None when the board cannot be drawn, for whatever reason."""
    try:
        return draw_written_board(board, most)
    except Exception as error:
        log.error("picture", exc_info=error)
        return None


def build_page_of(message: bytes) -> str:
    """Return the page of a stored mail without its picture, as its reader may quote it; "" when the
    game is not there any more."""
    before, boards, facts = _split(message)
    try:
        described = [describe_written_board(each) if each else None for each in boards]
    except (ValueError, LookupError):
        return ""
    return build_page(_read_text(before), facts, *described)


def _split(message: bytes) -> tuple[bytes, list[str], PageFacts]:
    """Return what comes before the page, the board as it was written, or "", and the figures, and
    what else the page needs."""
    before, _, rest = message.partition(_OPENING.encode())
    *boards, page = rest.partition(f"\r\n{_CLOSING}".encode())[0].decode("ascii").split("\r\n")
    return before, boards, msgspec.json.decode(page, type=PageFacts)


def _read_text(before: bytes) -> str:
    """Return the text part, with the lines it was written with."""
    head, _, written = before.partition(f"--{_PICTURED}\r\n".encode())[2].partition(b"\r\n\r\n")
    written = written.removesuffix(b"\r\n")
    if b"quoted-printable" in head:
        written = quopri.decodestring(written)
    return written.decode("utf-8", "replace").replace("\r\n", "\n")


def _join(before: bytes, facts: PageFacts, pictures: Sequence[BoardPicture | None]) -> bytes:
    """Return the mail of its text and its page, with those of its pictures that it shows."""
    shown = keep_whole_rows(facts, pictures)
    html = end_lines(build_page(_read_text(before), facts, *shown))
    if not any(shown):
        return before + join_lines(*build_part(_PICTURED, "html", html), _CLOSING)
    related = f'Content-Type: multipart/related; boundary="{_RELATED}"; type="text/html"'
    lines = [f"--{_PICTURED}", related, "", *build_part(_RELATED, "html", html)]
    for number, picture in enumerate(shown):
        if picture is not None:
            lines += [
                f"--{_RELATED}",
                "Content-Type: image/png",
                "Content-Transfer-Encoding: base64",
                f"Content-ID: <{name_picture(facts, number)}>",
                f'Content-Disposition: inline; filename="board{number or ""}.png"',
                "",
                encodebytes(picture.png).decode("ascii").replace("\n", "\r\n").strip(),
            ]
    return before + join_lines(*lines, f"--{_RELATED}--", _CLOSING)
