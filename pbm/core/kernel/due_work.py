"""The work of one tick of the scheduler, which features do their part of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from pbm.core.kernel.context import Context


class DueWork(Struct, frozen=True):
    """A tick.

    context     the context in which it is done, in nobody's name
    oldest      when the oldest mail came that waits; infinite when none does
    failed      takes notice of what was postponed, as it failed: ("event", its number, why)
    background  computes between ticks what would take long; None where everything waits for it
    """

    context: Context
    oldest: float
    failed: Callable[[str, int, Exception], object] = lambda kind, number, error: None
    background: Any = None
