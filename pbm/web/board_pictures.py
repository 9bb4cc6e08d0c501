"""Boards in pages: as SVG within the page, with places to click, and in words."""

from __future__ import annotations

import contextlib
import random
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from urllib.parse import quote

from pbm.core.board import Board
from pbm.core.refusal import Refusal
from pbm.core.view import drop_number
from pbm.features.finding.game_page import BoardPage
from pbm.features.play.moves import try_moves
from pbm.games import get_game, list_shown_names
from pbm.locale import translate
from pbm.locale.scenes import name_links, translate_scene
from pbm.pictures.png import PictureError, render
from pbm.rules import CHANCE, Position
from pbm.rules.drawing.scene import Mark, Scene
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.phrases import phrase
from pbm.web.drawing_cache import DrawnBoard, Seen
from pbm.web.site import Site

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_LETTERS = re.compile("[\u00a1-\u00d6\u00d8-\u017f\u2018-\u201e]")
_MOST_STEPS = 60
THE_BOARD = phrase("the board")
"""The label of the clickable picture, for readers who cannot see it."""


def draw_board(
    site: Site, board: Board, page: BoardPage, language: str, chosen: Sequence[str] = ()
) -> DrawnBoard:
    """Return the board of a page in a language; if it is the viewer's turn, with links to the steps
    that can follow those `chosen`."""
    seat = page.viewer
    is_turn = page.at is None and board.state == "running" and seat in board.position.to_move
    steps = tuple(chosen[:_MOST_STEPS]) if is_turn else ()
    seen = Seen(board.id, board.number, board.state, seat, page.at, steps, language)

    def draw_now() -> DrawnBoard:
        if seat is None or not is_turn:
            svg, style = draw(page, page.build_scene(), language)
            return DrawnBoard(svg, style, translate(page.write_words(), language))
        return _draw_turn(board, page, seat, steps, language)

    return site.drawings.find(seen, draw_now)


def _draw_turn(
    board: Board, page: BoardPage, seat: int, chosen: tuple[str, ...], language: str
) -> DrawnBoard:
    composition, is_outdated = board.position.compose(seat, chosen), False
    if chosen and not (composition.next or composition.move):
        chosen, composition, is_outdated = (), board.position.compose(seat), True
    preview = _preview(board, seat, composition.move)
    if preview is not None:
        scene, words = preview.scene(seat, (composition.move,)), preview.words(seat)
        places = {place.name for place in scene.places}
    else:
        scene, words = page.build_scene(), page.write_words()
        places = {place.name for place in scene.places}
        scene = mark_chosen(scene, composition.steps)
    links = {step: build_query(*chosen, step) for step in composition.next if step in places}
    svg, style = draw(page, scene, language, links)
    is_preview = preview is not None
    found, words = frozenset(links), translate(words, language)
    return DrawnBoard(svg, style, words, chosen, composition, found, is_preview, is_outdated)


def mark_chosen(scene: Scene, steps: Sequence[str]) -> Scene:
    """Return the scene with the places of a move's steps marked."""
    places = {place.name for place in scene.places}
    marks = (Mark((step,), "chosen") for step in steps if step in places)
    return replace(scene, marks=(*scene.marks, *marks))


def build_query(*steps: str) -> str:
    """Return the relative URL of a seat's page with these steps chosen, scrolled to the board."""
    return "?" + "&".join(f"m={quote(step, safe='')}" for step in steps) + "#board"


def _preview(board: Board, seat: int, move: str) -> Position | None:
    """Return the position after a move, up to the first chance; None while there is no complete
    move, and where the position would reveal something hidden. An order during a phase shows only
    itself."""
    if not move or (board.is_hidden and not board.position.takes_orders):
        return None
    try:
        following = try_moves(board, seat, move)[0]
    except Refusal:
        return None
    is_same_phase = following.turn == board.position.turn and following.outcome is None
    return following if is_same_phase or not board.is_hidden else None


def draw(
    page: BoardPage, scene: Scene, language: str, links: Mapping[str, str] | None = None
) -> tuple[str, str]:
    """Return the scene of a page as SVG in a language, each place of `links` a link to its URL, and
    the CSP source of its style."""
    is_turned = page.position.turns_board and page.viewer == 1
    svg = draw_svg(
        translate_scene(scene, language),
        page.view.colours,
        title=drop_number(translate(page.headline, language)),
        links=links or {},
        names=name_links(scene, page.view.colours, links or {}, language),
        is_turned=is_turned,
        label=translate(THE_BOARD, language),
    )
    return with_style(svg)


def with_style(svg: str) -> tuple[str, str]:
    """Return a picture, with letters that the style sheet's font lacks if it uses any, and the CSP
    source of its style."""
    if _LETTERS.search(svg):
        svg = svg.replace("<style>", f"<style>{_load_letters()}", 1)
    style = _STYLE.search(svg)
    return svg, allow_style(style.group(1) if style else "")


@cache
def _load_letters() -> str:
    """Return the rule that adds the letters of other languages to the font of pictures."""
    font = b64encode(files("pbm.pictures").joinpath("letters.woff2").read_bytes()).decode()
    return (
        '@font-face{font-family:"Pbm Board";font-weight:700;'
        f"unicode-range:U+A1-D6,U+D8-17F,U+2018-201E;src:url(data:font/woff2;base64,{font})}}"
    )


def allow_style(style: str) -> str:
    """Return the Content-Security-Policy source that allows a style within the page."""
    return f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


# One picture of all games side by side, from which the front page shows each game's board.

SIDE = 80
"""Pixels along the side of a game's square on the page; the sheet has more, for high-resolution
screens."""
COLUMNS = 8
_DOTS = 92
_QUALITY = 44
_FEW_PLIES = 14


class _GameSheet:
    """The boards of all games in rows of `COLUMNS`, in the order of their names, as WebP. Drawing
    it takes some seconds, at times without visitors."""

    def __init__(self) -> None:
        self.picture = b""

    def draw(self, wait: Callable[[], object]) -> None:
        """Draw the sheet; `wait` is called before each game. If it cannot be made, pages go
        without."""
        with contextlib.suppress(PictureError, ImportError):
            self.picture = _draw_sheet(wait)


GAME_SHEET = _GameSheet()
"""This process's sheet."""


def _draw_sheet(wait: Callable[[], object]) -> bytes:
    from PIL import Image

    names = list_shown_names()
    rows = -(-len(names) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * _DOTS, rows * _DOTS), "white")
    for number, name in enumerate(names):
        wait()
        position = _open(get_game(name).setup(), random.Random(name))  # noqa: S311 (no secret)
        viewer = 0 if "hidden" in position.game.info.features else None
        scene = replace(position.scene(viewer), labels=(), panels=())
        svg = draw_svg(scene, position.colours, dark=False)
        with Image.open(BytesIO(render(svg, 1.0))) as drawn:
            picture = drawn.convert("RGB")
        picture.thumbnail((_DOTS - 4, _DOTS - 4), Image.Resampling.LANCZOS)
        row, column = divmod(number, COLUMNS)
        left, top = (_DOTS - picture.width) // 2, (_DOTS - picture.height) // 2
        sheet.paste(picture, (column * _DOTS + left, row * _DOTS + top))
    file = BytesIO()
    sheet.save(file, "webp", quality=_QUALITY)
    return file.getvalue()


@cache
def write_style() -> str:
    """Return the style that shows each game's part of the sheet, by its name."""
    parts = [f".thumb{{background:url(games.webp) 0/{COLUMNS * SIDE}px}}"]
    for number, name in enumerate(list_shown_names()):
        row, column = divmod(number, COLUMNS)
        parts.append(f".thumb-{name}{{background-position:-{column * SIDE}px -{row * SIDE}px}}")
    return "".join(parts)


def _open(position: Position, dice: random.Random) -> Position:
    """Return the first position after chance; where the board is empty, after a few moves."""
    plies = _FEW_PLIES if position.scene().pieces else 0
    while position.to_move and (CHANCE in position.to_move or plies < _FEW_PLIES):
        seat = min(position.to_move, key=lambda seat: seat != CHANCE)
        position = position.play(seat, dice.choice(list(position.legal_moves(seat))))
        plies += seat != CHANCE
    return position
