"""A cache of drawn boards: drawing is most of the work of a page, and positions are requested
often."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from pbm.locale import ENGLISH
from pbm.rules.composition import Composition

_LARGEST = 16_000_000
"""The most bytes of all entries."""


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board as a page shows it.

    svg          the picture, and `style` the Content-Security-Policy source of its style
    words        the board in words
    composition  the state of the move after the `chosen` steps
    places       possible next steps that are places on the board
    is_preview   it is the board after the move
    is_outdated  the chosen steps belong to no legal move now
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
        """Its approximate size in bytes."""
        return 1000 + len(self.svg) + len(self.words)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a drawing depends on: the board, the last entry of its log, its state, the viewer (None:
    spectators) and language, the ply (None: the present position), and the steps chosen so far."""

    board: int
    number: int
    state: str
    viewer: int | None
    at: int | None = None
    chosen: tuple[str, ...] = ()
    language: str = ENGLISH


class DrawingCache:
    """Drawings by what they depend on. The least recently requested is dropped first."""

    def __init__(self, largest: int = _LARGEST) -> None:
        self._largest = largest
        self._drawn: OrderedDict[Seen, DrawnBoard] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def find(self, seen: Seen, draw: Callable[[], DrawnBoard]) -> DrawnBoard:
        """Return the cached drawing, or what `draw` makes."""
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
