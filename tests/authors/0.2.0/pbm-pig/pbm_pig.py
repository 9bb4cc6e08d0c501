"""Pig, a traditional game with one die: roll as often as you dare."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbm.rules import (
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Option,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
    roll,
)
from pbm.rules.drawing.picture import LABEL
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import Scene, remark, tally
from pbm.rules.serialization import dump_fields, load_fields
from pbm.rules.typed import left_of, quoted

SEATS = ("white", "black", "red", "blue")
ROLL, HOLD = "roll", "hold"
BAD = 1
"""The roll that ends a turn and loses what it had brought."""
_WORD = re.compile(r"\s*([a-z]+)", re.IGNORECASE)

HELP = """\
PIG, 2 to 4 players

AIM. Be the first with 50 points (-goal=20..200).

MOVES. On your turn, roll the die as often as you like. Each roll adds to the
points of the turn, but a 1 loses them and ends it. Hold to keep them:
  > roll
  > hold
Each turn begins with a roll, so hold comes after one.

THE END. Whoever holds with enough points wins; the others are ranked by
theirs. Who resigns ranks last; the others play on.
"""


@dataclass(frozen=True, slots=True)
class PigPosition(Position):
    """A position of the game.

    seat     the seat whose turn it is
    scores   the points that each seat has kept
    pot      the points of this turn
    is_rolling  whether the die has been thrown and lies not yet
    left     the seats that resigned, in that order
    """

    game: ClassVar[Game]

    players: int
    options: Mapping[str, Value]
    scores: tuple[int, ...]
    seat: int = 0
    pot: int = 0
    is_rolling: bool = False
    turn: int = 0
    left: tuple[int, ...] = ()
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.left)

    @property
    def is_over(self) -> bool:
        """Whether somebody has reached the goal, or is alone."""
        return len(self.playing) == 1 or max(self.scores) >= int(self.options["goal"])

    @property
    def to_move(self) -> frozenset[int]:
        if self.is_over:
            return NOBODY
        return CHANCE_TO_MOVE if self.is_rolling else SEAT_TO_MOVE[self.seat]

    @property
    def chance(self) -> Chance | None:
        return roll(6) if self.is_rolling else None

    @property
    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        points = sorted({self.scores[seat] for seat in self.playing}, reverse=True)
        groups = [[seat for seat in self.playing if self.scores[seat] == one] for one in points]
        alone = len(self.playing) == 1
        reason = "the others resigned" if alone else f"{SEATS[groups[0][0]]} has {points[0]}"
        return outcome_of([*groups, *([seat] for seat in reversed(self.left))], reason)

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        if self.chance is not None:
            return self.chance.outcomes
        return (ROLL, HOLD) if self.pot else (ROLL,)

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        match = _WORD.match(text[:200])
        if match is None or match[1].lower() not in (ROLL, HOLD):
            raise InvalidMove(f"{quoted(text)} is no move; write roll or hold")
        return match[1].lower(), left_of(text, match.end())

    def apply(self, seat: int, move: str) -> PigPosition:
        if move not in self.legal_moves(seat):
            if move == HOLD:
                raise IllegalMove("a turn begins with a roll")
            raise InvalidMove(f"{quoted(move)} is no move; write roll or hold")
        if move == ROLL:
            return replace(self, is_rolling=True, news=())
        scores = [*self.scores]
        scores[seat] += self.pot
        return replace(self, scores=tuple(scores)).end_turn(f"{SEATS[seat]} keeps {self.pot}")

    def answer(self, outcome: str) -> PigPosition:
        landed = replace(self, is_rolling=False, news=())
        if int(outcome) == BAD:
            return landed.end_turn(f"{SEATS[self.seat]} loses {self.pot}")
        return replace(landed, pot=self.pot + int(outcome))

    def end_turn(self, news: str) -> PigPosition:
        """The position with the next seat on the move."""
        following = (self.seat + step for step in range(1, self.players + 1))
        seat = next(one % self.players for one in following if one % self.players in self.playing)
        return replace(self, seat=seat, pot=0, turn=self.turn + 1, news=(news,))

    def resign(self, seat: int) -> PigPosition:
        if self.is_over or seat not in self.playing:
            raise IllegalMove("only a seat that still plays can resign")
        after = replace(self, left=(*self.left, seat), news=())
        if len(after.playing) == 1:
            return replace(after, is_rolling=False, turn=self.turn + 1)
        if seat != self.seat:
            return after
        return replace(after, is_rolling=False).end_turn(f"{SEATS[seat]} leaves")

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        return f"{SEATS[self.seat]} rolls {move}" if self.is_rolling else move

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.line("          kept  this turn", LABEL)
        for seat in range(self.players):
            row, is_mover = canvas.height, seat == self.seat and not self.is_over
            canvas.put(row, 1, ">" if is_mover else " ")
            canvas.put(row, 3, SEATS[seat], seat_role(seat))
            canvas.put(row, 10, f"{self.scores[seat]:4}{self.pot if is_mover else '':>11}")
        return canvas.picture()

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        points = tally("points", SEATS[: self.players], self.scores)
        return Scene(panels=(points, *remark(f"{self.pot} in this turn" if self.pot else "")))

    def dump(self) -> list[Any]:
        return dump_fields(self)


class Pig(Game):
    """The game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="pig",
        title="Pig",
        version=1,
        players=range(2, 5),
        seats={count: SEATS[:count] for count in range(2, 5)},
        summary="roll as often as you dare, and hold in time",
        help=HELP,
        options=(Option("goal", "int", "the points that win", 50, low=20, high=200),),
        features=frozenset({"chance"}),
        family="race",
    )

    def start(self, players: int, options: Mapping[str, Value]) -> PigPosition:
        return PigPosition(players, options, (0,) * players)

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> PigPosition:
        return load_fields(PigPosition, options, data, players=players)


GAME = PigPosition.game = Pig()
