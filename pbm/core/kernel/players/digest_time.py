"""When a player's daily digest is due."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.core.kernel.boards import clock


def find_next_digest(chosen: Mapping[str, str], now: float) -> float | None:
    """Return when the next digest of a player with these preferences is due; None when they want
    none."""
    at = chosen.get("digest", "no")
    return None if at == "no" else clock.find_next_time_of_day(chosen.get("zone", "UTC"), at, now)
