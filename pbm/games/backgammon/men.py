"""Men on the twenty-four points of a backgammon board, and every way to play a roll.

The men of a side are one number with four bits for each place, counted from that side: 0 for the
men borne off, 1 to 24 for the points, 25 for the bar. Point 10 of one side is point 15 of the
other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

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
"""How a play is made, one number per step: see `pack_step`."""
Level = list[tuple[int, int, int, Steps]]
"""Partial plays: the men of both sides, the place of the last man moved, the steps."""


def pack_men(men: Mapping[int, int]) -> int:
    """Men by place, packed into one number."""
    return sum(count << 4 * place for place, count in men.items())


def count_at(men: int, place: int) -> int:
    """How many men are on that place."""
    return men >> 4 * place & 15


def pip_count(men: int) -> int:
    """The pip count: how far the men have to go."""
    return sum(place * count_at(men, place) for place in range(1, PLACES))


def to_text(men: int) -> str:
    """The men as text, one hexadecimal digit per place from the bar down."""
    return f"{men:0{PLACES}x}"


def from_text(text: str) -> int:
    """Inverse of `to_text`."""
    return int(text, 16)


def pack_step(source: int, target: int, *, hits: bool) -> int:
    """A step of one man as a number."""
    return source << 6 | target << 1 | hits


def unpack_step(one: int) -> tuple[int, int, bool]:
    """The source and target of a step, and whether it hits."""
    return one >> 6, one >> 1 & 31, bool(one & 1)


def find_plays(own: int, other: int, dice: tuple[int, int]) -> dict[Result, Steps]:
    """Every play of a roll by the position it leads to: as many dice as possible, and the larger
    one if either die could be played but not both. Empty if no man can move."""
    return {(own, other): steps for own, other, _, steps in reversed(find_ways(own, other, dice))}


def find_ways(own: int, other: int, dice: tuple[int, int]) -> Level:
    """The same, with every way of making each play that differs in its steps."""
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
    """Every first step that either die allows, whether or not a play can begin with it."""
    free, blots = _open_points(other)
    level: Level = [(own, other, BAR, ())]
    return [way for die in sorted(set(dice)) for way in _add_step(level, die, free, blots)]


def _open_points(other: int) -> tuple[int, int]:
    """The points not held by the other side, and those where it has a single man, one bit each."""
    mirrored = int(to_text(other)[::-1], 16)
    made = (mirrored >> 1 | mirrored >> 2 | mirrored >> 3) & _POINTS
    return _POINTS & ~made, mirrored & _POINTS & ~made


def _add_step(level: Level, die: int, free: int, blots: int, *, in_order: bool = False) -> Level:
    """Each way of `level` with one more step of a die; `in_order` from no higher place than the
    step before."""
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
    """The notation of a play: steps of one man joined unless it hits in between, men that go the
    same way counted, the rearmost first."""
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
    """A place as players write it."""
    return _NAMES.get(place, str(place))


def hit_places(steps: Steps) -> Iterator[int]:
    """The points where a play hits."""
    return (target for _, target, hits in map(unpack_step, steps) if hits)
