"""Tricks: five hidden cards each, and the highest one takes what lies there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
    pick,
)
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import Entry, Panel, Scene, tally
from pbm.rules.serialization import dump_fields, load_fields
from pbm.rules.typed import left_of, quoted

SEATS = ("white", "black", "red", "blue")
CARDS = tuple(range(1, 25))
HAND = 5
_TYPED = re.compile(r"\s*(?:play[\s-]*)?([0-9]{1,2})(?![0-9a-z])", re.IGNORECASE)

HELP = """\
TRICKS, 2 to 4 players

AIM. Take the most of five tricks.

CARDS. There are 24 cards, 1 to 24. You are dealt five of them, which nobody
else sees.

MOVES. White leads first. In turn each player plays a card:
  > play 17
  > 17
When all have played, the highest card takes the trick, and its owner leads
the next one. What was played stays open.

THE END. After five tricks the most tricks win, and equal numbers share a
rank. The cards of a player who resigns are out of the game; who resigns ranks
last, and the others play on.
"""


@dataclass(frozen=True, slots=True)
class TricksPosition(Position):
    """A position of the game.

    hands    the cards of each seat, in rising order
    table    the card that each seat has played to this trick, or None
    seat     the seat to play
    tricks   how many each seat has taken
    seen     the cards of earlier tricks, open to all
    left     the seats that resigned, in that order
    is_open  whether everything is shown, since the board has ended
    """

    game: ClassVar[Game]

    players: int
    options: Mapping[str, Value]
    hands: tuple[tuple[int, ...], ...]
    table: tuple[int | None, ...]
    tricks: tuple[int, ...]
    seat: int = 0
    turn: int = 0
    is_dealt: bool = False
    seen: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    news: tuple[str, ...] = field(default=(), compare=False)
    is_open: bool = field(default=False, compare=False)

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.left)

    @property
    def is_over(self) -> bool:
        """Whether all cards have been played, or one seat is alone."""
        return len(self.playing) == 1 or (self.is_dealt and sum(self.tricks) == HAND)

    @property
    def to_move(self) -> frozenset[int]:
        if self.is_over:
            return NOBODY
        return SEAT_TO_MOVE[self.seat] if self.is_dealt else CHANCE_TO_MOVE

    @property
    def chance(self) -> Chance | None:
        if self.is_dealt or self.is_over:
            return None
        dealt = {card for hand in self.hands for card in hand}
        return pick([str(card) for card in CARDS if card not in dealt])

    def find_receiver(self) -> int:
        """The seat that is dealt the next card."""
        return min(self.playing, key=lambda seat: (len(self.hands[seat]), seat))

    @property
    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        counts = sorted({self.tricks[seat] for seat in self.playing}, reverse=True)
        groups = [[seat for seat in self.playing if self.tricks[seat] == one] for one in counts]
        alone = len(self.playing) == 1
        reason = "the others resigned" if alone else "all tricks are taken"
        return outcome_of([*groups, *([seat] for seat in reversed(self.left))], reason)

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        if self.chance is not None:
            return self.chance.outcomes
        return [f"play-{card}" for card in self.hands[seat]]

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        match = _TYPED.match(text[:200])
        if match is None:
            raise InvalidMove(f"{quoted(text)} is no move; write play and the number of a card")
        return f"play-{int(match[1])}", left_of(text, match.end())

    def apply(self, seat: int, move: str) -> TricksPosition:
        if move not in self.legal_moves(seat):
            raise IllegalMove(f"{quoted(move.replace('-', ' '))}: you have no such card")
        card = int(move[5:])
        hand = tuple(one for one in self.hands[seat] if one != card)
        after = replace(
            self,
            hands=put(self.hands, seat, hand),
            table=put(self.table, seat, card),
            turn=self.turn + 1,
            news=(),
        )
        return after.go_on()

    def answer(self, outcome: str) -> TricksPosition:
        seat = self.find_receiver()
        hand = tuple(sorted((*self.hands[seat], int(outcome))))
        after = replace(self, hands=put(self.hands, seat, hand), news=())
        return replace(after, is_dealt=all(len(after.hands[one]) == HAND for one in self.playing))

    def go_on(self) -> TricksPosition:
        """The position with the next seat on the move, the trick taken if all have played."""
        order = [(self.seat + step) % self.players for step in range(self.players)]
        waiting = [seat for seat in order if seat in self.playing and self.table[seat] is None]
        if waiting:
            return replace(self, seat=waiting[0])
        cards = {self.table[seat] or 0: seat for seat in self.playing}
        highest = max(cards)
        taker = cards[highest]
        nothing: tuple[int | None, ...] = (None,) * self.players
        return replace(
            self,
            table=nothing,
            tricks=put(self.tricks, taker, self.tricks[taker] + 1),
            seen=(*self.seen, *(card for card in self.table if card is not None)),
            seat=taker,
            news=(f"{SEATS[taker]} takes the trick with {highest}",),
        )

    def resign(self, seat: int) -> TricksPosition:
        if self.is_over or seat not in self.playing:
            raise IllegalMove("only a seat that still plays can resign")
        after = replace(
            self,
            left=(*self.left, seat),
            hands=put(self.hands, seat, ()),
            table=put(self.table, seat, None),
            news=(),
        )
        if len(after.playing) == 1:
            return replace(after, turn=self.turn + 1)
        return replace(after, turn=self.turn + 1).go_on() if self.is_dealt else after

    def uncovered(self) -> TricksPosition:
        return replace(self, is_open=True)

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Whether a viewer may see the hand of a seat."""
        return viewer == seat or self.is_over or self.is_open

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if seat == CHANCE:
            owner = self.find_receiver()
            return f"{SEATS[owner]} draws {move if self.sees(viewer, owner) else '-'}"
        return move.replace("-", " ")

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.line("           tricks  table  hand", LABEL)
        for seat in range(self.players):
            row, card = canvas.height, self.table[seat]
            hand = (str(one) if self.sees(viewer, seat) else "-" for one in self.hands[seat])
            canvas.put(row, 1, ">" if seat in self.to_move else " ")
            canvas.put(row, 3, SEATS[seat], seat_role(seat))
            canvas.put(row, 11, f"{self.tricks[seat]:4}")
            canvas.put(row, 19, f"{card or '-':>4}", LAST if f"play-{card}" in last else PLAIN)
            canvas.put(row, 26, " ".join(hand))
        canvas.line()
        canvas.line(f"   played before: {' '.join(map(str, self.seen)) or 'nothing'}", LABEL)
        return canvas.picture()

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        panels = [tally("tricks", SEATS[: self.players], self.tricks)]
        for seat in range(self.players):
            card, is_mover = self.table[seat], seat in self.to_move
            hand = (
                Entry(str(one), "card", seat, name=f"play-{one}" if is_mover else "")
                if self.sees(viewer, seat)
                else Entry("-", "card", seat)
                for one in self.hands[seat]
            )
            panels.append(Panel(f"hand of {SEATS[seat]}", tuple(hand), seat))
            if card is not None:
                panels.append(Panel(f"card of {SEATS[seat]}", (Entry(str(card), seat=seat),), seat))
        if self.seen:
            panels.append(Panel("played before", tuple(Entry(str(card)) for card in self.seen)))
        return Scene(panels=tuple(panels))

    def dump(self) -> list[Any]:
        return dump_fields(self)


def put(row: tuple[Any, ...], at: int, value: object) -> tuple[Any, ...]:
    """The row with another value at an index."""
    return (*row[:at], value, *row[at + 1 :])


class Tricks(Game):
    """The game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="tricks",
        title="Tricks",
        version=1,
        players=range(2, 5),
        seats={count: SEATS[:count] for count in range(2, 5)},
        summary="five hidden cards each; the highest takes the trick",
        help=HELP,
        features=frozenset({"chance", "hidden"}),
        length="short",
    )

    def start(self, players: int, options: Mapping[str, Value]) -> TricksPosition:
        hands: tuple[tuple[int, ...], ...] = ((),) * players
        return TricksPosition(players, options, hands, (None,) * players, (0,) * players)

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> TricksPosition:
        return load_fields(TricksPosition, options, data, players=players)


GAME = TricksPosition.game = Tricks()
