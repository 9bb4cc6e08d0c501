"""Games of Fairy-Stockfish as oracles (`pyffish` of the extra `oracles`).

Whatever it is asked costs some 2.3 ms, for it makes its tables anew, and each move before the
position that it is asked about 7 microseconds more. So a position is asked about once, by the line
that led there, and a FEN is made only now and then."""

from collections.abc import Callable, Iterable

import pyffish

_LINE = 50
"""So many moves are played again before a FEN is made of them."""


class Fairy:
    """A game of Fairy-Stockfish. `name` makes our move of one of its; where it makes None that is a
    pass, which is played by itself when there is nothing else. `to_the_last`: nothing ends the game
    but that there is no legal move, so that nobody has to ask whether it is over."""

    def __init__(
        self, variant: str, name: Callable[[str], str | None], *, to_the_last: bool = False
    ) -> None:
        self._variant, self._name, self._to_the_last = variant, name, to_the_last
        self._fen, self._line = pyffish.start_fen(variant), list[str]()
        self._seat = 0
        self._find()

    @property
    def _place(self) -> tuple[str, str, list[str]]:
        """The position as the functions of pyffish take it."""
        return self._variant, self._fen, self._line

    def _find(self) -> None:
        moves = pyffish.legal_moves(*self._place)
        self._moves = {name: move for move in moves if (name := self._name(move)) is not None}
        self._passes = [move for move in moves if self._name(move) is None]

    def _push(self, move: str) -> None:
        self._line.append(move)
        if len(self._line) == _LINE:
            self._fen, self._line = pyffish.get_fen(*self._place), []
        self._seat = 1 - self._seat
        self._find()

    def moves(self) -> Iterable[str]:
        return self._moves

    def play(self, move: str) -> None:
        self._push(self._moves[move])
        if not self._moves and self._passes:
            self._push(self._passes[0])

    def ranks(self) -> tuple[int, ...] | None:
        can_move = bool(self._moves or self._passes)
        if can_move and self._to_the_last:
            return None
        ended, value = pyffish.is_immediate_game_end(*self._place)
        if not ended and can_move:
            return None
        value = value if ended else pyffish.game_result(*self._place)
        if not value:
            return (1, 1)
        winner = self._seat if value > 0 else 1 - self._seat
        return (1, 2) if winner == 0 else (2, 1)
