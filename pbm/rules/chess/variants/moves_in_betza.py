"""Parses Betza's notation of how pieces move, in the dialect of Fairy-Stockfish.

A move is a capital behind its modifiers: W F D N A H L C J Z G leap (0,1) (1,1) (0,2) (1,2) (2,2)
(0,3) (1,3) (1,3) (2,3) (2,3) (3,3); K is WF; R, B and Q ride W, F and both; a digit limits how far,
a doubled letter rides without limit. Modifiers: m moves, c captures, p hops over one piece and on,
g lands right behind the piece it hops over, n is lame, i may be made from the region of double
steps, e may capture in passing; f b l r v s h and pairs of them are directions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

Step = tuple[int, int]
"""(columns to the right, rows forward)"""
LEAPS: dict[str, Step] = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "N": (1, 2),
    "A": (2, 2),
    "H": (0, 3),
    "L": (1, 3),
    "C": (1, 3),
    "J": (2, 3),
    "Z": (2, 3),
    "G": (3, 3),
}
_COMPOUND = {"K": "WF", "Q": "WF", "R": "W", "B": "F"}
_RIDERS = "RBQ"
_UP_DOWN, _SIDEWAYS = "fbvh", "rlsh"
_LAME = "DNAZJ"
_LONGEST = 200
_MOST_WAYS = 16
"""A piece with more would only fill the memory."""
_ANY = 99


@dataclass(frozen=True, slots=True)
class BetzaWay:
    """One way of moving.

    steps    the steps, each of which may be repeated
    reach    how many steps, 99 for any number
    moves, captures  whether it goes to empty cells, and to those of the other side
    hops     "" for none, "p" over exactly one piece, "g" to the cell right behind one
    lame     whether the cells on its way must be empty
    first    whether only from the region of double steps
    """

    steps: tuple[Step, ...]
    reach: int
    moves: bool
    captures: bool
    hops: str = ""
    lame: bool = False
    first: bool = False


@cache
def read_betza(text: str) -> tuple[BetzaWay, ...]:
    """Return the ways of a piece. ValueError if the text is not in this notation, or means
    nothing."""
    if len(text) > _LONGEST:
        raise ValueError(f"it is longer than {_LONGEST} characters")
    ways, at = list[BetzaWay](), 0
    while at < len(text):
        begin = at
        while at < len(text) and text[at].islower():
            at += 1
        if at == len(text):
            raise ValueError(f"{text[begin:]} stands before no move")
        modifiers, letter, tail = text[begin:at], text[at], text[at + 1 : at + 2]
        if letter not in LEAPS and letter not in _COMPOUND:
            raise ValueError(f"{letter} is no move of Betza's notation")
        has_tail = tail.isdigit() or tail == letter
        at += 2 if has_tail else 1
        ways += _read_ways(modifiers, letter, tail if has_tail else "")
    found = tuple(dict.fromkeys(ways))
    if len(found) > _MOST_WAYS:
        raise ValueError(f"it moves in more than {_MOST_WAYS} ways")
    return found


def _read_ways(modifiers: str, letter: str, tail: str) -> list[BetzaWay]:
    directions = _read_directions(modifiers)
    rides = letter in _RIDERS or bool(tail)
    hops = "g" if "g" in modifiers else "p" if "p" in modifiers else ""
    captures, moves = "c" in modifiers, "m" in modifiers
    if not captures and not moves:
        captures = moves = True
    way = BetzaWay(
        steps=(),
        reach=int(tail) if tail.isdigit() else _ANY if rides or hops else 1,
        moves=moves,
        captures=captures,
        hops=hops,
        lame="n" in modifiers,
        first="i" in modifiers,
    )
    _check(way, letter, tail, rides=rides)
    leaps = [LEAPS[one] for one in _COMPOUND.get(letter, letter)]
    ways = list[BetzaWay]()
    for leap in leaps:
        pairs = directions
        if len(leaps) == 1 and 0 in leap:  # fs of a rook means forward and sideways
            pairs = [(one, one) for pair in directions for one in pair]
        steps = [_aim(leap, *octant) for octant in _OCTANTS if _goes(octant, pairs)]
        if steps:
            ways.append(replace(way, steps=tuple(dict.fromkeys(steps))))
    return ways


def _check(way: BetzaWay, letter: str, tail: str, *, rides: bool) -> None:
    """Refuse combinations that mean nothing definite."""
    if tail == "0":
        raise ValueError(f"{letter}0 is not a distance")
    if way.hops and letter not in "WFKRBQ":
        raise ValueError(f"only W, F, K, R, B and Q can hop, not {letter}")
    if way.hops == "g" and tail.isdigit():
        raise ValueError(f"a grasshopper has no distance: {letter}{tail}")
    if rides and not way.hops and letter not in "WFKNRBQ":
        raise ValueError(f"only W, F and N can be repeated, not {letter}")
    if rides and letter == "N" and tail.isdigit() and int(tail) == 1:
        raise ValueError("N1 is written N")
    if way.lame and (rides or way.hops or letter not in _LAME):
        raise ValueError(f"only {', '.join(_LAME)} can be lame, without distance")
    if way.first and way.captures:
        raise ValueError("a first move (i) cannot capture: write im")


def _read_directions(modifiers: str) -> list[tuple[str, str]]:
    pairs, at = list[tuple[str, str]](), 0
    while at < len(modifiers):
        one, two = modifiers[at], modifiers[at + 1 : at + 2]
        at += 1
        if one in _UP_DOWN + _SIDEWAYS:
            joins = two and (
                two == one
                or (one in _UP_DOWN and two in _SIDEWAYS)
                or (one in _SIDEWAYS and two in _UP_DOWN)
            )
            if joins:
                at += 1
            pairs.append((one, two if joins else one))
        elif one not in "mcpgnie":
            raise ValueError(f"{one} is no modifier of Betza's notation")
    return pairs


_OCTANTS = tuple(product((True, False), repeat=3))
"""To the right or left, up or down, with more rows or more columns."""


def _aim(leap: Step, right: bool, up: bool, tall: bool) -> Step:
    columns, rows = leap if tall else leap[::-1]
    return columns if right else -columns, rows if up else -rows


def _goes(octant: tuple[bool, ...], pairs: list[tuple[str, str]]) -> bool:
    """Whether an octant lies in one of the directions; all do if none is given."""
    return not pairs or any(_lies(pair, *octant) for pair in pairs)


def _lies(pair: tuple[str, str], right: bool, up: bool, tall: bool) -> bool:
    """Whether an octant lies in a direction: the second letter of a pair says along what."""
    one, two = pair
    simple = {"f": up, "b": not up, "r": right, "l": not right, "v": True, "s": True}
    if one == "h" and two in "rl":
        return (tall == (right == up)) is (two == "r")
    if two == "h" and one in "fbrl":
        return simple[one]
    if one == two and one != "h":
        return simple[one] and tall is (one in "fbv")
    if (one in "fb" and two in "rls") or (one in "rl" and two in "fbv"):
        return simple[one] and simple[two] and tall is (two in "fbv")
    raise ValueError(f"{one}{two} is no direction of Betza's notation")
