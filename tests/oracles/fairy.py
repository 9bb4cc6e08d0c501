"""Games of Fairy-Stockfish as oracles (`pyffish` of the extra `oracles`)."""

from collections.abc import Callable, Iterable

import pyffish


class Fairy:
    """A game of Fairy-Stockfish. `name` makes our move of one of its; where it makes None that is a
    pass, which is played by itself when there is nothing else."""

    def __init__(self, variant: str, name: Callable[[str], str | None]) -> None:
        self._variant, self._name = variant, name
        self._fen = pyffish.start_fen(variant)
        self._seat = 0
        self._find()

    def _find(self) -> None:
        moves = pyffish.legal_moves(self._variant, self._fen, [])
        self._moves = {name: move for move in moves if (name := self._name(move)) is not None}
        self._passes = [move for move in moves if self._name(move) is None]

    def _push(self, move: str) -> None:
        self._fen = pyffish.get_fen(self._variant, self._fen, [move])
        self._seat = 1 - self._seat
        self._find()

    def moves(self) -> Iterable[str]:
        return self._moves

    def play(self, move: str) -> None:
        self._push(self._moves[move])
        if not self._moves and self._passes:
            self._push(self._passes[0])

    def ranks(self) -> tuple[int, ...] | None:
        ended, value = pyffish.is_immediate_game_end(self._variant, self._fen, [])
        if not ended and (self._moves or self._passes):
            return None
        value = value if ended else pyffish.game_result(self._variant, self._fen, [])
        if not value:
            return (1, 1)
        winner = self._seat if value > 0 else 1 - self._seat
        return (1, 2) if winner == 0 else (2, 1)
