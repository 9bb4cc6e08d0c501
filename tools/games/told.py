"""`python -m tools.games.told [GAME ...] --moves=5000` plays so many random moves, as many in each
game, and lists what a board shows that its mail does not tell, as `pbm.rules.testing.untold` says.
`--seed=1` plays other games."""

import random
import sys
from collections.abc import Iterator

from pbm.games import get_game, list_game_names
from pbm.rules import Game, OptionError, Position
from pbm.rules.chance import CHANCE, CHANCE_TO_MOVE
from pbm.rules.testing.playthroughs import random_options
from pbm.rules.testing.untold import find_untold

MOVES = 5000
_LONGEST = 200
"""After so many moves another game is begun."""


def list_untold(game: Game, moves: int, seed: int = 0) -> Iterator[str]:
    """Play random moves and yield a line for each place of a move that is not told."""
    rng = random.Random(seed)
    while moves > 0:
        position = _begin(game, rng)
        for _ in range(min(moves, _LONGEST)):
            if not position.to_move:
                break
            seat = CHANCE if position.to_move == CHANCE_TO_MOVE else min(position.to_move)
            question = position.chance
            legal = question.outcomes if question is not None else position.legal_moves(seat)
            move = rng.choice(legal)
            after = position.play(seat, move)
            for fault in find_untold(position, seat, move, after):
                said = "; ".join(after.news) or "no news"
                yield f"{game.info.name} {position.describe(seat, move)}: {fault} ({said})"
            position, moves = after, moves - 1
        moves -= 1


def _begin(game: Game, rng: random.Random) -> Position:
    """Return a first position, of half of the games with some options."""
    players = rng.choice([*game.info.players])
    try:
        return game.setup(players, random_options(game, rng) if rng.random() < 0.5 else {})
    except OptionError:
        return game.setup(players)


def main(arguments: list[str]) -> None:
    given = dict(word[2:].partition("=")[::2] for word in arguments if word.startswith("--"))
    names = [word for word in arguments if not word.startswith("--")] or list_game_names()
    each = -(-int(given.get("moves", MOVES)) // len(names))
    for name in names:
        for line in list_untold(get_game(name), each, int(given.get("seed", 0))):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
