"""Draws what can be clicked: places that are links, above everything else."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from pbm.rules.drawing.scene import Place
from pbm.rules.drawing.svg.layout import Layout

_MANY = 40
"""With more places to click, the board would disappear below their outlines."""
_DOT = 0.13
"""The radius of the dot on an empty place that can be clicked, in cells."""


def draw_links(layout: Layout, links: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Return a link for each place of `links`, in their order, to its URL, with what `names` calls
    it. A large board has hundreds, so each is short. What stands on a place keeps its colours: such
    a place has an outline, an empty one a dot."""
    if not links:
        return ""
    shared = _find_radius(layout, links)
    drawn = "".join(
        f"<a href={quoteattr(url)} aria-label={quoteattr(names.get(name, name))}>"
        f"{_area(layout, layout.places[name], shared)}{_dot(layout, name, len(links))}</a>"
        for name, url in links.items()
    )
    look = "hits faint" if len(links) > _MANY else "hits"
    return f'<g class="{look}">{drawn}</g>'


def _dot(layout: Layout, name: str, many: int) -> str:
    """Return the dot on an empty place; none where places are many or too narrow."""
    place = layout.places[name]
    if many > _MANY or name in layout.occupied or place.shade == "edge":
        return ""
    x, y = layout.at(place.centre)
    return f'<circle class="spot" cx="{x:.0f}" cy="{y:.0f}" r="{_DOT * layout.cell:.1f}"/>'


def build_link_style(layout: Layout, links: Mapping[str, str]) -> str:
    """Return the style of round places: their radius, where all have the same."""
    radius = _find_radius(layout, links)
    return f".hits circle:first-child{{r:{radius}px}}" if radius else ""


def _find_radius(layout: Layout, links: Mapping[str, str]) -> str:
    """Return the radius of all round places of `links`; "" when they differ or there are none."""
    shapes = {layout.places[name].shape for name in links}
    radii = {_radius(layout, shape) for shape in shapes if isinstance(shape, (int, float))}
    return radii.pop() if len(radii) == 1 else ""


def _radius(layout: Layout, shape: float) -> str:
    return f"{max(1.0, shape * layout.cell):.0f}"


def _area(layout: Layout, place: Place, shared: str) -> str:
    """Return the area of a place; without its radius where that is the `shared` one."""
    if not isinstance(place.shape, (int, float)):
        return f'<path d="{layout.outline(place)}"/>'
    x, y = layout.at(place.centre)
    radius = _radius(layout, place.shape)
    own = "" if radius == shared else f' r="{radius}"'
    return f'<circle cx="{x:.0f}" cy="{y:.0f}"{own}/>'
