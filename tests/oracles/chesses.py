"""Chess and Chess960 against python-chess (`chess`)."""

from collections.abc import Iterable

import chess

from tests.oracles import Row


class Standard:
    """A game of python-chess; it is over when the server ends it, without any claim."""

    def __init__(self, order: int | None = None) -> None:
        self.board = chess.Board() if order is None else chess.Board.from_chess960_pos(order)

    def _named(self) -> dict[str, chess.Move]:
        return {self._name(move): move for move in self.board.legal_moves}

    def _name(self, move: chess.Move) -> str:
        if self.board.is_castling(move):
            return "o-o" if self.board.is_kingside_castling(move) else "o-o-o"
        return move.uci()

    def moves(self) -> Iterable[str]:
        return self._named()

    def play(self, move: str) -> None:
        self.board.push(self._named()[move])

    def ranks(self) -> tuple[int, ...] | None:
        ended = self.board.outcome()
        if ended is None:
            return None
        return {True: (1, 2), False: (2, 1), None: (1, 1)}[ended.winner]


def shuffled(order: int) -> Row:
    return Row("chess960", "python-chess", lambda: Standard(order), {"start": order}, slow=2)


ROWS = [Row("chess", "python-chess", Standard), *map(shuffled, (0, 117, 356, 692, 959))]
