"""A position of every game, some moves after the start, to be shown and measured."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbm.games import get_game
from pbm.rules import CHANCE, Position
from pbm.rules.drawing.scene import Scene

_PLIES: Mapping[str, int] = {
    "amazons": 11,
    "backgammon": 8,
    "cradle": 9,
    "fourinarow": 14,
    "go": 60,
    "hexxagon": 16,
    "minishogi": 12,
    "nackgammon": 8,
    "qubic": 12,
    "spacetruckin": 40,
    "tictactoe": 5,
}
_USUAL = 24
_OPENINGS: Mapping[str, str] = {
    "chess": "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1",
    "darkchess": "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4",
    "xiangqi": "h2e2 h9g7 h0g2 i9h9 g3g4 c6c5 i0h0 b9c7",
}
"""What random moves would show badly: the beginning of a sensible game."""


class Sample(NamedTuple):
    """A position, and the move that led to it."""

    position: Position
    last: tuple[str, ...]

    def scene(self) -> Scene:
        """Return the scene with the last move marked, for the first seat where something is
        hidden."""
        viewer = 0 if "hidden" in self.position.game.info.features else None
        return self.position.scene(viewer, self.last)


@cache
def sample(name: str, *, plies: int = 0, seed: int = 7) -> Sample:
    """Return the position of that game after so many plies (0: as many as show it well)."""
    position, last = get_game(name).setup(), ""
    opening = _OPENINGS.get(name, "").split() if not plies else []
    wanted = len(opening) or plies or _PLIES.get(name, _USUAL)
    chance = random.Random(seed)
    while position.to_move and (wanted or CHANCE in position.to_move):
        if CHANCE in position.to_move:
            question = position.chance
            assert question is not None
            position = position.play(CHANCE, chance.choice(question.outcomes))
            continue
        seat = min(position.to_move)
        if opening:
            last = position.parse(opening.pop(0), seat)[0]
        else:
            last = _choose(position.legal_moves(seat), chance)
        position, wanted = position.play(seat, last), wanted - 1
    return Sample(position, (last,) if last else ())


def _choose(moves: Sequence[str], chance: random.Random) -> str:
    """Return one of the moves; not a pass where there is another."""
    move = moves[chance.randrange(len(moves))]
    return next((one for one in moves if one != "pass"), move) if move == "pass" else move
