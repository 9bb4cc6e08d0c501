"""Games of draughts: pydraughts for all four, OpenSpiel for the English one.

pydraughts knows other endings: an endgame of few pieces is counted anew after each man's move, and
a position that stands for the third time ends it, which is for the players to claim here. Of its
draws only the one by the number of moves without a capture or a man's move is compared; a game is
left where ours is drawn by few pieces. In the Turkish game its kings pass over pieces when they do
not capture: such moves are left out.
OpenSpiel ends a game as drawn after 40 turns without a capture: it is left before that."""

from collections.abc import Iterable
from itertools import pairwise

import pyspiel
from draughts.core.game import WHITE, Game

from pbm.games import get_game
from pbm.rules import Position
from pbm.rules.families.draughts_family import DraughtsPosition
from pbm.rules.families.draughts_moves import KINGS, MEN, Draughtboard
from tools.oracles import Row
from tools.oracles.territory import SPIEL, of

Jumps = list[list[int]]


def surface_of(name: str) -> Draughtboard:
    """Return the board of a game, for the names of its squares."""
    position = get_game(name).setup(2)
    assert isinstance(position, DraughtsPosition)
    return position.geometry


class PyDraughts:
    """A game of pydraughts; `idle` are the turns without progress after which it is drawn. Captures
    that begin and end alike and take the same pieces are spelled by the way over the lowest cells,
    counted from a1 along the rows."""

    def __init__(self, name: str, variant: str, idle: int) -> None:
        self.game, self.idle, self.variant = Game(variant), idle, variant
        self.geometry = surface_of(name)
        self.cell_of = {int(n): cell for cell, n in self.geometry.count.items()}

    def cell(self, number: int) -> int:
        """Turn its English game, which is upside down, since to it white begins."""
        return self.cell_of[33 - number if self.variant == "english" else number]

    def moves(self) -> Iterable[str]:
        found: dict[object, tuple[tuple[int, ...], Jumps, str]] = {}
        for steps, captured in zip(*self.game.legal_moves(), strict=True):
            if not all(captured) and self.variant == "turkish" and self.blocked(*steps[0]):
                continue
            path = tuple(self.cell(n) for n in [steps[0][0], *(step[1] for step in steps)])
            effect = (path[0], path[-1], frozenset(captured), self.crowns(steps))
            if effect not in found or path < found[effect][0]:
                cross = self.geometry.rules.cross if all(captured) else "-"
                found[effect] = (path, steps, cross)
        names = self.geometry.square_names
        self.prefetched = {
            cross.join(names[cell] for cell in path): steps for path, steps, cross in found.values()
        }
        return self.prefetched

    def blocked(self, start: int, end: int) -> bool:
        """Whether a piece stands between two squares of a row or column."""
        step = 8 if (end - start) % 8 == 0 else 1
        between = range(min(start, end) + step, max(start, end), step)
        return any(n in self.game.board.searcher.filled_positions for n in between)

    def crowns(self, steps: Jumps) -> bool:
        """Whether a man of the Russian game comes by the last row."""
        white = self.game.whose_turn() == WHITE
        last = range(1, 5) if white else range(29, 33)
        return self.variant == "russian" and any(step[1] in last for step in steps)

    def play(self, move: str) -> None:
        self.game.push(self.prefetched[move])

    def ranks(self) -> tuple[int, ...] | None:
        seat = 0 if self.game.whose_turn() == WHITE else 1
        if not self.moves():
            return (2, 1) if seat == 0 else (1, 2)
        return (1, 1) if self.game.consecutive_noncapture_king_moves >= self.idle else None


def few_pieces(position: Position) -> bool:
    return position.outcome is None or "endgame" not in position.outcome.reason


class SpielCheckers:
    """English draughts of OpenSpiel: each jump is an action of its own; side 0 is at the bottom.
    Captures that differ in the way only are spelled as those of pydraughts above."""

    def __init__(self) -> None:
        self.state = pyspiel.load_game("checkers").new_initial_state()
        self.geometry = surface_of("draughts")
        self.cell_of = {name: 63 - cell for cell, name in enumerate(self.geometry.names)}

    def moves(self) -> Iterable[str]:
        self.generated: dict[object, tuple[list[int], list[int]]] = {}
        self._follow(self.state, [], [])
        self.prefetched: dict[str, list[int]] = {}
        for path, actions in self.generated.values():
            jumps = abs(path[0] - path[1]) > 9
            names = [self.geometry.square_names[cell] for cell in path]
            self.prefetched[("x" if jumps else "-").join(names)] = actions
        return self.prefetched

    def _follow(self, state: pyspiel.State, cells: list[int], actions: list[int]) -> None:
        seat = state.current_player()
        for action in state.legal_actions():
            text = state.action_to_string(action)
            start, end = self.cell_of[text[:2]], self.cell_of[text[2:]]
            if cells and start != cells[-1]:
                continue
            after = state.child(action)
            path, done = [*(cells or [start]), end], [*actions, action]
            if not after.is_terminal() and after.current_player() == seat:
                self._follow(after, path, done)
                continue
            effect = (path[0], end, frozenset(a + b for a, b in pairwise(path)))
            if effect not in self.generated or path < self.generated[effect][0]:
                self.generated[effect] = (path, done)

    def play(self, move: str) -> None:
        for action in self.prefetched[move]:
            self.state.apply_action(action)

    def ranks(self) -> tuple[int, ...] | None:
        if not self.state.is_terminal():
            return None
        first, second = self.state.returns()
        return (1, 1) if first == second else (1, 2) if first > second else (2, 1)


class Captures:
    """Whether fewer than 40 turns have passed since a capture, asked of each position in turn."""

    pieces, since = 0, 0

    def __call__(self, position: Position) -> bool:
        assert isinstance(position, DraughtsPosition)
        pieces = sum(position.board.count(sign) for sign in MEN + KINGS)
        if not position.turn or pieces != self.pieces:
            self.pieces, self.since = pieces, position.turn
        return position.turn - self.since < 40


PYDRAUGHTS = "pydraughts"
ROWS = (
    Row("draughts", SPIEL, SpielCheckers, within=Captures()),
    Row("draughts", PYDRAUGHTS, of(PyDraughts, "draughts", "english", 999), slow=8),
    Row(
        "internationaldraughts",
        PYDRAUGHTS,
        of(PyDraughts, "internationaldraughts", "standard", 50),
        within=few_pieces,
        slow=16,
    ),
    Row(
        "russiandraughts",
        PYDRAUGHTS,
        of(PyDraughts, "russiandraughts", "russian", 30),
        within=few_pieces,
        slow=8,
    ),
    Row(
        "turkishdraughts",
        PYDRAUGHTS,
        of(PyDraughts, "turkishdraughts", "turkish", 999),
        within=few_pieces,
        slow=16,
    ),
)
