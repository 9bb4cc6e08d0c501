"""The state of a game of Battleship: both fleets, the shots, and what each player may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from pbm.rules import NOBODY, SEAT_TO_MOVE, Outcome, Position, Value
from pbm.rules.boards.squares import cached_grid
from pbm.rules.phrases import phrase

SEATS = ("north", "south")
FLEETS = {
    "classic": (
        (phrase("carrier"), 5),
        (phrase("battleship"), 4),
        (phrase("cruiser"), 3),
        (phrase("submarine"), 3),
        (phrase("destroyer"), 2),
    ),
    "russian": (
        (phrase("battleship"), 4),
        *[(phrase("cruiser"), 3)] * 2,
        *[(phrase("destroyer"), 2)] * 3,
        *[(phrase("boat"), 1)] * 4,
    ),
    "short": ((phrase("battleship"), 4), (phrase("cruiser"), 3), (phrase("destroyer"), 2)),
}
ROOMY = 10
"""The smallest sea on which ships that may not touch always leave a place for the next one: each
ship of these fleets, with the water around it, blocks few of the twelve pairs of cells in columns
ab, ef, ij of rows 1, 4, 7, 10, of the sixteen cells three apart, and so on."""


@cache
def ship_places(size: int, length: int) -> dict[str, frozenset[int]]:
    """Return the possible places of a ship on an empty sea, and their cells."""
    grid, places = cached_grid(size, size), {}
    for cell, name in enumerate(grid.names):
        for columns, rows in ((1, 0), (0, 1)):
            end = grid.step(cell, columns * (length - 1), rows * (length - 1))
            if end is not None:
                between = range(cell, end + 1, max(columns + rows * size, 1))
                move = name if length == 1 else f"{name}-{grid.names[end]}"
                places[move] = frozenset(between)
    return places


@cache
def ship_cells(size: int, ship: str) -> frozenset[int]:
    """Return the cells of a ship at that place."""
    number = cached_grid(size, size).number
    first, last = number[ship.partition("-")[0]], number[ship.rpartition("-")[2]]
    return frozenset(range(first, last + 1, 1 if last - first < size else size))


@dataclass(frozen=True, slots=True)
class BattleshipState(Position):
    """A position of Battleship, without the moves that change it.

    ships      the places of each seat's ships, in the order of the fleet: a1-a5
    shots      the cells that each seat has shot at, in order
    side       the seat that shoots
    fired      how many of its shots belong to a salvo in progress and are not revealed yet
    left       how many shots it has left in this turn
    winner     the seat that has won
    gone       the seat that has resigned
    all_shown  whether everybody sees the fleets, because the board ended other than by its rules
    """

    players = 2

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
    all_shown: bool = field(default=False, compare=False)

    @property
    def size(self) -> int:
        """Cells along an edge."""
        return int(self.options["size"])

    @property
    def fleet(self) -> tuple[tuple[str, int], ...]:
        """The ships in order: name and number of cells."""
        return FLEETS[str(self.options["fleet"])]

    @property
    def is_placing(self) -> bool:
        """Whether any ship is still to be placed."""
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
        loser = self.seat_name(1 - self.winner)
        reason = (
            phrase("{loser} resigns", loser=loser)
            if self.gone is not None
            else phrase("{loser}'s fleet is sunk", loser=loser)
        )
        return Outcome((1 + self.winner, 2 - self.winner), reason)

    def next_ship(self, seat: int) -> tuple[str, int]:
        """Return the ship that a seat must place next."""
        return self.fleet[len(self.ships[seat])]

    def blocked_cells(self, seat: int) -> set[int]:
        """Return the cells where a seat may no longer place a ship."""
        taken = {cell for ship in self.ships[seat] for cell in ship_cells(self.size, ship)}
        if self.options["apart"]:
            around = cached_grid(self.size, self.size).king
            taken |= {near for cell in taken for near in around[cell]}
        return taken

    def placing_hint(self, seat: int) -> str:
        """Return how to write the place of the ship that a seat must place next."""
        ship, length = self.next_ship(seat)
        if length == 1:
            return phrase("for the {ship} (1 cell) name a cell, such as a1", ship=ship)
        return phrase(
            "for the {ship} ({length} cells) name both ends, such as a1-a{length}",
            ship=ship,
            length=length,
        )

    def ship_map(self, seat: int) -> set[int]:
        """Return the cells of a seat's ships."""
        return {cell for ship in self.ships[seat] for cell in ship_cells(self.size, ship)}

    def revealed_shots(self, shooter: int) -> tuple[str, ...]:
        """Return the shots of a seat whose result has been revealed."""
        shots = self.shots[shooter]
        return shots[: len(shots) - self.fired] if shooter == self.side else shots

    def last_shots(self, last: Sequence[str]) -> list[tuple[int, str]]:
        """Return the shots among the moves `last`, each with the seat at whose sea it was fired."""
        target = 1 - self.side if self.fired else self.side
        marked: list[tuple[int, str]] = []
        for move, shot in zip(reversed(last), reversed(self.shots[1 - target]), strict=False):
            if move != shot:
                break
            marked.append((target, shot))
        return marked

    def sunk(self, seat: int) -> list[int]:
        """Return the sunk ships of a seat, by their numbers in the fleet."""
        number = cached_grid(self.size, self.size).number
        shot = {number[cell] for cell in self.revealed_shots(1 - seat)}
        ships = enumerate(self.ships[seat])
        return [n for n, ship in ships if ship_cells(self.size, ship) <= shot]

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Whether a viewer sees where a seat's ships are."""
        return viewer == seat or self.all_shown or self.winner is not None
