"""Variations: lines of moves and rolls that are tried from a position of a board. What the holder
of a seat keeps of them stands in the seat, for whoever reads that seat alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbm.core.board import Board

MOST_TRIED = 40
"""Moves of a variation."""
MOST_KEPT = 60
"""Variations that are kept of a board."""
BETWEEN = "|"
"""What stands between the moves of a variation; in no game it is part of a move."""
_CLOSED = frozenset({"hidden", "sealed"})
"""Features of games whose players know different things of the board."""

Line = tuple[str, ...]


class Variation(NamedTuple):
    """A variation: the ply of the position that it begins at, and its moves as they are stored."""

    ply: int
    moves: Line


def is_open_to_tries(board: Board) -> bool:
    """Whether moves can be tried on a board: nothing is hidden there, and nothing sealed."""
    is_closed = board.game.info.features & _CLOSED or board.position.takes_orders
    return board.state in ("running", "over") and not is_closed


def read_variations(text: str | None) -> list[Variation]:
    """Return the variations that a seat keeps."""
    lines = (line.split(BETWEEN) for line in (text or "").split("\n") if line)
    return [Variation(int(ply), tuple(moves)) for ply, *moves in lines]


def write_variations(variations: Iterable[Variation]) -> str | None:
    """Return them as a seat keeps them."""
    lines = (BETWEEN.join((str(each.ply), *each.moves)) for each in variations)
    return "\n".join(lines) or None


def add_line(lines: Iterable[Line], line: Line) -> list[Line]:
    """Return the lines with another one: in the place of what it continues, and nowhere where it is
    the beginning of one of them. Their order stays."""
    merged, is_there = list[Line](), not line
    for each in lines:
        if line[: len(each)] != each:
            is_there = is_there or each[: len(line)] == line
            merged.append(each)
        elif not is_there:
            is_there = True
            merged.append(line)
    return merged if is_there else [*merged, line]


def find_kept(kept: Iterable[Variation], ply: int, played: Sequence[tuple[int, str]]) -> list[Line]:
    """Return what is kept at a position: the variations from there, and the rest of those from
    before it that begin with what was `played`, each move and roll with its ply."""
    lines = list[Line]()
    for start, moves in kept:
        since = tuple(move for at, move in played if start < at <= ply)
        if start <= ply and moves[: len(since)] == since:
            lines = add_line(lines, moves[len(since) :])
    return lines
