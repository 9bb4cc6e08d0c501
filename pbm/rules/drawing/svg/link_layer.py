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
    shared = _find_radius(layout, links)
    drawn = "".join(
        f"<a href={quoteattr(url)} aria-label={quoteattr(name)}>"
        f"{_area(layout, layout.places[name], shared)}</a>"
        for name, url in links.items()
    )
    look = "hits faint" if len(links) > _MANY else "hits"
    return f'<g class="{look}">{drawn}</g>'


def build_link_style(layout: Layout, links: Mapping[str, str]) -> str:
    """The style of round places: their radius, where all have the same."""
    radius = _find_radius(layout, links)
    return f".hits circle{{r:{radius}px}}" if radius else ""


def _find_radius(layout: Layout, links: Mapping[str, str]) -> str:
    """The radius of all round places of `links`; "" when they differ or there are none."""
    shapes = {layout.places[name].shape for name in links}
    radii = {_radius(layout, shape) for shape in shapes if isinstance(shape, (int, float))}
    return radii.pop() if len(radii) == 1 else ""


def _radius(layout: Layout, shape: float) -> str:
    return f"{max(1.0, shape * layout.cell):.0f}"


def _area(layout: Layout, place: Place, shared: str) -> str:
    """The area of a place; without its radius where that is the `shared` one."""
    if not isinstance(place.shape, (int, float)):
        return f'<path d="{layout.outline(place)}"/>'
    x, y = layout.at(place.centre)
    radius = _radius(layout, place.shape)
    own = "" if radius == shared else f' r="{radius}"'
    return f'<circle cx="{x:.0f}" cy="{y:.0f}"{own}/>'
