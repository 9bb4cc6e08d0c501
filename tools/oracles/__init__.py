"""Games held against independent implementations: random games in lock step, in which every list of
legal moves and every result must be the same.

A module here with `ROWS` is a set of comparisons; `python -m tools.oracles` prints the table, the
tests play a few games of each. No oracle is always right: where one errs, its module says so and
why, and leaves out exactly that."""

import pkgutil
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from pbm.games import get_game
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Position, Value


class Oracle(Protocol):
    """A game in progress somewhere else, in the notation of ours."""

    def moves(self) -> Iterable[str]:
        """Return the legal moves of whoever is on the move; anything when it is over."""

    def play(self, move: str) -> None:
        """Play one of them, or take an answer of chance."""

    def ranks(self) -> tuple[int, ...] | None:
        """Return the ranks of the seats when it is over."""


@dataclass(frozen=True)
class Row:
    """One comparison: a game with options against an oracle.

    start    a new game of the oracle
    within   whether a position of ours is one the oracle is asked about: a game is left where not
    left_out moves that the oracle does not know; they are neither compared nor played
    seen     what is compared of a move, where it is not its spelling
    note     who errs where the two are known to differ
    slow     how many times fewer positions are compared, since the oracle takes its time
    """

    game: str
    oracle: str
    start: Callable[[], Oracle]
    options: dict[str, Value] = field(default_factory=dict)
    players: int = 2
    within: Callable[[Position], bool] = lambda position: True
    left_out: frozenset[str] = frozenset({"swap"})
    seen: Callable[[Position, str], str] = lambda position, move: move
    note: str = ""
    slow: int = 1

    @property
    def title(self) -> str:
        """The game and its options."""
        options = [k if v is True else f"{k}={v}" for k, v in self.options.items()]
        return " ".join([self.game, *options])


def rows() -> list[Row]:
    """Return every comparison there is."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    found = [import_module(f"{__name__}.{name}") for name in modules if name != "__main__"]
    return sorted(
        (row for module in found for row in getattr(module, "ROWS", ())),
        key=lambda row: (row.game, row.title),
    )


def compare(row: Row, positions: int, seed: int = 0) -> int:
    """Play random games until that many positions have been compared; the number compared.
    AssertionError says what differs, and after which moves."""
    rng, compared, number = random.Random(seed), 0, 0
    while compared < positions:
        number += 1
        title = f"{row.title}, seed {seed}, game {number}"
        compared += _one_game(row, rng, title, positions - compared)
    return compared


def _one_game(row: Row, rng: random.Random, title: str, most: int) -> int:
    position = get_game(row.game).setup(row.players, row.options)
    theirs, played = row.start(), list[str]()
    compared = 0

    def where() -> str:
        return f"{title}, after {' '.join(played)}\n{position.render()}"

    while row.within(position) and compared < most:
        if position.to_move == CHANCE_TO_MOVE:
            move = rng.choice(position.legal_moves(CHANCE))
            position = position.play(CHANCE, move)
            theirs.play(move)
            played.append(move)
            continue
        compared += 1
        ours = None if position.outcome is None else position.outcome.ranks
        assert ours == theirs.ranks(), f"{where()}\nranks {ours}, oracle {theirs.ranks()}"
        if not position.to_move:
            break
        (seat,) = position.to_move
        listed = [m for m in position.legal_moves(seat) if m not in row.left_out]
        seen = {row.seen(position, move): move for move in listed}
        others = set(theirs.moves()) - row.left_out
        assert set(seen) == others, (
            f"{where()}\nonly ours: {sorted(set(seen) - others)}"
            f"\nonly the oracle's: {sorted(others - set(seen))}"
        )
        assert len(seen) == len(listed), f"{where()}\nthe same move twice: {listed}"
        move = rng.choice(listed)
        theirs.play(row.seen(position, move))
        position = position.play(seat, move)
        played.append(move)
    return compared
