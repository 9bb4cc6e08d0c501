"""Parses typed plays of backgammon: `13/10(2) 8/5(2)`, `bar/22*, 24-20`, `31: 8/5 6/5`.

A typed play need not be complete: it stands for the one legal play of the roll that it fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbm.games.backgammon.men import (
    BAR,
    OFF,
    Result,
    Steps,
    count_at,
    find_plays,
    find_single_steps,
    find_ways,
    hit_places,
    place_name,
    play_text,
    unpack_step,
)
from pbm.rules.errors import AmbiguousMove, IllegalMove
from pbm.rules.typed import listing

_PLACE = r"(?:bar|b|off|o|\d{1,2})"
_WAY = re.compile(
    rf"({_PLACE}\*?(?:\s*[/-]\s*{_PLACE}\*?)+)(?:\s*\(\s*([1-4])\s*\))?(?![a-z0-9/*(-])", re.ASCII
)
_ROLL = re.compile(r"\s*([1-6])\s*-?\s*([1-6])\s*:\s*", re.ASCII)
_BETWEEN = re.compile(r"[\s,;.]*")
_MOST_WAYS, _SHOWN = 4, 4


@dataclass(frozen=True, slots=True)
class Way:
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
    """The roll that a typed play begins with, as in `31: 8/5 6/5`, and where the play starts."""
    match = _ROLL.match(text)
    return ((int(match[1]), int(match[2])), match.end()) if match else (None, 0)


def read_ways(text: str, start: int = 0) -> tuple[list[Way], int]:
    """The ways of men that a lower-case text begins with, and where they end."""
    ways: list[Way] = []
    end = start
    while len(ways) < _MOST_WAYS:
        between = _BETWEEN.match(text, end)
        match = _WAY.match(text, between.end() if between else end)
        if match is None:
            break
        words = re.split(r"\s*[/-]\s*", match[1])
        places = tuple(_place(word) for word in words)
        hits = tuple(_place(word) for word in words if word.endswith("*"))
        ways.append(Way(places, hits, int(match[2] or 1)))
        end = match.end()
    return ways, end


def _place(word: str) -> int:
    word = word.rstrip("*")
    if word.startswith("b"):
        return BAR
    return OFF if word.startswith("o") else int(word)


def count_unused(ways: Sequence[Way], steps: Steps) -> int | None:
    """How many steps of a play remain when the ways are taken out of it; None if they are not in
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
    """The smallest number of steps that remain when each leg is composed of some of them."""
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


def resolve_play(ways: Sequence[Way], own: int, other: int, dice: tuple[int, int], foe: str) -> str:
    """The one play of a roll that typed ways fit, wholly or in part, in canonical notation;
    MoveError if there is none or several. `foe` is the name of the other side."""
    text = " ".join(way.text for way in ways)
    misplaced = _misplaced(ways, own, other, foe)
    if misplaced:
        raise IllegalMove(f"{text}: {misplaced}")
    names = {result: play_text(steps) for result, steps in find_plays(own, other, dice).items()}
    fits: dict[Result, int] = {}
    for mine, theirs, _, steps in find_ways(own, other, dice):
        left = count_unused(ways, steps)
        if left is not None:
            fits[mine, theirs] = min(left, fits.get((mine, theirs), left))
    fitting = [one for one, left in fits.items() if not left] or list(fits)
    if not fitting:
        why = _fault(ways, own, other, dice, next(iter(names.values())))
        raise IllegalMove(f"{text}: {why}")
    if len(fitting) == 1:
        return names[fitting[0]]
    shown = [names[one] for one in fitting[:_SHOWN]]
    if len(fitting) > _SHOWN:
        shown.append(f"{len(fitting) - _SHOWN} others")
    raise AmbiguousMove(f"{text} could be {listing(shown, 'or')}: write the whole turn")


def _misplaced(ways: Sequence[Way], own: int, other: int, foe: str) -> str:
    """Why the ways cannot be part of any play, whatever is rolled; "" if they might."""
    ends = {place for way in ways for place in way.places[1:]}
    for way in ways:
        if max(way.places) > BAR or BAR in way.places[1:] or OFF in way.places[:-1]:
            return "the points are 24 to 1; men enter from bar and are borne off to off"
        source = way.places[0]
        if count_at(own, BAR) and not any(one.places[0] == BAR for one in ways):
            return "your man on the bar must enter first, as in bar/22"
        if not count_at(own, source) and source not in ends:
            return f"you have no man on {'the bar' if source == BAR else place_name(source)}"
        for here, there in zip(way.places, way.places[1:], strict=False):
            if there >= here:
                leg = f"{place_name(here)}/{place_name(there)}"
                return f"{leg} goes backward: your men move down from 24 to 1"
            if there and count_at(other, BAR - there) > 1:
                return f"{place_name(there)} is held by {foe}"
    return ""


def _fault(ways: Sequence[Way], own: int, other: int, dice: tuple[int, int], example: str) -> str:
    """Why ways that might be part of a play are in none of this roll, of which `example` is one."""
    unmarked = [Way(way.places, (), way.times) for way in ways]
    if any(count_unused(unmarked, steps) is not None for *_, steps in find_ways(own, other, dice)):
        return "nothing is hit there; leave out the *"
    for *_, steps in find_single_steps(own, other, dice):
        if count_unused(unmarked, steps) == 0:
            return f"you must play as many dice as you can, or the larger one, as in {example}"
    return f"{dice[0]}-{dice[1]} cannot be played like that; for example {example}"
