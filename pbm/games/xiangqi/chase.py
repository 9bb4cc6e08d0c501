"""Decides who chased a piece all the time before a position of xiangqi recurred.

Rules: docs/rules/xiangqi.md."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.rules.chess.movement_tables import EMPTY, Tables
from pbm.rules.chess.position import ChessLikePosition, generate

NEITHER = "KP"
"""The kinds that cannot chase and (soldiers on their own side) cannot be chased."""


def chases_always(position: ChessLikePosition, side: int) -> bool:
    """Whether a side threatened one and the same piece after each of its moves since the position
    first occurred."""
    tables = position.tables
    chased: set[int] | None = None
    for mover, board, origin in _since(position):
        if mover == side:
            now = {origin[cell] for cell in threatened(tables, board, side)}
            chased = now if chased is None else chased & now
            if not chased:
                return False
    return bool(chased)


def _since(position: ChessLikePosition) -> Iterator[tuple[int, str, dict[int, int]]]:
    """Yield each move since the position first occurred: who made it, the board after it, and for
    each piece where it stood at first. Nothing was captured in between."""
    first = position.history.index(position.history[-1])
    moves = position.line[first - len(position.history) + 1 :]
    board, origin = list(position.board), {cell: cell for cell in range(len(position.board))}
    for number, move in enumerate(moves):
        start, end, _ = position.tables.ends[move]
        board[start], board[end] = EMPTY, board[start]
        origin[end] = origin[start]
        yield (position.side + number) % 2, "".join(board), dict(origin)


def threatened(tables: Tables, board: str, side: int) -> Iterator[int]:
    """Yield the cells of the pieces that a side chases, as if it were on the move."""
    for move in generate(tables, board, side).moves:
        start, end, _ = tables.ends[move]
        hunter, hunted = board[start].upper(), board[end].upper()
        if hunted == EMPTY or hunter in NEITHER or hunted == "K":
            continue
        if hunted == "P" and not _is_over(tables, end, 1 - side):
            continue
        if hunter == hunted and _takes(tables, board, 1 - side, end, start):
            continue
        taken = _moved(board, start, end)
        if (hunted == "R" and hunter in "HC") or not _is_taken(tables, taken, 1 - side, end):
            yield end


def _is_over(tables: Tables, cell: int, side: int) -> bool:
    """Whether a soldier of a side has crossed the river."""
    return (cell < tables.size // 2) == bool(side)


def _moved(board: str, start: int, end: int) -> str:
    row = list(board)
    row[start], row[end] = EMPTY, row[start]
    return "".join(row)


def _takes(tables: Tables, board: str, side: int, start: int, end: int) -> bool:
    """Whether a side could move from a cell to another."""
    return tables.text[""][start][1 << end] in generate(tables, board, side).moves


def _is_taken(tables: Tables, board: str, side: int, cell: int) -> bool:
    """Whether a side could take what stands on a cell."""
    return any(tables.ends[move][1] == cell for move in generate(tables, board, side).moves)
