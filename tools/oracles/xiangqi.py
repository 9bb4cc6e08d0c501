"""Xiangqi against Fairy-Stockfish, which is asked about a position without what was before: so
games are left where ours ends by repetition, or by the count of moves or of pieces."""

from pbm.rules import Position
from tools.oracles import Row
from tools.oracles.fairy import Fairy

NAME = {f"{c}{row + 1}": f"{c}{row}" for c in "abcdefghi" for row in range(10)}


def named(move: str) -> str:
    """Return a move of theirs, with rows from 1 to 10, as ours."""
    end = 3 if move[2].isdigit() else 2
    return NAME[move[:end]] + NAME[move[end:]]


def is_asked(position: Position) -> bool:
    ended = position.outcome
    return ended is None or (len(ended.winners) == 1 and "time" not in ended.reason)


def begun() -> Fairy:
    """Return a new game."""
    return Fairy("xiangqi", named, to_the_last=True)


ROWS = [Row("xiangqi", "pyffish", begun, within=is_asked, slow=2)]
