"""Minishogi against Fairy-Stockfish. It is asked about a position without what was before, so
games are left where ours ends by repetition. It lists the drop of a pawn that mates, and has it
lose; with us it is no move."""

from collections.abc import Iterable

import pyffish

from pbm.rules import Position
from tools.oracles import Row
from tools.oracles.fairy import Fairy

GAME = "minishogi"
COLUMNS = dict(zip("abcde", "54321", strict=True))
LETTERS = dict(zip("12345", "edcba", strict=True))


def cell(name: str) -> str:
    """Return a cell of theirs as shogi players call it."""
    return COLUMNS[name[0]] + LETTERS[name[1]]


def named(move: str) -> str:
    """Return a move of theirs as ours."""
    start, end, more = move[:2], move[2:4], move[4:]
    if start[1] == "@":
        return f"{start[0].lower()}*{cell(end)}"
    return f"{cell(start)}{cell(end)}{more}"


class Minishogi(Fairy):
    """A game of it. Where the kings stand is noted, since only a pawn dropped before one mates."""

    def __init__(self) -> None:
        self._kings = ["a1", "e5"]
        Fairy.__init__(self, GAME, named, to_the_last=True)

    def _push(self, move: str) -> None:
        if move[:2] == self._kings[self._seat]:
            self._kings[self._seat] = move[2:4]
        Fairy._push(self, move)

    def moves(self) -> Iterable[str]:
        king = self._kings[1 - self._seat]
        before = f"P@{king[0]}{int(king[1]) + (1 if self._seat else -1)}"
        return [
            name for name, move in self._moves.items() if move != before or not self._mates(move)
        ]

    def _mates(self, drop: str) -> bool:
        variant, fen, line = self._place
        return not pyffish.legal_moves(variant, fen, [*line, drop])


def is_asked(position: Position) -> bool:
    return position.outcome is None or "time" not in position.outcome.reason


ROWS = [
    Row("minishogi", "pyffish", Minishogi, within=is_asked, slow=2, note="mating drops of pawns")
]
