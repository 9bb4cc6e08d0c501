"""The notation of Space Truckin': parses a typed move, or says why it is refused.

Rules: docs/rules/spacetruckin.md, "Notation"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from pbm.games.spacetruckin.table import (
    CORNERS,
    EDGES,
    FACES,
    FEATURES,
    GRID,
    HOLE,
    KINDS,
    NONE,
    ROLES,
    SHOWN,
    SIDES,
    TILING,
    TruckinState,
    arrow_rotations,
    describe_draw,
    ship_text,
)
from pbm.rules import AmbiguousMove, IllegalMove, InvalidMove, MoveError
from pbm.rules.boards.tiles import DIRECTIONS, turns
from pbm.rules.phrases import combine, phrase
from pbm.rules.typed import SEPARATORS, left_of, listing, quoted


class Order(NamedTuple):
    """A legal move as read.

    text     its canonical spelling
    puts     (cell, face) of the tile placed, or of both that change places
    segment  the segment that is manned, or -1
    takes    the cell that loses its cargo, or -1
    """

    text: str
    puts: tuple[tuple[int, int], ...] = ()
    segment: int = NONE
    takes: int = NONE


_CELL = r"([a-z]{1,3}\d{1,3})(?: ?@(\d{1,3})| (\d{1,3}))?"
_PLACING = re.compile(_CELL + r"(?: ([a-z]+))?(?: ([a-z]+))?")
_EXCHANGING = re.compile(r"exchange " + _CELL + r"(?: ?[,;] ?| )" + _CELL)
_WITH_HOLE = phrase(
    "remove:CELL takes a cargo, exchange:CELL@R,CELL@R exchanges two tiles, or pass"
)
_LONGEST = 1000
_MOST_OFFERED = 4


def read(position: TruckinState, text: str) -> tuple[Order, str]:
    """Return the first move of a text, up to a comma (an exchange holds one), and the text left.

    Raise InvalidMove, IllegalMove or AmbiguousMove with the reason."""
    if len(text) > _LONGEST:
        raise InvalidMove(phrase("a move is shorter than {longest} characters", longest=_LONGEST))
    plain = re.sub(r"[ /:\t\r\n]+", " ", text.lower().strip(SEPARATORS)).replace("@ ", "@")
    exchange = _EXCHANGING.match(plain)
    if exchange and plain[exchange.end() : exchange.end() + 1] in ("", ",", ";", " "):
        _needs_hole(position)
        one, one_at, one_blank, other, other_at, other_blank = exchange.groups()
        order = _exchange(position, [(one, one_at or one_blank), (other, other_at or other_blank)])
        return order, left_of(plain, exchange.end())
    head = re.split("[,;]", plain, maxsplit=1)[0].strip(SEPARATORS)
    return _one_move(position, head), left_of(plain, len(head))


def _one_move(position: TruckinState, text: str) -> Order:
    word, _, rest = text.partition(" ")
    if text == "pass":
        _needs_hole(position)
        return Order("pass")
    if word == "remove":
        _needs_hole(position)
        if not rest:  # a move that lacks its cell, no wish for no more mails
            raise IllegalMove(
                phrase(
                    "{text} is not a move; with a black hole {with_hole}",
                    text=quoted(text),
                    with_hole=_WITH_HOLE,
                )
            )
        return _removal(position, rest)
    if word == "exchange":
        raise InvalidMove(phrase("an exchange names two cells with rotations: exchange:e5@2,f7@0"))
    placing = _PLACING.fullmatch(text)
    if placing is None:
        if position.drawn == HOLE:
            raise InvalidMove(
                phrase(
                    "{text} is not a move; with a black hole {with_hole}",
                    text=quoted(text),
                    with_hole=_WITH_HOLE,
                )
            )
        raise InvalidMove(
            phrase(
                "{text} is not a move; write cell and rotation, then role and edge of a ship "
                "if one goes along: e6@1 or e6@1/cargo:s",
                text=quoted(text),
            )
        )
    cell, at, blank, role, edge = placing.groups()
    number = _cell(cell)
    if position.drawn == HOLE:
        raise IllegalMove(
            phrase(
                "a black hole was drawn, there is no tile to place: {with_hole}",
                with_hole=_WITH_HOLE,
            )
        )
    return _placement(position, number, at or blank, role, edge)


def _needs_hole(position: TruckinState) -> None:
    if position.drawn != HOLE:
        tile = describe_draw(KINDS[position.drawn], position.corner)
        raise IllegalMove(
            phrase("that takes a black hole; {tile} was drawn and must be placed: e6@1", tile=tile)
        )


def _cell(text: str) -> int:
    cell = GRID.cell(text)
    if cell is None:
        if GRID.looks_like_cell(text):
            raise InvalidMove(
                phrase("{text} is off the board, which runs from a1 to i9", text=quoted(text))
            )
        raise InvalidMove(phrase("{text} is not a cell like e6", text=quoted(text)))
    return cell


def _turn(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise InvalidMove(
            phrase("@{text} is not a rotation: @0 to @3 are quarter turns clockwise", text=text)
        )
    return int(text)


def _removal(position: TruckinState, text: str) -> Order:
    cell = _cell(text)
    name, kind = GRID.names[cell], position.ship_kind_on(cell)
    if kind != "w":
        holds = phrase("{name} holds no ship; a black hole takes a cargo only", name=name)
        if kind == "p":
            holds = phrase("{name} holds a battleship; a black hole takes a cargo only", name=name)
        elif kind == "s":
            holds = phrase("{name} holds an engineer; a black hole takes a cargo only", name=name)
        raise IllegalMove(holds)
    return Order(f"remove:{name}", takes=cell)


def _placement(
    position: TruckinState,
    cell: int,
    turned: str | None,
    role: str | None,
    edge: str | None,
) -> Order:
    name, tile = GRID.names[cell], KINDS[position.drawn].tile
    if position.board[cell]:
        raise IllegalMove(
            phrase(
                "{name} is taken by a {other_name}; a tile goes on a vacant cell",
                name=name,
                other_name=FACES[position.board[cell]].name,
            )
        )
    orders, refused = list[Order](), list[MoveError]()
    faces = [TILING.face(tile, turn) for turn in _rotations(position, cell, turned)]
    for face in faces:
        try:
            orders += _orders(position, cell, face, role, edge)
        except MoveError as error:
            refused.append(error)
    if len(orders) > 1:
        ways = _list_ways(orders)
        if len(faces) > 1:
            raise AmbiguousMove(phrase("more than one rotation fits: {ways}?", ways=ways))
        raise AmbiguousMove(phrase("say which edge: {ways}?", ways=ways))
    if not orders:
        raise refused[0]
    return orders[0]


def _orders(
    position: TruckinState, cell: int, face: int, role: str | None, edge: str | None
) -> list[Order]:
    """Return the ways to place a face with the ship that is typed, or with none."""
    puts, text = ((cell, face),), f"{GRID.names[cell]}@{TILING.rotation(face)}"
    if role is None:
        return [Order(text, puts)]
    segments = _segments(text, face, role, edge)
    if not position.pools[position.mover]:
        raise IllegalMove(
            phrase(
                "no ship is left in {seat_name}'s pool",
                seat_name=position.seat_name(position.mover),
            )
        )
    board = _with(position.board, *puts)
    held = [_find_ship(position, board, cell, segment) for segment in segments]
    if NONE not in held:
        there = held[0]
        ship, kind = position.ships[there], FACES[face].segments[segments[0]].kind
        raise IllegalMove(
            phrase(
                "that {feature} already holds {seat_name}'s {role} on {name}",
                feature=FEATURES[kind],
                seat_name=position.seat_name(ship - 1 >> 2),
                role=ROLES[kind],
                name=GRID.names[there],
            )
        )
    return [
        Order(text + ship_text(face, segment), puts, segment)
        for segment, there in zip(segments, held, strict=True)
        if there == NONE
    ]


def _find_ship(position: TruckinState, board: bytes, cell: int, segment: int) -> int:
    """Return the cell of a ship on the feature that a segment belongs to, or -1."""
    for there, number in TILING.feature(board, cell, segment).parts:
        ship = position.ships[there]
        if ship and ship - 1 & 3 == number:
            return there
    return NONE


def _list_ways(orders: Sequence[Order]) -> str:
    """Return the first of these moves, and the number of others."""
    shown: list[str] = [order.text for order in orders[:_MOST_OFFERED]]
    if more := len(orders) - len(shown):
        shown.append(phrase("{more} more", more=more))
    return listing(shown, "or")


def _rotations(position: TruckinState, cell: int, turned: str | None) -> list[int]:
    """Return the typed rotation, or those that fit, one of each that look alike."""
    kind, name = KINDS[position.drawn], GRID.names[cell]
    fitting = turns(position.rotations(cell))
    if turned is None:
        if not fitting:
            why = _describe_edges(position, cell)
            tile = describe_draw(kind, position.corner)
            raise IllegalMove(
                phrase("{tile} fits {name} in no rotation: {why}", tile=tile, name=name, why=why)
            )
        looks = {TILING.alike[TILING.face(kind.tile, turn)]: turn for turn in reversed(fitting)}
        return sorted(looks.values())
    turn = _turn(turned)
    if turn in fitting:
        return [turn]
    clash = _clash(position.board, cell, TILING.face(kind.tile, turn))
    right = arrow_rotations(kind, position.corner)
    if not right >> turn & 1:
        goal = {
            "corner": CORNERS[position.corner],
            "ways": listing([f"@{one}" for one in turns(right)], "or"),
        }
        why = phrase("an arrow must point to {corner}, which it does at {ways}", **goal)
        if kind.arrows == 1:
            why = phrase("the arrow must point to {corner}, which it does at {ways}", **goal)
    else:
        why = clash
    fits = phrase("no rotation fits on {cell}", cell=name)
    if others := listing([f"@{one}" for one in fitting], "or"):
        fits = phrase("{others} fits on {cell}", others=others, cell=name)
    raise IllegalMove(combine("{why}; {fits}", why=why, fits=fits))


def _clash(board: Sequence[int], cell: int, face: int) -> str:
    """Return the first edge of a face that does not match its neighbour, in words."""
    for edge in TILING.clashes(board, cell, face):
        there = GRID.orthogonal[cell][edge]
        return phrase(
            "at {place} the {side} edge of the {tile} is {edge}, but {other} shows it {shown}",
            place=f"{GRID.names[cell]}@{TILING.rotation(face)}",
            side=SIDES[edge],
            tile=FACES[face].name,
            edge=EDGES[FACES[face].edges[edge]],
            other=GRID.names[there],
            shown=SHOWN[FACES[board[there]].edges[edge ^ 2]],
        )
    return ""


def _describe_edges(position: TruckinState, cell: int) -> str:
    """Return the facing edges of a cell's neighbours, in words."""
    around = enumerate(GRID.orthogonal[cell])
    shown = [
        phrase(
            "{cell} shows it {shown}",
            cell=GRID.names[there],
            shown=SHOWN[FACES[position.board[there]].edges[edge ^ 2]],
        )
        for edge, there in around
        if position.board[there]
    ]
    return listing(shown) or phrase("the arrow must point elsewhere")


def _segments(text: str, face: int, role: str, edge: str | None) -> list[int]:
    """Return the segments of a face that a typed role and edge can mean."""
    kinds = [kind for kind, name in ROLES.items() if name.startswith(role)]
    if not kinds:
        raise InvalidMove(
            phrase(
                "{role} is no role: battleship (b) for planets, cargo (c) for wormholes, "
                "engineer (e) for a station",
                role=quoted(role),
            )
        )
    (kind,), tile = kinds, FACES[face]
    fitting = [number for number, one in enumerate(tile.segments) if one.kind == kind]
    if not fitting:
        raise IllegalMove(
            phrase(
                "a {name} has no {feature} for a {role}",
                name=tile.name,
                feature=FEATURES[kind],
                role=ROLES[kind],
            )
        )
    if edge is None:
        return fitting
    if kind == "s":
        raise InvalidMove(phrase("an engineer takes no edge: {text}/engineer", text=text))
    side = next((n for n, name in enumerate(SIDES) if edge in (name, DIRECTIONS[n])), NONE)
    if side == NONE:
        raise InvalidMove(phrase("{edge} is no edge: n, e, s or w", edge=quoted(edge)))
    number = TILING.segment_at[face][side]
    if number not in fitting:
        ways = listing([text + ship_text(face, one) for one in fitting], "or")
        raise IllegalMove(
            phrase(
                "at {text} the {side} edge of the {name} is {edge}, no place for a {role}; "
                "there is {ways}",
                text=text,
                side=SIDES[side],
                name=tile.name,
                edge=EDGES[tile.edges[side]],
                role=ROLES[kind],
                ways=ways,
            )
        )
    return [number]


def _exchange(position: TruckinState, puts: Sequence[tuple[str, str | None]]) -> Order:
    (one, first), (other, second) = sorted(
        ((_cell(name), turned) for name, turned in puts), key=lambda put: GRID.names[put[0]]
    )
    if one == other:
        raise IllegalMove(
            phrase("an exchange takes two tiles, not {name} twice", name=GRID.names[one])
        )
    for cell in (one, other):
        if not position.board[cell]:
            raise IllegalMove(
                phrase(
                    "{name} is vacant; an exchange takes two placed tiles", name=GRID.names[cell]
                )
            )
    coming, going = _faces(position.board[other], first), _faces(position.board[one], second)
    ways, clash = [], ""
    for here, there in product(coming, going):
        way = ((one, here), (other, there))
        after = _with(position.board, *way)
        wrong = _clash(after, one, here) or _clash(after, other, there)
        if wrong:
            clash = clash or wrong
        else:
            ways.append(way)
    if not ways:
        tried = len(coming) * len(going) > 1
        raise IllegalMove(
            phrase("no way to turn them fits: {clash}", clash=clash) if tried else clash
        )
    unlike = {tuple(TILING.alike[face] for _, face in way): way for way in reversed(ways)}
    orders = [
        Order(
            "exchange:"
            + ",".join(f"{GRID.names[cell]}@{TILING.rotation(face)}" for cell, face in way),
            way,
        )
        for way in ways
        if way in unlike.values()
    ]
    if len(orders) > 1:
        raise AmbiguousMove(phrase("more than one rotation fits: {ways}?", ways=_list_ways(orders)))
    return orders[0]


def _faces(face: int, turned: str | None) -> list[int]:
    """Return the faces that a placed tile can take in an exchange."""
    rotations = range(4) if turned is None else (_turn(turned),)
    return [TILING.face(TILING.tile(face), turn) for turn in rotations]


def _with(board: bytes, *puts: tuple[int, int]) -> bytes:
    """Return the board with some cells changed."""
    after = bytearray(board)
    for cell, face in puts:
        after[cell] = face
    return bytes(after)
