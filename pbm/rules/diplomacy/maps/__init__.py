"""The maps that come with the game, a text file each, and the reader of such files."""

from __future__ import annotations

from functools import cache
from pkgutil import get_data

from pbm.rules.diplomacy.board import GameMap
from pbm.rules.diplomacy.maps.map_reader import MapError, read_map

NAMES = (
    "standard",
    "fleetrome",
    "chaos",
    "colonial",
    "modern",
    "ancmed",
    "western",
    "franceaustria",
)

__all__ = ["NAMES", "MapError", "find_file", "find_map", "read_map"]


@cache
def find_map(name: str) -> GameMap:
    """Return the map of that name, one of `NAMES`."""
    return read_map(find_file(name), name, find_file)


def find_file(name: str) -> str:
    """Return the file of that map, with which another may begin (`like standard`)."""
    data = get_data(__name__, f"{name}.txt") if name in NAMES else None
    if data is None:
        raise MapError(f"There is no map {name}; there are {', '.join(NAMES)}.")
    return data.decode()
