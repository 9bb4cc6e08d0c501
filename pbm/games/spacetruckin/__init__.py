"""Space Truckin': tiles of planets, wormholes and stations, and ships that score on them.

Rules: docs/rules/spacetruckin.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import add
from typing import Any

from pbm.games.spacetruckin.table import (
    COLOURS,
    CORNERS,
    FACES,
    GRID,
    HOLE,
    IN_WORDS,
    KIND_NAMED,
    KINDS,
    NONE,
    SHIPS,
    SIDES,
    START,
    TILE_NAMED,
    TILING,
    Table,
    TruckinState,
    arrow_rotations,
    describe_draw,
    judge_ships,
    rows_of_pictures,
    ship_text,
)
from pbm.games.spacetruckin.tile_notation import Order, read
from pbm.games.spacetruckin.view import build_scene, describe_tiles, draw_position
from pbm.rules import (
    CHANCE,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Picture,
    Value,
)
from pbm.rules.boards.tiles import turns
from pbm.rules.drawing.scene import Scene
from pbm.rules.help_page import read_help
from pbm.rules.lazy_moves import MoveProduct
from pbm.rules.lessons import Lesson, list_area
from pbm.rules.phrases import phrase

# The pictures that explain the game on its page.

_OPEN = ("p2a", "e6@2/battleship:s", "p1")
_AREA = list_area("c4", "g7")
LESSONS = (
    Lesson(
        phrase(
            "Edges that meet must match. Red has laid a tile with two planetary edges on e6, "
            "turned so that one meets the planet of e5, and sent a battleship to it. The planetary "
            "system is open: its edge toward d6 faces a vacant cell."
        ),
        _OPEN[:2],
        area=_AREA,
    ),
    Lesson(
        phrase(
            "Yellow has drawn a tile with one planet. Laid on d6, it fits as d6@1 alone, and may "
            "not bring a battleship: the system holds one already, whoever owns it."
        ),
        _OPEN,
        area=_AREA,
        can=("d6@1",),
        cannot=("d6@0", "d6@1/battleship:e"),
    ),
    Lesson(
        phrase(
            "Yellow has laid it. None of the system's edges faces a vacant cell any more, so that "
            "it is complete, and red, who holds the majority in it, takes 2 for each of its three "
            "tiles. The ship is back in the pool, with a new one, as for each planetary system."
        ),
        (*_OPEN, "d6@1"),
        area=_AREA,
    ),
    Lesson(
        phrase(
            "Red's battleship on e6 and yellow's on e8 were in different systems until red laid "
            "the tile on e7, which joins and completes them. With one ship each, both have most: "
            "both take all 8 points."
        ),
        ("p2o", "e6@0/battleship:n", "p1", "e8@2/battleship:s", "p2o", "e7@0"),
        area=list_area("c4", "g9"),
    ),
    Lesson(
        phrase(
            "Space is round: i3 and a3 are neighbours. The wormhole with red's cargo runs from the "
            "station on h3 through i3, over the border, to the station on a3. With h3 it was "
            "complete: 2 for each of three tiles, and 2 more for the border."
        ),
        ("ws", "i3@1/cargo:e", "stw", "a3@1", "stw", "h3@3"),
        area=list_area("a2", "i5"),
    ),
)


_BY_NAME = sorted(range(81), key=GRID.names.__getitem__)


_STEP = re.compile(r"@[0-3]|/[a-z:]+|[a-z]+[0-9]?")


@cache
def _endings(tile: int, rotations: int, busy: int, ships: bool) -> tuple[str, ...]:
    """Return what may follow the cell in a placement; `busy` are the edges that lead to a ship.

    If a tile has two segments of a kind, each has one edge, so joining one of them never joins the
    other."""
    endings = []
    for turn in turns(rotations):
        face = TILING.face(tile, turn)
        endings.append(f"@{turn}")
        if ships:
            endings += [
                f"@{turn}{ship_text(face, number)}"
                for number, one in enumerate(FACES[face].segments)
                if not any(busy >> edge & 1 for edge in one.edges)
            ]
    return tuple(endings)


@cache
def _half(cell: int, rotations: int, *, first: bool) -> tuple[str, ...]:
    """Return half of an exchange: a cell with the tile that comes to it in some rotations."""
    before, after = ("exchange:", ",") if first else ("", "")
    return tuple(f"{before}{GRID.names[cell]}@{turn}{after}" for turn in turns(rotations))


@dataclass(frozen=True, slots=True)
class SpaceTruckinPosition(TruckinState):
    """A position of Space Truckin', with the moves that lead to the next."""

    moves_once = True

    @property
    def outlook(self) -> tuple[float, ...]:
        """The standing, and what ships are going to bring."""
        standing = self.standing
        if self.outcome is not None:
            return standing
        return tuple(map(add, standing, judge_ships(self)))

    def answer(self, outcome: str) -> SpaceTruckinPosition:
        """Return the position with the drawn tile to be played, or its corner to be drawn; if the
        tile fits nowhere, set aside with the next to be drawn."""
        table = Table(self)
        if self.drawn == NONE:
            table.drawn = KIND_NAMED[outcome]
            table.bag[table.drawn] -= 1
        else:
            table.corner = int(outcome) // 15
        kind = KINDS[table.drawn]
        if table.drawn != HOLE and (not kind.arrows or table.corner != NONE):
            right, fitting = arrow_rotations(kind, table.corner), TILING.fitting[kind.tile]
            if not any(
                not face and fitting[pattern] & right
                for face, pattern in zip(self.board, self.patterns, strict=True)
            ):
                table.news.append(
                    phrase(
                        "{tile} fits nowhere and is set aside",
                        tile=describe_draw(kind, table.corner),
                    )
                )
                table.drawn = table.corner = NONE
                table.end_if_empty()
        return _position(table)

    def legal_moves(self, seat: int) -> Sequence[str]:
        """List placements cell by cell; with a black hole removals, exchanges and the pass."""
        if seat not in self.to_move:
            return ()
        if seat == CHANCE:
            return tuple(dict.fromkeys(self.chance.outcomes)) if self.chance else ()
        if self.drawn == HOLE:
            cargos = [
                f"remove:{GRID.names[cell]}" for cell in _BY_NAME if self.ship_kind_on(cell) == "w"
            ]
            return MoveProduct([(cargos, ("",)), *self._exchanges(), (("pass",), ("",))])
        tile, pool = KINDS[self.drawn].tile, self.pools[seat] > 0
        return MoveProduct(
            ((GRID.names[cell],), _endings(tile, rotations, self.busy[cell], pool))
            for cell in _BY_NAME
            if not self.board[cell] and (rotations := self.rotations(cell))
        )

    def _exchanges(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        for one, here, other, there in TILING.exchanges(self.board, _BY_NAME):
            yield _half(one, here, first=True), _half(other, there, first=False)

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        """Return the first move in full, up to a comma (an exchange holds one), and the text
        left."""
        if seat not in self.to_move:
            raise IllegalMove(self._not_on_the_move(seat))
        if seat == CHANCE:
            return text.strip(), ""
        order, left = read(self, text)
        return order.text, left

    def apply(self, seat: int, move: str) -> SpaceTruckinPosition:
        """Place and man the tile, or use the black hole; then score completed features."""
        order, left = read(self, move)
        if left or order.text != move:
            raise InvalidMove(phrase("one move, written in full, is {text}", text=order.text))
        table = Table(self)
        if order.puts or order.takes != NONE:
            table.news.append(self._tell(order))
        if order.takes != NONE:
            table.ships[order.takes] = 0
            table.recompute()
        elif len(order.puts) == 1:
            table.place(*order.puts[0], order.segment)
        elif order.puts:
            table.exchange(order.puts)
        table.drawn = table.corner = NONE
        table.pass_on()
        table.end_if_empty()
        return _position(table)

    def _tell(self, order: Order) -> str:
        """Return what a move does on the board, in words."""
        if order.takes != NONE:
            owner = self.seat_name(self.ships[order.takes] - 1 >> 2)
            return phrase(
                "{seat}'s cargo on {cell} leaves the board",
                seat=owner,
                cell=GRID.names[order.takes],
            )
        (cell, face), *others = order.puts
        if others:
            one, other = (GRID.names[each] for each, _ in order.puts)
            return phrase("the tiles on {one} and {other} change places", one=one, other=other)
        tile = IN_WORDS[KINDS[self.drawn].name.rstrip("^")]
        told = {"tile": tile, "cell": GRID.names[cell]}
        if order.segment == NONE:
            return phrase("{cell} now has {tile}", **told)
        segment = FACES[face].segments[order.segment]
        if segment.kind == "s":
            return phrase("{cell} now has {tile}; an engineer in it", **told)
        side = SIDES[segment.edges[0]]
        if segment.kind == "p":
            return phrase(
                "{cell} now has {tile}; a battleship at its {side} edge", **told, side=side
            )
        return phrase("{cell} now has {tile}; a cargo at its {side} edge", **told, side=side)

    def resign(self, seat: int) -> SpaceTruckinPosition:
        """Take the ships of the seat off the board; a drawn tile stays for the next seat."""
        if seat not in self.playing or self.outcome is not None:
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        table = Table(self)
        table.left += (seat,)
        for cell, ship in enumerate(self.ships):
            if ship and ship - 1 >> 2 == seat:
                table.ships[cell] = 0
        table.recompute()
        if seat == self.mover:
            table.pass_on()
        return _position(table)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        """Name the tile of a draw, the corner of the clock; show moves as written."""
        if seat != CHANCE:
            return move
        if move in KIND_NAMED:
            tile = describe_draw(KINDS[KIND_NAMED[move]], NONE)
            return phrase("{seat} draws {tile}", seat=self.seat_name(self.mover), tile=tile)
        return phrase(
            "the clock shows {move}: {corner}", move=move, corner=CORNERS[int(move) // 15]
        )

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the board, six columns and three rows a tile, then the drawn tile, scores and
        bag."""
        return draw_position(self, last)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        """Return what `picture` shows as a scene."""
        return build_scene(self, last)

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        """Return each tile, and the ship on it, as a sentence."""
        return describe_tiles(scene, COLOURS)

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return cell, rotation and ship; before them the choice about a black hole."""
        return tuple(_STEP.findall(move))

    def dump(self) -> list[Any]:
        """Return placed tiles with ships, pools, points, bag, draw, corner, mover, turn,
        resigned."""
        tiles = [
            f"{GRID.names[cell]}@{TILING.rotation(face)} {FACES[face].name} {self.ships[cell]}"
            for cell, face in enumerate(self.board)
            if face
        ]
        counts = [list(self.pools), list(self.points), list(self.bag)]
        return [tiles, *counts, self.drawn, self.corner, self.mover, self.turn, list(self.left)]


def _position(table: Table) -> SpaceTruckinPosition:
    return SpaceTruckinPosition(
        table.players,
        bytes(table.board),
        bytes(table.ships),
        tuple(table.pools),
        tuple(table.points),
        bytes(table.bag),
        table.drawn,
        table.corner,
        table.mover,
        table.turn,
        table.left,
        table.outcome(),
        tuple(table.news),
        tuple(table.patterns),
        bytes(table.busy),
    )


class SpaceTruckin(Game):
    """The game."""

    info = GameInfo(
        name="spacetruckin",
        title="Space Truckin'",
        version=1,
        players=range(2, 7),
        seats={count: COLOURS[:count] for count in range(2, 7)},
        summary="lay tiles of planets and wormholes, man them, score",
        help=read_help(__name__).format(tiles=rows_of_pictures(7)),
        aliases=("truckin",),
        features=frozenset({"chance"}),
        family="tiles",
        length="long",
    )

    def list_lessons(self) -> Sequence[Lesson]:
        return LESSONS

    def start(self, players: int, options: Mapping[str, Value]) -> SpaceTruckinPosition:
        """Return the start tile on e5, seven ships a seat, the first tile to be drawn."""
        bag = [kind.copies for kind in KINDS]
        scalars = [NONE, NONE, 0, 0, []]
        return self.load(
            players, options, [[START], [SHIPS] * players, [0] * players, bag, *scalars]
        )

    def load(
        self, players: int, options: Mapping[str, Value], data: list[Any]
    ) -> SpaceTruckinPosition:
        """Return the position whose `dump()` was `data`."""
        tiles, pools, points, bag, drawn, corner, mover, turn, left = data
        board, ships = bytearray(81), bytearray(81)
        for text in tiles:
            place, name, ship = text.split()
            cell, rotation = place.split("@")
            board[GRID.number[cell]] = TILING.face(TILE_NAMED[name], int(rotation))
            ships[GRID.number[cell]] = int(ship)
        table = Table(
            SpaceTruckinPosition(
                players,
                bytes(board),
                bytes(ships),
                tuple(pools),
                tuple(points),
                bytes(bag),
                drawn,
                corner,
                mover,
                turn,
                tuple(left),
            )
        )
        table.recompute()
        return _position(table)


_GAME = SpaceTruckin()
SpaceTruckinPosition.game = _GAME
GAMES = (_GAME,)
