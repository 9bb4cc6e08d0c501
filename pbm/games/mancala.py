"""Two sowing games: Oware by the Abapa rules, and Kalah."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import GameInfo, Option, Value
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.sowing import SowingGame, SowingPosition, sowing_path
from pbm.rules.families.two_player import SWAP_OPTION, TWO
from pbm.rules.phrases import phrase

OWARE = """\
OWARE, 2 players, by the Abapa rules

AIM. Capture more than half of the 48 seeds.

BOARD. South has the lower row, North the upper one, six houses each: a to f,
counted from the owner's left. Each starts with four seeds.

MOVES. South begins. Take all seeds out of one of your houses and sow them one
by one into the houses that follow, counterclockwise; the house they came from
is skipped.

CAPTURING. If the last seed falls into an opposing house that then holds two
or three, you capture these seeds; then those of the house before it, and so
on backward as long as it is an opposing house with two or three seeds. A move
that would capture all of your opponent's seeds (a grand slam) is allowed, but
captures nothing.

FEEDING. If your opponent has no seeds, you must make a move that gives some,
if you have one.

WRITING MOVES. The letter of the house, or its number, 1 to 6:
  > c

THE END. A player with 25 seeds or more wins; 24 each is a draw. If the player
to move cannot feed the other, or when a position occurs for the third time
with the same player to move, the game is over: each player takes the seeds in
their own houses, and more seeds win. Resigning loses.

KNOWN. By rules much like these the game is a draw with best play (John Romein
and Henri Bal, 2002).
"""
KALAH = """\
KALAH, 2 players, often called mancala

AIM. Have more seeds in your store at the end.

BOARD. South has the lower row, North the upper one: a, b and so on, counted
from the owner's left. The store of each is to the right of the houses, as the
owner sees it.

MOVES. South begins. Take all seeds out of one of your houses and sow them one
by one counterclockwise, also into your own store, but not into your
opponent's. If the last seed falls into your store you move again, as often as
that happens.

CAPTURING. If the last seed falls into a house of yours that was empty, and
there are seeds in the house opposite, all of them go into your store, the
last seed too. If there are none opposite, nothing happens; with -empty the
last seed goes into your store even then.

WRITING MOVES. The letter of the house, or its number, 1 for a; those of one
turn as one list:
  > c
  > c,f

THE END. When one side has no seed left in its houses after a move, the other
puts the seeds of its own houses into its store. More seeds win, half each is
a draw. Resigning loses.

KNOWN. By rules much like these whoever begins can force a win on six houses
with four seeds each (Geoffrey Irving, Jeroen Donkers and Jos Uiterwijk,
2000).
"""


@dataclass(frozen=True, slots=True)
class Oware(SowingPosition):
    """A position of Oware; `history` holds the positions since the last capture."""

    history: History = ()

    def moves(self) -> Sequence[str]:
        moves = SowingPosition.moves(self)
        if moves and not any(self.row(1 - self.side)):
            row = self.row(self.side)
            moves = [move for move in moves if (n := ord(move) - 97) + row[n] >= self.pits]
        return moves

    def duty(self, seat: int) -> str:
        """Return that the other seat has nothing to sow."""
        is_feeding = not any(self.row(1 - self.side))
        return phrase("your opponent has no seeds, so you must give some") if is_feeding else ""

    def find_fault(self, house: int) -> str:
        if self.row(self.side)[house]:
            return phrase(
                "your opponent has no seeds, so you must give some: {moves}",
                moves=" or ".join(self.moves()),
            )
        return SowingPosition.find_fault(self, house)

    def sow(self, house: int) -> Oware:
        side, pits, row = self.side, self.pits, list(self.houses)
        start, stores = side * pits + house, list(self.stores)
        seeds, row[start] = row[start], 0
        place = start
        for place in sowing_path(start, len(row), seeds, start):
            row[place] += 1
        theirs = range((1 - side) * pits, (2 - side) * pits)
        taken: list[int] = []
        while place in theirs and row[place] in (2, 3):
            taken.append(place)
            place -= 1
        captured = sum(row[place] for place in taken)
        if captured == sum(row[theirs.start : theirs.stop]):
            taken, captured = [], 0  # a grand slam captures nothing
        for place in taken:
            row[place] = 0
        stores[side] += captured
        history = record_position(self.history, f"{row}{1 - side}", final=captured > 0)
        return replace(
            self,
            houses=tuple(row),
            stores=tuple(stores),
            side=1 - side,
            turn=self.turn + 1,
            moved=side,
            history=history,
            news=self.tell_captured(taken),
        )._end_if_decided()

    def _end_if_decided(self) -> Oware:
        total = sum(self.stores) + sum(self.houses)
        if max(self.stores) > total // 2 or not any(self.houses):
            return self.end_by_count()
        if not self.moves():
            return self.collect_rest(
                phrase("{colour} cannot give the other side a seed", colour=self.colour(self.side))
            )
        if count_repetitions(self.history) >= 3:
            return self.collect_rest(phrase("the position occurred for the third time"))
        return self


@dataclass(frozen=True, slots=True)
class Kalah(SowingPosition):
    """A position of Kalah."""

    def sow(self, house: int) -> Kalah:
        side, pits = self.side, self.pits
        # The ring: the mover's houses and store, then those of the other side.
        ring = [*self.row(side), self.stores[side], *self.row(1 - side), self.stores[1 - side]]
        seeds, ring[house] = ring[house], 0
        place = house
        for place in sowing_path(house, len(ring), seeds, len(ring) - 1):
            ring[place] += 1
        opposite, taken = 2 * pits - place, list[int]()
        if place < pits and ring[place] == 1 and (ring[opposite] or self.options["empty"]):
            ring[pits] += ring[place] + ring[opposite]
            both = (place, opposite) if ring[opposite] else (place,)
            # The ring has a store among its houses, and its first house is the mover's.
            taken = [(n - (n > pits) + side * pits) % (2 * pits) for n in both]
            ring[place] = ring[opposite] = 0
        rows, stores = (ring[:pits], ring[pits + 1 : -1]), (ring[pits], ring[-1])
        again = place == pits
        after = replace(
            self,
            houses=(*rows[side], *rows[1 - side]),
            stores=stores[:: -1 if side else 1],
            side=side if again else 1 - side,
            turn=self.turn if again else self.turn + 1,
            moved=side,
            news=(
                phrase(
                    "{colour} drops the last seed in the store and moves again",
                    colour=self.colour(side),
                ),
            )
            if again
            else self.tell_captured(taken),
        )
        for empty in (0, 1):
            if not any(after.row(empty)):
                over = replace(
                    after, turn=self.turn + 1, news=() if again else self.tell_captured(taken)
                )
                return over.collect_rest(
                    phrase("{colour} has no seed left to sow", colour=self.colour(empty))
                )
        return after


class OwareGame(SowingGame):
    """Oware."""

    position = Oware
    info = GameInfo(
        name="oware",
        title="Oware",
        version=1,
        players=TWO,
        seats={2: ("south", "north")},
        summary="sow seeds, capture twos and threes",
        help=OWARE,
        aliases=("awari", "awale", "wari"),
        family="sowing",
        length="short",
    )

    def first_fields(self, options: Mapping[str, Value]) -> dict[str, object]:
        fields = SowingGame.first_fields(self, options)
        return {**fields, "history": record_position((), f"{list(fields['houses'])}0")}


class KalahGame(SowingGame):
    """Kalah."""

    position = Kalah
    info = GameInfo(
        name="kalah",
        title="Kalah",
        version=1,
        players=TWO,
        seats={2: ("south", "north")},
        summary="sow seeds, fill your store, move again",
        help=KALAH,
        aliases=("mancala", "kalaha"),
        features=frozenset({"swap"}),
        options=(
            Option("pits", "int", "houses of each side", 6, low=2, high=10),
            Option("seeds", "int", "seeds in each house at the start", 4, low=1, high=10),
            Option("empty", "flag", "a last seed in an empty house always goes to the store"),
            SWAP_OPTION,
        ),
        family="sowing",
        length="short",
    )


Oware.game = OwareGame()
Kalah.game = KalahGame()
GAMES = (Oware.game, Kalah.game)
