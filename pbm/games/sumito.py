"""Sumito, known as Abalone (a trademark): lines of marbles push shorter lines off the board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbm.rules import InvalidMove, Option, OptionError, Value
from pbm.rules.boards.hexagons import HexBoard
from pbm.rules.drawing.hexagon_scene import hexagon_scene, middle
from pbm.rules.drawing.scene import Label, Panel, Scene, both_sides, tally
from pbm.rules.families.board_positions import OnHexagons
from pbm.rules.families.many_sides import ManySides, all_sides
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.phrases import Listing, Phrase, make_phrase, phrase, phrase_number

HELP = """\
SUMITO, 2 to 6 players, also known as Abalone

AIM. Push six opposing marbles off the board.

MOVES. Black (X) begins. One, two or three of your marbles next to each other
in a straight line move one cell, all in the same direction.
  In line: along their line. All those in front of the last move along, three
  at most.
  If opposing marbles stand in front of them, these are pushed if they are
  fewer than yours (one by two, one or two by three) and the cell behind them
  is empty or off the board: then the foremost is lost.
  Sideways: two or three marbles to empty cells, pushing nothing.
Your own marbles never leave the board by your move. Rows are letters from the
bottom, numbers go up diagonally to the left, as the picture shows.

MORE PLAYERS. Three have 11 marbles each, four 8, five 8 (who is in the middle
7), six 6. Black (X) begins at the top, and the turn goes round with the clock
(with five to the middle last). What is pushed may belong to several. Every
marble of another that you push off counts for you, and the first to push six
off wins; the others share the second place. Whoever cannot move in turn, or
has no marble left, is out; so is whoever resigns, and those marbles stay and
can still be pushed off.

WRITING MOVES. Where the last marble stands and the next cell, to which it
goes; sideways the first, the last, and the cell to which the first goes:
  > a1-b2
  > c3c5-d3

THE END. The first player to push six marbles off wins. After 200 moves in a
row, counting both sides, without a marble pushed off the game is drawn; a
draw can also be claimed when a position occurs for the third time. A player
who cannot move loses. Resigning loses.
"""
ROWS = "ihgfedcba"
WAYS = range(6)
IDLE = 200
"""The number of moves without a marble pushed off after which the game is drawn."""
STARTS = {
    "usual": "OOOOO OOOOOO ..OOO.. ........ ......... ........ ..XXX.. XXXXXX XXXXX",
    "daisy": "OO.XX OOOXXX .OO.XX. ........ ......... ........ .XX.OO. XXXOOO XX.OO",
    "german": "..... OO..XX OOO.XXX .OO..XX. ......... .XX..OO. XXX.OOO XX..OO .....",
}


CROWDED_STARTS = {
    3: "XXXXX XXXXXX ....... %......O %%.....OO %%....OO %%...OO %%..OO %%.OO",
    4: "XXXX. XXXX.O .....OO @.....OO @@.....OO @@.....O @@..... @.%%%% .%%%%",
    5: "XXXX. XXXX.O .....OO @..&&.OO @@.&&&.OO @@.&&..O @@..... @.%%%% .%%%%",
    6: ".XXX. *.XX.O **.X.OO ***..OOO ......... &&&..%%% &&.@.%% &.@@.% .@@@.",
}
"""The usual ones for three to six, as on Richard's PBeM Server."""


@cache
def board() -> HexBoard:
    """Return the 61 cells, i5 to i9 at the top, a1 to a5 at the bottom."""
    columns = [(max(0, 4 - row), min(9, 13 - row)) for row in range(9)]
    cells = ((column, row) for row, bounds in enumerate(columns) for column in range(*bounds))
    return HexBoard(cells, 1, lambda column, row: f"{ROWS[row]}{column + 1}")


@cache
def marble_scene() -> Scene:
    """Return the scene of the empty board; numbers stand at the lower ends of their diagonals."""
    cells, numbers = board(), "123456789"
    scene = hexagon_scene(cells, tuple(ROWS), tuple(numbers))
    rows = (label for label in scene.labels if label.text not in numbers)
    ends = {column: (column, row + 1) for column, row in cells.cells}
    lower = (Label(numbers[column], middle(cells, *end)) for column, end in sorted(ends.items()))
    return replace(scene, labels=(*rows, *lower))


@dataclass(frozen=True, slots=True)
class Sumito(OnHexagons, MoveListPosition):
    """A position of the game; `idle` counts the moves since a marble was pushed off."""

    moves_once = True
    form = re.compile(r"([a-z][0-9])([a-z][0-9])?[-/]?([a-z][0-9])")
    kinds = both_sides("marble")
    idle: int = 0

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Sumito:
        return cls(options, STARTS[str(options["start"])].replace(" ", ""))

    @property
    def geometry(self) -> HexBoard:
        return board()

    @property
    def empty_scene(self) -> Scene:
        return marble_scene()

    def panels(self) -> tuple[Panel, ...]:
        goal = phrase("pushed off, of {all}", all=self.options["goal"])
        return (tally(goal, self.colours, (self.lost(0), self.lost(1)), "marble"),)

    @property
    def key(self) -> str | None:
        return f"{self.side}{self.board}"

    def _pushed(self, cell: int, way: int) -> int:
        """Return the number of cells of a line, from its last marble on, that move when it goes
        that way; 0 if it may not. One more than the ray has when a marble falls off the board."""
        own, cells = self.stones[self.side], self.board
        ray = self.geometry.rays[cell][way]
        mine = 1
        for there in ray:
            if cells[there] != own:
                break
            mine += 1
        if mine > 3 or mine > len(ray):
            return 0
        theirs = 0
        for there in ray[mine - 1 :]:
            if cells[there] == EMPTY:
                return mine + theirs
            if cells[there] == own:
                return 0
            theirs += 1
            if theirs >= mine:
                return 0
        return mine + theirs

    def list_moves(self) -> list[str]:
        geometry, cells, own = self.geometry, self.board, self.stones[self.side]
        names, around, moves = geometry.names, geometry.around, list[str]()
        for cell, stone in enumerate(cells):
            if stone != own:
                continue
            sides = around[cell]
            moves += [
                f"{names[cell]}-{names[sides[way]]}" for way in WAYS if self._pushed(cell, way)
            ]
            for axis in range(3):
                line = [cell]
                while len(line) < 3:
                    there = around[line[-1]][axis]
                    if there < 0 or cells[there] != own:
                        break
                    line.append(there)
                    for way in WAYS:
                        if way % 3 != axis and all(
                            around[n][way] >= 0 and cells[around[n][way]] == EMPTY for n in line
                        ):
                            moves.append(f"{names[cell]}{names[there]}-{names[sides[way]]}")
        return moves

    def canonicalize(self, match: re.Match[str]) -> str:
        first, last, to = match.groups()
        if not last:
            return f"{first}-{to}"
        number, around = self.geometry.number, self.geometry.around
        one, other, there = number[first], number[last], number[to]
        line = self._line(one, other)
        if not line:
            raise InvalidMove(
                phrase(
                    "{first} and {last} are not the ends of a line of two or three cells",
                    first=first,
                    last=last,
                )
            )
        if there not in around[one]:
            raise InvalidMove(
                phrase("{to} is not next to {first}, the first of them", to=to, first=first)
            )
        way = around[one].index(there)
        if other in self.geometry.rays[one][way] or one in self.geometry.rays[other][way]:
            raise InvalidMove(
                phrase("along a line write its last marble and the cell it goes to: a1-b2")
            )
        if not any(other in self.geometry.rays[one][axis] for axis in range(3)):
            first, last, one = last, first, other
        if around[one][way] < 0:
            raise InvalidMove(phrase("{first} would leave the board", first=first))
        return f"{first}{last}-{self.geometry.names[around[one][way]]}"

    def _line(self, one: int, other: int) -> list[int]:
        """Return the two or three cells of a straight line between two cells, both included; empty
        if there is none."""
        for ray in self.geometry.rays[one]:
            if other in ray[:2]:
                return [one, *ray[: ray.index(other) + 1]]
        return []

    def find_fault(self, move: str) -> str:
        start, _, to = move.partition("-")
        geometry, own = self.geometry, self.stones[self.side]
        names = [start[:2], start[2:]] if len(start) > 2 else [start]
        cells = [geometry.number[name] for name in names]
        line = self._line(*cells) if len(cells) == 2 else cells
        for cell in line:
            if why := self.find_source_fault(geometry.names[cell]):
                return why
        if len(cells) == 2:
            return phrase("moving sideways, every marble needs an empty cell to go to")
        there = geometry.number[to]
        if there not in geometry.around[line[0]]:
            return phrase("{to} is not next to {start}", to=to, start=start)
        ray = geometry.rays[line[0]][geometry.around[line[0]].index(there)]
        mine = 1
        while mine <= len(ray) and self.board[ray[mine - 1]] == own:
            mine += 1
        if mine > len(ray):
            return phrase("your own marble would leave the board")
        if mine > 3:
            return phrase("{mine} of your marbles are in line; at most three can move", mine=mine)
        return phrase(
            "the marbles in front are not fewer than yours, or one of yours is right behind them"
        )

    def make_move(self, move: str) -> Sumito:
        start, _, to = move.partition("-")
        geometry, row = self.geometry, list(self.board)
        one, there = geometry.number[start[:2]], geometry.number[to]
        way = geometry.around[one].index(there)
        lost, news, marbles = 0, list[str](), list[str]()
        if len(start) > 2:
            for cell in self._line(one, geometry.number[start[2:]]):
                target = geometry.around[cell][way]
                row[cell], row[target] = EMPTY, self.stones[self.side]
        else:
            ray, count = geometry.rays[one][way], self._pushed(one, way)
            marbles = [row[one], *(row[cell] for cell in ray[: count - 1])]
            row[one] = EMPTY
            for cell, marble in zip(ray, marbles, strict=False):
                row[cell] = marble
            lost = int(count > len(ray))
            if lost:
                owner = self.stones.index(marbles[-1])
                news.append(self._tell_lost(owner, geometry.names[ray[-1]]))
        after = self.end_turn("".join(row), idle=0 if lost else self.idle + 1)
        in_front = [marble for marble in marbles if marble != self.stones[self.side]]
        told = self._tell_line(start, to, row, in_front[: len(in_front) - lost])
        after = replace(after, news=(*told, *news))
        return after._end_if_decided(self.side, lost)

    def _tell_line(
        self, start: str, to: str, row: Sequence[str], in_front: Sequence[str]
    ) -> Iterator[str]:
        """Yield where the marbles have come to that the move does not name: those of the line, and
        those that it pushes."""
        names = self.geometry.names
        own = self.stones[self.side]
        for is_own in (True, False):
            places = [
                name
                for name, was, now in zip(names, self.board, row, strict=True)
                if now not in (EMPTY, was) and (now == own) is is_own and name not in (start, to)
            ]
            if places and is_own and len(start) > 2:
                yield phrase("its other marbles go to {places}", places=Listing(places))
            elif places and is_own:
                yield phrase("the marble in front of the line goes to {place}", place=places[0])
            elif places:
                owner = self.colour(self.stones.index(in_front[0]))
                yield phrase_number(
                    "{colour}'s marble is pushed to {places}",
                    "{colour}'s {count} marbles are pushed on to {places}",
                    len(in_front),
                    colour=owner,
                    places=Listing(places),
                )

    def _tell_lost(self, side: int, place: str) -> Phrase:
        """Return that a marble is pushed off."""
        if side:
            return phrase("a white marble is pushed off from {place}", place=place)
        return phrase("a black marble is pushed off from {place}", place=place)

    def _end_if_decided(self, mover: int, _pushed_off: int) -> Sumito:
        """Return the position, ended if the side that has just moved has won or nobody can."""
        lost = self.lost(1 - mover)
        if lost >= int(self.options["goal"]):
            return self.win(
                mover,
                phrase("{colour} has pushed {lost} off", colour=self.colour(mover), lost=lost),
            )
        if not self.moves():
            return self.win(mover, phrase("{colour} cannot move", colour=self.colour(1 - mover)))
        return (
            self.end_in_draw(phrase("{idle} moves without a marble pushed off", idle=IDLE))
            if self.idle >= IDLE
            else self
        )

    def lost(self, side: int) -> int:
        """Return the number of a side's marbles that were pushed off."""
        return 14 - self.board.count(STONES[side])


@dataclass(frozen=True, slots=True)
class CrowdedSumito(ManySides, Sumito):
    """A position for three to six, each for themselves: what is pushed may be of several colours,
    as the publisher has it for three; the starts are those of Richard's PBeM Server.

    count  how many play
    left   the seats that are out, the first to leave first
    taken  how many marbles of others each has pushed off
    """

    kinds = all_sides("marble")
    count: int = 3
    left: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()

    @classmethod
    def initial_of(cls, players: int, options: Mapping[str, Value]) -> CrowdedSumito:
        if options["start"] != "usual":
            raise OptionError(phrase("{option} is for two players", option=make_phrase("-start")))
        start = CROWDED_STARTS[players].replace(" ", "")
        return cls(options, start, count=players, taken=(0,) * players)

    def panels(self) -> tuple[Panel, ...]:
        goal = phrase("has pushed off, of {all}", all=self.options["goal"])
        return (tally(goal, self.colours, self.taken, "marble"),)

    def _tell_lost(self, side: int, place: str) -> Phrase:
        return phrase(
            "a marble of {colour} is pushed off from {place}",
            colour=self.colour(side),
            place=place,
        )

    def _end_if_decided(self, mover: int, pushed_off: int) -> CrowdedSumito:
        taken = tuple(count + pushed_off * (side == mover) for side, count in enumerate(self.taken))
        after = replace(self, taken=taken)
        if taken[mover] >= int(self.options["goal"]):
            return after.win(
                mover,
                phrase(
                    "{colour} has pushed {lost} off", colour=self.colour(mover), lost=taken[mover]
                ),
            )
        if self.idle >= IDLE:
            return after.end_in_draw(phrase("{idle} moves without a marble pushed off", idle=IDLE))
        return after.leave_out_stuck()

    def leave_out_stuck(self) -> CrowdedSumito:
        """Return the position without seats on the move that cannot move, left out one after the
        other."""
        after, news = self, [*self.news]
        while len(after.playing) > 1 and not after.moves():
            stuck = after.side
            reason = phrase("{colour} cannot move", colour=after.colour(stuck))
            news.append(reason)
            after = replace(ManySides.remove(after, stuck), news=tuple(news))
            if len(after.playing) == 1:
                return after.win(after.side, reason)
        return after

    def remove(self, seat: int) -> CrowdedSumito:
        after = ManySides.remove(self, seat)
        return after.leave_out_stuck() if seat == self.side else after


GAMES = (
    two_player_game(
        Sumito,
        "sumito",
        "Sumito",
        ("black", "white"),
        "push marbles off the board (Abalone)",
        HELP,
        Option(
            "start",
            "choice",
            "the starting position; daisy is the Belgian one",
            "usual",
            choices=tuple(STARTS),
        ),
        Option("goal", "int", "marbles to push off", 6, low=1, high=14),
        aliases=("abalone",),
        family="capture",
        crowd=CrowdedSumito,
        crowds=[
            ("black", "white", "red", "blue", "green", "yellow")[:players]
            for players in range(3, 7)
        ],
    ),
)
