"""A picture that is put together from parts shows what the whole drawing shows, and depends on its
scene alone."""

from __future__ import annotations

import re
from io import BytesIO
from math import ceil

import pytest
from PIL import Image, ImageChops, ImageStat

from pbm.games import get_game, list_shown_names
from pbm.pictures import parts
from pbm.pictures.png import MOST_BYTES, render
from pbm.rules.drawing.scene import Scene
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.drawing.svg.board_surface import SOFT
from tools.pictures import play

_PLENTY = 1_000_000
_MUCH = 60
"""A dot differs where its grey differs by so much: edges are drawn in fewer colours."""
_ALL_COLOURS = 3 * 256
_FEW = 1.2
"""Percent of dots that may: edges where pieces touch each other or the page is seen."""


def draw(scene: Scene, colours: tuple[str, ...], *, is_turned: bool = False) -> tuple[bytes, float]:
    """The picture, and how wide it is on a phone."""
    parts.draw_board_png.cache_clear()
    return parts.draw_board_png(scene, colours, is_turned=is_turned, most=_PLENTY)


def draw_often(
    scene: Scene, colours: tuple[str, ...], *, is_turned: bool = False
) -> tuple[bytes, float]:
    """The same, once all of its parts are there."""
    for _ in range(1 + len(scene.pieces) // 16 + 2):
        drawn = draw(scene, colours, is_turned=is_turned)
    return drawn


def open_picture(png: bytes, page: str = "white") -> Image.Image:
    """A picture as it is seen on a page."""
    image = Image.open(BytesIO(png)).convert("RGBA")
    ground = Image.new("RGBA", image.size, page)
    return Image.alpha_composite(ground, image).convert("RGB")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", list_shown_names())
def test_parts_show_what_the_whole_shows(name: str) -> None:
    compare_with_whole(*list(play(name, 5))[-1])


def test_a_map_of_parts_shows_land_and_orders_of_several_phases() -> None:
    """The land of each holder lies between that of others without seams, and units and arrows on
    it."""
    compare_with_whole(*next(shown for shown in play("dip", 999) if len(shown[0].marks) > 60))


def compare_with_whole(scene: Scene, colours: tuple[str, ...]) -> None:
    for page, is_turned in (("white", False), ("#1d1e21", True)):
        png, width = draw_often(scene, colours, is_turned=is_turned)
        shown = open_picture(png, page)
        svg = draw_svg(scene, colours, dark=False, has_sheet=False, is_turned=is_turned)
        svg = make_even(svg.replace(SOFT, "crispEdges"))
        scale = round(4 * shown.width / width) / 4
        whole = open_picture(render(svg, scale), page)
        size = (0, 0, shown.width, min(shown.height, whole.height))
        shown, whole = shown.crop(size), whole.crop(size)
        differs = ImageChops.difference(shown, whole).convert("L")
        share = ImageStat.Stat(differs.point([0] * _MUCH + [255] * (256 - _MUCH))).mean[0] / 2.55
        assert share < _FEW, f"{share:.2f} percent"


def make_even(svg: str) -> str:
    """The drawing with a size that is a whole number of dots, else it would be stretched."""
    found = re.search('viewBox="0 0 [^"]*" width="([^"]*)" height="([^"]*)"', svg)
    assert found
    width, height = (4 * ceil(float(side) / 4) for side in found.groups())
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return svg.replace(found[0], size)


def test_a_picture_does_not_depend_on_those_before_it() -> None:
    scenes = list(play("chess", 6))
    alone = draw_often(*scenes[-1])
    parts.forget_all()
    for scene, colours in scenes * 2:
        draw(scene, colours)
    assert draw_often(*scenes[-1]) == alone


def test_a_board_of_tiles_is_made_of_parts_from_the_second_turn() -> None:
    """Each tile is a part: none makes another empty board."""
    parts.forget_all()
    first, *later = (draw(*shown)[0] for shown in play("spacetruckin", 10))
    assert not is_of_parts(first)
    assert all(map(is_of_parts, later))


def test_the_largest_map_is_made_of_parts_in_the_middle_of_a_game() -> None:
    """With all its names, sixty units and their arrows it stays within what a mail may have."""
    position = get_game("dip").setup(10, {"map": "modern"})
    while len(position.scene(None).pieces) < 60:
        seat = min(position.to_move)
        for order in position.advise(seat):
            position = position.play(seat, order)
    scene, colours = position.scene(None), tuple(position.colours)
    for _ in range(12):
        parts.draw_board_png.cache_clear()
        png, _ = parts.draw_board_png(scene, colours, is_turned=False)
    assert is_of_parts(png)
    assert len(png) <= MOST_BYTES


def is_of_parts(png: bytes) -> bool:
    """Whether a picture has the colours of all parts, not a few of its own."""
    return len(Image.open(BytesIO(png)).getpalette() or ()) == _ALL_COLOURS


def test_a_picture_that_is_too_large_gets_coarser() -> None:
    scene, colours = list(play("xiangqi", 3))[-1]
    fine, _ = draw_often(scene, colours)
    for most in (len(fine) - 1, 22_000):
        for _ in range(5):
            parts.draw_board_png.cache_clear()
            png, width = parts.draw_board_png(scene, colours, is_turned=False, most=most)
        assert len(png) <= most
        assert open_picture(png).width <= open_picture(fine).width
        assert width == 390
