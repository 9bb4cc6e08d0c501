"""Playouts of Havannah without positions: stones are put on a list until one of them makes a fork,
a bridge or a ring. Who is cut between two stones that touch the same two empty cells joins them at
once."""

from __future__ import annotations

from pbm.bots.quick.hex_playouts import Played, find_cut, list_bridges
from pbm.bots.simple import Dice
from pbm.rules import Position
from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.connection import CORNERS, SIDES, find_rim
from pbm.rules.families.two_player import EMPTY, STONES


class Board:
    """Stones on a hexagon; joined stones have one cell in common as their root."""

    def __init__(self, geometry: HexBoard, touched: list[int], stones: str) -> None:
        self._around = geometry.around
        self.cells = [EMPTY] * len(stones)
        self._parents = list(range(len(stones)))
        self._touched = touched
        self._beside = [0] * len(stones), [0] * len(stones)
        """For each side, how many of its stones are next to each cell."""
        for cell, stone in enumerate(stones):
            if stone != EMPTY:
                self.put(cell, STONES.index(stone))

    def _find(self, cell: int) -> int:
        parents = self._parents
        while parents[cell] != cell:
            parents[cell] = cell = parents[parents[cell]]
        return cell

    def put(self, cell: int, side: int) -> bool:
        """Put a stone there; whether that makes a fork, a bridge or a ring."""
        cells, six, beside, stone = self.cells, self._around[cell], self._beside[side], STONES[side]
        cells[cell] = stone
        bits, joined, wins = self._touched[cell], list[int](), False
        before = six[-1] >= 0 and cells[six[-1]] == stone
        for there in six:
            is_own = False
            if there >= 0:
                beside[there] += 1
                is_own = cells[there] == stone
                wins = wins or (is_own and beside[there] == 6)
                if is_own and not before:
                    root = self._find(there)
                    # two runs around the cell that are joined elsewhere enclose what is between
                    wins = wins or root in joined
                    joined.append(root)
                    bits |= self._touched[root]
            before = is_own
        for root in joined or ([self._find(six[0])] if before else []):
            self._parents[root] = cell
        self._touched[cell] = bits
        return wins or (bits & SIDES).bit_count() >= 3 or (bits & CORNERS).bit_count() >= 2


def play_out(position: Position, dice: Dice) -> tuple[Played, tuple[float, ...]] | None:
    """Return the moves of a playout and each seat's share; None while the colours may change."""
    if not isinstance(position, OnHexagons) or position.may_swap:
        return None
    geometry = position.geometry
    touched = [*find_rim(int(position.options["side"]))]
    board = Board(geometry, touched, position.board)
    cells, bridges, names = board.cells, list_bridges(geometry), geometry.names
    order = [(dice.random(), cell) for cell, stone in enumerate(cells) if stone == EMPTY]
    order.sort()
    side, played, forced = position.side, Played(), -1
    while order or forced >= 0:
        cell = order.pop()[1] if forced < 0 else forced
        if cells[cell] != EMPTY:
            continue
        seat = side ^ position.swapped
        played.append((seat, names[cell]))
        if board.put(cell, side):
            return played, (float(seat == 0), float(seat == 1))
        side = 1 - side
        forced = find_cut(cells, bridges[cell], STONES[side])
    return played, (0.5, 0.5)
