"""What a seat is told of a game in which something is hidden, and pairs of games that differ only
in what it must not know: it has to be told the same, byte for byte.

`python -m tests.games.hiding GAME 10000` compares so many positions."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence

from pbm.games import get_game
from pbm.rules import Game, MoveError, Position, Value
from tests.games.battleships import battleships

Log = Sequence[tuple[int, str]]
Pair = tuple[Game, dict[str, Value], Log, Log, int | None]
"""A game, its options, two logs, and who must not be able to tell them apart; None: who watches."""

TYPED = (
    "a1", "b7", "j10", "a1-a5", "a5-a1", "carrier a1-a5", "destroyer c3 c4", "a1-b2", "z9", "k11",
    "e4", "e2e4", "e4e5", "d7d5", "nf3", "qh5", "o-o", "0-0-0", "e8=q", "exd5", "bxc3", "pass", "-",
)  # fmt: skip


def told(position: Position, viewer: int | None, last: Sequence[str]) -> Iterator[str]:
    """All that a viewer is told of a position."""
    yield f"{sorted(position.to_move)} {position.turn} {position.outcome} {position.seat_names}"
    yield f"{position.key} {position.claim!r} {position.news} {sorted(position.playing)}"
    yield position.render(viewer)
    yield position.render(viewer, last)
    if viewer is None:
        return
    yield " ".join(position.legal_moves(viewer))
    for text in TYPED:
        yield read(position, viewer, text)


def read(position: Position, seat: int, text: str) -> str:
    """What typed moves are understood as, or why they are refused."""
    try:
        move, left = position.parse(text, seat)
        position.play(seat, move)
    except MoveError as error:
        return f"{type(error).__name__}: {error}"
    return f"{move} {left}"


def compared(pair: Pair) -> int:
    """Compare what is told during both games; the number of positions. AssertionError where a
    viewer could tell them apart."""
    game, options, one, other, viewer = pair
    positions = [game.setup(2, options), game.setup(2, options)]
    last: list[list[str]] = [[], []]
    count = 0
    for number in range(len(one) + 1):
        texts = [list(told(positions[n], viewer, last[n])) for n in (0, 1)]
        assert texts[0] == texts[1], (game.info.name, options, one[:number], other[:number], viewer)
        count += 1
        if number == len(one):
            break
        (seat, _), (same, _) = steps = [log[number] for log in (one, other)]
        assert seat == same
        words = [p.describe(seat, move, viewer) for p, (_, move) in zip(positions, steps)]  # noqa: B905
        assert words[0] == words[1], (game.info.name, steps, viewer)
        for n in (0, 1):
            last[n] = [*last[n], steps[n][1]] if number and one[number - 1][0] == seat else []
            last[n] = last[n][-8:] or [steps[n][1]]
            positions[n] = positions[n].play(*steps[n])
    return count


PAIRS: dict[str, Callable[[random.Random], Pair]] = {"battleship": battleships}


def compare(game: str, least: int, seed: int = 1) -> tuple[int, int]:
    """Compare at least so many positions in random pairs of games; how many, and in how many of the
    pairs the games differ."""
    rng = random.Random(seed)
    count = different = 0
    while count < least:
        pair = PAIRS[game](rng)
        count += compared(pair)
        different += pair[2] != pair[3]
    return count, different


if __name__ == "__main__":
    for name in sys.argv[1:2] or PAIRS:
        assert get_game(name)
        sys.stdout.write(f"{name}: {compare(name, int((sys.argv[2:] or ['10000'])[0]))}\n")
