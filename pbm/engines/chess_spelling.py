"""Positions and moves of the chess family as engines spell them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbm.engines.dialogue import PlayedLine
from pbm.rules import CHANCE
from pbm.rules.chess.movement_tables import LONG, SHORT
from pbm.rules.chess.position import ChessLikePosition, castle, castling

_XIANGQI = {"H": "N", "E": "B"}
_SHOGI = {"N": "+S", "H": "+B", "D": "+R", "T": "+P"}
LETTERS: Mapping[str, Mapping[str, str]] = {
    "chess": {},
    "chess960": {},
    "minishogi": _SHOGI,
    "xiangqi": _XIANGQI,
}
"""The games, and the letters of their pieces that engines write otherwise."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a protocol spells cells and moves.

    columns   the names of columns, from the left of the first side; "" for those of the game
    rows      the names of rows, from the side of the first player
    drop      what stands between a piece that is dropped and its cell
    is_castling_on_rook  whether castling is written with the cell of the rook, not of the king
    """

    columns: str = ""
    rows: Sequence[str] = ()
    drop: str = "@"
    is_castling_on_rook: bool = False


def spell_board(position: ChessLikePosition) -> str:
    """Return the pieces of a position as in FEN, from the top row down."""
    letters, width = LETTERS[position.game.info.name], position.tables.width
    rows = []
    for first in range(position.tables.size - width, -1, -width):
        row = "".join(_spell_piece(sign, letters) for sign in position.board[first : first + width])
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
    return "/".join(rows)


def _spell_piece(sign: str, letters: Mapping[str, str]) -> str:
    piece = letters.get(sign.upper(), sign.upper())
    return piece.lower() if sign.islower() else piece


def spell_fen(position: ChessLikePosition) -> str:
    """Return the position in FEN, with the hands in brackets where captured pieces are dropped."""
    board = spell_board(position)
    if position.rules.drops:
        board += f"[{position.hands[0]}{position.hands[1].lower()}]"
    passed = position.tables.names[position.passed] if position.passed >= 0 else "-"
    rights = castling(position) if position.rules.castling else "-"
    number = position.turn // 2 + 1
    return f"{board} {'wb'[position.side]} {rights} {passed} {position.idle} {number}"


def spell_sfen(position: ChessLikePosition) -> str:
    """Return the position as shogi programs write it; the side that begins is b."""
    hands = "".join(
        f"{count if count > 1 else ''}{letter if not side else letter.lower()}"
        for side, hand in enumerate(position.hands)
        for letter, count in _count_hand(hand)
    )
    return f"{spell_board(position)} {'bw'[position.side]} {hands or '-'} {position.turn + 1}"


def _count_hand(hand: str) -> Iterator[tuple[str, int]]:
    """Yield the pieces in a hand, the most valuable first, with their number."""
    for letter, like in groupby(sorted(hand, key="RBGSP".index)):
        yield letter, len(list(like))


def spell_move(position: ChessLikePosition, move: str, spelling: Spelling) -> str:
    """Return a legal move as the protocol writes it."""
    of, side = position.tables, position.side
    start, end, more = of.ends[move]

    def cell(number: int) -> str:
        row, column = divmod(number, of.width)
        columns, rows = spelling.columns or of.columns, spelling.rows or of.rows
        return f"{columns[column]}{rows[row]}"

    if move in (SHORT, LONG) and position.rules.castling:
        king = position.board.index(of.royal[side])
        rook = next(
            place
            for place in position.rooks
            if (position.board[place] == "Rr"[side]) and (place > king) is (move == SHORT)
        )
        to = rook if spelling.is_castling_on_rook else castle(of, king, rook)[1]
        return cell(king) + cell(to)
    if start < 0:
        return f"{more}{spelling.drop}{cell(end)}"
    return f"{cell(start)}{cell(end)}{more}"


def spell_moves(position: ChessLikePosition, spelling: Spelling) -> Iterator[tuple[str, str]]:
    """Return each legal move with its spelling."""
    return ((spell_move(position, move, spelling), move) for move in position.moves())


def find_chess_position(line: PlayedLine) -> ChessLikePosition:
    """Return the present position. TypeError outside the family."""
    return _require_chess(line.position)


def _require_chess(position: object) -> ChessLikePosition:
    if not isinstance(position, ChessLikePosition):
        raise TypeError("not a position of the chess family")
    return position


def split_line(line: PlayedLine, spelling: Spelling) -> tuple[ChessLikePosition, list[str]]:
    """Return the position after the last move that cannot be reversed, and the moves since as the
    protocol writes them: an engine sees repetitions in them."""
    position = find_chess_position(line)
    begin = max(0, len(line.positions) - len(position.history))
    while begin < len(line.moves) and line.moves[begin][0] == CHANCE:
        begin += 1
    spelled = [
        spell_move(_require_chess(line.positions[number]), line.moves[number][1], spelling)
        for number in range(begin, len(line.moves))
    ]
    return _require_chess(line.positions[begin]), spelled
