"""The table of Space Truckin': the tile set, what lies and stands on the board, where a tile fits,
what a move scores, what the ships promise. Legality is checked before a move is scored.

Rules: docs/rules/spacetruckin.md, "Tiles", "Completed" and "Final scoring"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from pbm.rules import (
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Chance,
    Outcome,
    Position,
    Value,
    outcome_of,
    pick,
    second,
)
from pbm.rules.boards.squares import Grid
from pbm.rules.boards.tiles import DIRECTIONS, Feature, Segment, Tile, Tiling, turns
from pbm.rules.drawing.picture import Canvas
from pbm.rules.drawing.scene import find_told
from pbm.rules.drawing.tile_drawing import Style, draw_row
from pbm.rules.phrases import (
    Listing,
    Phrase,
    SeatName,
    combine,
    join_phrases,
    phrase,
    phrase_number,
)

# Type, edges, segments ("s" is the station), copies, how many of them with arrows, how many arrows.
SET = (
    ("p4", "pppp", "p:nesw", 2, 0, 0),
    ("p3", "ppvp", "p:new", 4, 1, 1),
    ("p3w", "ppwp", "p:new w:s", 3, 1, 1),
    ("p2a", "ppvv", "p:ne", 5, 2, 1),
    ("p2aw", "ppww", "p:ne w:sw", 6, 2, 1),
    ("p2o", "pvpv", "p:ns", 4, 0, 0),
    ("p2ox", "pvpv", "p:n p:s", 3, 0, 0),
    ("p2ax", "ppvv", "p:n p:e", 3, 0, 0),
    ("p1", "pvvv", "p:n", 5, 2, 1),
    ("p1ws", "pwvw", "p:n w:ew", 5, 1, 1),
    ("p1wr", "pwwv", "p:n w:es", 4, 1, 1),
    ("p1wl", "pvww", "p:n w:sw", 4, 1, 1),
    ("p1w3", "pwww", "p:n w:e w:s w:w", 4, 1, 1),
    ("ws", "wvwv", "w:ns", 8, 2, 2),
    ("wc", "vvww", "w:sw", 7, 2, 1),
    ("w3", "vwww", "w:e w:s w:w", 4, 1, 1),
    ("w4", "wwww", "w:n w:e w:s w:w", 2, 0, 0),
    ("st", "vvvv", "s:", 5, 1, 1),
    ("stw", "vvwv", "s: w:s", 3, 1, 1),
)
HOLES = 10
SHIPS, MOST_SHIPS = 7, 10
"""Of each seat: at the start; at most in pool and board together by planets."""


def _tile(name: str, edges: str, segments: str) -> Tile:
    parts = (one.split(":") for one in segments.split())
    return Tile(
        name,
        edges,
        tuple(Segment(kind, tuple(map(DIRECTIONS.index, on))) for kind, on in parts),
    )


GRID = Grid(9, 9, torus=True)
TILING = Tiling(GRID, [_tile(*row[:3]) for row in SET])
FACES = TILING.faces
TILE_NAMED = {row[0]: tile for tile, row in enumerate(SET)}
START = "e5@0 p1ws 0"
"""The start tile as a dumped position writes it: place, type, no ship."""


class DrawKind(NamedTuple):
    """A kind of draw: a tile of the set (-1 the black hole) with its number of arrows."""

    name: str
    tile: int
    arrows: int
    copies: int


def _kinds() -> Iterable[DrawKind]:
    """Return the kinds in the order of the list to draw from: the table's, within a type those with
    arrows first."""
    for tile, (name, _edges, _segments, copies, marked, arrows) in enumerate(SET):
        if marked:
            yield DrawKind(f"{name}^", tile, arrows, marked)
        yield DrawKind(name, tile, 0, copies - marked - (name == "p1ws"))  # one lies on e5
    yield DrawKind("hole", -1, 0, HOLES)


KINDS = tuple(_kinds())
KIND_NAMED = {kind.name: number for number, kind in enumerate(KINDS)}
HOLE = len(KINDS) - 1
NONE = -1

CORNERS = ("ne", "se", "sw", "nw")
SIDES = (phrase("north"), phrase("east"), phrase("south"), phrase("west"))
ROLES = {"p": phrase("battleship"), "w": phrase("cargo"), "s": phrase("engineer")}
FEATURES = {"p": phrase("planetary system"), "w": phrase("wormhole"), "s": phrase("station")}
_UNFINISHED = {
    "p": phrase("unfinished planetary system"),
    "w": phrase("unfinished wormhole"),
    "s": phrase("unfinished station"),
}
EDGES = {"v": phrase("void"), "p": phrase("planetary"), "w": phrase("a wormhole")}
SHOWN = {"v": phrase("a void edge"), "p": phrase("a planet"), "w": phrase("a wormhole")}
STYLE = Style(lines={"p": ("@@", "@@"), "w": ("==", "||")}, inside={"s": "[]"}, knots={"w": "()"})
COLOURS = ("red", "yellow", "blue", "green", "white", "orange")


def arrow_rotations(kind: DrawKind, corner: int) -> int:
    """Return the rotations, as a mask, in which one of the arrows points to the corner; all of them
    without arrows or before the corner is drawn."""
    if not kind.arrows or corner == NONE:
        return 15
    return 1 << corner | (1 << (corner + 2) % 4 if kind.arrows == 2 else 0)


IN_WORDS = {
    "p4": phrase("a tile with planets on all four sides"),
    "p3": phrase("a tile with planets on three sides"),
    "p3w": phrase("a tile with planets on three sides, and a wormhole"),
    "p2a": phrase("a tile with planets on two sides that meet, in one system"),
    "p2aw": phrase(
        "a tile with planets on two sides that meet, in one system, and a curved wormhole"
    ),
    "p2o": phrase("a tile with planets on opposite sides, in one system"),
    "p2ox": phrase("a tile with planets on opposite sides, in two systems"),
    "p2ax": phrase("a tile with planets on two sides that meet, in two systems"),
    "p1": phrase("a tile with a planet on one side"),
    "p1ws": phrase("a tile with a planet and a straight wormhole"),
    "p1wr": phrase("a tile with a planet and a wormhole that curves on the right"),
    "p1wl": phrase("a tile with a planet and a wormhole that curves on the left"),
    "p1w3": phrase("a tile with a planet and a nexus of three wormholes"),
    "ws": phrase("a straight wormhole"),
    "wc": phrase("a curved wormhole"),
    "w3": phrase("a nexus of three wormholes"),
    "w4": phrase("a nexus of four wormholes"),
    "st": phrase("a station"),
    "stw": phrase("a station with a wormhole"),
}
"""The names of each tile's features."""


def describe_draw(kind: DrawKind, corner: int, *, is_spoken: bool = False) -> str:
    """Return the draw in words: `a station (st), with an arrow to ne`; `is_spoken`: without the
    code of the tile."""
    if kind.tile < 0:
        return phrase("a black hole")
    name = SET[kind.tile][0]
    tile: str = IN_WORDS[name]
    if not is_spoken:
        tile = combine("{words} ({name})", words=tile, name=name)
    if not kind.arrows:
        return tile
    to = "" if corner == NONE else CORNERS[corner]
    if kind.arrows == 1:
        if to:
            return phrase("{tile}, with an arrow to {corner}", tile=tile, corner=to)
        return phrase("{tile}, with an arrow", tile=tile)
    if to:
        return phrase("{tile}, with two arrows, one to {corner}", tile=tile, corner=to)
    return phrase("{tile}, with two arrows", tile=tile)


def ship_text(face: int, segment: int) -> str:
    """Return the notation of manning a segment, to follow a placement: `/cargo:s`; the first edge
    names it."""
    one = FACES[face].segments[segment]
    return f"/{ROLES[one.kind]}" + (f":{DIRECTIONS[one.edges[0]]}" if one.edges else "")


def rows_of_pictures(across: int) -> str:
    """Return pictures of every type of tile before rotation, `across` in a row."""
    canvas = Canvas()
    for first in range(0, len(SET), across):
        shown = [
            (FACES[TILING.face(tile, 0)], SET[tile][0], "")
            for tile in range(first, min(first + across, len(SET)))
        ]
        draw_row(canvas, shown, STYLE, 10)
    return canvas.picture().text.rstrip() + "\n"


_MOST_NAMED = 4
"""The most cells that are named under a rotation that fits them: more have no room."""
_NAMED = re.compile(r"\b[a-i][1-9]\b")


def kind_on(board: Sequence[int], ships: Sequence[int], cell: int) -> str:
    """Return the kind of segment that the ship on a cell mans; "" without a ship."""
    return FACES[board[cell]].segments[ships[cell] - 1 & 3].kind if ships[cell] else ""


@dataclass(frozen=True, slots=True)
class TruckinState(Position):
    """A position of Space Truckin', without the moves that change it.

    board     a face of the tiling for each cell
    ships     0, or 1 + 4 * seat + segment, for each cell: a tile is manned only when it is placed,
              so it never holds more than one ship
    bag       how many of each kind are left to draw
    drawn     the kind drawn and not yet played, or -1
    corner    the corner that the clock gave for its arrow, or -1
    left      the seats that resigned, in that order
    patterns  derived: the tiling's pattern of each cell
    busy      derived: for each cell, as a mask, the neighbours whose facing feature holds a ship
    """

    players: int
    board: bytes
    ships: bytes
    pools: tuple[int, ...]
    points: tuple[int, ...]
    bag: bytes
    drawn: int
    corner: int
    mover: int
    turn: int
    left: tuple[int, ...]
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)
    patterns: tuple[int, ...] = field(default=(), compare=False, repr=False)
    busy: bytes = field(default=b"", compare=False, repr=False)

    @property
    def options(self) -> Mapping[str, Value]:
        """There are none."""
        return {}

    @property
    def to_move(self) -> frozenset[int]:
        """Chance while a tile or its corner has to be drawn, else the seat on the move."""
        if self.outcome is not None:
            return NOBODY
        return CHANCE_TO_MOVE if self._awaits_chance else SEAT_TO_MOVE[self.mover]

    @property
    def _awaits_chance(self) -> bool:
        return self.drawn == NONE or (KINDS[self.drawn].arrows > 0 and self.corner == NONE)

    @property
    def playing(self) -> frozenset[int]:
        """The seats that have not resigned."""
        return frozenset(range(self.players)).difference(self.left)

    @property
    def chance(self) -> Chance | None:
        """The draw of a tile; then, for a tile with arrows, the second of the clock."""
        if self.outcome is not None or not self._awaits_chance:
            return None
        if self.drawn != NONE:
            return second()
        return pick([kind.name for kind, n in zip(KINDS, self.bag, strict=True) for _ in range(n)])

    def rotations(self, cell: int) -> int:
        """Return the rotations of the drawn tile, as a mask, that fit a vacant cell and the
        arrow."""
        kind = KINDS[self.drawn]
        return TILING.fitting[kind.tile][self.patterns[cell]] & arrow_rotations(kind, self.corner)

    def ship_kind_on(self, cell: int) -> str:
        """Return the kind of segment that the ship on a cell mans; "" without a ship."""
        return kind_on(self.board, self.ships, cell)

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        """Return the cells named in moves, or by their news."""
        told = find_told(self.news) if moves else set[str]()
        return {
            *(GRID.number[name] for move in moves for name in _NAMED.findall(move)),
            *(GRID.number[name] for name in told if name in GRID.number),
        }

    @property
    def standing(self) -> tuple[float, ...]:
        """The points if the game ended now, with incomplete features counted as at the end."""
        table = Table(self, tells=False)
        if self.outcome is None:
            table.score_rest()
        return tuple(map(float, table.points))

    @property
    def set_aside(self) -> int:
        """The number of drawn tiles that did not fit anywhere."""
        placed, left = sum(face > 0 for face in self.board), sum(self.bag[:HOLE])
        return len(GRID) - placed - left - (0 <= self.drawn < HOLE)

    def choices(self) -> Iterator[tuple[int, str, str]]:
        """Yield the drawn tile in its four rotations: the face, the directions of its arrows, and
        the cells it fits, or their number. Nothing while no tile is drawn."""
        if self.outcome is not None or self.drawn in (NONE, HOLE):
            return
        kind = KINDS[self.drawn]
        for turn, fitting in enumerate(self._list_fitting()):
            names = [GRID.names[cell] for cell in fitting]
            here, opposite = CORNERS[turn], CORNERS[(turn + 2) % 4]
            turned: str = f"@{turn}"
            if kind.arrows == 1:
                turned = phrase("{turn} arrow {corner}", turn=turned, corner=here)
            elif kind.arrows:
                turned = phrase(
                    "{turn} arrows {one} {other}", turn=turned, one=here, other=opposite
                )
            is_named = 0 < len(names) <= _MOST_NAMED
            # TRANSLATORS: below a tile, at most 17 letters with a number of two digits
            cells: str = phrase_number("fits {count} cell", "fits {count} cells", len(names))
            if is_named:
                cells = phrase("fits {cells}", cells=" ".join(sorted(names)))
            if self.corner != NONE and not arrow_rotations(kind, self.corner) >> turn & 1:
                cells = phrase("wrong corner")
            elif not names:
                cells = phrase("fits nowhere")
            yield TILING.face(kind.tile, turn), turned, cells

    def _list_fitting(self) -> list[list[int]]:
        """Return the vacant cells that the drawn tile fits, for each of its rotations."""
        fits: list[list[int]] = [[], [], [], []]
        for cell, face in enumerate(self.board):
            for turn in turns(self.rotations(cell)) if not face else ():
                fits[turn].append(cell)
        return fits

    def describe_neighbours(self) -> str:
        """Return where the drawn tile can be placed beside another, rotation by rotation; "" where
        it cannot, and while no tile is drawn."""
        if self.outcome is not None or self.drawn in (NONE, HOLE):
            return ""
        found = list[str]()
        for turn, cells in enumerate(self._list_fitting()):
            beside = [
                each for each in cells if any(map(self.board.__getitem__, GRID.orthogonal[each]))
            ]
            if beside:
                found.append(" ".join([f"@{turn}", *sorted(GRID.names[each] for each in beside)]))
        return phrase("beside a tile: {places}", places="; ".join(found)) if found else ""


def _name_seat(seat: int) -> SeatName:
    return SeatName(COLOURS[seat], seat)


def _tell_size(tiles: int, wraps: bool) -> Phrase:
    """Return the number of tiles in a feature, and whether it crosses the border."""
    if wraps:
        return phrase_number("{count} tile over the border", "{count} tiles over the border", tiles)
    return phrase_number("{count} tile", "{count} tiles", tiles)


class Table:
    """A position while a move changes it.

    tells  whether its news are wanted
    """

    __slots__ = (
        *("players", "left", "board", "ships", "bag", "busy", "pools", "points", "patterns"),
        *("drawn", "corner", "mover", "turn", "news", "tells"),
    )

    def __init__(self, before: TruckinState, *, tells: bool = True) -> None:
        self.players, self.left = before.players, before.left
        self.board, self.ships = bytearray(before.board), bytearray(before.ships)
        self.bag, self.busy = bytearray(before.bag), bytearray(before.busy)
        self.pools, self.points = list(before.pools), list(before.points)
        self.patterns = list(before.patterns)
        self.drawn, self.corner = before.drawn, before.corner
        self.mover, self.turn = before.mover, before.turn
        self.news: list[str] = []
        self.tells = tells

    def place(self, cell: int, face: int, segment: int) -> None:
        """Put a tile on a vacant cell, man it when `segment` is not -1, and score."""
        self.board[cell] = face
        for edge, there in enumerate(TILING.across[cell]):
            self.patterns[there] |= TILING.shown(face, edge)
        if segment != NONE:
            self.ships[cell] = 1 + 4 * self.mover + segment
            self.pools[self.mover] -= 1
        self._score_complete((cell, number) for number in range(len(FACES[face].segments)))
        for there in GRID.king[cell]:
            self._score_station(there)

    def exchange(self, puts: Sequence[tuple[int, int]]) -> None:
        """Put two placed tiles where the other was, with their ships, and score."""
        (one, here), (other, there) = puts
        self.board[one], self.board[other] = here, there
        self.ships[one], self.ships[other] = self.ships[other], self.ships[one]
        self.recompute()

    def recompute(self) -> None:
        """Recompute everything derived, and score every complete feature that holds a ship."""
        self.patterns = [TILING.pattern(self.board, cell) for cell in range(81)]
        self.busy = bytearray(81)
        self._score_complete([(cell, ship - 1 & 3) for cell, ship in enumerate(self.ships) if ship])

    def _score_complete(self, parts: Iterable[tuple[int, int]]) -> None:
        """Score the features of these segments that are complete and hold a ship, and mark the
        cells that face one that still does."""
        seen: set[tuple[int, int]] = set()
        for cell, segment in parts:
            if not FACES[self.board[cell]].segments[segment].edges:
                self._score_station(cell)
            elif (cell, segment) not in seen:
                feature = TILING.feature(self.board, cell, segment)
                seen.update(feature.parts)
                manned = self._manned(feature)
                if manned and feature.closed:
                    self._score(feature, manned)
                    manned = []
                for there, number in feature.parts:
                    for edge in FACES[self.board[there]].segments[number].edges:
                        facing, bit = TILING.across[there][edge], 1 << (edge ^ 2)
                        self.busy[facing] = (self.busy[facing] | bit) ^ (0 if manned else bit)

    def _manned(self, feature: Feature) -> list[int]:
        return [
            cell
            for cell, segment in feature.parts
            if self.ships[cell] and self.ships[cell] - 1 & 3 == segment
        ]

    def _score_station(self, cell: int) -> None:
        if self.ships[cell] and kind_on(self.board, self.ships, cell) == "s":
            if not all(self.board[there] for there in GRID.king[cell]):
                return
            border = not {0, 8}.isdisjoint(divmod(cell, 9))
            more = phrase("on the border") if border else ""
            self._award([cell], 9 + 2 * border, FEATURES["s"], more)
            self._send_home([cell])

    def _score(self, feature: Feature, manned: Sequence[int]) -> None:
        cell, segment = feature.parts[0]
        kind = FACES[self.board[cell]].segments[segment].kind
        tiles = len({there for there, _ in feature.parts})
        points = (2 if len(feature.parts) == 2 else 2 * tiles) + 2 * feature.wraps
        takers = self._award(manned, points, FEATURES[kind], _tell_size(tiles, feature.wraps))
        self._send_home(manned)
        for seat in takers if kind == "p" else ():
            aboard = sum(ship > 0 and ship - 1 >> 2 == seat for ship in self.ships)
            if self.pools[seat] + aboard < MOST_SHIPS:
                self.pools[seat] += 1
                self.news.append(phrase("{colour} gets a new ship", colour=_name_seat(seat)))

    def _award(self, manned: Sequence[int], points: int, what: str, more: str = "") -> list[int]:
        """Give points to the seats with the most of these ships; returns those seats."""
        fleets = Counter(self.ships[cell] - 1 >> 2 for cell in manned)
        most = max(fleets.values())
        takers = sorted(seat for seat, ships in fleets.items() if ships == most)
        for seat in takers:
            self.points[seat] += points
            if not self.tells:
                continue
            cells = Listing(GRID.names[cell] for cell in manned)
            taken: str = phrase(
                "{colour} takes {points} for the {feature} at {cells}",
                colour=_name_seat(seat),
                points=points,
                feature=what,
                cells=cells,
            )
            self.news.append(join_phrases(", ", (taken, more)) if more else taken)
        return takers

    def _send_home(self, manned: Iterable[int]) -> None:
        for cell in manned:
            self.pools[self.ships[cell] - 1 >> 2] += 1
            self.ships[cell] = 0

    def pass_on(self) -> None:
        """End the turn: the next seat still playing is on the move."""
        self.turn += 1
        following = (*range(self.mover + 1, self.players), *range(self.mover))
        self.mover = next((seat for seat in following if seat not in self.left), self.mover)

    def end_if_empty(self) -> None:
        """Score incomplete features when no tile is left to draw."""
        if not any(self.bag):
            self.score_rest()

    def score_rest(self) -> None:
        """Award the points for incomplete features, as at the end."""
        done: set[tuple[int, int]] = set()
        for cell, ship in enumerate(self.ships):
            kind, part = kind_on(self.board, self.ships, cell), (cell, ship - 1 & 3)
            if kind == "s":
                filled = sum(self.board[there] > 0 for there in GRID.king[cell])
                self._award([cell], 1 + filled, _UNFINISHED["s"])
            elif kind and part not in done:
                feature = TILING.feature(self.board, *part)
                done.update(feature.parts)
                self._award(self._manned(feature), len(feature.parts), _UNFINISHED[kind])

    def outcome(self) -> Outcome | None:
        """Rank seats by points; below them those that resigned, the last to do so first."""
        staying = [seat for seat in range(self.players) if seat not in self.left]
        if len(staying) > 1 and (self.drawn != NONE or any(self.bag)):
            return None
        scores = sorted({self.points[seat] for seat in staying}, reverse=True)
        groups = [[seat for seat in staying if self.points[seat] == score] for score in scores]
        counts = [
            combine("{colour} {points}", colour=_name_seat(seat), points=self.points[seat])
            for group in groups
            for seat in group
        ]
        reason = phrase("no tile is left to draw: {counts}", counts=join_phrases(", ", counts))
        if len(staying) == 1:
            reason = phrase("{colour} is the last seat left", colour=_name_seat(staying[0]))
        return outcome_of([*groups, *([seat] for seat in reversed(self.left))], reason)


_IN_POOL = (0.0, *accumulate((7.0, 6.0, *[5.0] * 8)))
"""In points, what the ships in the pool, by their number, promise at the beginning."""
_ABOARD = 5.0
"""The same of a ship on the board, which is going to come home."""
_NEARLY = 1.0
"""Besides, where one cell is vacant at what the ship mans."""
_WIDE_OPEN = 0.3
"""The deduction for each vacant cell there from the third on."""
_LATE = 0.25
"""The part of the tiles left from which on ships bring less and less."""
_ALL = sum(kind.copies for kind in KINDS)


def judge_ships(position: TruckinState) -> list[float]:
    """Return the prospects of each seat's ships beyond the points of the features they man."""
    left = sum(position.bag) / _ALL
    part = min(left / _LATE, 1.0) * (0.6 + 0.4 * left)
    promised = [_IN_POOL[pool] for pool in position.pools]
    for cell, ship in enumerate(position.ships):
        if ship:
            seat, segment = divmod(ship - 1, 4)
            vacant = _count_vacant(position.board, cell, segment)
            promised[seat] += _ABOARD + _NEARLY * (vacant == 1)
            promised[seat] -= _WIDE_OPEN * max(0, vacant - 2)
    return [part * each for each in promised]


def _count_vacant(board: bytes, cell: int, segment: int) -> int:
    """Return the least number of vacant cells that must be filled before the feature manned there
    scores."""
    if not FACES[board[cell]].segments[segment].edges:
        return sum(not board[there] for there in GRID.king[cell])
    across = TILING.across
    return len(
        {
            across[here][edge]
            for here, number in TILING.feature(board, cell, segment).parts
            for edge in FACES[board[here]].segments[number].edges
            if not board[across[here][edge]]
        }
    )
