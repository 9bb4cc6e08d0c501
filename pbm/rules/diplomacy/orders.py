"""The orders of Diplomacy as values, and the one spelling in which each is recorded.

`A PAR H`, `A PAR - BUR`, `A LON - BEL VIA`, `A PAR S A MAR`, `A PAR S A MAR - BUR`,
`F ENG C A LON - BEL`; after a movement `A PAR R GAS` and `A PAR D`; in winter `A PAR B`,
`F STP/NC B`, `A PAR D` and `WAIVE`. Whether an order can be given in a position is asked of
`legality`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from pbm.rules.diplomacy.board import GameMap, Unit, province_of
from pbm.rules.errors import InvalidMove
from pbm.rules.phrases import phrase
from pbm.rules.typed import listing, quoted


@dataclass(frozen=True, slots=True)
class Ordered:
    """An order to a unit: its kind, A or F, and where it stands."""

    kind: str
    place: str

    @property
    def province(self) -> str:
        """The province of the unit."""
        return province_of(self.place)

    @property
    def unit(self) -> str:
        """The unit in notation."""
        return f"{self.kind} {self.place}"


@dataclass(frozen=True, slots=True)
class Hold(Ordered):
    """Stay where it is."""

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move(Ordered):
    """Move to a place; `via` orders a convoy for an army that could also march."""

    to: str
    via: bool = False

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}{' VIA' if self.via else ''}"


@dataclass(frozen=True, slots=True)
class SupportHold(Ordered):
    """Support a unit that does not move."""

    other_kind: str
    other: str

    def __str__(self) -> str:
        return f"{self.unit} S {self.other_kind} {self.other}"


@dataclass(frozen=True, slots=True)
class SupportMove(Ordered):
    """Support the move of a unit."""

    other_kind: str
    other: str
    to: str

    def __str__(self) -> str:
        return f"{self.unit} S {self.other_kind} {self.other} - {self.to}"


@dataclass(frozen=True, slots=True)
class Convoy(Ordered):
    """Convoy an army from its province, `other`, to another one."""

    other: str
    to: str

    def __str__(self) -> str:
        return f"{self.unit} C A {self.other} - {self.to}"


@dataclass(frozen=True, slots=True)
class Retreat(Ordered):
    """Retreat to a place."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband(Ordered):
    """Leave the board: instead of a retreat, or in winter for want of a centre."""

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build(Ordered):
    """Build this unit."""

    def __str__(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True)
class Waive:
    """Build nothing, once."""

    def __str__(self) -> str:
        return "WAIVE"


MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
Order: TypeAlias = MovementOrder | Retreat | Disband | Build | Waive

_PLACE = r"([A-Z][A-Z0-9]*(?:/[A-Z]+)?)"
_FORMS: tuple[tuple[re.Pattern[str], Callable[..., Order]], ...] = tuple(
    (re.compile(form.replace("UNIT", rf"([AF]) {_PLACE}").replace("PLACE", _PLACE)), kind)
    for form, kind in (
        ("UNIT H", Hold),
        ("UNIT - PLACE( VIA)?", Move),
        ("UNIT S UNIT", SupportHold),
        ("UNIT S UNIT - PLACE", SupportMove),
        ("UNIT C A PLACE - PLACE", Convoy),
        ("UNIT R PLACE", Retreat),
        ("UNIT D", Disband),
        ("UNIT B", Build),
        ("WAIVE", Waive),
    )
)


def read_order(text: str, game_map: GameMap) -> Order:
    """Return the order in its recorded spelling, of places that are on the map; InvalidMove
    otherwise."""
    for form, kind in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        words = match.groups()
        for word in words:
            if word and word not in ("A", "F", " VIA"):
                check_place(word, game_map)
        if kind is Move:
            return Move(words[0], words[1], words[2], words[3] is not None)
        return kind(*words)
    raise InvalidMove(
        phrase("{text} is not an order. One looks like this: A PAR - BUR", text=quoted(text))
    )


def check_place(place: str, game_map: GameMap) -> None:
    """Refuse a place that is not on the map, with InvalidMove."""
    code = province_of(place)
    if code not in game_map.provinces:
        raise InvalidMove(phrase("There is no province {code} on this map.", code=quoted(code)))
    places = game_map.list_places(code)
    if place != code and place not in places:
        if places == (code,):
            raise InvalidMove(
                phrase(
                    "{place} has one coast only: write {code}",
                    place=game_map.describe(code),
                    code=code,
                )
            )
        raise InvalidMove(
            phrase(
                "{place} has the coasts {places}.",
                place=game_map.describe(code),
                places=listing(places),
            )
        )


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
