"""The tables that all positions of a board of Cradle share, and which placements they allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from pbm.rules import Value
from pbm.rules.boards.triangles import Lattice, TriangleBoard, hexagon
from pbm.rules.families.stacking import Placements
from pbm.rules.phrases import phrase

SHAPES = (phrase("cradle"), phrase("snake"), phrase("triangle"))
"""The names of `stacking.FORMS`."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables shared by all boards of a size and set of shapes."""

    board: TriangleBoard
    lattice: Lattice
    places: Placements


@cache
def tables(size: int, shapes: int) -> Tables:
    """Return the tables of a hexagon on which the first `shapes` of SHAPES may be placed."""
    board = hexagon(size)
    return Tables(board, Lattice(board), Placements(board, shapes))


@lru_cache(maxsize=512)
def name_stack_state(size: int, shapes: int, height: tuple[int, ...], top: tuple[int, ...]) -> str:
    """Return the state of the stacks, as far as it still matters, as text."""
    stack_state = tables(size, shapes).places.stack_state(height, top)
    return f"{','.join(map(str, stack_state.heights))}/{stack_state.live:x}/{stack_state.exposed:x}"


def find_tables(options: Mapping[str, Value]) -> Tables:
    """Return the tables of a board with these options."""
    return tables(options["size"], len(SHAPES) if options["all_shapes"] else 1)


def filter_allowed(
    options: Mapping[str, Value],
    fits: int,
    height: Sequence[int],
    levels: Sequence[int],
    used: Sequence[int],
) -> int:
    """Return the placements of the mask `fits` that supply and -must_reduce allow
    (docs/rules/cradle.md, "Placing", 1 and 5)."""
    limit = options.get("num_each")
    if limit is not None:
        for shape, number in zip(find_tables(options).places.of_form, used, strict=True):
            if number == limit:
                fits &= ~shape
    if options["must_reduce"]:
        cells = [len(height), *(4 * pieces for pieces in levels), 0]
        closed = [here + 4 >= below for below, here in pairwise(cells)]
        by_first_end = find_tables(options).places.by_first_end
        for cell, rests in enumerate(height):
            if closed[rests]:
                fits &= ~by_first_end[cell]
    return fits
