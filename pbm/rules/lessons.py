"""Pictures that explain a rule: a position to which a few moves lead, and what to see in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pbm.rules.drawing.scene import Scene


class Lesson(NamedTuple):
    """One picture.

    caption  what it shows, in a sentence or two
    moves    what leads there from the start, the outcomes of chance among them
    scene    what is shown in place of a position, if anything
    """

    caption: str
    moves: Sequence[str]
    scene: Scene | None = None
