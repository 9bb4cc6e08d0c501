"""Draws what can be clicked: places that are links, above everything else."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from pbm.rules.drawing.scene import Place
from pbm.rules.drawing.svg.layout import Layout

_MANY = 40
"""With more places to click, the board would disappear below their outlines."""


def draw_links(layout: Layout, links: Mapping[str, str]) -> str:
    """A link for each place of `links`, in their order, to its URL. A large board has hundreds, so
    each is short."""
    if not links:
        return ""
    drawn = "".join(
        f"<a href={quoteattr(url)} aria-label={quoteattr(name)}>"
        f"{_area(layout, layout.places[name])}</a>"
        for name, url in links.items()
    )
    look = "hits faint" if len(links) > _MANY else "hits"
    return f'<g class="{look}">{drawn}</g>'


def _area(layout: Layout, place: Place) -> str:
    """The area of a place."""
    if not isinstance(place.shape, (int, float)):
        return f'<path d="{layout.outline(place)}"/>'
    x, y = layout.at(place.centre)
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{max(1.0, place.shape * layout.cell):.0f}"/>'
