"""Keeps what was drawn of boards: the same position is asked for often, and drawing it is most of
the work of a page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from pbm.locale import ENGLISH
from pbm.rules.composition import Composition

_LARGEST = 16_000_000
"""How much all that is kept may measure."""


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board as a page shows it.

    svg          the picture, and `style` the source that a Content-Security-Policy must allow for
                 its own style
    words        the same in words
    composition  how far the steps that were `chosen` have led
    places       the steps that can follow and are places on the board
    is_preview   it is the board after the move
    is_outdated  steps were chosen that no move has now
    """

    svg: str
    style: str
    words: str
    chosen: tuple[str, ...] = ()
    composition: Composition = field(default_factory=Composition)
    places: frozenset[str] = frozenset()
    is_preview: bool = False
    is_outdated: bool = False

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return 1000 + len(self.svg) + len(self.words)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a drawing depends on: the board, the number of its log's last entry, its state, who sees
    it (None: spectators) in which language, at which ply (None: as it stands), and the steps chosen
    so far."""

    board: int
    number: int
    state: str
    viewer: int | None
    at: int | None = None
    chosen: tuple[str, ...] = ()
    language: str = ENGLISH


class DrawingCache:
    """What was drawn, by what it depends on. What was asked for longest ago is dropped first."""

    def __init__(self, largest: int = _LARGEST) -> None:
        self._largest = largest
        self._drawn: OrderedDict[Seen, DrawnBoard] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def find(self, seen: Seen, draw: Callable[[], DrawnBoard]) -> DrawnBoard:
        """Return what is kept, or what `draw` makes."""
        with self._lock:
            drawn = self._drawn.get(seen)
            if drawn is not None:
                self._drawn.move_to_end(seen)
                return drawn
        drawn = draw()
        with self._lock:
            if seen not in self._drawn:
                self._drawn[seen] = drawn
                self._size += drawn.size
            while self._size > self._largest:
                self._size -= self._drawn.popitem(last=False)[1].size
        return drawn
