"""What was drawn of boards is kept, up to a limit."""

from __future__ import annotations

from collections.abc import Callable

from pbm.web.drawing_cache import DrawingCache, DrawnBoard, Seen


def test_the_oldest_go_first() -> None:
    drawn: list[int] = []

    def draw(number: int) -> Callable[[], DrawnBoard]:
        def draw_now() -> DrawnBoard:
            drawn.append(number)
            return DrawnBoard("x" * 1000, "", str(number))

        return draw_now

    cache = DrawingCache(largest=4500)
    for number in (1, 2, 1, 3, 1, 2):
        seen = Seen(17, number, "running", None)
        assert cache.find(seen, draw(number)).words == str(number)
    assert drawn == [1, 2, 3, 2]
