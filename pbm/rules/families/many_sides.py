"""Games of two sides that three and more can play, too: whose turn it is, who is out, who ranks
where.

The position of such a game for more than two derives from `ManySides` and from the position for
two, with which it shares rules, notation and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pbm.rules.chance import NOBODY, SEAT_TO_MOVE
from pbm.rules.drawing.scene import Kinds
from pbm.rules.errors import IllegalMove
from pbm.rules.families.two_player import TwoPlayerPosition
from pbm.rules.outcome import outcome_of
from pbm.rules.phrases import SeatName, combine, join_phrases, phrase

SIGNS = "XO%@&*"
"""The signs of the stones of all sides; of the first two as in games for two."""
M = TypeVar("M", bound="ManySides")


def all_sides(kind: str) -> Kinds:
    """Return the kinds of a board whose signs are such pieces of each seat."""
    return {sign: (kind, side) for side, sign in enumerate(SIGNS)}


class ManySides(TwoPlayerPosition):
    """A position of three or more sides, which are the seats: nobody swaps.

    A concrete position declares the fields

    count  how many play
    left   the seats that are out, the first to leave first
    """

    may_swap = False
    __slots__ = ()

    if TYPE_CHECKING:
        count: int
        left: tuple[int, ...]

    @property
    def players(self) -> int:
        return self.count

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.side]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.count)).difference(self.left)

    @property
    def seat_names(self) -> tuple[str, ...]:
        return self.game.info.seats[self.count]

    @property
    def colours(self) -> tuple[str, ...]:
        return self.seat_names

    def colour(self, side: int) -> SeatName:
        return SeatName(self.colours[side], side)

    @property
    def stones(self) -> str:
        return SIGNS[: self.count]

    @property
    def next_side(self) -> int:
        """The side that moves after the one on the move."""
        after = (side % self.count for side in range(self.side + 1, self.side + self.count + 1))
        return next(side for side in after if side not in self.left)

    def end_turn(self: M, board: str, **more: Any) -> M:
        return replace(self, board=board, side=self.next_side, turn=self.turn + 1, news=(), **more)

    def win(self: M, side: int, reason: str) -> M:
        """Return the position with that side as the winner: the others who still play share the
        next rank, and behind them are those who left, the last of them first."""
        others = self.playing - {side}
        ranked = [[side], sorted(others), *([each] for each in reversed(self.left))]
        return replace(self, outcome=outcome_of(ranked, reason))

    def end_by_counts(self: M, counts: Sequence[int], *, fewer: bool = False) -> M:
        """Return the position ended, with those who still play ranked by what they have most of, or
        fewest."""
        order = sorted(set(counts), reverse=not fewer)
        groups = [[seat for seat in sorted(self.playing) if counts[seat] == n] for n in order]
        said = [
            combine("{colour} {count}", colour=self.colour(side), count=count)
            for side, count in enumerate(counts)
        ]
        reason = join_phrases(", ", said)
        if fewer:
            reason = phrase("{count}, fewer discs win", count=reason)
        ranked = [*groups, *([seat] for seat in reversed(self.left))]
        return replace(self, outcome=outcome_of(ranked, reason))

    def end_in_draw(self: M, reason: str) -> M:
        """Return the position ended as a draw of those who still play."""
        ranked = [sorted(self.playing), *([each] for each in reversed(self.left))]
        return replace(self, outcome=outcome_of(ranked, reason))

    def resign(self: M, seat: int) -> M:
        if self.outcome or seat not in self.playing:
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        reason = phrase("{seat_name} resigns", seat_name=self.seat_name(seat))
        after = self.remove(seat)
        others = sorted(after.playing)
        return after.win(others[0], reason) if len(others) == 1 else after

    def remove(self: M, seat: int) -> M:
        """Return the position without a seat. The game decides about its pieces."""
        out: dict[str, Any] = {"left": (*self.left, seat)}
        after = replace(self, news=(), **out)
        if seat != self.side:
            return after
        return replace(after, side=after.next_side, turn=self.turn + 1)
