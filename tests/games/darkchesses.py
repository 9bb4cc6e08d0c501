"""Random pairs of Dark Chess positions that a viewer must not be able to tell apart; python-chess
decides what the viewer may know."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import chess

from pbm.games.darkchess import DarkChess, DarkPosition
from pbm.rules import Position
from pbm.rules.chess.movement_tables import EMPTY

TRIES = 30


def darkchesses(
    rng: random.Random,
) -> Iterator[
    tuple[int | None, tuple[Position, Sequence[str], str], tuple[Position, Sequence[str], str]]
]:
    """Positions of a random game, each with one in which what the viewer does not see is
    different: other pieces of the other side elsewhere, other rights to castle, another last
    move."""
    position, last = DarkChess().setup(), list[str]()
    before = position
    while position.to_move and position.turn < 160:
        assert isinstance(position, DarkPosition)
        assert isinstance(before, DarkPosition)
        viewer = rng.choice((None, 0, 1))
        other = disguised(position, viewer, rng)
        if other is not None and last:
            mover = 1 - position.side
            words = before.describe(mover, last[0], viewer)
            instead = last if viewer == mover else unseen(before, last, rng)
            said = before.describe(mover, instead[0], viewer)
            yield viewer, (position, last, words), (other, instead, said)
        elif other is not None:
            yield viewer, (position, (), ""), (other, (), "")
        (seat,) = position.to_move
        last, before = [rng.choice(position.legal_moves(seat))], position
        position = position.play(seat, last[0])


def unseen(before: DarkPosition, last: list[str], rng: random.Random) -> list[str]:
    """Another move that the other side could have made, taking no piece where it took none, and the
    same where it took one."""
    place = taken_at(before, last[0])
    moves = before.legal_moves(before.side)
    return [rng.choice([move for move in moves if taken_at(before, move) == place])]


def taken_at(position: DarkPosition, move: str) -> int:
    """Where a move takes a piece, or -1."""
    after = position.play(position.side, move)
    assert isinstance(after, DarkPosition)
    return after.lost


def disguised(
    position: DarkPosition, viewer: int | None, rng: random.Random
) -> DarkPosition | None:
    """The same to that viewer, with other things hidden; None where none was found."""
    known = set() if viewer is None else sight(position, viewer)
    moves = None if viewer is None else legal(position, viewer)
    for _ in range(TRIES):
        cells = [cell for cell in range(64) if cell not in known]
        hidden = [position.board[cell] for cell in cells]
        for _ in range(rng.randint(1, 40)):
            a, b = rng.randrange(len(cells)), rng.randrange(len(cells))
            hidden[a], hidden[b] = hidden[b], hidden[a]
        row = list(position.board)
        for cell, sign in zip(cells, hidden, strict=True):
            row[cell] = sign
        if any(row[cell] in "Pp" for cell in (*range(8), *range(56, 64))):
            continue
        rooks = tuple(
            cell
            for cell in (0, 7, 56, 63)
            if (
                cell in position.rooks
                if viewer is not None and cell // 56 == viewer
                else row[cell] == "Rr"[cell // 56]
                and row[cell // 8 * 8 + 4] == "Kk"[cell // 56]
                and rng.random() < 0.5
            )
        )
        passed = position.passed if viewer == position.side else -1
        other = replace(position, board="".join(row), rooks=rooks, passed=passed)
        if not other.legal_moves(other.side):
            continue
        if viewer is None or (sight(other, viewer) == known and legal(other, viewer) == moves):
            return other
    return None


def board_of(position: DarkPosition, side: int) -> chess.Board:
    """The position in python-chess, with that side on the move."""
    board = chess.Board(None)
    for cell, sign in enumerate(position.board):
        if sign != EMPTY:
            board.set_piece_at(cell, chess.Piece.from_symbol(sign))
    board.turn = side == 0
    if side == position.side and position.passed >= 0:
        board.ep_square = position.passed
    return board


def legal(position: DarkPosition, side: int) -> set[str]:
    """The moves of a side but castling, which depends on nothing else that is hidden."""
    return {move.uci() for move in board_of(position, side).pseudo_legal_moves}


def sight(position: DarkPosition, side: int) -> set[int]:
    """The cells of which a side may know what stands on them: its own pieces, where they could
    go, and the pawn that they could take in passing."""
    board = board_of(position, side)
    cells = {cell for cell in chess.SQUARES if board.color_at(cell) is board.turn}
    for move in board.pseudo_legal_moves:
        cells.add(move.to_square)
        if board.is_en_passant(move):
            cells.add(move.to_square + (-8 if board.turn else 8))
    return cells
