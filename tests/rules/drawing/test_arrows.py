"""Arrows of seats end beside the pieces at their ends."""

from __future__ import annotations

import re

from pbm.rules.drawing.scene import Mark, Piece, Place, Scene
from pbm.rules.drawing.svg import draw_svg

_LINE = re.compile(r'<path d="M([\d.]+) [\d.]+L[\d.]+ [\d.]+" class="u0"')
_HEAD = re.compile(r'<path d="M([\d.]+) [^"]*Z" class="a0"')


def draw_arrow(*occupied: str) -> tuple[float, float]:
    """Return where an arrow from a to b begins and ends, from left to right."""
    scene = Scene(
        (Place("a", 0.36, (0.0, 0.0)), Place("b", 0.36, (4.0, 0.0))),
        pieces=tuple(Piece(place, "army", 0, label="A") for place in occupied),
        marks=(Mark(("a", "b"), "moved", 0),),
    )
    drawn = draw_svg(scene, ("Austria", "France"))
    line, head = _LINE.search(drawn), _HEAD.search(drawn)
    assert line is not None
    assert head is not None
    return float(line[1]), float(head[1])


def test_an_arrow_leaves_the_letter_of_a_piece_legible() -> None:
    begin, end = draw_arrow()
    assert draw_arrow("a")[1] == end
    assert draw_arrow("b")[0] == begin
    length = end - begin
    assert 0.03 * length < draw_arrow("a")[0] - begin < 0.1 * length
    assert 0.03 * length < end - draw_arrow("b")[1] < 0.1 * length
