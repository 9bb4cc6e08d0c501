"""How fast the games are in random play: `python -m tools.bench.rules [GAME ...]` prints a table.

For every number of players with the usual options, and for each option by itself at its largest
value. Listing the legal moves is part of the time, as are the answers of chance, which count
neither as moves nor as positions to move in. `--seconds=2` measures each line that long."""

import inspect
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game, Option, OptionError, Value

SECONDS = 1.0
CHECKED_EVERY = 64
"""After so many positions the clock is read."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What random play of one game in one form came to."""

    rate: float
    positions: int
    games: int
    legal: float


def measure(game: Game, players: int, options: dict[str, Value], seconds: float) -> Measured:
    """Play random games, one after the other, for about that long."""
    rng = random.Random(1)
    position = game.setup(players, options)
    moves = positions = games = 0
    widths: list[int] = []
    began = time.perf_counter()
    spent = 0.0
    while True:
        positions += 1
        if positions % CHECKED_EVERY == 0:
            spent = time.perf_counter() - began
            if spent >= seconds:
                break
        if position.to_move == CHANCE_TO_MOVE:
            asked = position.chance
            assert asked is not None
            position = position.play(CHANCE, rng.choice(asked.outcomes))
        elif position.to_move:
            seat = min(position.to_move)
            legal = position.legal_moves(seat)
            widths.append(len(legal))
            position = position.play(seat, rng.choice(legal))
            moves += 1
        else:
            games += 1
            position = game.setup(players, options)
    return Measured(moves / spent, positions, games, median(widths))


def forms(game: Game) -> Iterator[tuple[int, dict[str, Value]]]:
    """Yield each number of players, then each option that has a largest value."""
    for players in game.info.players:
        yield players, {}
    for option in game.info.options:
        value = largest(option)
        if value is not None:
            yield game.info.players[0], {option.name: value}


def largest(option: Option) -> Value | None:
    """Return the value furthest from the usual game; None for an option that is free text."""
    if option.kind == "flag":
        return True
    if option.kind == "choice":
        return option.choices[-1]
    if option.kind == "int":
        return int(option.high)
    return option.high if option.kind == "float" else None


def lines_of(game: Game) -> int:
    """Return the number of lines of the file that the game is in."""
    path = inspect.getsourcefile(type(game))
    assert path is not None
    return len(Path(path).read_text().splitlines())


def main(arguments: list[str]) -> None:
    sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))
    seconds = SECONDS
    for argument in [one for one in arguments if one.startswith("--seconds=")]:
        seconds = float(argument.partition("=")[2])
    names = [one for one in arguments if not one.startswith("--")] or list_game_names()
    print(
        f"{'game':<14}{'players':>7}  {'options':<18}{'moves/s':>10}{'positions':>11}"
        f"{'games':>7}{'legal':>7}{'lines':>7}"
    )
    for game in map(get_game, names):
        lines = lines_of(game)
        for players, options in forms(game):
            words = " ".join(
                name if value is True else f"{name}={value}" for name, value in options.items()
            )
            head = f"{game.info.name:<14}{players:>7}  {words:<18}"
            try:
                found = measure(game, players, options, seconds)
            except OptionError as error:
                print(f"{head}  {error}")
                continue
            print(
                f"{head}{found.rate:>10,.0f}{found.positions:>11,}{found.games:>7,}"
                f"{found.legal:>7g}{lines:>7}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
