"""Makes PNG pictures from SVG, with the font that lies beside this module."""

from __future__ import annotations

import math
import os
from functools import cache, lru_cache
from io import BytesIO
from pkgutil import get_data

SHARPEST, _COARSEST = 2.0, 0.9
"""Dots for each pixel, for screens on which a pixel has several; fewer where the file gets too
large."""
_COLOURS = 48
_EFFORT = 6
"""How hard zlib tries: the highest level takes ten times as long for a tenth of the bytes."""
MOST_BYTES = 36_000
"""How large the picture of a board may be."""


class PictureError(Exception):
    """A picture cannot be made."""


@lru_cache(maxsize=64)
def make_png(
    svg: str,
    most: int = MOST_BYTES,
    coarsest: float = _COARSEST,
    sharpest: float = SHARPEST,
) -> bytes:
    """Return the picture as PNG, the sharpest that has no more than `most` bytes; the coarsest
    there is if none has. Both are dots to a pixel.

    Takes some 80 ms, so it must not be called in a transaction or in an event loop. Imports what it
    needs when it is first called, which a server without pictures never does. PictureError when
    that is missing or the SVG cannot be drawn."""
    scale, picture = sharpest, _reduce_colours(render(svg, sharpest))
    while len(picture) > most and scale > coarsest:
        scale = max(coarsest, 0.95 * scale * math.sqrt(most / len(picture)))
        picture = _reduce_colours(render(svg, scale))
    return picture


def render(svg: str, scale: float) -> bytes:
    """Return the picture as PNG in all its colours, `scale` dots to a pixel. PictureError."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise PictureError(f"resvg-py cannot be imported: {error}") from error
    try:
        return svg_to_bytes(
            svg_string=svg,
            zoom=scale,
            skip_system_fonts=True,
            font_files=[_write_font()],
            font_family="Pbm Board",
        )
    except ValueError as error:
        raise PictureError(f"resvg cannot draw it: {error}") from error


@cache
def _write_font() -> str:
    """Return the path of a file in memory with the font, for as long as this process runs: resvg
    reads files only, and an upgrade may take the package's away. PictureError when there is none:
    without a font, resvg leaves all text out and says nothing."""
    try:
        font = get_data("pbm.pictures", "board.otf")
    except OSError as error:
        raise PictureError(f"the font is missing: {error}") from error
    if not font:
        raise PictureError("the font is missing")
    number = os.memfd_create("pbm-board.otf")
    with open(number, "wb", closefd=False) as file:
        file.write(font)
    return f"/proc/self/fd/{number}"


def _reduce_colours(png: bytes) -> bytes:
    """Return the picture with the few colours that it needs, a third as large."""
    try:
        from PIL import Image
    except ImportError as error:
        raise PictureError(f"Pillow cannot be imported: {error}") from error
    with Image.open(BytesIO(png)) as image:
        is_opaque = image.getchannel("A").getextrema() == (255, 255)
        shown = image.convert("RGB" if is_opaque else "RGBA")
    reduced = shown.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = BytesIO()
    reduced.save(file, "PNG", compress_level=_EFFORT)
    return file.getvalue()
