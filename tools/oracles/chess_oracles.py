"""Chess and Chess960 against python-chess (`chess`), and chess against OpenSpiel, which names moves
as they are written here.

OpenSpiel ends a game as drawn when a position is there for the third time and after fifty moves,
which is for the players to claim here: games are left there."""

from collections.abc import Iterable

import chess

from pbm.rules import Position
from pbm.rules.chess.position import ChessLikePosition
from tools.oracles import Row
from tools.oracles.spiel import Spiel
from tools.oracles.territory import SPIEL


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


def unclaimed(position: Position) -> bool:
    """Whether nobody may claim a draw."""
    assert isinstance(position, ChessLikePosition)
    return position.idle < 100 and position.history.count(position.history[-1]) < 3


def written(position: Position, move: str) -> str:
    """Return a move in algebraic notation."""
    return position.describe(min(position.to_move), move)


class SpielChess(Spiel):
    """Chess of OpenSpiel, whose player 0 is black."""

    def __init__(self) -> None:
        Spiel.__init__(self, "chess", lambda state, action: state.action_to_string(action))

    def ranks(self) -> tuple[int, ...] | None:
        ranks = Spiel.ranks(self)
        return ranks and ranks[::-1]


ROWS = [
    Row("chess", "python-chess", Standard),
    Row("chess", SPIEL, SpielChess, within=unclaimed, seen=written, slow=2),
    *map(shuffled, (0, 117, 356, 692, 959)),
]
