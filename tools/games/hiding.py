"""What a seat is told of a game in which something is hidden, and pairs of games that differ only
in what it must not know: it has to be told the same, byte for byte.

`python -m tools.games.hiding GAME 10000` compares so many positions."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence

from pbm.rules import MoveError, Position
from tests.games.battleships import battleships
from tests.games.darkchesses import darkchesses
from tests.games.dips import dips

Moment = tuple[Position, Sequence[str], str]
"""A position, the last moves, and what was said of the last one to whoever looks."""
Pair = tuple[int | None, Moment, Moment]
"""Who must not be able to tell two moments apart, None for who watches, and the two."""

TYPED = (
    "a1",
    "b7",
    "j10",
    "a1-a5",
    "a5-a1",
    "carrier a1-a5",
    "destroyer c3 c4",
    "a1-b2",
    "z9",
    "k11",
    "e4",
    "e2e4",
    "e4e5",
    "d7d5",
    "nf3",
    "qh5",
    "o-o",
    "0-0-0",
    "e8=q",
    "exd5",
    "bxc3",
    "pass",
    "-",
)


def told(position: Position, viewer: int | None, last: Sequence[str]) -> Iterator[str]:
    """Yield all that a viewer is told of a position."""
    yield f"{sorted(position.to_move)} {position.turn} {position.outcome} {position.seat_names}"
    yield f"{position.key} {position.claim!r} {position.news} {sorted(position.playing)}"
    yield position.render(viewer)
    yield position.render(viewer, last)
    yield repr(position.scene(viewer, last))
    yield position.words(viewer, last)
    if viewer is None:
        return
    yield " ".join(position.legal_moves(viewer))
    for text in TYPED:
        yield read(position, viewer, text)


def read(position: Position, seat: int, text: str) -> str:
    """Return what typed moves are understood as, or why they are refused."""
    try:
        move, left = position.parse(text, seat)
        position.play(seat, move)
    except MoveError as error:
        return f"{type(error).__name__}: {error}"
    return f"{move} {left}"


def compare(game: str, least: int, seed: int = 1) -> tuple[int, int]:
    """Compare what is told in at least `least` pairs of positions; AssertionError where the viewer
    could tell them apart. Return how many were compared, and how many of them differ."""
    rng = random.Random(seed)
    count = different = 0
    while count < least:
        for viewer, (one, last, said), (other, before, words) in PAIRS[game](rng):
            assert said == words, (one, other, viewer)
            assert list(told(one, viewer, last)) == list(told(other, viewer, before)), (
                one,
                last,
                other,
                before,
                viewer,
            )
            count += 1
            different += one != other
    return count, different


PAIRS: dict[str, Callable[[random.Random], Iterator[Pair]]] = {
    "battleship": battleships,
    "darkchess": darkchesses,
    "dip": dips,
}

if __name__ == "__main__":
    for name in sys.argv[1:2] or PAIRS:
        sys.stdout.write(f"{name}: {compare(name, int((sys.argv[2:] or ['10000'])[0]))}\n")
