"""Minishogi against Fairy-Stockfish. It is asked about a position without what was before, so
games are left where ours ends by repetition. It lists the drop of a pawn that mates, and has it
lose; with us it is no move."""

from collections.abc import Iterable

import pyffish

from pbm.rules import Position
from tests.oracles import Row
from tests.oracles.fairy import Fairy

GAME = "minishogi"
COLUMNS = dict(zip("abcde", "54321", strict=True))
LETTERS = dict(zip("12345", "edcba", strict=True))


def cell(name: str) -> str:
    """A cell of theirs as shogi players call it."""
    return COLUMNS[name[0]] + LETTERS[name[1]]


def named(move: str) -> str:
    """A move of theirs as ours."""
    start, end, more = move[:2], move[2:4], move[4:]
    if start[1] == "@":
        return f"{start[0].lower()}*{cell(end)}"
    return f"{cell(start)}{cell(end)}{more}"


class Minishogi(Fairy):
    """A game of it."""

    def __init__(self) -> None:
        Fairy.__init__(self, GAME, named)

    def moves(self) -> Iterable[str]:
        return [name for name in self._moves if not (name[0] == "p" and self._mates(name))]

    def _mates(self, name: str) -> bool:
        move = [self._moves[name]]
        if not pyffish.gives_check(GAME, self._fen, move):
            return False
        return not pyffish.legal_moves(GAME, pyffish.get_fen(GAME, self._fen, move), [])


def is_asked(position: Position) -> bool:
    return position.outcome is None or "time" not in position.outcome.reason


ROWS = [
    Row("minishogi", "pyffish", Minishogi, within=is_asked, slow=2, note="mating drops of pawns")
]
