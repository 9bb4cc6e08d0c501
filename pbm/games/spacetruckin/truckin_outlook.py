"""What the ships of Space Truckin' promise: without it a bot that looks at points alone mans
everything at once, and has no ship left when it draws a good tile."""

from __future__ import annotations

from itertools import accumulate

from pbm.games.spacetruckin.tile_set import FACES, GRID, KINDS, TILING
from pbm.games.spacetruckin.truckin_state import TruckinState

_IN_POOL = (0.0, *accumulate((7.0, 6.0, *[5.0] * 8)))
"""In points, what so many ships in the pool are going to bring from the beginning on."""
_ABOARD = 5.0
"""The same of a ship on the board, which is going to come home."""
_NEARLY = 1.0
"""Besides, where one cell is vacant at what the ship mans."""
_WIDE_OPEN = 0.3
"""What each vacant cell there from the third on takes away."""
_LATE = 0.25
"""The part of the tiles left from which on ships bring less and less."""
_ALL = sum(kind.copies for kind in KINDS)


def judge_ships(position: TruckinState) -> list[float]:
    """What the ships of each seat promise besides the points of what they man."""
    left = sum(position.bag) / _ALL
    part = min(left / _LATE, 1.0) * (0.6 + 0.4 * left)
    promised = [_IN_POOL[pool] for pool in position.pools]
    for cell, ship in enumerate(position.ships):
        if ship:
            seat, segment = divmod(ship - 1, 4)
            vacant = _count_vacant(position.board, cell, segment)
            promised[seat] += _ABOARD + _NEARLY * (vacant == 1)
            promised[seat] -= _WIDE_OPEN * max(0, vacant - 2)
    return [part * each for each in promised]


def _count_vacant(board: bytes, cell: int, segment: int) -> int:
    """How many vacant cells must be filled before what is manned there scores, at least."""
    if not FACES[board[cell]].segments[segment].edges:
        return sum(not board[there] for there in GRID.king[cell])
    across = TILING.across
    return len(
        {
            across[here][edge]
            for here, number in TILING.feature(board, cell, segment).parts
            for edge in FACES[board[here]].segments[number].edges
            if not board[across[here][edge]]
        }
    )
