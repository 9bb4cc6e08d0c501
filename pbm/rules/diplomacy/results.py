"""Orders as they were given, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pbm.rules.diplomacy.board import Unit
from pbm.rules.diplomacy.orders import Order
from pbm.rules.phrases import phrase


class Result(Enum):
    """The ends that an order can have; each has exactly one."""

    DONE = str(phrase("done"))
    BOUNCED = str(phrase("bounced"))
    """A move that was not strong enough."""
    NO_CONVOY = str(phrase("no convoy"))
    """A move across the sea whose convoy was not ordered or was disrupted, or a fleet that so
    convoyed for nothing."""
    CUT = str(phrase("cut"))
    UNMATCHED = str(phrase("unmatched"))
    """A support or convoy of something that was not ordered."""
    ILLEGAL = str(phrase("illegal"))
    REPLACED = str(phrase("replaced"))
    """A legal order to a unit that has a later one."""
    EXCESS = str(phrase("excess"))
    """A build or disbandment beyond the number that is due."""
    LOST = str(phrase("lost"))
    """A retreat to a province into which another unit retreated too."""


@dataclass(frozen=True, slots=True)
class Given:
    """An order as a power gave it."""

    power: str
    order: Order


@dataclass(frozen=True, slots=True)
class Judged:
    """An order, as it was understood, and what became of it; `reason` says why it was illegal."""

    power: str
    order: Order
    result: Result
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that lost its place, the province of the unit that took it, and whereto it may
    retreat."""

    unit: Unit
    by: str
    options: tuple[str, ...]
