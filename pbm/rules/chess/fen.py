"""Positions of the family in FEN, the Forsyth-Edwards notation of chess programs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeVar

from pbm.rules.chess.movement_tables import EMPTY
from pbm.rules.chess.position import ChessLikePosition

P = TypeVar("P", bound=ChessLikePosition)


def fen(position: ChessLikePosition) -> str:
    """Return the position: board, side to move, castling rights, en passant cell, idle moves, move
    number."""
    all_of, width = position.tables, position.tables.width
    rows = [position.board[at : at + width] for at in range(0, all_of.size, width)]
    board = "/".join(
        re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in reversed(rows)
    )
    passed = all_of.names[position.passed] if position.passed >= 0 else "-"
    side, number = "wb"[position.side], position.turn // 2 + 1
    return f"{board} {side} {castling(position)} {passed} {position.idle} {number}"


def castling(position: ChessLikePosition) -> str:
    """Return the castling rights: KQkq, or the columns of inner rooks."""
    letters = ""
    for side, rook_sign in enumerate("Rr"):
        board, width = position.board, position.tables.width
        king = board.find(position.tables.royal[side])
        own = [rook for rook in position.rooks if board[rook] == rook_sign]
        for rook in sorted(own, reverse=True):
            row = range(king - king % width, king - king % width + width)
            beyond = row[: rook - row[0]] if rook < king else row[rook - row[0] + 1 :]
            outer = all(board[cell] != rook_sign for cell in beyond)
            letter = "q" if rook < king else "k"
            letter = letter if outer else position.tables.columns[rook % width]
            letters += letter if side else letter.upper()
    return letters or "-"


def shows(position: ChessLikePosition, text: str) -> bool:
    """Whether a FEN shows this position, taken as a first position: board, side to move and
    castling rights, given as KQkq or by the columns of the rooks. Empty hands may be named."""
    ours = fen(position).split()
    fields = text.split()
    board, side, rights = [*fields, *("", "w", "-")[len(fields) :]][:3]
    if (re.sub(r"\[-*\]", "", board), side) != (ours[0], ours[1]):
        return False
    columns = sorted(
        position.tables.columns[rook % position.tables.width].upper()
        if position.board[rook] == "R"
        else position.tables.columns[rook % position.tables.width]
        for rook in position.rooks
    )
    return not position.rules.castling or sorted(rights) in (sorted(ours[2]), columns)


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
