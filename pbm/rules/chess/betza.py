"""Parses Betza's notation of piece movement into atoms: `K`, `fmWfcF`, `nN`, `mRcpR`.

An atom is a capital: W F D A N H C Z G leap (0,1) (1,1) (0,2) (2,2) (1,2) (0,3) (1,3) (2,3) (3,3);
K is WF, R, B and Q ride W, F and both; `W2` goes up to two steps, `W0` any number, `WW` too.
Prefixes: m moves only, c captures only, n lame (the square it passes first must be empty), p hops
over exactly one piece, i from some rows only, such as those where pawns start; and directions: f b
l r forward, backward, left, right, v vertical, s sideways, ff far forward of an oblique leap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

Step = tuple[int, int]
"""(columns to the right, rows forward)"""

_LEAPS: dict[str, Step] = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "A": (2, 2),
    "N": (1, 2),
    "H": (0, 3),
    "C": (1, 3),
    "Z": (2, 3),
    "G": (3, 3),
}
_RIDERS = {"R": "W", "B": "F", "Q": "WF"}
_PART = re.compile(r"([a-z]*)([A-Z])(\2?)([0-9]*)")
_WAY = re.compile(r"ff|bb|[fb][lr]|[fblrvs]")


@dataclass(frozen=True, slots=True)
class Atom:
    """One way of moving.

    steps    where to, each repeated up to `reach` times (0: as far as it goes)
    moves    whether it goes to empty squares; captures: whether to those of the other side
    lame     whether the square next to it on its way must be empty
    hops     whether it goes over exactly one piece
    first    whether it is for some rows only
    """

    steps: tuple[Step, ...]
    reach: int
    moves: bool
    captures: bool
    lame: bool
    hops: bool
    first: bool


@cache
def atoms(text: str) -> tuple[Atom, ...]:
    """Return the atoms of a piece. ValueError if the text is not in this notation."""
    if _PART.sub("", text):
        raise ValueError(f"{text} is not Betza's notation")
    return tuple(atom for part in _PART.finditer(text) for atom in _atoms_of(*part.groups()))


def _atoms_of(how: str, letter: str, again: str, number: str) -> list[Atom]:
    reach = int(number) if number else (0 if again else 1)
    letters = "WF" if letter == "K" else letter
    if letter in _RIDERS:
        letters, reach = _RIDERS[letter], int(number or 0)
    ways = "".join(char for char in how if char in "fblrvs")
    return [
        Atom(
            steps=tuple(step for step in _images(_LEAPS[one]) if _fits(step, ways)),
            reach=reach,
            moves="c" not in how or "m" in how,
            captures="m" not in how or "c" in how,
            lame="n" in how,
            hops="p" in how,
            first="i" in how,
        )
        for one in letters
    ]


def _images(leap: Step) -> list[Step]:
    """Return the leap in all directions."""
    x, y = leap
    both = {(x, y), (y, x)}
    return sorted({(i * a, j * b) for a, b in both for i in (1, -1) for j in (1, -1)})


def _fits(step: Step, ways: str) -> bool:
    """Whether a step goes one of the given ways; all do if none is given."""
    x, y = step
    simple = {"f": y > 0, "b": y < 0, "l": x < 0, "r": x > 0, "v": not x, "s": not y}
    simple |= {"ff": y > abs(x), "bb": -y > abs(x)}
    if not ways:
        return True
    if 0 in step:
        return any(simple[way] for way in ways)
    return any(
        simple[way] if way in simple else simple[way[0]] and simple[way[1]]
        for way in _WAY.findall(ways)
    )
