"""What is known of the positions of small Cradle that neither side decides soon.

The file `solved.bin` has every class of positions that can be reached from the empty board while
neither player can force a win within `SOON` placements, and what becomes of it with best play on
both sides. A move that leaves these classes loses within `SOON` more.
`python -m tests.games.solve_cradle` writes the file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import TypeAlias

Class: TypeAlias = tuple[tuple[int, ...], int]
"""What a position has in common with all others that allow the same: the heights that still matter
and the mask of the pieces that nothing covers."""

SOON = 7
HELD = 255
"""The value of a class in which neither player can force a win."""
_NAME = "solved.bin"
_BYTES = 5
"""Of the digest of a class: two classes in a billion that are not in the file seem to be."""


def digest(each: Class) -> bytes:
    """The name of a class in the file."""
    heights, exposed = each
    text = f"{','.join(map(str, heights))}/{exposed:x}"
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()


def pack_classes(values: Mapping[Class, int]) -> bytes:
    """The file: the digest of each class and its value, in the order of the digests."""
    rows = sorted((digest(each), value) for each, value in values.items())
    return b"".join(name + bytes([value]) for name, value in rows)


@cache
def read_classes() -> Mapping[bytes, int]:
    """The value of each class in the file, by its digest: within how many placements the game ends,
    an even number if the mover loses, an odd one if the mover wins, or HELD."""
    data = get_data(__package__, _NAME)
    if data is None:
        raise FileNotFoundError(_NAME)
    width = _BYTES + 1
    return {data[at : at + _BYTES]: data[at + _BYTES] for at in range(0, len(data), width)}
