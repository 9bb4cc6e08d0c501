"""Pictures of boards as SVG: well-formed, within their box, in colours that everybody can tell
apart, and the same for what a viewer cannot tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from pbm.games import get_game
from pbm.games.dip.dip_state import FEW
from pbm.rules.drawing.scene import Entry, Label, Mark, Panel, Piece, Place, Scene
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.drawing.svg.palette import DARK, GROUNDS, LIGHT, WOOD, ink_of
from tools.gallery import sample
from tools.games.sampling import list_sampled_names

_SVG = "{http://www.w3.org/2000/svg}"
_TOKEN = re.compile(r"[A-Za-z]|-?[0-9.]+")
_LENGTH = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Z": 0}


def drawn_games() -> list[str]:
    """The games that have a scene."""
    return [name for name in list_sampled_names() if get_game(name).setup().scene().places]


def parse(picture: str) -> ElementTree.Element:
    """The picture's elements; ParseError unless it is well-formed."""
    return ElementTree.fromstring(picture)  # noqa: S314 (our own)


def ends(data: str) -> Iterator[tuple[float, float]]:
    """The points that a path goes through."""
    tokens, x, y, command = _TOKEN.findall(data), 0.0, 0.0, ""
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        numbers = [float(tokens.pop(0)) for _ in range(_LENGTH[command.upper()])]
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if command in "Hh":
            x = dx + numbers[0]
        elif command in "Vv":
            y = dy + numbers[0]
        elif numbers:
            x, y = dx + numbers[-2], dy + numbers[-1]
        yield x, y


def points(element: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """What an element outside the definitions reaches."""
    if element.tag == f"{_SVG}path":
        yield from ends(element.get("d", ""))
    elif element.tag in (f"{_SVG}use", f"{_SVG}text", f"{_SVG}rect"):
        yield float(element.get("x", "0")), float(element.get("y", "0"))
    elif element.tag == f"{_SVG}circle":
        yield float(element.get("cx", "0")), float(element.get("cy", "0"))


@pytest.mark.parametrize("name", drawn_games())
def test_a_picture_is_well_formed_and_stays_within_its_box(name: str) -> None:
    shown = sample(name)
    for is_turned in (False, True):
        picture = draw_svg(
            shown.scene(), shown.position.colours, title=f"{name} & <co>", is_turned=is_turned
        )
        root = parse(picture)
        width, height = map(float, root.get("viewBox", "").split()[2:])
        assert 100 < width <= 390
        assert 100 < height < 1000
        assert root.findtext(f"{_SVG}title") == f"{name} & <co>"
        reached = [point for element in root for point in points(element)]
        assert len(reached) > 10
        for x, y in reached:
            assert 0 <= x <= width, f"{x} of {width}"
            assert 0 <= y <= height, f"{y} of {height}"
        shapes = {shape.get("id") for shape in root.findall(f"{_SVG}defs/*")}
        uses = {use.get("href", "")[1:] for use in root.iter(f"{_SVG}use")}
        assert shapes == uses


@pytest.mark.parametrize("name", drawn_games())
def test_every_shape_of_a_picture_has_a_style(name: str) -> None:
    shown = sample(name)
    picture = draw_svg(shown.scene(), shown.position.colours)
    used = {style for found in re.findall(r'class="([^"]+)"', picture) for style in found.split()}
    styled = set(re.findall(r"\.([a-z0-9-]+)\{", picture))
    assert used <= styled


def test_a_picture_is_light_dark_or_as_the_reader_prefers() -> None:
    scene = sample("hex").scene()
    light, dark, either = (
        draw_svg(scene, ("red", "blue"), dark=each) for each in (False, True, None)
    )
    assert LIGHT.page in light
    assert DARK.page not in light
    assert DARK.page in dark
    assert LIGHT.page not in dark
    assert "@media(prefers-color-scheme:dark)" in either
    assert LIGHT.page in either
    assert DARK.page in either


def test_the_other_side_of_the_board_is_the_same_turned() -> None:
    scene = Scene(
        (
            Place("a1", ((0, 1), (1, 1), (1, 2), (0, 2)), (0.5, 1.5)),
            Place("a2", ((0, 0), (1, 0), (1, 1), (0, 1)), (0.5, 0.5)),
        ),
        (Piece("a1", "man", 0),),
        labels=(Label("1", (-0.5, 1.5)), Label("2", (-0.5, 0.5))),
    )
    at = re.compile(r'<use href="#p0" x="([0-9.]+)" y="([0-9.]+)"')
    below, above = (at.search(draw_svg(scene, is_turned=each)) for each in (False, True))
    assert below is not None
    assert above is not None
    assert float(below[2]) > float(above[2])


def test_unknown_pieces_show_their_labels_and_panels_their_numbers() -> None:
    scene = Scene(
        (Place("a", 0.5, (0.5, 0.5)),),
        (Piece("a", "wombat", 1, label="W<"),),
        panels=(Panel("in hand", (Entry("wombats", "wombat", 1, 3),), 1),),
    )
    texts = [element.text for element in parse(draw_svg(scene)).iter(f"{_SVG}text")]
    assert texts == ["W<", "in hand", "wombats 3"]


@pytest.mark.parametrize("role", ["last", "check", "dead", "goal"])
def test_a_mark_can_be_seen(role: str) -> None:
    scene = Scene((Place("a", 0.5, (0.5, 0.5), "point"),), (Piece("a", "stone", 0),))
    assert draw_svg(replace(scene, marks=(Mark(("a",), role),))) != draw_svg(scene)


# Colours

_KINDS_OF_SIGHT = {
    "all colours": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red (protanopia)": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green (deuteranopia)": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
"""How linear red, green and blue are seen: Machado, Oliveira and Fernandes (2009)."""


def linear(colour: str) -> tuple[float, ...]:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    """The colour in CIE L*a*b* as somebody sees it."""
    rows = _KINDS_OF_SIGHT[sight]
    r, g, b = (
        min(max(sum(w * v for w, v in zip(row, linear(colour), strict=True)), 0.0), 1.0)
        for row in rows
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: str, other: str, sight: str) -> float:
    """CIE76: 2 can just be seen, 100 is black and white."""
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2: from 1 to 21."""
    lights = sorted(
        0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other))
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def seat_colours() -> set[tuple[str, ...]]:
    """The names that the seats of all games may have together; seats of one name have boards of
    their own."""
    return {
        tuple(dict.fromkeys(get_game(name).setup(players).colours))
        for name in list_sampled_names()
        for players in get_game(name).info.players
    }


@pytest.mark.parametrize("sight", _KINDS_OF_SIGHT)
def test_seats_can_be_told_apart_by_the_colour_blind(sight: str) -> None:
    for colours in seat_colours():
        inks = [ink_of(seat, colours, dark=False).fill for seat in range(len(colours))]
        if len(colours) > FEW:  # the labels of units tell them apart
            assert len({*inks}) == len(inks)
            continue
        for one, other in combinations(range(len(colours)), 2):
            far = difference(inks[one], inks[other], sight)
            assert far >= 20, f"{colours[one]} and {colours[other]} of {colours}: {far:.0f}"


def test_what_is_written_can_be_read() -> None:
    for theme, dark in ((LIGHT, False), (DARK, True)):
        assert contrast(theme.page, theme.text) >= 7
        assert contrast(theme.page, theme.faint) >= 4.5
        for fill, letters in theme.levels:
            assert contrast(fill, letters) >= 4.5
        for colours in seat_colours():
            for seat in range(len(colours)):
                ink = ink_of(seat, colours, dark=dark)
                assert contrast(ink.fill, ink.text) >= 4.5, colours[seat]


@pytest.mark.parametrize("dark", [False, True])
def test_pieces_stand_out_from_the_board(dark: bool) -> None:
    plain = DARK if dark else LIGHT
    for colours in seat_colours():
        for seat in range(len(colours)):
            ink = ink_of(seat, colours, dark=dark)
            for ground in (plain.place, plain.light, plain.dark, plain.wood, plain.last):
                best = max(contrast(ink.fill, ground), contrast(ink.edge, ground))
                assert best >= 3, f"{colours[seat]} on {ground}: {best:.1f}"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", drawn_games())
def test_pieces_stand_out_from_the_ground_of_their_game(name: str, dark: bool) -> None:
    scene = sample(name).scene()
    made_of = GROUNDS.get(scene.ground, WOOD)
    theme = made_of.change(DARK if dark else LIGHT, dark=dark)
    colours = sample(name).position.colours
    for seat in range(len(colours)):
        ink = ink_of(seat, colours, dark=dark)
        for ground in {theme.tile or theme.place, theme.light, theme.dark}:
            best = max(contrast(ink.fill, ground), contrast(ink.edge, ground))
            assert best >= 2.5, f"{colours[seat]} on {ground}: {best:.1f}"


def test_marks_of_a_seat_have_its_colour_and_failures_are_red() -> None:
    places = (Place("a", 0.4, (0.5, 0.5)), Place("b", 0.4, (2.5, 0.5)))
    ring = draw_svg(Scene(places, marks=(Mark(("a",), "centres of France", 1),)))
    assert "<circle cx=" in ring
    assert 'class="b1"' in ring
    assert "lastring" not in ring
    done, failed = (
        draw_svg(Scene(places, marks=(Mark(("a", "b"), role, 1),)))
        for role in ("moved", "failed to move")
    )
    assert 'class="b1"' in done
    assert "alarmring" not in done
    assert "alarmring" in failed


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("kind", "body"), [("hit", "alarm"), ("arrow", "spent")])
def test_what_is_drawn_on_a_piece_stands_out_from_it(kind: str, body: str, dark: bool) -> None:
    places = (Place("a", ((0, 0), (1, 0), (1, 1), (0, 1)), (0.5, 0.5)),)
    drawn = draw_svg(Scene(places, (Piece("a", kind),)), dark=dark)
    fill = re.search(rf"\.{body}{{fill:(#\w+)", drawn)
    on_it = re.findall(r'class="(\w+)"', drawn.partition("</g>")[0])[-1]
    stroke = re.search(rf"\.{on_it}{{fill:none;stroke:(#\w+)", drawn)
    assert fill is not None
    assert stroke is not None
    white = {"#fff": "#ffffff"}
    assert contrast(fill[1], white.get(stroke[1], stroke[1])) >= 2.5


@pytest.mark.parametrize("kind", ["cross", "nought"])
def test_crosses_and_noughts_have_outlines(kind: str) -> None:
    """Which stand out where their colour does not, as blue on a dark board."""
    drawn = draw_svg(Scene((Place("a", 0.4, (0.5, 0.5)),), (Piece("a", kind, 0),)))
    assert drawn.index('class="u0"') < drawn.index('class="b0"')


def test_a_man_of_shogi_without_a_character_is_a_wedge_that_points_too() -> None:
    places = (Place("a", 0.4, (0.5, 0.5)),)
    man = Piece("a", "promoted lance", 1, label="+L")
    drawn = draw_svg(Scene(places, (man,), style="shogi"), ("black", "white"))
    (shape,) = re.findall(r'<g id="p0".*?</g>', drawn)
    assert 'class="w1"' in shape
    assert ">+L</text>" in shape
    assert "<circle" not in shape
    assert 'transform="rotate(180)"' in shape


def test_the_lines_of_a_map_do_not_cross_its_names() -> None:
    drawn = draw_svg(sample("dip").scene(), dark=False)
    assert f"stroke:{LIGHT.page};stroke-opacity:.6" in drawn
    assert 'class="name"' in drawn
