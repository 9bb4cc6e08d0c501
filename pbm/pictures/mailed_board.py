"""Draws the boards of a mail from what the mail was stored with: a position as text, and who looks
at it, or the number of a lesson."""

from __future__ import annotations

import json

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from pbm.core.notices import Appearance, Drawing
from pbm.games import get_game
from pbm.locale import ENGLISH, translate
from pbm.locale.scenes import translate_scene
from pbm.pictures.board_picture import describe_lesson, draw_lesson
from pbm.pictures.parts import draw_board_png
from pbm.pictures.png import PictureError, make_png
from pbm.rules import Picture

_FEW_MOVES = 24
"""How many moves a mail offers as links."""
_NO_TEXT = Picture((), ())
_COARSEST_LESSON = 0.85
"""Dots to a pixel of a lesson that has to be small: a page shows it smaller than a board."""


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


class _WrittenLesson(Struct, frozen=True):
    """A lesson as a mail is stored with it: its game and number, and the reader's language."""

    game: str
    lesson: int
    language: str


def write_lesson(game: str, number: int, language: str) -> str:
    """Return what one of the pictures of a game's page is made of as one line of text."""
    return json.dumps(asdict(_WrittenLesson(game, number, language)))


def draw_written_board(board: str, most: int) -> BoardPicture:
    """Draw a board that `write_board` or `write_lesson` wrote, with a PNG of at most `most` bytes;
    PictureError when it cannot be drawn. Takes some 3 ms, and 100 for a board of which no part was
    drawn before. What draws is imported with the first."""
    described = describe_written_board(board)
    if (lesson := _read_lesson(board)) is not None:
        game = get_game(lesson.game)
        svg = draw_lesson(
            game, lesson.lesson, dark=False, has_sheet=False, language=lesson.language
        )
        width = float(svg.partition(' width="')[2].partition('"')[0])
        return replace(described, png=make_png(svg, most, _COARSEST_LESSON), width=width)
    drawing, language = _read_board(board)
    appearance = drawing.appearance
    scene = translate_scene(appearance.scene(), language)
    if not scene.places:
        raise PictureError("the game has no picture")
    colours, is_turned = tuple(drawing.colours), appearance.is_turned
    png, width = draw_board_png(scene, colours, is_turned=is_turned, most=most)
    return replace(described, png=png, width=width)


def describe_written_board(board: str) -> BoardPicture:
    """Return the words and moves of such a board, without its picture."""
    if (lesson := _read_lesson(board)) is not None:
        words = describe_lesson(get_game(lesson.game), lesson.lesson)
        return BoardPicture(b"", 1.0, " ".join(translate(words, lesson.language).split()))
    return BoardPicture(b"", 1.0, *_describe(*_read_board(board)))


def is_lesson(board: str) -> bool:
    """Whether such a line is one of the pictures of a game's page, and no board that is played."""
    return board.startswith('{"game"')


def _read_lesson(text: str) -> _WrittenLesson | None:
    """Return the lesson of such a line; None where it is a board's."""
    return msgspec.json.decode(text, type=_WrittenLesson) if is_lesson(text) else None


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
