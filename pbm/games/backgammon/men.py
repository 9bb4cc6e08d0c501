"""Men on the twenty-four points of a backgammon board: every way to play a roll, and how plays are
typed: `13/10(2) 8/5(2)`, `bar/22*, 24-20`, `31: 8/5 6/5`.

The men of a side are one number with four bits for each place, counted from that side: 0 for the
men borne off, 1 to 24 for the points, 25 for the bar. Point 10 of one side is point 15 of the
other. A typed play need not be complete: it stands for the one legal play of the roll that it
fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbm.rules.errors import AmbiguousMove, IllegalMove
from pbm.rules.phrases import combine, phrase, phrase_number
from pbm.rules.typed import listing

OFF, BAR = 0, 25
PLACES = 26
_ONES = int("1" * PLACES, 16)
"""The lowest bit of every place."""
_POINTS = _ONES & ~1 & ~(1 << 4 * BAR)
_HOME = 4 * 7
"""The first bit above the home board."""

Result = tuple[int, int]
"""The men of the playing side and of the other side, after a play."""
Steps = tuple[int, ...]
"""The steps of a play, one number each: see `unpack_step`."""
Level = list[tuple[int, int, int, Steps]]
"""Partial plays: the men of both sides, the place of the last man moved, the steps."""


def pack_men(men: Mapping[int, int]) -> int:
    """Pack men by place into one number."""
    return sum(count << 4 * place for place, count in men.items())


def count_at(men: int, place: int) -> int:
    """Return the number of men on that place."""
    return men >> 4 * place & 15


def pip_count(men: int) -> int:
    """Return the pip count: the number of steps that the men have to go."""
    return sum(place * count_at(men, place) for place in range(1, PLACES))


def to_text(men: int) -> str:
    """Return the men as text, one hexadecimal digit per place from the bar down."""
    return f"{men:0{PLACES}x}"


def from_text(text: str) -> int:
    """Read what `to_text` writes."""
    return int(text, 16)


def unpack_step(one: int) -> tuple[int, int, bool]:
    """Return the source and target of a step, and whether it hits."""
    return one >> 6, one >> 1 & 31, bool(one & 1)


def find_plays(own: int, other: int, dice: tuple[int, int]) -> dict[Result, Steps]:
    """Return every play of a roll by the position it leads to: as many dice as possible, and the
    larger one if either die could be played but not both. Empty if no man can move."""
    return {(own, other): steps for own, other, _, steps in reversed(find_ways(own, other, dice))}


def find_ways(own: int, other: int, dice: tuple[int, int]) -> Level:
    """Return the plays of `find_plays`, each in all ways that differ in their steps."""
    free, blots = _open_points(other)
    level: Level = [(own, other, BAR, ())]
    high, low = max(dice), min(dice)
    if high == low:
        # In descending order of places each set of steps occurs once, if it is possible at all.
        for _ in range(4):
            following = _add_step(level, high, free, blots, in_order=True)
            if not following:
                break
            level = following
        return level if level[0][3] else []
    first_high = _add_step(level, high, free, blots)
    first_low = _add_step(level, low, free, blots)
    both = _add_step(first_high, low, free, blots)
    both += _add_step(first_low, high, free, blots)
    return both or first_high or first_low


def find_single_steps(own: int, other: int, dice: tuple[int, int]) -> Level:
    """Return every first step that either die allows, whether or not a play can begin with it."""
    free, blots = _open_points(other)
    level: Level = [(own, other, BAR, ())]
    return [way for die in sorted(set(dice)) for way in _add_step(level, die, free, blots)]


def _open_points(other: int) -> tuple[int, int]:
    """Return the points not held by the other side, and those where it has a single man, one bit
    each."""
    mirrored = int(to_text(other)[::-1], 16)
    made = (mirrored >> 1 | mirrored >> 2 | mirrored >> 3) & _POINTS
    return _POINTS & ~made, mirrored & _POINTS & ~made


def _add_step(level: Level, die: int, free: int, blots: int, *, in_order: bool = False) -> Level:
    """Return each way of `level` with one more step of a die; `in_order` from no higher place than
    the step before."""
    stepped: Level = []
    shift = 4 * die
    for own, other, limit, steps in level:
        if own >> 4 * BAR:
            sources = 1 << 4 * BAR if free >> (4 * BAR - shift) & 1 else 0
            occupied = 0
        else:
            occupied = (own | own >> 1 | own >> 2 | own >> 3) & _POINTS
            sources = (occupied >> shift & free) << shift
        if in_order:
            sources &= (16 << 4 * limit) - 1
        while sources:
            bit = sources.bit_length() - 1
            sources ^= 1 << bit
            target = bit - shift
            place = bit >> 2
            moved = own - (1 << bit) + (1 << target)
            if blots >> target & 1 and count_at(other, BAR - (target >> 2)):
                there = 1 << 4 * BAR - target
                taken = (*steps, place << 6 | target >> 1 | 1)
                stepped.append((moved, other - there + (1 << 4 * BAR), place, taken))
            else:
                stepped.append((moved, other, place, (*steps, place << 6 | target >> 1)))
        if occupied and not own >> _HOME:
            # A man bears off with its own number, and the rearmost man with any larger one.
            rear = occupied.bit_length() - 1
            bit = rear if rear < shift else shift
            place = bit >> 2
            if occupied >> bit & 1 and place <= limit:
                stepped.append((own - (1 << bit) + 1, other, place, (*steps, place << 6)))
    return stepped


@lru_cache(maxsize=1 << 16)
def play_text(steps: Steps) -> str:
    """Return the notation of a play: steps of one man joined unless it hits in between, men that go
    the same way counted, the rearmost first."""
    ways: list[list[int]] = []  # places; negative where a man is hit
    for one in sorted(steps, reverse=True):
        source, target = one >> 6, one >> 1 & 31
        joined = None
        for way in ways:
            # A man that has hit moves on only if no other man came to that point.
            if way[-1] == source or (joined is None and way[-1] == -source):
                joined = way
                if way[-1] > 0:
                    break
        if joined is None:
            joined = [source]
            ways.append(joined)
        elif joined[-1] > 0 and len(joined) > 1:
            joined.pop()
        joined.append(-target if one & 1 else target)
    counted: dict[tuple[int, ...], int] = {}
    for way in sorted(ways, key=lambda way: ([-abs(place) for place in way], way)):
        # Only the first of several men hits; the others are counted with it.
        words = (*way[:-1], -way[-1])
        words = words if words in counted else tuple(way)
        counted[words] = counted.get(words, 0) + 1
    return " ".join(
        "/".join(map(_NAMES.__getitem__, places)) + (f"({times})" if times > 1 else "")
        for places, times in counted.items()
    )


_NAMES = {
    sign * place: place_name + "*" * (sign < 0)
    for place, place_name in enumerate(["off", *map(str, range(1, 25)), "bar"])
    for sign in (-1, 1)
}
"""The names of places, negative ones with a hit."""
_NAMES[OFF] = "off"


def place_name(place: int) -> str:
    """Return a place as players write it."""
    return _NAMES.get(place, str(place))


def hit_places(steps: Steps) -> Iterator[int]:
    """Return the points where a play hits."""
    return (target for _, target, hits in map(unpack_step, steps) if hits)


_PLACE = r"(?:bar|b|off|o|\d{1,2})"
_WAY = re.compile(
    rf"({_PLACE}\*?(?:\s*[/-]\s*{_PLACE}\*?)+)(?:\s*\(\s*([1-4])\s*\))?(?![a-z0-9/*(-])", re.ASCII
)
_ROLL = re.compile(r"\s*([1-6])\s*-?\s*([1-6])\s*:\s*", re.ASCII)
_BETWEEN = re.compile(r"[\s,;.]*")
_MOST_WAYS, _SHOWN = 4, 4


@dataclass(frozen=True, slots=True)
class TypedWay:
    """The typed way of one man, or of several men that move alike.

    places  where it starts, the stops that were written, and where it ends
    hits    the places marked as hits
    times   the number of men that go this way
    """

    places: tuple[int, ...]
    hits: tuple[int, ...]
    times: int

    @property
    def text(self) -> str:
        """The notation without hits."""
        return "/".join(map(place_name, self.places)) + (
            f"({self.times})" if self.times > 1 else ""
        )


def read_roll(text: str) -> tuple[tuple[int, int] | None, int]:
    """Return the roll that a typed play begins with, as in `31: 8/5 6/5`, and where the play
    starts."""
    match = _ROLL.match(text)
    return ((int(match[1]), int(match[2])), match.end()) if match else (None, 0)


def read_ways(text: str, start: int = 0) -> tuple[list[TypedWay], int]:
    """Return the ways of men that a lower-case text begins with, and where they end."""
    ways: list[TypedWay] = []
    end = start
    while len(ways) < _MOST_WAYS:
        between = _BETWEEN.match(text, end)
        match = _WAY.match(text, between.end() if between else end)
        if match is None:
            break
        words = re.split(r"\s*[/-]\s*", match[1])
        places = tuple(_place(word) for word in words)
        hits = tuple(_place(word) for word in words if word.endswith("*"))
        ways.append(TypedWay(places, hits, int(match[2] or 1)))
        end = match.end()
    return ways, end


def _place(word: str) -> int:
    word = word.rstrip("*")
    if word.startswith("b"):
        return BAR
    return OFF if word.startswith("o") else int(word)


def count_unused(ways: Sequence[TypedWay], steps: Steps) -> int | None:
    """Return the number of a play's steps that remain without these ways; None if they are not in
    it, or claim a hit that it does not make."""
    if not set(hit_places(steps)).issuperset(place for way in ways for place in way.hits):
        return None
    legs = [
        pair
        for way in ways
        for _ in range(way.times)
        for pair in zip(way.places, way.places[1:], strict=False)
    ]
    return _left(legs, [unpack_step(one)[:2] for one in steps])


def _left(legs: Sequence[tuple[int, int]], steps: list[tuple[int, int]]) -> int | None:
    """Return the smallest number of steps that remain when each leg is composed of some of them."""
    if not legs:
        return len(steps)
    source, target = legs[0]
    for one in dict.fromkeys(steps):
        if one[0] != source or one[1] < target:
            continue
        rest = steps.copy()
        rest.remove(one)
        onward = [(one[1], target)] if one[1] > target else []
        unused = _left([*onward, *legs[1:]], rest)
        if unused is not None:
            return unused
    return None


def resolve_play(
    ways: Sequence[TypedWay], own: int, other: int, dice: tuple[int, int], foe: str
) -> str:
    """Return the one play of a roll that typed ways fit, wholly or in part, in canonical notation;
    MoveError if there is none or several. `foe` is the name of the other side."""
    text = " ".join(way.text for way in ways)
    misplaced = _misplaced(ways, own, other, foe)
    if misplaced:
        raise IllegalMove(combine("{text}: {misplaced}", text=text, misplaced=misplaced))
    names = {result: play_text(steps) for result, steps in find_plays(own, other, dice).items()}
    fits: dict[Result, int] = {}
    for mine, theirs, _, steps in find_ways(own, other, dice):
        left = count_unused(ways, steps)
        if left is not None:
            fits[mine, theirs] = min(left, fits.get((mine, theirs), left))
    fitting = [one for one, left in fits.items() if not left] or list(fits)
    if not fitting:
        why = _fault(ways, own, other, dice, next(iter(names.values())))
        raise IllegalMove(combine("{text}: {why}", text=text, why=why))
    if len(fitting) == 1:
        return names[fitting[0]]
    shown = [names[one] for one in fitting[:_SHOWN]]
    if len(fitting) > _SHOWN:
        others = len(fitting) - _SHOWN
        shown.append(phrase_number("{count} other", "{count} others", others))
    raise AmbiguousMove(
        phrase(
            "{text} could be {shown}: write the whole turn", text=text, shown=listing(shown, "or")
        )
    )


def _misplaced(ways: Sequence[TypedWay], own: int, other: int, foe: str) -> str:
    """Return why the ways cannot be part of any play, whatever is rolled; "" if they might."""
    ends = {place for way in ways for place in way.places[1:]}
    for way in ways:
        if max(way.places) > BAR or BAR in way.places[1:] or OFF in way.places[:-1]:
            return phrase("the points are 24 to 1; men enter from bar and are borne off to off")
        source = way.places[0]
        if count_at(own, BAR) and not any(one.places[0] == BAR for one in ways):
            return phrase("your man on the bar must enter first, as in bar/22")
        if not count_at(own, source) and source not in ends:
            if source == BAR:
                return phrase("you have no man on the bar")
            return phrase("you have no man on {place}", place=place_name(source))
        for here, there in zip(way.places, way.places[1:], strict=False):
            if there >= here:
                leg = f"{place_name(here)}/{place_name(there)}"
                return phrase("{leg} goes backward: your men move down from 24 to 1", leg=leg)
            if there and count_at(other, BAR - there) > 1:
                return phrase("{place} is held by {colour}", place=place_name(there), colour=foe)
    return ""


def _fault(
    ways: Sequence[TypedWay], own: int, other: int, dice: tuple[int, int], example: str
) -> str:
    """Return why ways that might be part of a play are in none of this roll, of which `example` is
    one."""
    unmarked = [TypedWay(way.places, (), way.times) for way in ways]
    if any(count_unused(unmarked, steps) is not None for *_, steps in find_ways(own, other, dice)):
        return phrase("nothing is hit there; leave out the *")
    for *_, steps in find_single_steps(own, other, dice):
        if count_unused(unmarked, steps) == 0:
            return phrase(
                "you must play as many dice as you can, or the larger one, as in {example}",
                example=example,
            )
    return phrase(
        "{dice}-{dice_2} cannot be played like that; for example {example}",
        dice=dice[0],
        dice_2=dice[1],
        example=example,
    )
