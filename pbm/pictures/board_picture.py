"""Draws the board of a notice."""

from __future__ import annotations

from pbm.core.notices import Drawing
from pbm.locale import ENGLISH, translate
from pbm.locale.scenes import translate_scene
from pbm.rules.drawing.svg import draw_svg


def draw_board(
    drawing: Drawing,
    *,
    dark: bool | None = None,
    has_sheet: bool = True,
    described: bool = False,
    language: str = ENGLISH,
) -> str:
    """Return the board as SVG, as its reader may see it, in a language; "" if the game has no
    scene. Unless it `has_sheet`, the page is seen behind it. `described`: with its title and words,
    for whoever cannot see it."""
    appearance = drawing.appearance
    scene = appearance.scene()
    if not scene.places:
        return ""
    return draw_svg(
        translate_scene(scene, language),
        drawing.colours,
        title=translate(drawing.title, language) if described else "",
        description=translate(appearance.words(), language) if described else "",
        dark=dark,
        has_sheet=has_sheet,
        is_turned=appearance.is_turned,
    )
