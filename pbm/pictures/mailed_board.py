"""Draws the board of a mail from what the mail was stored with: a position as text, and who looks
at it."""

from __future__ import annotations

import json
from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from pbm.core.notices import Appearance, Drawing
from pbm.games import get_game
from pbm.locale import ENGLISH, translate
from pbm.pictures.board_picture import draw_board
from pbm.pictures.png import PictureError, make_png
from pbm.rules import Picture

_FEW_MOVES = 24
"""How many moves a mail offers as links."""
_NO_TEXT = Picture((), ())


class BoardPicture(Struct, frozen=True):
    """A board as a mail shows it.

    png    the picture
    width  how wide it is on a phone, in pixels
    words  the position in words, for who does not see the picture
    moves  the reader's legal moves, if few, each with how players write it
    """

    png: bytes
    width: float
    words: str
    moves: tuple[tuple[str, str], ...] = ()


class _WrittenBoard(Struct, frozen=True):
    """A board as a mail is stored with it; `position` is encoded, `language` its reader's."""

    position: str
    viewer: int | None
    last: tuple[str, ...]
    is_stopped: bool
    colours: tuple[str, ...]
    offers_moves: bool
    language: str = ENGLISH
    since: tuple[tuple[str, ...], ...] = ()


def write_board(drawing: Drawing, language: str = ENGLISH) -> str:
    """Return all that a picture is made of as one line of text, which takes microseconds."""
    appearance = drawing.appearance
    board = _WrittenBoard(
        appearance.encode(),
        appearance.viewer,
        appearance.last,
        appearance.is_stopped,
        drawing.colours,
        drawing.offers_moves,
        language,
        appearance.since,
    )
    return json.dumps(asdict(board))


def draw_written_board(board: str, most: int) -> BoardPicture:
    """Draw a board that `write_board` wrote, with a PNG of at most so many bytes; PictureError when
    it cannot be drawn. Takes some 100 ms. What draws is imported with the first."""
    drawing, language = _read_board(board)
    svg = draw_board(drawing, dark=False, has_sheet=False, language=language)
    if not svg:
        raise PictureError("the game has no picture")
    width = float(svg.partition(' width="')[2].partition('"')[0])
    return BoardPicture(_make_png_once(svg, most), width, *_describe(drawing, language))


@lru_cache(maxsize=8)
def _make_png_once(svg: str, most: int) -> bytes:
    """Return the PNG of a picture, drawn once for the mails to all who see the same, whatever they
    read where it has no words."""
    return make_png(svg, most)


def describe_written_board(board: str) -> BoardPicture:
    """Return the words and moves of such a board, without its picture."""
    return BoardPicture(b"", 1.0, *_describe(*_read_board(board)))


def _read_board(text: str) -> tuple[Drawing, str]:
    """Return the board of such a line, and its reader's language; ValueError or LookupError when
    its game is not there any more."""
    board = msgspec.json.decode(text, type=_WrittenBoard)
    position = get_game(json.loads(board.position)[0]).decode(board.position)
    appearance = Appearance(position, board.viewer, board.last, board.is_stopped, since=board.since)
    drawing = Drawing(_NO_TEXT, appearance, "", board.colours, board.offers_moves)
    return drawing, board.language


def _describe(drawing: Drawing, language: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the words and moves of a board in a language."""
    appearance = drawing.appearance
    moves = appearance.list_moves(_FEW_MOVES) if drawing.offers_moves else ()
    words = " ".join(translate(appearance.words(), language).split())
    shown = ((move, translate(appearance.describe(move), language)) for move in moves)
    return words, tuple(shown)
