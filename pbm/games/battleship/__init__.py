"""Battleship: two hidden fleets, and shots in turn or in salvoes.

Placing, shooting and who sees what; ships on the sea are in `fleets`, the drawing in
`sea_charts`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbm.games.battleship.fleets import FLEETS, ROOMY, SEATS, cells_of, lines
from pbm.games.battleship.help_text import HELP
from pbm.games.battleship.sea_charts import pictured
from pbm.rules import (
    NOBODY,
    SEAT_TO_MOVE,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    MoveError,
    Option,
    OptionError,
    Outcome,
    Picture,
    Position,
    Value,
)
from pbm.rules.boards.squares import cached_grid
from pbm.rules.families.two_player import TWO
from pbm.rules.typed import left_of, listing, quoted

_CELL = r"[a-z]{1,2}[0-9]{1,3}"
_TYPED = re.compile(rf"\s*({_CELL})(?![0-9a-z]*[0-9a-z])")
_PLACED = re.compile(
    rf"\s*(?:([a-z]+)[\s:-]+)?({_CELL})(?:\s*(?:-+|to|:|\s)\s*|(?=[a-z]))({_CELL})(?![0-9a-z])"
)
_BOAT = re.compile(rf"\s*(?:([a-z]+)[\s:-]+)?({_CELL})(?![0-9a-z])")


@dataclass(frozen=True, slots=True)
class BattleshipPosition(Position):
    """A moment of Battleship.

    ships   what each seat has placed, in the order of the fleet: a1-a5
    shots   the cells that each seat has shot at, in order
    side    the seat that shoots
    fired   so many of its shots belong to a salvo that is not over: nobody knows what they hit
    left    so many shots it has left in this turn
    winner  who has won
    gone    the seat that has resigned
    bare    whether the fleets are shown to everybody, since the board ended otherwise
    """

    game: ClassVar[Game]

    options: Mapping[str, Value]
    ships: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    shots: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    side: int = 0
    turn: int = 0
    fired: int = 0
    left: int = 0
    winner: int | None = None
    gone: int | None = None
    news: tuple[str, ...] = field(default=(), compare=False)
    bare: bool = field(default=False, compare=False)

    @property
    def players(self) -> int:
        return 2

    @property
    def size(self) -> int:
        """Cells along an edge."""
        return int(self.options["size"])

    @property
    def fleet(self) -> tuple[tuple[str, int], ...]:
        """The ships in order: what each is called, and its cells."""
        return FLEETS[str(self.options["fleet"])]

    @property
    def is_placing(self) -> bool:
        """Whether a ship is still to be placed."""
        return min(map(len, self.ships)) < len(self.fleet)

    @property
    def playing(self) -> frozenset[int]:
        return frozenset({0, 1} - {self.gone})

    @property
    def to_move(self) -> frozenset[int]:
        if self.winner is not None:
            return NOBODY
        if self.is_placing:
            return frozenset(s for s in (0, 1) if len(self.ships[s]) < len(self.fleet))
        return SEAT_TO_MOVE[self.side]

    @property
    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        loser = SEATS[1 - self.winner]
        reason = f"{loser} resigns" if self.gone is not None else f"{loser}'s fleet is sunk"
        return Outcome((1 + self.winner, 2 - self.winner), reason)

    # Moves

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        if not self.is_placing:
            shot = set(self.shots[seat])
            return [name for name in cached_grid(self.size, self.size).names if name not in shot]
        taken = self._taken(seat)
        _, length = self._due(seat)
        return [move for move, cells in lines(self.size, length).items() if not cells & taken]

    def _due(self, seat: int) -> tuple[str, int]:
        """The ship that a seat is to place."""
        return self.fleet[len(self.ships[seat])]

    def _taken(self, seat: int) -> set[int]:
        """The cells where a seat may not place a ship any more."""
        taken = {cell for ship in self.ships[seat] for cell in cells_of(self.size, ship)}
        if self.options["apart"]:
            around = cached_grid(self.size, self.size).king
            taken |= {near for cell in taken for near in around[cell]}
        return taken

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        if seat not in self.to_move:
            raise IllegalMove(self._not_on_the_move(seat))
        low = text[:400].lower()
        if not self.is_placing:
            if found := _TYPED.match(low):
                return found[1], left_of(text, found.end())
            raise InvalidMove(f"{quoted(text)} is not a cell; write a shot as b7")
        ship, length = self._due(seat)
        found = _PLACED.match(low)
        if length == 1 and not (found and found[2] == found[3]):
            found = _BOAT.match(low)
        if found is None:
            raise InvalidMove(f"{quoted(text)} is no place for a ship: {self.form(seat)}")
        if found[1] and found[1] != ship:
            raise IllegalMove(f"the {ship} comes next: {self.form(seat)}")
        ends = found[2], found[found.lastindex or 2]
        return self._placed(*ends), left_of(text, found.end())

    def _placed(self, start: str, end: str) -> str:
        """How the place from one cell to another is written."""
        number = cached_grid(self.size, self.size).number
        if start in number and end in number and number[start] > number[end]:
            start, end = end, start
        return start if start == end else f"{start}-{end}"

    def form(self, seat: int) -> str:
        """How the place of the ship that a seat is to place is written."""
        ship, length = self._due(seat)
        if length == 1:
            return f"for the {ship} (1 cell) name a cell, such as a1"
        return f"for the {ship} ({length} cells) name both ends, such as a1-a{length}"

    def apply(self, seat: int, move: str) -> BattleshipPosition:
        if self.is_placing:
            cells = lines(self.size, self._due(seat)[1]).get(move)
            if cells is None or cells & self._taken(seat):
                raise self._no_place(seat, move)
            after = replace(self, ships=_added(self.ships, seat, move), news=())
            return after if after.is_placing else after._opened()
        grid = cached_grid(self.size, self.size)
        if move not in grid.number:
            if grid.looks_like_cell(move) and move not in map(str.upper, grid.names):
                raise IllegalMove(f"{move} is not on the board, which ends at {grid.names[-1]}")
            raise InvalidMove(f"{quoted(move)} is not a cell; write a shot as b7")
        if move in self.shots[seat]:
            raise IllegalMove(f"you have shot at {move} before")
        shots, fired, left = _added(self.shots, seat, move), self.fired + 1, self.left - 1
        after = replace(self, shots=shots, fired=fired, left=left, news=())
        return after if left else after._told()

    def _no_place(self, seat: int, move: str) -> MoveError:
        number = cached_grid(self.size, self.size).number
        ends = move.split("-")
        if not all(re.fullmatch(_CELL, end) for end in ends) or len(ends) > 2:
            return InvalidMove(f"{quoted(move)} is no place for a ship: {self.form(seat)}")
        off = [end for end in ends if end not in number]
        if off:
            return IllegalMove(f"{off[0]} is not on the board: {self.form(seat)}")
        cells = lines(self.size, self._due(seat)[1]).get(move)
        if cells is None:
            if lines(self.size, self._due(seat)[1]).get(self._placed(ends[0], ends[-1])):
                return InvalidMove(f"{quoted(move)} is written {self._placed(ends[0], ends[-1])}")
            return IllegalMove(f"{move} does not fit: {self.form(seat)}, along a row or column")
        for name, ship in zip(self.fleet, self.ships[seat], strict=False):
            if cells & cells_of(self.size, ship):
                return IllegalMove(f"{move}: your {name[0]} lies there, {ship}")
        return IllegalMove(f"{move}: it would touch another ship of yours")

    def _opened(self) -> BattleshipPosition:
        """The first turn of shooting."""
        news = (f"both fleets are at sea, {SEATS[0]} shoots first",)
        return replace(self, turn=self.turn + 1, left=self._volley(0), news=news)

    def _volley(self, seat: int) -> int:
        """How many shots a turn of that seat has."""
        if not self.options["salvo"]:
            return 1
        return min(len(self.fleet) - len(self.sunk(seat)), self.size**2 - len(self.shots[seat]))

    def _told(self) -> BattleshipPosition:
        """The position after the last shot of a turn: what was hit is known."""
        seat, other, name = self.side, 1 - self.side, SEATS[self.side]
        afloat = set(self.sunk(other))
        after = replace(self, fired=0, turn=self.turn + 1)
        struck = self.struck(other)
        volley, grid = self.shots[seat][-self.fired :], cached_grid(self.size, self.size)
        hits = [cell for cell in volley if grid.number[cell] in struck]
        misses = [cell for cell in volley if grid.number[cell] not in struck]
        news = [f"{name} hits at {listing(hits)}"] if hits else []
        news += [f"{name} misses at {listing(misses)}"] if misses else []
        sunk = after.sunk(other)
        news += [f"{name} sinks the {self.fleet[n][0]}" for n in sunk if n not in afloat]
        if len(sunk) == len(self.fleet):
            return replace(after, side=other, left=0, winner=seat, news=tuple(news))
        return replace(after, side=other, left=after._volley(other), news=tuple(news))

    def struck(self, seat: int) -> set[int]:
        """The cells of a seat's ships."""
        return {cell for ship in self.ships[seat] for cell in cells_of(self.size, ship)}

    def known(self, shooter: int) -> tuple[str, ...]:
        """The shots of a seat of which it is known what they hit."""
        shots = self.shots[shooter]
        return shots[: len(shots) - self.fired] if shooter == self.side else shots

    def sunk(self, seat: int) -> list[int]:
        """The ships of a seat that are sunk, by their numbers in the fleet."""
        number = cached_grid(self.size, self.size).number
        shot = {number[cell] for cell in self.known(1 - seat)}
        ships = enumerate(self.ships[seat])
        return [n for n, ship in ships if cells_of(self.size, ship) <= shot]

    def resign(self, seat: int) -> BattleshipPosition:
        if self.winner is not None or seat not in (0, 1):
            raise IllegalMove("only a seat that is still playing can resign")
        return replace(self, gone=seat, winner=1 - seat, turn=self.turn + 1, news=())

    # What is shown

    def uncovered(self) -> BattleshipPosition:
        return replace(self, bare=True)

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Whether a viewer sees where a seat's ships lie."""
        return viewer == seat or self.bare or self.winner is not None

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if not self.is_placing:
            return move  # a shot is seen by all
        return f"{self._due(seat)[0]} {move if self.sees(viewer, seat) else '-'}"

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        return pictured(self, viewer, last)

    def dump(self) -> list[Any]:
        return [
            self.ships,
            self.shots,
            self.side,
            self.turn,
            self.fired,
            self.left,
            self.winner,
            self.gone,
        ]


def _added(
    rows: tuple[tuple[str, ...], tuple[str, ...]], seat: int, word: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (rows[0], (*rows[1], word)) if seat else ((*rows[0], word), rows[1])


class Battleship(Game):
    """The game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="battleship",
        title="Battleship",
        version=1,
        players=TWO,
        seats={2: SEATS},
        summary="place a fleet in secret, find and sink the other one",
        help=HELP,
        aliases=("seabattle", "battleships"),
        options=(
            Option("size", "int", "cells along an edge", 10, 8, 14),
            Option("fleet", "choice", "the ships of each", "classic", choices=tuple(FLEETS)),
            Option("apart", "flag", "ships may not touch, size 10 or more"),
            Option("salvo", "flag", "a turn is a shot for each ship that you have afloat"),
        ),
        features=frozenset({"hidden", "sealed"}),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> BattleshipPosition:
        if options["apart"] and int(options["size"]) < ROOMY:
            raise OptionError(f"-apart needs -size={ROOMY} or more")
        return BattleshipPosition(options)

    def load(
        self, players: int, options: Mapping[str, Value], data: list[Any]
    ) -> BattleshipPosition:
        ships, shots, *rest = data
        return BattleshipPosition(
            options,
            (tuple(ships[0]), tuple(ships[1])),
            (tuple(shots[0]), tuple(shots[1])),
            *rest,
        )


BattleshipPosition.game = Battleship()
GAMES = (BattleshipPosition.game,)
