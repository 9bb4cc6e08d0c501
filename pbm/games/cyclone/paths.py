"""The board of Cyclone: paths that meet in one centre, the steps on them, the notation.

The cubes on a space are a string of letters, bottom to top; in a base their order means nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pbm.rules import IllegalMove, InvalidMove
from pbm.rules.boards.graphs import Graph
from pbm.rules.phrases import SeatName, phrase
from pbm.rules.typed import SEPARATORS, left_of, listing, quoted

COLOURS = ("blue", "yellow", "green", "red")
"""By seat."""
LETTERS = "bygr"
CENTRE = "x"
END_TURN = "pass"
SETS = {
    2: phrase("five cubes in the other base"),
    3: phrase("three cubes in one base, or two in each of the two"),
    4: phrase("three cubes in one base, or one in each of the three"),
}
"""The winning sets by the number of players, resigned ones included."""
CARRY = 3
"""The number of spaces that a stack moves on after a cube has landed on it."""

FORM = phrase("write b5-b6, b7-x, x-y7 or pass")
_SPACE = r"(x|[a-z][0-9]{1,2})"
_ACTION = re.compile(rf"{_SPACE}-{_SPACE}")
_TYPED = re.compile(
    rf"\s*{_SPACE}\s*[-\u2013\u2014]\s*{_SPACE}(?![0-9a-z])", re.ASCII | re.IGNORECASE
)
_TYPED_PASS = re.compile(r"\s*pass(?![0-9a-z])", re.ASCII | re.IGNORECASE)
_PASSES = re.compile(rf"(?:pass(?![0-9a-z])[{re.escape(SEPARATORS)}]*)*", re.ASCII | re.IGNORECASE)


class PathBoard:
    """The spaces of a game for a number of players and a length of the paths.

    graph    names and neighbours: `b0` to `bn` for each colour in play, then `x`
    bases    for each seat its base
    actions  `actions[seat][space]`: (space, move) for each step that a cube of the seat may take
    home     `home[seat][space]`: where a stack of the seat stops that moves on from there
    """

    def __init__(self, players: int, length: int) -> None:
        self.players, self.length = players, length
        names = [f"{letter}{n}" for letter in LETTERS[:players] for n in range(length + 1)]
        links = [
            (f"{letter}{n}", f"{letter}{n + 1}")
            for letter in LETTERS[:players]
            for n in range(length)
        ]
        links += [(f"{letter}{length}", CENTRE) for letter in LETTERS[:players]]
        self.graph = Graph([*names, CENTRE], links)
        self.bases = tuple(self.graph.number[f"{letter}0"] for letter in LETTERS[:players])
        seats, spaces = range(players), range(len(self.graph))
        self.actions = tuple(
            tuple(tuple(self._steps(seat, space)) for space in spaces) for seat in seats
        )
        self.home = tuple(
            tuple(([space, *self.graph.way(space, base)])[: CARRY + 1][-1] for space in spaces)
            for base in self.bases
        )

    def _steps(self, seat: int, space: int) -> list[tuple[int, str]]:
        """Return the steps to neighbours that are nearer to the base of another colour in play."""
        if space in self.bases and space != self.bases[seat]:
            return []  # "has arrived for good"
        names, distance = self.graph.names, self.graph.distance
        others = [base for base in self.bases if base != self.bases[seat]]
        return [
            (there, f"{names[space]}-{names[there]}")
            for there in self.graph.neighbours[space]
            if any((distance[there][base] or 0) < (distance[space][base] or 0) for base in others)
        ]

    def space(self, move: str, name: str) -> int:
        """Return the space with that name; IllegalMove if `move` names one that does not exist."""
        space = self.graph.space(name)
        if space is None:
            last = listing(
                [f"{letter}0-{letter}{self.length}" for letter in LETTERS[: self.players]]
            )
            raise IllegalMove(
                phrase(
                    "{move}: {name} is not on this board, its spaces are {last}, and {centre}",
                    move=move,
                    name=name,
                    last=last,
                    centre=CENTRE,
                )
            )
        return space

    def read(self, move: str) -> tuple[int, int]:
        """Return a canonical action as (from, to). InvalidMove if it is not notation, IllegalMove
        for a space that does not exist."""
        match = _ACTION.fullmatch(move)
        if match is None:
            raise InvalidMove(
                phrase("{move} is not an action: {form}", move=quoted(move), form=FORM)
            )
        source, target = match.groups()
        return self.space(move, source), self.space(move, target)

    def parse_first(self, text: str) -> tuple[str, str]:
        """Return the first action of a typed text, and the remaining text; of several steps in one
        (`b5-b8`) the first. Raise InvalidMove and IllegalMove like `read`."""
        if match := _TYPED_PASS.match(text):
            return END_TURN, left_of(text, match.end())
        match = _TYPED.match(text)
        if match is None:
            raise InvalidMove(
                phrase("{text} is not an action: {form}", text=quoted(text.strip()), form=FORM)
            )
        source, target = match.group(1).lower(), match.group(2).lower()
        rest = left_of(text, match.end())
        start = self.space(f"{source}-{target}", source)
        step = self._first_step(start, source, target)
        if step != target:
            rest = f"{step}-{target},{rest}" if rest else f"{step}-{target}"
        return f"{source}-{step}", rest

    def _first_step(self, start: int, source: str, target: str) -> str:
        end = self.graph.space(target)
        if end is not None:
            way = self.graph.way(start, end)
            return self.graph.names[way[0]] if way else target
        if source[0] == target[0] != CENTRE and int(source[1:]) < self.length < int(target[1:]):
            # Beyond the end of its path: name the step that would leave the board.
            return f"{source[0]}{int(source[1:]) + 1}"
        return target

    def find_fault(self, spaces: Sequence[str], seat: int, source: int, target: int) -> str:
        """Return why a cube of the seat cannot act that way; "" if it can."""
        names, letter, colour = self.graph.names, LETTERS[seat], SeatName(COLOURS[seat], seat)
        cubes, steps = spaces[source], self.actions[seat][source]
        if letter not in cubes:
            seats = [LETTERS.index(cube) for cube in sorted(set(cubes))]
            if not seats:
                return phrase(
                    "there is no cube of {colour} on {name}", colour=colour, name=names[source]
                )
            return phrase(
                "there is no cube of {colour} on {name}, only of {others}",
                colour=colour,
                name=names[source],
                others=listing([SeatName(COLOURS[other], other) for other in seats]),
            )
        if source in self.bases and source != self.bases[seat]:
            return phrase("a cube in {name} has arrived for good", name=names[source])
        if source not in self.bases and cubes[-1] != letter:
            above = LETTERS.index(cubes[-1])
            top = SeatName(COLOURS[above], above)
            return phrase(
                "{colour}'s cube on {name} is covered by {top}'s, only the top can act",
                colour=colour,
                name=names[source],
                top=top,
            )
        if any(space == target for space, _ in steps):
            return ""
        distance = self.graph.distance[source][target]
        if distance != 1:
            return phrase("that is {distance} steps, an action is one", distance=distance)
        right = listing([move for _, move in steps], "or")
        return phrase("that leads toward no other base; {right} would", right=right)


def land(board: PathBoard, spaces: list[str], seat: int, space: int) -> list[str]:
    """Put a cube of the seat on a space, with everything that follows; returns the news about
    stacks."""
    letter, base, news = LETTERS[seat], board.bases[seat], list[str]()
    spaces[space] += letter
    if space in board.bases or len(spaces[space]) <= 2:
        return news
    while space != base:
        stack, spaces[space] = spaces[space], ""
        there = board.home[seat][space]
        stands = board.graph.names[space]
        space = there
        spaces[space] += stack
        if space == base:
            news.append(
                phrase(
                    "the stack {stack} on {stands} dissolves in {base}",
                    stack=stack,
                    stands=stands,
                    base=board.graph.names[base],
                )
            )
        else:
            news.append(
                phrase(
                    "the stack {stack} on {stands} moves on to {space}",
                    stack=stack,
                    stands=stands,
                    space=board.graph.names[space],
                )
            )
            if spaces[space] == stack:
                break
    return news


def count_steps(board: PathBoard, spaces: Sequence[str], seat: int) -> int:
    """Return the number of steps that a seat's cubes have gone on their ways to other bases."""
    length, letter = board.length, LETTERS[seat]
    steps = (length + 1) * spaces[board.graph.number[CENTRE]].count(letter)
    for other, base in enumerate(board.bases):
        for place in range(length + 1):
            gone = place if other == seat else 2 * (length + 1) - place
            steps += gone * spaces[base + place].count(letter)
    return steps


def winning_set(board: PathBoard, spaces: Sequence[str], seat: int) -> str:
    """Return with which set of arrived cubes a seat wins, as a sentence; "" if it has none."""
    colour = SeatName(COLOURS[seat], seat)
    arrived = {
        other: spaces[base].count(LETTERS[seat])
        for other, base in enumerate(board.bases)
        if other != seat
    }
    enough = 5 if board.players == 2 else 3
    for other, count in arrived.items():
        if count >= enough:
            return phrase(
                "{colour} has {number} cubes in {other}'s base",
                colour=colour,
                number=count,
                other=SeatName(COLOURS[other], other),
            )
    each = {2: 5, 3: 2, 4: 1}[board.players]
    if min(arrived.values()) < each:
        return ""
    if each == 2:
        return phrase("{colour} has two cubes in each of the other bases", colour=colour)
    return phrase("{colour} has a cube in each of the other bases", colour=colour)


def without_passes(text: str) -> str:
    """Return the rest of a list after every `pass` at its beginning."""
    match = _PASSES.match(text)
    return text[match.end() :] if match else text


@cache
def board_of(players: int, length: int) -> PathBoard:
    """Return the board, built once."""
    return PathBoard(players, length)
