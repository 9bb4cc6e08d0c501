"""The board of Space Cradles: its cells, how pieces move and bump on it, the notation.

A board is a string with one character for each cell number of GRID: a piece, `.` for a vacant
cell, a blank for a cell that does not exist."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pbm.rules import NOBODY, SEAT_TO_MOVE, IllegalMove, InvalidMove, Outcome, Position, Value
from pbm.rules.boards.squares import KING, Grid
from pbm.rules.options import read_colours
from pbm.rules.phrases import Phrase, combine, fill_in, phrase
from pbm.rules.typed import quoted

COLOURS = ("red", "yellow", "green", "blue")
"""Clockwise round the board; a colour's index is the number of its side."""
SIDES = (phrase("north"), phrase("east"), phrase("south"), phrase("west"))
_DIRECTIONS = (
    phrase("north"),
    phrase("north-east"),
    phrase("east"),
    phrase("south-east"),
    phrase("south"),
    phrase("south-west"),
    phrase("west"),
    phrase("north-west"),
)
"""Those of KING."""
DRONES, MOTHERSHIPS = "rygb", "RYGB"
PIECES = DRONES + MOTHERSHIPS
VACANT = "."
END = "end"

GRID = Grid(12, 12, missing=[f"{c}{r}" for c in "abcdijkl" for r in (1, 2, 3, 4, 9, 10, 11, 12)])
CELLS = tuple(GRID.number.values())
BACK = tuple(
    tuple(GRID.number[name] for name in names.split())
    for names in ("e12 f12 g12 h12", "l5 l6 l7 l8", "e1 f1 g1 h1", "a5 a6 a7 a8")
)
RANKS = tuple(f"{GRID.names[rank[0]]}-{GRID.names[rank[-1]]}" for rank in BACK)


def _region(cell: int) -> str:
    row, column = divmod(cell, 12)
    if 4 <= column < 8:
        return (SIDES[2], phrase("centre"), SIDES[0])[row // 4]
    return SIDES[3] if column < 4 else SIDES[1]


REGION = {cell: _region(cell) for cell in CELLS}
STEPS = {
    cell: tuple(
        (there, f"{GRID.names[cell]}-{GRID.names[there]}")
        for step in KING
        if (there := GRID.step(cell, *step)) is not None
    )
    for cell in CELLS
}
DIRECTION = {
    (cell, there): direction
    for cell in CELLS
    for direction, step in enumerate(KING)
    if (there := GRID.step(cell, *step)) is not None
}
TELEPORTS = {
    cell: tuple(
        (there, f"{GRID.names[cell]}-{GRID.names[there]}")
        for there in CELLS
        if REGION[there] == REGION[cell] and there != cell and (cell, there) not in DIRECTION
    )
    for cell in CELLS
}
"""The cells of the same region that are not a step away: a step to a vacant cell that is also a
teleport is one move."""

FORM = phrase("write f12-f11, m-f12, d-f12 or end")
_MOVE = re.compile(r"([md]|[a-z]+[0-9]{1,3})-([a-z]+[0-9]{1,3})")
_TYPED = re.compile(
    r"\s*([a-z]{1,2}[0-9]{1,3}|mothership|drone|[md])(?:\s*[-x:\u2013\u2014])?"
    r"\s*([a-z]{1,2}[0-9]{1,3})(?![0-9a-z])",
    re.ASCII | re.IGNORECASE,
)
_TYPED_END = re.compile(r"\s*end(?![0-9a-z])", re.ASCII | re.IGNORECASE)


def read(move: str) -> tuple[str, int, int]:
    """Return a canonical move as (`m`, `d` or "", from, to); `from` is -1 for the platform.
    InvalidMove if it is not notation, IllegalMove for a cell that does not exist."""
    match = _MOVE.fullmatch(move)
    if match is None:
        raise InvalidMove(
            phrase("{move} is not a move of this game: {form}", move=quoted(move), form=FORM)
        )
    source, target = match.groups()
    for name in (source, target):
        if name in GRID.number or name in ("m", "d"):
            continue
        if name in GRID.names:
            raise IllegalMove(
                phrase("{move}: {name} does not exist, the board is a cross", move=move, name=name)
            )
        raise IllegalMove(
            phrase(
                "{move}: {name} is not on the board, columns a to l and rows 1 to 12",
                move=quoted(move),
                name=quoted(name),
            )
        )
    if source in ("m", "d"):
        return source, -1, GRID.number[target]
    return "", GRID.number[source], GRID.number[target]


def parse_first(text: str) -> tuple[str, int]:
    """Return the first move of a typed text in canonical notation, and the index behind it.
    InvalidMove if it is not notation."""
    if match := _TYPED_END.match(text):
        return END, match.end()
    match = _TYPED.match(text)
    if match is None:
        raise InvalidMove(
            phrase(
                "{text} is not a move of this game: {form}", text=quoted(text.strip()), form=FORM
            )
        )
    source, target = match.group(1).lower(), match.group(2).lower()
    return f"{source[0] if source.isalpha() else source}-{target}", match.end()


def sides_of(players: int, colours: Value | None) -> tuple[int, ...]:
    """Return the side of each seat from the text of the option, or the default sides. OptionError
    for an invalid text."""
    if colours is None:
        return {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}[players]
    words = read_colours(
        str(colours),
        COLOURS,
        players,
        twice=phrase("{option} names {word} twice, each seat has a colour of its own"),
        too_few=phrase("{option} needs a colour for each of {players} seats, not {named}"),
    )
    return tuple(COLOURS.index(word) for word in words)


def in_words(piece: str) -> str:
    """Return a sign in words: `r` -> red's drone."""
    colour = Phrase(COLOURS[PIECES.index(piece) % 4])
    if piece in DRONES:
        return phrase("{colour}'s drone", colour=colour)
    return phrase("{colour}'s mothership", colour=colour)


def vacant_back(board: str, side: int) -> list[str]:
    """Return the names of the vacant cells of a side's back rank."""
    return [GRID.names[cell] for cell in BACK[side] if board[cell] == VACANT]


def board_moves(board: str, side: int) -> list[str]:
    """Return every move of a colour's pieces on the board, in the order of the cells."""
    moves: list[str] = []
    drone = DRONES[side]
    home = board.find(MOTHERSHIPS[side])
    region = REGION[home] if home >= 0 else ""
    for cell in CELLS:
        if board[cell] == drone:
            for there, move in STEPS[cell]:
                if board[there] != drone and there != home:
                    moves.append(move)
            if REGION[cell] == region:
                for there, move in TELEPORTS[cell]:
                    if board[there] == VACANT:
                        moves.append(move)
        elif cell == home:
            moves.extend([move for _, move in STEPS[cell]])
    return moves


def move_fault(board: str, side: int, source: int, target: int) -> str:
    """Return why a colour's piece cannot go from cell to cell; "" if it can."""
    names, colour = GRID.names, Phrase(COLOURS[side])
    piece, there = board[source], board[target]
    if piece == VACANT:
        return phrase("{cell} is vacant", cell=names[source])
    if piece not in (DRONES[side], MOTHERSHIPS[side]):
        return phrase(
            "{piece} is on {cell}, it is {colour}'s turn",
            piece=in_words(piece),
            cell=names[source],
            colour=colour,
        )
    if source == target:
        return phrase("the piece would stay where it is")
    if (source, target) in DIRECTION:
        if piece == DRONES[side] and there in (piece, MOTHERSHIPS[side]):
            return phrase(
                "a drone may not bump its own colour, {piece} is on {cell}",
                piece=in_words(there),
                cell=names[target],
            )
        return ""
    if piece == MOTHERSHIPS[side]:
        return phrase("a mothership moves one cell, to any of the eight around it")
    needs = phrase("that is no step, and a drone teleports only in its mothership's region")
    home = board.find(MOTHERSHIPS[side])
    if home < 0:
        away = phrase("{colour}'s mothership is on its platform", colour=colour)
        return combine("{needs}: {why}", needs=needs, why=away)
    if REGION[home] != REGION[source]:
        away = phrase(
            "the mothership on {cell} is in the {region}, the drone in the {other}",
            cell=names[home],
            region=REGION[home],
            other=REGION[source],
        )
        return combine("{needs}: {why}", needs=needs, why=away)
    if REGION[target] != REGION[source]:
        return phrase(
            "a teleport stays in its region, {cell} is in the {region}, not in the {other}",
            cell=names[target],
            region=REGION[target],
            other=REGION[source],
        )
    if there != VACANT:
        return phrase(
            "a teleport never bumps, {piece} is on {cell}",
            piece=in_words(there),
            cell=names[target],
        )
    return ""


def move_and_bump(board: str, source: int, target: int) -> tuple[str, tuple[str, ...], str]:
    """Return the board after a legal move from cell to cell, the pieces that it takes (the bumped
    one first), and a sentence about where a bumped piece goes."""
    cells, taken = list(board), tuple[str, ...]()
    bumped = cells[target]
    cells[target], cells[source] = cells[source], VACANT
    if bumped == VACANT:
        return "".join(cells), taken, ""
    rest, direction = target, DIRECTION[source, target]
    for cell in GRID.rays[target][direction]:
        if cells[cell] != VACANT:
            # "both the bumped piece and the piece it ran into are taken"
            taken = (bumped, cells[cell])
            cells[cell] = VACANT
            return "".join(cells), taken, _tell_hit(taken, direction, target, rest, cell)
        rest = cell
    piece, start = in_words(bumped), GRID.names[target]
    if rest == target:  # "if it could not slide even one cell, it is taken"
        told = phrase(
            "{piece} on {start} stands at the edge and is taken", piece=piece, start=start
        )
        return "".join(cells), (bumped,), told
    cells[rest] = bumped
    told = phrase(
        "{piece} on {start} slides {direction} to {rest}",
        piece=piece,
        start=start,
        direction=_DIRECTIONS[direction],
        rest=GRID.names[rest],
    )
    return "".join(cells), taken, told


def _tell_hit(taken: tuple[str, str], direction: int, target: int, rest: int, hit: int) -> Phrase:
    """Return that the piece bumped on `target` has slid to `rest` and hit another."""
    told = phrase("{piece} on {start} hits {other} on {hit}: both are taken")
    if rest != target:
        told = phrase(
            "{piece} on {start} slides {direction} to {rest} and hits {other} on {hit}: both are "
            "taken"
        )
    names, (piece, other) = GRID.names, map(in_words, taken)
    return fill_in(
        told,
        piece=piece,
        start=names[target],
        direction=_DIRECTIONS[direction],
        rest=names[rest],
        other=other,
        hit=names[hit],
    )


@dataclass(frozen=True, slots=True)
class CradlesState(Position):
    """A position of Space Cradles, without the moves that change it.

    sides      for each seat the number of its colour
    board      one character per cell, see `cells`
    platforms  for each seat the pieces on its platform: `m` before any number of `d`
    seat       the seat on the move, or that was when the game ended
    begun      the seats that have begun their first turn
    open       whether the seat on the move has moved a drone and may bring in its mothership
    gone       the seats eliminated or resigned, one group for each moment, in order
    """

    players: int
    options: Mapping[str, Value]
    sides: tuple[int, ...]
    board: str
    platforms: tuple[str, ...]
    seat: int = 0
    turn: int = 0
    begun: frozenset[int] = frozenset()
    open: bool = False
    gone: tuple[tuple[int, ...], ...] = ()
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(*self.gone)

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(COLOURS[side] for side in self.sides)
