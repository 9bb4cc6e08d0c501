"""Sprint: a race on squares with a die, from the family of games that list their moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import CHANCE, CHANCE_TO_MOVE, NOBODY, SEAT_TO_MOVE, Chance, Value, roll
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import move_sign
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import FROM_TO, MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game

HELP = """\
SPRINT, 2 players

AIM. Be the first to bring a man to the last row of the other side.

MOVES. A die of three sides is rolled for you. Move one man straight ahead by
as many squares, over whatever stands there; behind the last row he stops on
it. He takes an enemy on whom he lands:
  > a1-a3

THE END. The first man to arrive wins. Who has no man left loses. Resigning
loses.
"""


@dataclass(frozen=True, slots=True)
class Sprint(OnSquares, MoveListPosition):
    """A position of the game; `die` is 0 while it is to be rolled."""

    form = FROM_TO
    die: int = 0

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Sprint:
        return cls(options, STONES[0] * 3 + EMPTY * 18 + STONES[1] * 3)

    @property
    def geometry(self) -> Grid:
        return cached_grid(3, 8)

    @property
    def to_move(self) -> frozenset[int]:
        if self.outcome:
            return NOBODY
        return SEAT_TO_MOVE[self.side] if self.die else CHANCE_TO_MOVE

    @property
    def chance(self) -> Chance | None:
        return roll(3) if self.to_move == CHANCE_TO_MOVE else None

    def answer(self, outcome: str) -> Sprint:
        return replace(self, die=int(outcome), news=())

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat == CHANCE:
            return self.chance.outcomes if self.chance else ()
        return MoveListPosition.legal_moves(self, seat) if self.die else ()

    @property
    def remark(self) -> str:
        return f"the die shows {self.die}" if self.die else ""

    def list_moves(self) -> list[str]:
        names, ahead, last = self.geometry.names, (3, -3)[self.side], (7, 0)[self.side]
        return [
            f"{names[cell]}-{names[cell + ahead * min(self.die, abs(last - cell // 3))]}"
            for cell, sign in enumerate(self.board)
            if sign == STONES[self.side]
        ]

    def find_fault(self, move: str) -> str:
        start, _ = move.split("-")
        return self.find_source_fault(start) or f"a man goes {self.die} squares straight ahead"

    def make_move(self, move: str) -> Sprint:
        here, there = (self.geometry.number[name] for name in move.split("-"))
        after = self.end_turn(move_sign(self.board, here, there), die=0)
        if there // 3 == (7, 0)[self.side]:
            return after.win(self.side, f"a man of {self.colour(self.side)} has arrived")
        if STONES[after.side] not in after.board:
            return after.win(self.side, f"{self.colour(after.side)} has no man left")
        return after


GAME = two_player_game(
    Sprint,
    "sprint",
    "Sprint",
    ("south", "north"),
    "run to the other side as the die allows",
    HELP,
    family="race",
    length="short",
    is_decisive=True,
    features=frozenset({"chance"}),
)
