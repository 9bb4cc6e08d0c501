"""How often `mcts` wins against `random`: python -m tests.bench.bots [GAME ...] [--games N]
[--seconds S]. Each plays every seat equally often."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence

from pbm.bots.turns import mcts_turn, random_turn
from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game


def searchable(game: Game) -> bool:
    """Whether bots can play it with two seats."""
    return 2 in game.info.players and not game.info.features & {"hidden", "sealed"}


def play(game: Game, seat: int, dice: random.Random, seconds: float, most: int = 20000) -> float:
    """One game with `mcts` at that seat and `random` at the other: its share, 0.0 to 1.0."""
    position = game.setup(2)
    for _ in range(most):
        if position.outcome is not None:
            break
        if position.to_move == CHANCE_TO_MOVE and position.chance is not None:
            position = position.play(CHANCE, dice.choice(position.chance.outcomes))
            continue
        mover = min(position.to_move)
        if mover == seat:
            start = time.process_time()
            moves = mcts_turn(position, mover, dice, _until(start, seconds))
        else:
            moves = random_turn(position, mover, dice)
        for move in moves:
            position = position.play(mover, move)
    if position.outcome is None:
        return 0.5
    ranks = position.outcome.ranks
    return 0.5 if ranks[0] == ranks[1] else float(ranks[seat] == 1)


def _until(start: float, seconds: float) -> Callable[[float], bool]:
    """Whether a part of those seconds of this process has been spent since then."""
    return lambda part: time.process_time() - start >= part * seconds


def measured(game: Game, games: int, seconds: float) -> tuple[int, int, int]:
    """(won, tied, lost) by `mcts`."""
    shares = [play(game, number % 2, random.Random(number), seconds) for number in range(games)]
    return shares.count(1.0), shares.count(0.5), shares.count(0.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line a game."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bots")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=50, dest="count")
    parser.add_argument("--seconds", type=float, default=0.1, help="of processor time a turn")
    asked = parser.parse_args(arguments)
    names = asked.games or [name for name in list_game_names() if searchable(get_game(name))]
    print(f"{'game':<16} {'won':>4} {'tied':>5} {'lost':>5} {'seconds':>8}")
    for name in names:
        start = time.perf_counter()
        won, tied, lost = measured(get_game(name), asked.count, asked.seconds)
        took = time.perf_counter() - start
        print(f"{name:<16} {won:4} {tied:5} {lost:5} {took:8.1f}", flush=True)


if __name__ == "__main__":
    main()
