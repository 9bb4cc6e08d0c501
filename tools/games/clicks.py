"""How many clicks moves take: random games in which every move is composed step by step, and every
legal move is compared with the others by its steps.

`python -m tools.games.clicks [GAME ...] --games=20`"""

from __future__ import annotations

import random
import sys
from collections import Counter
from statistics import median
from time import process_time

from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE, Game, Position

MOST_MOVES = 400


def list_clicks(position: Position, seat: int, move: str) -> list[str]:
    """Return the steps that a player chooses to compose a move: not those that follow of
    themselves, as there is no other. AssertionError if the move cannot be composed."""
    steps = position.steps(seat, move)
    chosen: list[str] = []
    made = position.compose(seat)
    while made.move != move:
        left = Counter(steps) - Counter(made.steps)
        assert left, (position.encode(), move, made)
        chosen.append(next(step for step in steps if left[step] and step in made.next))
        made = position.compose(seat, chosen)
    return chosen


def play_by_clicks(game: Game, rng: random.Random, *, compare: bool) -> list[int]:
    """Play a random game by clicks alone. Return the number of clicks of each move."""
    position: Position = game.setup(rng.choice(game.info.players))
    clicks: list[int] = []
    while position.to_move and len(clicks) < MOST_MOVES:
        seat = rng.choice(sorted(position.to_move))
        moves = position.legal_moves(seat)
        move = rng.choice(moves)
        if seat != CHANCE:
            clicks.append(len(list_clicks(position, seat, move)))
            if compare:
                ways = {position.steps(seat, one) for one in moves}
                assert len(ways) == len(moves), position.encode()
        position = position.play(seat, move)
    return clicks


def main(arguments: list[str]) -> None:
    """Play the games named, or all."""
    given = dict(word[2:].partition("=")[::2] for word in arguments if word.startswith("--"))
    names = [word for word in arguments if not word.startswith("--")] or list_game_names()
    for name in names:
        rng, begun = random.Random(1), process_time()
        clicks: list[int] = []
        for _ in range(int(given.get("games", 20))):
            clicks += play_by_clicks(get_game(name), rng, compare=True)
        sys.stdout.write(
            f"{name:22} {len(clicks):6} moves, clicks: median {median(clicks):g}, most "
            f"{max(clicks)}; {process_time() - begun:.1f} s\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
