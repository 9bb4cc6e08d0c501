"""What was drawn of boards is kept, up to a limit."""

from __future__ import annotations

from collections.abc import Callable

from pbm.web.drawing_cache import Drawing, DrawingCache, Seen


def test_the_oldest_go_first() -> None:
    drawn: list[int] = []

    def draw(number: int) -> Callable[[], Drawing]:
        def draw_now() -> Drawing:
            drawn.append(number)
            return Drawing("x" * 1000, "", str(number))

        return draw_now

    cache = DrawingCache(largest=4500)
    for number in (1, 2, 1, 3, 1, 2):
        seen = Seen(17, number, "running", None)
        assert cache.find(seen, draw(number)).words == str(number)
    assert drawn == [1, 2, 3, 2]
