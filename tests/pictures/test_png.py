"""Pictures as PNG: small, sharp, and with their text. `python -m tools.gallery` measures those of
all games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pbm.locale import LANGUAGES
from pbm.locale.scenes import translate_scene
from pbm.pictures.png import MOST_BYTES, PictureError, make_png, render
from pbm.rules.drawing.svg import draw_svg
from tests.rules.drawing.test_svg import drawn_games
from tools.gallery import sample

_TEXT = re.compile(r"<text[^>]*>[^<]*</text>")


@pytest.mark.parametrize("name", drawn_games()[::5])
def test_the_picture_of_a_board_is_small(name: str) -> None:
    shown = sample(name)
    drawn = draw_svg(shown.scene(), shown.position.colours, dark=False, has_sheet=False)
    picture = make_png(drawn)
    assert len(picture) <= MOST_BYTES
    with Image.open(BytesIO(picture)) as image:
        assert image.format == "PNG"
        assert image.width >= 390, "sharp on a phone"
        opaque = image.convert("RGBA").getchannel("A")
        assert opaque.getpixel((0, 0)) == 0, "the page of a dark mail is seen around the board"
        assert opaque.getextrema() == (0, 255)


@pytest.mark.parametrize("words", ["a", "komi 7.5", "\u00d72", "\u00e4", "\u00f1", "l\u2019\u00e9"])
def test_text_appears(words: str) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="30">'
        '<rect width="80" height="30" fill="#fff"/>'
        f'<text x="5" y="20" font-family="\'Pbm Board\'" font-size="16">{words}</text></svg>'
    )
    assert make_png(svg) != make_png(_TEXT.sub("", svg))
    assert make_png(svg) != make_png(svg.replace(f">{words}<", ">\u2603<")), (
        "not the sign of a missing one"
    )


@pytest.mark.parametrize("name", drawn_games())
def test_the_font_has_every_character_of_a_picture(name: str) -> None:
    from fontTools.ttLib import TTFont

    with TTFont("pbm/pictures/board.otf") as font:
        covered = set(font.getBestCmap())
    shown = sample(name)
    for language in LANGUAGES:
        svg = draw_svg(translate_scene(shown.scene(), language), shown.position.colours)
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        assert {ord(letter) for text in texts for letter in text} <= covered, language


def test_coordinates_are_in_the_picture() -> None:
    shown = sample("chess")
    svg = draw_svg(shown.scene(), shown.position.colours, dark=False)
    assert render(svg, 1.0) != render(_TEXT.sub("", svg), 1.0)


def test_a_large_picture_is_coarser() -> None:
    shown = sample("go")
    svg = draw_svg(shown.scene(), shown.position.colours, dark=False)
    fine, coarse = make_png(svg), make_png(svg, 15_000)
    assert len(coarse) <= 15_000 < len(fine)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(PictureError, match="resvg cannot draw it"):
        make_png("<svg")


def test_a_process_that_is_killed_leaves_no_file(tmp_path: Path) -> None:
    killed = (
        "import os; from pbm.pictures.png import render\n"
        'assert render(\'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\', 1)\n'
        "os.kill(os.getpid(), 9)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", killed], env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert ended.returncode == -9
    assert not list(tmp_path.iterdir())
