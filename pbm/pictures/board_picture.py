"""Draws the board of a notice."""

from __future__ import annotations

from pbm.core.kernel.notices.content import Drawing
from pbm.rules.drawing.svg import draw_svg


def draw_board(drawing: Drawing, *, dark: bool | None = None, described: bool = False) -> str:
    """Return the board as SVG, as its reader may see it; "" if the game has no scene. `described`:
    with its title and words, for whoever cannot see it."""
    appearance = drawing.appearance
    scene = appearance.scene()
    if not scene.places:
        return ""
    return draw_svg(
        scene,
        drawing.colours,
        title=drawing.title if described else "",
        description=appearance.words() if described else "",
        dark=dark,
        is_turned=appearance.is_turned,
    )
