"""Mails with a page beside their text, most of which show a board as a picture. A mail is stored
with what its page and its picture are made of; they are made when the mail is sent."""

from __future__ import annotations

import json
import quopri
from base64 import encodebytes
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import asdict

from pbm.core.notices import Drawing
from pbm.mail.encoding import build_part, end_lines, join_lines
from pbm.mail.picture_page import PageFacts, build_page
from pbm.pictures.mailed_board import (
    BoardPicture,
    describe_written_board,
    draw_written_board,
    write_board,
)
from pbm.pictures.png import MOST_BYTES

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


class NotYet(Exception):
    """The picture is being drawn."""


class TooBusy(Exception):
    """There are so many mails that none gets a picture."""


def store_page(head: Sequence[str], body: str, drawing: Drawing | None, facts: PageFacts) -> bytes:
    """Return a mail as it is stored: its text, and on two lines the board, if it shows one, and
    what else its page needs."""
    text = build_part(_PICTURED, "plain", body)
    board = "" if drawing is None else write_board(drawing, facts.language)
    rest = json.dumps(asdict(facts))
    mark = _MARK.strip("\r\n")
    lines = (*head, "MIME-Version: 1.0", mark, "", *text, _OPENING + board, rest, _CLOSING)
    return join_lines(*lines)


def has_page(message: bytes) -> bool:
    """Whether a mail is stored with what its page is made of."""
    return message.find(_MARK.encode(), 0, message.find(b"\r\n\r\n") + 2) >= 0


def finish_mail(message: bytes, draw: Draw) -> bytes:
    """Return a stored mail as it is sent: its text, and a page with the picture, or with the board
    as text where there is none, since a mail matters more than its picture; its text alone while
    the server is too busy."""
    before, board, facts = _split(message)
    text = ""
    for most in _SIZES if board else ():
        try:
            picture = draw(board, most)
        except TooBusy:
            return before + _CLOSING.encode()
        text = text or _read_text(before)
        if picture is None:
            break
        sent = _join(before, facts, picture, build_page(text, facts, picture))
        if len(sent) <= _MOST_MAIL:
            return sent
    return _join(before, facts, None, build_page(text or _read_text(before), facts, None))


def draw_at_once(board: str, most: int) -> BoardPicture | None:
    """Draw here and now; None when the board cannot be drawn, for whatever reason."""
    try:
        return draw_written_board(board, most)
    except Exception as error:
        import structlog  # the command line composes mails too, and starts without it

        structlog.get_logger().error("picture", exc_info=error)
        return None


def build_page_of(message: bytes) -> str:
    """Return the page of a stored mail without its picture, as its reader may quote it; "" when the
    game is not there any more."""
    before, board, facts = _split(message)
    if not board:
        return build_page(_read_text(before), facts, None)
    try:
        described = describe_written_board(board)
    except (ValueError, LookupError):
        return ""
    return build_page(_read_text(before), facts, described)


def _split(message: bytes) -> tuple[bytes, str, PageFacts]:
    """Return what comes before the page, the board as it was written, and what else the page
    needs."""
    before, _, rest = message.partition(_OPENING.encode())
    board, page, *_ = rest.decode("ascii").split("\r\n")
    return before, board, msgspec.json.decode(page, type=PageFacts)


def _read_text(before: bytes) -> str:
    """Return the text part, with the lines it was written with."""
    head, _, written = before.partition(f"--{_PICTURED}\r\n".encode())[2].partition(b"\r\n\r\n")
    written = written.removesuffix(b"\r\n")
    if b"quoted-printable" in head:
        written = quopri.decodestring(written)
    return written.decode("utf-8", "replace").replace("\r\n", "\n")


def _join(before: bytes, facts: PageFacts, picture: BoardPicture | None, html: str) -> bytes:
    """Return the mail of its text and its page."""
    if picture is None:
        return before + join_lines(*build_part(_PICTURED, "html", end_lines(html)), _CLOSING)
    related = f'Content-Type: multipart/related; boundary="{_RELATED}"; type="text/html"'
    opening = (f"--{_PICTURED}", related, "", *build_part(_RELATED, "html", end_lines(html)))
    image = (
        f"--{_RELATED}",
        "Content-Type: image/png",
        "Content-Transfer-Encoding: base64",
        f"Content-ID: <{facts.content_id}>",
        'Content-Disposition: inline; filename="board.png"',
        "",
        encodebytes(picture.png).decode("ascii").replace("\n", "\r\n") + f"--{_RELATED}--",
        _CLOSING,
    )
    return before + join_lines(*opening, *image)
