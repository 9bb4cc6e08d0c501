"""The fleets of Battleship, and the cells that a ship can occupy."""

from __future__ import annotations

from functools import cache

from pbm.rules.boards.squares import cached_grid
from pbm.rules.phrases import phrase

SEATS = ("north", "south")
FLEETS = {
    "classic": (
        (phrase("carrier"), 5),
        (phrase("battleship"), 4),
        (phrase("cruiser"), 3),
        (phrase("submarine"), 3),
        (phrase("destroyer"), 2),
    ),
    "russian": (
        (phrase("battleship"), 4),
        *[(phrase("cruiser"), 3)] * 2,
        *[(phrase("destroyer"), 2)] * 3,
        *[(phrase("boat"), 1)] * 4,
    ),
    "short": ((phrase("battleship"), 4), (phrase("cruiser"), 3), (phrase("destroyer"), 2)),
}
ROOMY = 10
"""The smallest sea on which ships that may not touch always leave a place for the next one: each
ship of these fleets, with the water around it, blocks few of the twelve pairs of cells in columns
ab, ef, ij of rows 1, 4, 7, 10, of the sixteen cells three apart, and so on."""


@cache
def ship_places(size: int, length: int) -> dict[str, frozenset[int]]:
    """Return the possible places of a ship on an empty sea, and their cells."""
    grid, places = cached_grid(size, size), {}
    for cell, name in enumerate(grid.names):
        for columns, rows in ((1, 0), (0, 1)):
            end = grid.step(cell, columns * (length - 1), rows * (length - 1))
            if end is not None:
                between = range(cell, end + 1, max(columns + rows * size, 1))
                move = name if length == 1 else f"{name}-{grid.names[end]}"
                places[move] = frozenset(between)
    return places


@cache
def ship_cells(size: int, ship: str) -> frozenset[int]:
    """Return the cells of a ship at that place."""
    number = cached_grid(size, size).number
    first, last = number[ship.partition("-")[0]], number[ship.rpartition("-")[2]]
    return frozenset(range(first, last + 1, 1 if last - first < size else size))
