"""Limits how often one address, or one link, may ask for pages: a bucket that refills with time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

_MOST_KEYS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests at once, and so many a second afterwards."""

    burst: float
    per_second: float


class RateLimiter:
    """Counts requests by key, in memory; the keys used longest ago are forgotten first."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str, now: float) -> bool:
        """Count a request; whether it is within the limit."""
        level, since = self._buckets.pop(key, (self._rate.burst, now))
        level = min(self._rate.burst, level + max(0.0, now - since) * self._rate.per_second)
        is_allowed = level >= 1
        self._buckets[key] = (level - 1 if is_allowed else level, now)
        if len(self._buckets) > _MOST_KEYS:
            self._buckets.popitem(last=False)
        return is_allowed
