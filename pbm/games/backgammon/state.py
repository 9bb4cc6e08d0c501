"""The state of a match of backgammon: its words, men, dice, cube and score, what may be played, and
how a turn is typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbm.games.backgammon.men import (
    Result,
    Steps,
    find_plays,
    play_text,
    read_roll,
    read_ways,
    resolve_play,
)
from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Chance,
    IllegalMove,
    InvalidMove,
    Outcome,
    Position,
    Value,
    roll,
)
from pbm.rules.phrases import combine, phrase
from pbm.rules.typed import left_of, listing, quoted

COLOURS, SIGNS = ("white", "black"), "XO"
OPENING, CUBE, ROLL, PLAY, DOUBLED = "opening", "cube", "roll", "play", "doubled"
ROLLS, DOUBLE, AUTO, ASK, TAKE, DROP = "roll", "double", "auto", "ask", "take", "drop"
CONCEDES = "concedes"
"""The word, followed by 1, 2 or 3 (a gammon, a backgammon), with which the record of another
program gives up one game of a match. Nobody can type it here."""
NO_CRAWFORD, CRAWFORD, PAST_CRAWFORD = range(3)
MIDDLE = -1
"""The owner of the cube while nobody has doubled."""


def dice_text(dice: Sequence[int]) -> str:
    """Return the notation of a roll."""
    return "-".join(map(str, dice))


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

    players = 2

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
        """Return every play of the roll by its notation; none while there is no roll to play."""
        if not self._plays and self.phase == PLAY:
            self._plays.update(
                (play_text(steps), result) for result, steps in self.results().items()
            )
        return self._plays

    def results(self) -> Mapping[Result, Steps]:
        """Return every play of the two dice by the position it leads to."""
        if not self._results:
            self._results.update(
                find_plays(self.men[self.side], self.men[1 - self.side], self.rolled)
            )
        return self._results

    def complete_roll(self, die: int) -> tuple[int, tuple[int, int]] | None:
        """Return whose roll a die completes, with the dice, the larger first; None if it does not:
        as the first of two dice, or as the equal die of an opening roll."""
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


_WORDS = {
    "roll": ROLLS,
    "r": ROLLS,
    "double": DOUBLE,
    "redouble": DOUBLE,
    "d": DOUBLE,
    "auto": AUTO,
    "ask": ASK,
    "take": TAKE,
    "accept": TAKE,
    "drop": DROP,
    "pass": DROP,
}
_WORD = re.compile(r"\s*([a-z]+)(?![\w/*'\u2019-])")


def parse_turn(position: MatchState, text: str, seat: int) -> tuple[str, str]:
    """Return the first word or play of a text, and the remaining text."""
    lower = text[:400].lower()
    word = _WORD.match(lower)
    move = _WORDS.get(word[1]) if word else None
    if word and move:
        if move not in position.legal_moves(seat):
            raise IllegalMove(
                combine(
                    "{move}: {why}",
                    move=move,
                    why=_explain_untimely(position, move, seat),
                )
            )
        return move, left_of(text, word.end())
    dice, start = read_roll(lower)
    ways, end = read_ways(lower, start)
    if not ways:
        raise InvalidMove(
            phrase(
                "{text} is not a move; a turn looks like {play}",
                text=quoted(text),
                play=next(iter(position.plays())),
            )
            if position.phase == PLAY
            else phrase(
                "{text} is not a move; write {moves}",
                text=quoted(text),
                moves=listing(position.legal_moves(seat), "or"),
            )
        )
    if position.phase != PLAY:
        raise IllegalMove(
            combine(
                "{text}: {why}",
                text=ways[0].text,
                why=_explain_untimely(position, "", seat),
            )
        )
    if dice and sorted(dice) != sorted(position.dice):
        raise IllegalMove(
            phrase(
                "the dice show {dice}, not {other_dice}",
                dice=dice_text(position.dice),
                other_dice=dice_text(dice),
            )
        )
    rest = left_of(text, end)
    exact = lower[start:end].strip(" ,;.")
    if exact in position.plays():
        return exact, rest
    own, other = position.men[position.side], position.men[1 - position.side]
    return resolve_play(
        ways, own, other, position.rolled, position.seat_name(1 - position.side)
    ), rest


def _explain_untimely(position: MatchState, move: str, seat: int) -> str:
    """Return why a word (or a play, "") is not possible now."""
    if position.phase == CUBE:
        return phrase(
            "the dice have not been rolled yet; write {rolls}, {auto} or {double}",
            rolls=ROLLS,
            auto=AUTO,
            double=DOUBLE,
        )
    if position.phase == DOUBLED:
        return phrase(
            "you are doubled to {cube}; write {take} or {drop}",
            cube=2 * position.cube,
            take=TAKE,
            drop=DROP,
        )
    shown = phrase("the dice show {dice}, play them", dice=dice_text(position.dice))
    if move == ASK:
        return phrase("you are already asked whenever you may double; {shown}", shown=shown)
    if move in (TAKE, DROP):
        return phrase("nobody has doubled; {shown}", shown=shown)
    if move == DOUBLE and not position.may_double(seat):
        return phrase("you may not double; {shown}", shown=shown)
    return phrase("it comes before the roll; {shown}", shown=shown)
