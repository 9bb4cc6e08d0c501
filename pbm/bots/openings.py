"""The opening book, only from own play: what the search of `mcts` preferred when it thought long.

The file `book.txt` has a tree of moves from the first position of a game, with its usual options,
for two seats. Each line is a move and how often it is played, compared with the others beside it;
what is indented below are the replies. A move that is never played (0) may be the opponent's.

    [fourinarow]
    d 9
     d 8
     c 0
      d 9

`python -m tools.bots.make_book` writes the file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import TypeAlias

from pbm.bots.simple import Dice
from pbm.rules import Game, Position, Value

_NAME = "book.txt"
Replies: TypeAlias = Mapping[str, int]
"""The moves that the book has for a position, and how often each is played."""
Line: TypeAlias = tuple[str, ...]
"""Moves from the first position."""
Place: TypeAlias = tuple[tuple[tuple[str, Value], ...], int, str]
"""A position, whatever moves led to it: the options, the turn, and what stands where."""


class Book:
    """What to play in the first positions of games."""

    def __init__(self, text: str) -> None:
        self._lines = parse_book(text)
        self._replies: dict[Game, Mapping[Place, Replies]] = {}

    def list_games(self) -> list[str]:
        """Return the names of the games in it."""
        return [*self._lines]

    def get_replies(self, position: Position) -> Replies:
        """Return the moves for a position, as long as they are legal; none where the book has
        nothing, and on a board with other options."""
        game = position.game
        lines = self._lines.get(game.info.name)
        if lines is None or position.players != 2:
            return {}
        if game not in self._replies:
            self._replies[game] = _replay(game, lines)
        return self._replies[game].get(identify(position), {})

    def choose(self, position: Position, dice: Dice) -> str:
        """Return a move from the book, drawn by how often each is played; "" if there is none."""
        replies = self.get_replies(position)
        drawn = [move for move, weight in replies.items() for _ in range(weight)]
        return dice.choice(drawn) if drawn else ""


@cache
def load_book() -> Book:
    """Return the book of this version."""
    data = get_data(__package__, _NAME)
    if data is None:
        raise FileNotFoundError(_NAME)
    return Book(data.decode("ascii"))


def identify(position: Position) -> Place:
    """Return what tells a position from all others of its game."""
    options = tuple(sorted(position.options.items()))
    return options, position.turn, position.key or position.encode()


def parse_book(text: str) -> Mapping[str, Mapping[Line, int]]:
    """Return the lines of each game, each with how often its last move is played."""
    games: dict[str, dict[Line, int]] = {}
    line: Line = ()
    for row in text.splitlines():
        if row.startswith("["):
            lines = games[row[1:-1]] = {}
            continue
        move, _, weight = row.strip().rpartition(" ")
        line = (*line[: len(row) - len(row.lstrip())], move)
        lines[line] = int(weight)
    return games


def _replay(game: Game, lines: Mapping[Line, int]) -> Mapping[Place, Replies]:
    """Return the moves for each position of the lines, without those that are illegal."""
    positions: dict[Line, Position] = {(): game.setup(2)}
    found: dict[Place, dict[str, int]] = defaultdict(dict)
    for line, weight in lines.items():
        before, move = positions.get(line[:-1]), line[-1]
        if before is None or before.outcome is not None:
            continue
        (seat,) = before.to_move
        if move in before.legal_moves(seat):
            found[identify(before)][move] = weight
            positions[line] = before.play(seat, move)
    return found
