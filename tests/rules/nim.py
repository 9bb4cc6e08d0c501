"""Nim with one heap: the smallest game that conforms, used by the tests of the interface and of the
conformance suite, which plant faults in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbm.rules import (
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
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
)
from pbm.rules.drawing.scene import Entry, Panel, Piece, Place, Scene


@dataclass(frozen=True, slots=True)
class NimPosition(Position):
    """So many stones are left; one to three are taken, who takes the last one wins."""

    game: ClassVar[Game]

    players: int
    options: Mapping[str, Value]
    stones: int
    seat: int
    turn: int
    left: tuple[int, ...]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.left)

    @property
    def over(self) -> bool:
        return not self.stones or len(self.playing) == 1

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.over else SEAT_TO_MOVE[self.seat]

    @property
    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        winner = {self.seat} if len(self.playing) > 1 else self.playing
        gone = [(seat,) for seat in reversed(self.left)]
        return outcome_of([winner, self.playing - winner, *gone], "the heap is gone")

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return []
        return [f"take-{number}" for number in range(1, min(3, self.stones) + 1)]

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        move = text.strip().lower()
        if not move.startswith("take-"):
            raise InvalidMove("write take-1, take-2 or take-3")
        return move, ""

    def apply(self, seat: int, move: str) -> NimPosition:
        if move not in self.legal_moves(seat):
            raise IllegalMove(f"take 1 to {min(3, self.stones)} stones")
        after = replace(self, stones=self.stones - int(move[5:]), turn=self.turn + 1)
        return after if after.over else after.passed_on()

    def passed_on(self) -> NimPosition:
        """This position with the next seat on the move."""
        seat = (self.seat + 1) % self.players
        after = replace(self, seat=seat)
        return after.passed_on() if seat in self.left else after

    def resign(self, seat: int) -> NimPosition:
        if self.over or seat not in self.playing:
            raise IllegalMove("only a player who is still in the game can resign")
        after = replace(self, left=(*self.left, seat))
        if after.over or seat != self.seat:
            return after
        return replace(after.passed_on(), turn=self.turn + 1)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.line(f"{self.stones} stones")
        return canvas.picture()

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        heap = (Piece("heap", "stone", count=self.stones),) if self.stones else ()
        numbers = range(1, min(3, self.stones) + 1)
        entries = tuple(Entry(f"{number}", name=f"take-{number}") for number in numbers)
        panels = (Panel("to take", entries),) if entries else ()
        return Scene((Place("heap", 1.0, (0.0, 0.0)),), heap, panels=panels)

    def dump(self) -> list[Any]:
        return [self.stones, self.seat, self.turn, self.left]


class Nim(Game):
    """The game; `position` is the class of its positions."""

    position: ClassVar[type[NimPosition]] = NimPosition
    info: ClassVar[GameInfo] = GameInfo(
        name="nim",
        title="Nim",
        version=1,
        players=range(2, 4),
        seats={2: ("south", "north"), 3: ("south", "west", "north")},
        summary="take the last stone",
        help="Take one to three stones. Who takes the last one wins:\n  > take-2\n",
        options=(Option("heap", "int", "stones at the start", 9, 5, 20),),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> NimPosition:
        return self.load(players, options, [options["heap"], 0, 0, []])

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> NimPosition:
        stones, seat, turn, left = data
        return self.position(players, options, stones, seat, turn, tuple(left))


NimPosition.game = Nim()
