"""Shared helpers of the tests of the chess family."""

import re
from dataclasses import replace
from typing import TypeVar

from pbm.rules.chess.movement_tables import EMPTY
from pbm.rules.chess.position import ChessLikePosition

P = TypeVar("P", bound=ChessLikePosition)


def perft(position: ChessLikePosition, depth: int) -> int:
    """The number of lines of so many moves, whether the game is over or not; positions that come
    again are counted once and remembered."""
    known: dict[tuple[int, int], int] = {}

    def count(at: ChessLikePosition, left: int) -> int:
        if left == 1:
            return len(at.moves())
        key = at.history[-1], left
        if key not in known:
            known[key] = sum(count(at.make_move(move), left - 1) for move in at.moves())
        return known[key]

    return count(position, depth)


def position_from_fen(position: P, text: str) -> P:
    """Return a position of the same game as a FEN describes it, without history."""
    all_of = position.tables
    board, side, rights, passed, idle, number = (text.split() + ["-", "-", "0", "1"][-6:])[:6]
    rows = [re.sub(r"[0-9]+", lambda run: EMPTY * int(run[0]), row) for row in board.split("/")]
    cells = "".join(reversed(rows))
    rooks = set[int]()
    for letter in rights.replace("-", ""):
        black = letter.islower()
        king = cells.find(all_of.royal[black])
        first = king - king % all_of.width
        rook = [c for c in range(first, first + all_of.width) if cells[c] == "Rr"[black]]
        if letter in "KkQq":
            rooks.add(max(rook) if letter in "Kk" else min(rook))
        else:
            rooks.add(first + all_of.columns.index(letter.lower()))
    turn = 2 * (int(number) - 1) + (side == "b")
    return replace(
        position,
        board=cells,
        side=int(side == "b"),
        turn=turn,
        rooks=tuple(sorted(rooks)),
        passed=all_of.number.get(passed, -1),
        idle=int(idle),
    ).as_start()
