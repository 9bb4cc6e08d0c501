"""Orders as people write them: `Army Paris supports Army Marseilles to Burgundy`, `F Mid-Atlantic
Ocean -> Spain (sc)`, `build a par`, and the spellings of njudge and DPjudge.

A text counts when it has exactly one reading: words of which a province is misspelt, or begun, are
read as soon as one province alone makes an order of them that can be given. Nothing is guessed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbm.rules.diplomacy.board import ARMY, FLEET, GameMap, province_of
from pbm.rules.diplomacy.order_choices import check_order, describe_choices
from pbm.rules.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from pbm.rules.diplomacy.phases import PhaseState, Stage
from pbm.rules.diplomacy.province_names import Certainty, find_names
from pbm.rules.errors import AmbiguousMove, InvalidMove, MoveError
from pbm.rules.phrases import combine, get_text, phrase
from pbm.rules.typed import listing, quoted

LONGEST = 200
"""The most characters of one order."""
_MOST_WORDS = 5
"""The most words of a province's name."""
_UNKNOWN = 100
"""The cost of a word that names no province."""
_ARROWS = re.compile("[-=~]*>+|-{2,}|[\u2010-\u2015\u2192\u21d2\u279c\u27a1]+")
_COASTS = (
    re.compile(r"[(/]?\s*\b([nsew])(?:orth|outh|ast|est)?(?:ern)?[\s.-]*coast\b\s*\)?"),
    re.compile(r"[(/]\s*([nsew])\.?\s*c\b\.?\s*\)?"),
    re.compile(r"(?<![/\w])([nsew])\.?c\b\.?"),
)
_TOKENS = re.compile(r"/[nsew]c|[a-z0-9]+|[^\s]")
_KINDS = {
    **dict.fromkeys(("a", "army", "armies", "inf"), ARMY),
    **dict.fromkeys(("f", "fleet", "fleets", "navy"), FLEET),
}
_HOLD = frozenset(("h", "hold", "holds", "holding", "stand", "stands", "stay", "stays"))
_MOVE = frozenset(
    {
        *("-", "m", "mv", "move", "moves", "moving", "to", "go", "goes", "going", "into"),
        *("attack", "attacks", "attacking", "advance", "advances", "march", "marches"),
        *("sail", "sails", "enter", "enters"),
    }
)
_SUPPORT = frozenset(("s", "sup", "supp", "support", "supports", "supporting"))
_CONVOY = frozenset(("c", "con", "conv", "convoy", "convoys", "convoying", "transports"))
_RETREAT = frozenset(("r", "ret", "retreat", "retreats", "retreating"))
_DISBAND = frozenset(
    {
        *("d", "dis", "disb", "disband", "disbands", "disbanded", "disbanding"),
        *("remove", "removes", "removed", "destroy", "destroys"),
    }
)
_BUILD = frozenset(("b", "bld", "build", "builds", "building"))
_WAIVE = frozenset(("waive", "waives", "waived", "w", "pass"))
_ARTICLES = frozenset(("the", "my", "our", "his", "her", "their", "in", "from", "at", "of"))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place that was read: its kind, how certain it is, and the next token."""

    place: str
    cost: int
    end: int


@dataclass(frozen=True, slots=True)
class _Named:
    """A unit as it was read: its kind, "" if none was written."""

    kind: str
    place: str
    cost: int
    end: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """An order as it may be meant; its kind is "" where none was written."""

    order: Order
    cost: int


def read_typed_order(text: str, state: PhaseState, power: str) -> Order:
    """Return the order that a text means for a power in this phase, as it will be recorded.

    Raise InvalidMove, IllegalMove or AmbiguousMove, whose text names the province, the unit that
    stands there and what it may do."""
    if len(text) > LONGEST:
        raise InvalidMove(phrase("{text} is longer than an order.", text=quoted(text)))
    reader = _Reader(text, state, power)
    readings = sorted(set(reader.read()), key=lambda each: (each.cost, str(each.order)))
    known = [each for each in readings if each.cost < _UNKNOWN]
    if not known:
        raise _find_fault(text, state, power, reader, is_unknown=bool(readings))
    best = [each.order for each in known if each.cost == known[0].cost]
    given, refusals = dict[str, Order](), list[MoveError]()
    for order in best:
        try:
            checked = check_order(state, power, order)
            given[str(checked)] = checked
        except MoveError as error:
            refusals.append(error)
    if len(given) == 1:
        return next(iter(given.values()))
    if given:
        raise AmbiguousMove(
            phrase(
                "{text} could be {orders}: write one of them.",
                text=quoted(text),
                orders=listing(list(given)[:4], "or"),
            )
        )
    if len(best) > 1:
        readings_text = listing([str(order) for order in best[:4]], "or")
        raise AmbiguousMove(
            _add(
                phrase(
                    "{text} could be {orders}, and none of these can be given.",
                    text=quoted(text),
                    orders=readings_text,
                ),
                _explain(state, power, best[0]),
            )
        )
    raise _with_choices(refusals[0], state, power, best[0])


def _with_choices(error: MoveError, state: PhaseState, power: str, order: Order) -> MoveError:
    """Return the refusal of an order, with what the unit may do unless it says so already."""
    text, choices = get_text(error), _explain(state, power, order)
    if " may " in text or "builds in" in text or choices in text:
        return error
    return type(error)(combine("{text} {choices}", text=text, choices=choices))


def _explain(state: PhaseState, power: str, order: Order) -> str:
    province = "" if isinstance(order, Waive) else order.province
    return describe_choices(state, power, province)


def _find_fault(
    text: str, state: PhaseState, power: str, reader: _Reader, *, is_unknown: bool
) -> MoveError:
    """Return why a text is no order: a province that is not on the map, or nothing like an
    order."""
    subject = reader.find_subject()
    choices = describe_choices(state, power, subject)
    if is_unknown and (unknown := reader.find_unknown()):
        fault = phrase(
            "There is no province {unknown} on this map: {text}.",
            unknown=quoted(unknown),
            text=quoted(text),
        )
        return InvalidMove(_add(fault, choices))
    fault = phrase("{text} cannot be read as an order.", text=quoted(text))
    if not subject and state.stage is Stage.MOVEMENT:
        example = phrase("One looks like this: A PAR - BUR")
        fault = combine("{fault} {example}.", fault=fault, example=example)
    return InvalidMove(_add(fault, choices))


def _add(fault: str, hint: str) -> str:
    return combine("{fault} {hint}", fault=fault, hint=hint) if hint else fault


class _Reader:
    """Reads one order; every way to read it that the words allow."""

    def __init__(self, text: str, state: PhaseState, power: str) -> None:
        self._state, self._power = state, power
        self._map: GameMap = state.game_map
        self._names = find_names(self._map)
        self._tokens = self._split(text)
        self._unknown: list[str] = []

    def _split(self, text: str) -> list[str]:
        text = _ARROWS.sub(" - ", _drop_accents(text).lower())
        for pattern in _COASTS:
            text = pattern.sub(lambda match: f" /{match[1]}c ", text)
        text = self._names.join_hyphened(text.replace("'", "").replace(".", " "))
        tokens = _TOKENS.findall(text.strip(" ,;:!*>"))
        return self._drop_owner(tokens)

    def _drop_owner(self, tokens: list[str]) -> list[str]:
        """Return the tokens without the power's own name before them: "France: A PAR H"."""
        power = self._map.power(self._power)
        for name in (power.name, power.adjective):
            words = name.lower().split()
            if tokens[: len(words)] == words and len(tokens) > len(words):
                rest = tokens[len(words) :]
                return rest[1:] if rest[0] == ":" else rest
        return tokens

    def read(self) -> Iterator[_Reading]:
        """Yield every reading of the text."""
        tokens = self._tokens
        if _WAIVE.intersection(tokens) and len(tokens) <= 2 and _WAIVE.union(_BUILD) >= {*tokens}:
            yield _Reading(Waive(), 0)
            return
        first = tokens[0] if tokens else ""
        for words, read in (
            (_BUILD, self._read_build),
            (_DISBAND, self._read_disband),
            (_HOLD, self._read_hold),
        ):
            if first in words:
                for unit in self._read_unit(1):
                    if unit.end == len(tokens):
                        yield from read(unit, unit.end)
        start = 1 if first in _MOVE | _RETREAT else 0
        for unit in self._read_unit(start):
            yield from self._read_act(unit, is_led=first in _RETREAT)

    def _read_act(self, unit: _Named, *, is_led: bool) -> Iterator[_Reading]:
        """Yield the acts that a text may order for a unit."""
        at = unit.end
        verb = self._at(at)
        end = len(self._tokens)
        for words, read in (
            (_HOLD, self._read_hold),
            (_DISBAND, self._read_disband),
            (_BUILD, self._read_build),
        ):
            if verb in words and at + 1 == end:
                yield from read(unit, at + 1)
        if verb in _SUPPORT:
            yield from self._read_support(unit, at + 1)
        if verb in _CONVOY:
            yield from self._read_convoy(unit, at + 1)
        is_retreat = is_led or verb in _RETREAT
        after = self._skip(at, _MOVE | _RETREAT)
        if after > at:
            yield from self._read_move(unit, after, is_retreat=is_retreat)

    def _read_hold(self, unit: _Named, end: int) -> Iterator[_Reading]:
        yield _Reading(Hold(unit.kind or ARMY, unit.place), unit.cost)

    def _read_disband(self, unit: _Named, end: int) -> Iterator[_Reading]:
        yield _Reading(Disband(unit.kind or ARMY, unit.place), unit.cost)

    def _read_build(self, unit: _Named, end: int) -> Iterator[_Reading]:
        for kind in (unit.kind,) if unit.kind else (ARMY, FLEET):
            yield _Reading(Build(kind, unit.place), unit.cost)

    def _read_move(self, unit: _Named, start: int, *, is_retreat: bool) -> Iterator[_Reading]:
        """Yield a move or retreat; of several places joined by dashes the last is where an army
        goes, by the fleets in the others."""
        end = len(self._tokens)
        for spot in self._read_place(start):
            cost = unit.cost + spot.cost
            kind = unit.kind or ARMY
            after = self._skip_via(spot.end)
            if after == end:
                if is_retreat or self._state.stage is Stage.RETREATS:
                    yield _Reading(Retreat(kind, unit.place, spot.place), cost)
                else:
                    yield _Reading(Move(kind, unit.place, spot.place, after > spot.end), cost)
            elif self._at(spot.end) == "-" and self._is_water(spot.place) and not is_retreat:
                through = replace(unit, cost=cost)
                for reading in self._read_move(through, spot.end + 1, is_retreat=False):
                    if isinstance(reading.order, Move):
                        yield replace(reading, order=replace(reading.order, via=True))

    def _read_support(self, unit: _Named, start: int) -> Iterator[_Reading]:
        end = len(self._tokens)
        for other in self._read_unit(start):
            cost = unit.cost + other.cost
            kinds = unit.kind or ARMY, other.kind or ARMY
            if other.end == end or (self._at(other.end) in _HOLD and other.end + 1 == end):
                yield _Reading(SupportHold(kinds[0], unit.place, kinds[1], other.place), cost)
            after = self._skip(other.end, _MOVE)
            for spot in self._read_place(after) if after > other.end else ():
                if self._skip_via(spot.end) == end:
                    order = SupportMove(kinds[0], unit.place, kinds[1], other.place, spot.place)
                    yield _Reading(order, cost + spot.cost)

    def _read_convoy(self, unit: _Named, start: int) -> Iterator[_Reading]:
        for army in self._read_unit(start):
            after = self._skip(army.end, _MOVE)
            for spot in self._read_place(after) if after > army.end else ():
                if self._skip_via(spot.end) == len(self._tokens):
                    cost = unit.cost + army.cost + spot.cost
                    kind = unit.kind or FLEET
                    yield _Reading(Convoy(kind, unit.place, army.place, spot.place), cost)

    def _read_unit(self, at: int) -> Iterator[_Named]:
        """Yield the units that the tokens may name, with or without whose they are."""
        owners = {word for each in self._map.powers for word in (each.name, each.adjective)}
        after = self._skip(at, _ARTICLES | {word.lower() for word in owners})
        for start in dict.fromkeys((after, at)):
            kind = _KINDS.get(self._at(start), "")
            first = self._skip(start + 1, _ARTICLES) if kind else start
            for spot in self._read_place(first):
                yield _Named(kind, spot.place, spot.cost, spot.end)

    def _read_place(self, at: int) -> Iterator[_Spot]:
        """Yield the places that the tokens may name."""
        at = self._skip(at, frozenset(("the",)))
        words = list[str]()
        for token in self._tokens[at : at + _MOST_WORDS]:
            if not token.isalnum():
                break
            words.append(token)
        has_any = False
        for count in range(len(words), 0, -1):
            found = self._names.find(tuple(words[:count]))
            has_any |= bool(found)
            for code, certainty in found.items():
                end = at + count
                coast = self._at(end) if self._at(end).startswith("/") else ""
                place = code + coast.upper()
                yield _Spot(place, int(certainty), end + bool(coast))
        if words and not has_any:
            self._unknown.append(words[0])
            for count in range(1, len(words) + 1):
                yield _Spot("?", _UNKNOWN, at + count)

    def _is_water(self, place: str) -> bool:
        province = self._map.provinces.get(province_of(place))
        return province is not None and province.convoys

    def _skip(self, at: int, words: frozenset[str]) -> int:
        while self._at(at) in words:
            at += 1
        return at

    def _skip_via(self, at: int) -> int:
        """Return the token behind "via convoy", "by sea" or "via NTH"."""
        if self._at(at) not in ("via", "by", "v"):
            return at
        if self._at(at + 1) in _CONVOY | {"sea", "a"}:
            return at + 2 + (self._at(at + 2) in _CONVOY)
        ends = [spot.end for spot in self._read_place(at + 1) if spot.cost < _UNKNOWN]
        return max(ends, default=at + 1)

    def _at(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def find_unknown(self) -> str:
        """Return the first word that names no province where one has to stand."""
        return self._unknown[0] if self._unknown else ""

    def find_subject(self) -> str:
        """Return the province of the unit that the text begins with; "" for none."""
        for start in (0, 1):
            for unit in self._read_unit(start):
                if unit.cost <= Certainty.BEGINNING:
                    return province_of(unit.place)
        return ""


def _drop_accents(text: str) -> str:
    """Return the text with plain letters for those with accents; arrows and dashes stay."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char))
