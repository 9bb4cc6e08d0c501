"""The state of a match of backgammon: men, dice, cube and score, and what may be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbm.games.backgammon.men import Result, Steps, find_plays, play_text
from pbm.games.backgammon.vocabulary import (
    ASK,
    AUTO,
    CRAWFORD,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    MIDDLE,
    NO_CRAWFORD,
    OPENING,
    PLAY,
    ROLL,
    ROLLS,
    TAKE,
)
from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Chance,
    Outcome,
    Position,
    Value,
    roll,
)


@dataclass(frozen=True, slots=True)
class MatchState(Position):
    """A position of a match, without the moves that change it.

    men       the men of each seat, see `men`
    side      whose turn it is
    phase     what comes next: a die of the OPENING roll, the choice to turn the CUBE, a die of a
              ROLL, the PLAY of the roll, the answer of a seat that was DOUBLED
    dice      the dice rolled so far
    cube      the value of the game; `owner` may double next
    score     the points of each seat
    crawford  whether the Crawford game is still to come, is being played, or is over
    round     the number of the game in the match
    auto      the seats that are not asked before a roll
    last      the last play: seat, dice, text; empty at the start of a game
    """

    options: Mapping[str, Value]
    men: tuple[int, int]
    side: int = 0
    phase: str = OPENING
    dice: tuple[int, ...] = ()
    cube: int = 1
    owner: int = MIDDLE
    score: tuple[int, int] = (0, 0)
    crawford: int = NO_CRAWFORD
    round: int = 1
    auto: tuple[bool, bool] = (False, False)
    last: tuple[int, str, str] | tuple[()] = ()
    turn: int = 0
    gone: int | None = None
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)
    _results: dict[Result, Steps] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    _plays: dict[str, Result] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def players(self) -> int:
        return 2

    @property
    def to_move(self) -> frozenset[int]:
        if self.outcome:
            return NOBODY
        if self.phase in (ROLL, OPENING):
            return CHANCE_TO_MOVE
        return SEAT_TO_MOVE[1 - self.side if self.phase == DOUBLED else self.side]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(seat for seat in (0, 1) if seat != self.gone)

    @property
    def chance(self) -> Chance | None:
        return roll(6) if self.to_move == CHANCE_TO_MOVE else None

    @property
    def points(self) -> int:
        """The points that win the match."""
        return int(self.options["points"])

    @property
    def rolled(self) -> tuple[int, int]:
        """Both dice."""
        first, second = self.dice
        return first, second

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        if seat == CHANCE:
            return roll(6).outcomes
        if self.phase == CUBE:
            return (ROLLS, AUTO, DOUBLE)
        if self.phase == DOUBLED:
            return (TAKE, DROP)
        return [*self.plays(), ASK] if self.auto[seat] else [*self.plays()]

    def plays(self) -> Mapping[str, Result]:
        """Every play of the roll by its notation; none while there is no roll to play."""
        if not self._plays and self.phase == PLAY:
            self._plays.update(
                (play_text(steps), result) for result, steps in self.results().items()
            )
        return self._plays

    def results(self) -> Mapping[Result, Steps]:
        """Every play of the two dice by the position it leads to."""
        if not self._results:
            self._results.update(
                find_plays(self.men[self.side], self.men[1 - self.side], self.rolled)
            )
        return self._results

    def complete_roll(self, die: int) -> tuple[int, tuple[int, int]] | None:
        """Whose roll a die completes, with the dice, the larger first; None if it does not: as the
        first of two dice, or as the equal die of an opening roll."""
        if not self.dice or (self.phase == OPENING and self.dice[0] == die):
            return None
        dice = (max(self.dice[0], die), min(self.dice[0], die))
        if self.phase == ROLL:
            return self.side, dice
        return (0 if self.dice[0] > die else 1), dice

    def may_double(self, side: int) -> bool:
        """Whether that side may double on its turn, and the cube could be of use to it."""
        return (
            self.score[side] + self.cube < self.points
            and self.owner in (MIDDLE, side)
            and self.crawford != CRAWFORD
            and not self.options["nocube"]
        )
