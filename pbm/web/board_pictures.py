"""Pictures in pages: SVG within the page, with places to click, and PNG for previews elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256

from pbm.core.views.board_page import BoardPage
from pbm.rules.drawing.scene import Scene
from pbm.rules.drawing.svg import draw_svg

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def draw_board(page: BoardPage, links: Mapping[str, str], *, is_turned: bool) -> tuple[str, str]:
    """The board of a page, each place of `links` a link to its URL, as `draw` returns it."""
    return draw(page.scene, page.view.colours, page.headline, links, is_turned=is_turned)


def draw(
    scene: Scene,
    colours: Sequence[str],
    title: str,
    links: Mapping[str, str] | None = None,
    *,
    is_turned: bool = False,
) -> tuple[str, str]:
    """A scene as SVG within a page, and the source that a Content-Security-Policy must allow for
    its style."""
    svg = draw_svg(scene, colours, title=title, links=links or {}, is_turned=is_turned)
    style = _STYLE.search(svg)
    digest = b64encode(sha256(style.group(1).encode() if style else b"").digest()).decode()
    return svg, f"'sha256-{digest}'"
