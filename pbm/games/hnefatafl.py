"""Hnefatafl, the large tafl game: the king is strong and can be surrounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from pbm.rules.boards.bitboards import mask_of, masks
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.tafl import (
    ATTACKER,
    CLAIMED,
    DEFENDER,
    IDLE,
    KING,
    PAGE,
    TaflPosition,
    mirror,
)
from pbm.rules.families.two_player import TwoPlayerGame, two_player_game
from pbm.rules.options import Value
from pbm.rules.phrases import phrase

STRONG = """\
THE KING. He is captured when attackers hold all four squares beside him, or
three and the fourth is the throne. At the edge of the board he cannot be
captured."""
RING = """, or when neither he nor any of his men could reach the
edge of the board even if no attacker moved: then they are surrounded"""


THIRD = """\
When a
position occurs for the third time, the defenders have lost."""


@dataclass(frozen=True, slots=True)
class ClaimedHnefatafl(TaflPosition):
    """A position of version 1, in which a draw is claimed when a position is repeated."""

    moves_once = True
    first = mirror(
        "...XXXXX...", ".....X.....", "...........", "X....O....X", "X...OOO...X", "XX.OOKOO.XX"
    )

    def is_king_taken(self, king: int, moved: int) -> bool:
        around = self.geometry.orthogonal[king]
        held = [n == self.geometry.throne or self.board[n] == ATTACKER for n in around]
        return len(held) == 4 and all(held)

    def is_surrounded(self) -> bool:
        # No defender can reach the edge without passing through attackers.
        geometry = self.geometry
        of = masks(geometry.width, geometry.height)
        inside = of.full & ~mask_of(self.board, ATTACKER)
        seed = mask_of(self.board, DEFENDER) | mask_of(self.board, KING)
        return not of.joined(seed, inside) & geometry.border


@dataclass(frozen=True, slots=True)
class Hnefatafl(ClaimedHnefatafl):
    """A position of the game; `history` has the positions since the last capture."""

    history: History = ()

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Hnefatafl:
        return cls(options, cls.first, history=record_position((), f"0{cls.first}"))

    def make_move(self, move: str) -> Hnefatafl:
        after = cast("Hnefatafl", TaflPosition.make_move(self, move))
        place = f"{after.side}{after.board}"
        history = record_position(self.history, place, final=not after.idle)
        if after.outcome is None and count_repetitions(history) >= 3:
            after = after.win(0, phrase("the position occurred for the third time"))
        return replace(after, history=history)


def _build(position: type[TaflPosition], version: int, repeated: str) -> TwoPlayerGame:
    return two_player_game(
        position,
        "hnefatafl",
        "Hnefatafl",
        ("attackers", "defenders"),
        "a king breaks through to a corner, 11 by 11 squares",
        PAGE.format(
            title="HNEFATAFL",
            size="11 by 11",
            example="d1-d3",
            king=STRONG,
            ring=RING,
            idle=IDLE,
            repeated=repeated,
        ),
        aliases=("tafl",),
        version=version,
        family="kings",
        length="long",
    )


GAMES = (_build(Hnefatafl, 2, THIRD),)
type(GAMES[0]).earlier = (_build(ClaimedHnefatafl, 1, CLAIMED),)
