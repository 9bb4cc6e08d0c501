"""Pictures are made in a process of their own, so that the server is never held up by one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbm.daemon.helper_process import PictureDrawer
from pbm.pictures.picture_process import answer
from pbm.pictures.png import PictureError, make_png

_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><circle r="9"/></svg>'


@pytest.fixture
def drawer() -> Iterator[PictureDrawer]:
    drawer = PictureDrawer()
    yield drawer
    drawer.stop()


def test_a_picture_from_the_process_is_the_same(drawer: PictureDrawer) -> None:
    assert drawer.draw(_SVG, 25_000) == make_png(_SVG, 25_000)


def test_what_cannot_be_drawn_is_refused_and_the_next_is_drawn(drawer: PictureDrawer) -> None:
    with pytest.raises(PictureError, match="resvg cannot draw it"):
        drawer.draw("<svg", 25_000)
    assert drawer.draw(_SVG, 25_000).startswith(b"\x89PNG")


def test_a_process_that_has_ended_is_replaced(drawer: PictureDrawer) -> None:
    before = drawer.draw(_SVG, 25_000)
    drawer.stop()
    assert drawer.draw(_SVG, 25_000) == before


def test_an_answer_is_a_picture_or_a_reason() -> None:
    assert answer({"svg": _SVG, "most": 25_000})["png"].startswith("iVBORw0KGgo")
    assert answer({"svg": "<svg", "most": 25_000})["error"].startswith("PictureError: resvg")
