"""Sowing games on two rows of houses: notation, picture and counting.

Captures and endings are up to the game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, TypeVar

from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas, Picture
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    Label,
    Mark,
    Piece,
    Place,
    Region,
    Scene,
    find_told,
    mark_told,
)
from pbm.rules.errors import IllegalMove, InvalidMove
from pbm.rules.families.two_player import TwoPlayerGame, TwoPlayerPosition
from pbm.rules.options import Value
from pbm.rules.phrases import (
    Listing,
    SeatName,
    Sentence,
    combine,
    join_phrases,
    phrase,
    tell_end,
    tell_turn,
)
from pbm.rules.typed import quoted

M = TypeVar("M", bound="SowingPosition")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LEFT, _WIDE = 13, 5
"""The column of the picture where the houses begin, and the width of a house."""


@dataclass(frozen=True, slots=True)
class SowingPosition(TwoPlayerPosition):
    """A position of such a game; `board` is not used.

    houses  the seeds in the houses, counterclockwise: those of side 0 from its left, then side 1's
    stores  the seeds that each side has captured
    moved   the side that moved last
    """

    houses: tuple[int, ...] = ()
    stores: tuple[int, ...] = (0, 0)
    moved: int = 1

    @property
    def pits(self) -> int:
        """The number of houses on each side."""
        return len(self.houses) // 2

    @property
    def key(self) -> str | None:
        return f"{self.side}{self.houses}{self.stores}"

    def row(self, side: int) -> tuple[int, ...]:
        """Return the houses of a side, counted from its left."""
        return self.houses[side * self.pits : (side + 1) * self.pits]

    def moves(self) -> Sequence[str]:
        if self.outcome:
            return ()
        return [_LETTERS[house] for house, seeds in enumerate(self.row(self.side)) if seeds]

    def advance(self: M, move: str) -> M:
        if move not in self.moves():
            house = self._house(move)
            if move != _LETTERS[house]:
                raise InvalidMove(
                    phrase("{move} is written {letter}", move=quoted(move), letter=_LETTERS[house])
                )
            raise IllegalMove(combine("{move}: {fault}", move=move, fault=self.find_fault(house)))
        return self.sow(_LETTERS.index(move))

    @abstractmethod
    def sow(self: M, house: int) -> M:
        """Return the position after sowing from the house with that number of the side to move."""

    def find_fault(self, house: int) -> str:
        """Return why the side to move cannot sow from a house."""
        return phrase("that house is empty")

    def read(self, word: str) -> str:
        return _LETTERS[self._house(word)]

    def _house(self, word: str) -> int:
        """Return the house that a letter or number means."""
        last = _LETTERS[self.pits - 1]
        if len(word) == 1 and "a" <= word <= last:
            return _LETTERS.index(word)
        if word.isascii() and word.isdecimal() and len(word) < 3 and 0 < int(word) <= self.pits:
            return int(word) - 1
        raise InvalidMove(
            phrase(
                "{word} is not a house; yours are a to {last}, from your left",
                word=quoted(word),
                last=last,
            )
        )

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return the house of its side."""
        return (f"{self.colour(self.side)} {move}" if move in _LETTERS else move,)

    def collect_rest(self: M, why: str) -> M:
        """Return the end of the game: each side takes the seeds in its own houses, and more seeds
        win."""
        stores = tuple(self.stores[side] + sum(self.row(side)) for side in (0, 1))
        houses = (0,) * len(self.houses)
        news = (
            *self.news,
            *(
                phrase(
                    "{colour} takes the seeds left in {places}",
                    colour=self.colour(side),
                    places=Listing(left),
                )
                for side in (0, 1)
                if (left := [self._name(side, n) for n, has in enumerate(self.row(side)) if has])
            ),
        )
        return replace(self, houses=houses, stores=stores, news=news).end_by_count(why)

    def _name(self, side: int, house: int) -> str:
        return f"{self.colours[side]} {_LETTERS[house]}"

    def tell_captured(self, houses: Sequence[int]) -> tuple[str, ...]:
        """Return as news that the side to move has captured what lay in these houses, which are
        numbered as in `houses`."""
        if not houses:
            return ()
        places = Listing(self._name(*divmod(house, self.pits)) for house in sorted(houses))
        return (phrase("{colour} captures {places}", colour=self.colour(self.side), places=places),)

    def end_by_count(self: M, why: str = "") -> M:
        """Return the end of the game by the seeds in the stores."""
        south, north = self.stores
        more, fewer = max(south, north), min(south, north)
        reason = phrase("{more} seeds to {fewer}", more=more, fewer=fewer)
        if why:
            reason = combine("{why}, {count}", why=why, count=reason)
        return self.end_in_draw(reason) if south == north else self.win(int(north > south), reason)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        sown = [move for move in last if move in _LETTERS[: self.pits]]
        south, north = (
            tuple(f"{colour} {place}" for place in (*_LETTERS[: self.pits], "store"))
            for colour in self.colours
        )
        contents = ((*self.row(side), self.stores[side]) for side in (0, 1))
        scene = replace(
            house_scene(south, north),
            pieces=tuple(
                Piece(name, "seed", side, seeds)
                for side, (names, row) in enumerate(zip((south, north), contents, strict=True))
                for name, seeds in zip(names, row, strict=True)
                if seeds
            ),
            marks=tuple(Mark((f"{self.colour(self.moved)} {move}",), "last") for move in sown),
        )
        return mark_told(scene, self.news) if last else scene

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        houses = [*_LETTERS[: self.pits].upper(), phrase("store")]
        return [
            Sentence(
                combine(
                    "{seat}: {houses}.",
                    seat=SeatName(colour, side),
                    houses=join_phrases(
                        ", ",
                        [
                            combine("{house} {seeds}", house=name, seeds=count or phrase("empty"))
                            for name, count in zip(
                                houses, (*self.row(side), self.stores[side]), strict=True
                            )
                        ],
                    ),
                )
            )
            for side, colour in enumerate(self.colours)
        ]

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the rows of houses in a frame, the stores at its ends, as sowing games are
        printed: what lies in a house is a number, which the signs of a scene are not."""
        canvas, pits = Canvas(), self.pits
        marked = {_LETTERS.index(move) for move in last if len(move) == 1}
        told = find_told(self.news) if last else set[str]()
        rule = "+" + "----+" * pits
        for line in (1, 3, 5):
            canvas.put(line, _LEFT, rule)
        for side, line, label in ((1, 2, 0), (0, 4, 6)):
            for house, seeds in enumerate(self.row(side)):
                place = pits - 1 - house if side else house
                at = _LEFT + 1 + _WIDE * place
                canvas.put(label, at + 2, _LETTERS[house], LABEL)
                canvas.put(line, at - 1, "|")
                hit = house in marked and side == self.moved
                text = f"[{seeds:>2}]" if hit else f"{seeds:>3} "
                if not hit and not seeds and self._name(side, house) in told:
                    hit, text = True, "  * "
                canvas.put(line, at, text, LAST if hit else seat_role(side) if seeds else PLAIN)
            canvas.put(line, _LEFT + _WIDE * pits, "|")
            name, store = self.colour(side), f"{self.stores[side]:>2}"
            if side:
                canvas.put(line, _LEFT - 5 - len(name), name, LABEL, len(name))
                canvas.put(line, _LEFT - 4, store, seat_role(side))
            else:
                canvas.put(line, _LEFT + _WIDE * pits + 2, store, seat_role(side))
                canvas.put(line, _LEFT + _WIDE * pits + 6, name, LABEL)
        canvas.line()
        if self.outcome:
            canvas.paragraph(tell_end(self.outcome.reason))
        else:
            canvas.paragraph(tell_turn(self.colour(self.side)), LABEL)
        return canvas.picture()


@cache
def house_scene(south: tuple[str, ...], north: tuple[str, ...]) -> Scene:
    """Return the scene of the empty board: two rows of houses, each from its side's left to its
    right, and behind them its store."""
    pits = len(south) - 1
    places: list[Place] = []
    labels: list[Label] = []
    for side, names in enumerate((south, north)):
        for house, name in enumerate(names[:-1]):
            x = pits - 0.5 - house if side else house + 0.5
            places.append(Place(name, 0.45, (x, 0.5 if side else 1.5), "house"))
            labels.append(Label(name[-1], (x, -0.85 if side else 2.85)))
        x = -1.0 if side else pits + 1.0
        places.append(
            Place(
                names[-1], ((x - 0.5, 0), (x + 0.5, 0), (x + 0.5, 2), (x - 0.5, 2)), (x, 1), "store"
            )
        )
        labels.append(Label(names[-1].split()[0], (x, -0.5 if side else 2.5)))
    rows = (Region("row", names[-1].split()[0], names[:-1]) for names in (south, north))
    return Scene(tuple(places), labels=tuple(labels), regions=tuple(rows))


class SowingGame(TwoPlayerGame):
    """A sowing game; `first_fields` says what lies in the houses at the start."""

    position: ClassVar[type[TwoPlayerPosition]]

    def first_fields(self, options: Mapping[str, Value]) -> dict[str, Any]:
        """Return the fields of the first position."""
        pits, seeds = int(options.get("pits", 6)), int(options.get("seeds", 4))
        return {"houses": (seeds,) * (2 * pits)}

    def start(self, players: int, options: Mapping[str, Value]) -> TwoPlayerPosition:
        return self.position(options, "", **self.first_fields(options))


def sowing_path(start: int, size: int, seeds: int, left_out: int) -> Iterator[int]:
    """Yield the places into which seeds fall one by one around a ring of `size` places after
    `start`, skipping the place `left_out`."""
    place = start
    while seeds:
        place = (place + 1) % size
        if place != left_out:
            seeds -= 1
            yield place
