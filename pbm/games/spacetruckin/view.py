"""The scene and the picture of a position of Space Truckin'.

The picture shows six columns and three rows a tile, as the rules page prints them: what is drawn on
a tile are lines, which signs of pieces cannot show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from pbm.games.spacetruckin.table import (
    COLOURS,
    FACES,
    GRID,
    HOLE,
    IN_WORDS,
    KINDS,
    NONE,
    ROLES,
    STYLE,
    TILING,
    TruckinState,
    describe_draw,
    ship_text,
)
from pbm.rules import Canvas, Picture
from pbm.rules.drawing.grid_scene import grid_scene, square
from pbm.rules.drawing.picture import LABEL, PLAIN
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Panel,
    Piece,
    Place,
    Point,
    Scene,
    Stroke,
    counters,
    marks_on,
    remark,
    tally,
)
from pbm.rules.drawing.sentences import make_item, name_piece
from pbm.rules.drawing.tile_drawing import draw_board, draw_row, place_of
from pbm.rules.drawing.tile_scene import knot, tile_strokes
from pbm.rules.phrases import Sentence, combine, join_phrases, phrase

_LINES = {"p": "planet", "w": "wormhole", "s": "station"}
_BELOW, _APART = 11.0, 2.4
"""The position of the drawn tile below the board, and the distance of its rotations."""

_BAG = phrase("bag")
"""The title of the panel of what is left to draw, and the word that asks for it."""
_LEGEND = (
    combine("{mark} {name}", mark="@@", name=phrase("planet")),
    combine("{mark} {name}", mark="== ||", name=phrase("wormhole")),
    combine("{mark} {name}", mark="()", name=phrase("nexus")),
    combine("{mark} {name}", mark="[]", name=phrase("station")),
    combine("{mark} {name}", mark=".", name=phrase("vacant")),
    combine("{mark} {name}", mark="*", name=phrase("last move")),
)
_HEADINGS = (
    # TRANSLATORS: heading of a column, at most 8 letters
    (12, 9, phrase("points")),
    # TRANSLATORS: heading of a column, at most 6 letters
    (21, 7, phrase("pool")),
    # TRANSLATORS: heading of a column, at most 13 letters
    (28, 14, phrase("battleships")),
    # TRANSLATORS: heading of a column, at most 8 letters
    (42, 9, phrase("cargos")),
    # TRANSLATORS: heading of a column, at most 11 letters
    (51, 12, phrase("engineers")),
    # TRANSLATORS: heading of a column, at most 15 letters
    (63, 15, phrase("if it ended now")),
)
"""The columns of the scores: the beginning and width of each."""
_WITH_HOLE = (
    ("remove", phrase("take a cargo")),
    ("exchange", phrase("exchange two tiles")),
    *((f"@{turn}", phrase("turned as {turn}", turn=f"@{turn}")) for turn in range(4)),
    ("pass", phrase("pass")),
)
"""The choices about a black hole: the steps of moves, with their texts."""


def describe_tiles(scene: Scene, colours: Sequence[str]) -> list[str]:
    """Return each tile on the board and the ship on it, as a sentence."""
    sentences: dict[str, list[str]] = {}
    for piece in scene.pieces:
        if piece.place.startswith("@"):
            continue
        if piece.kind == "tile":
            tile = make_item(IN_WORDS[piece.label])
            if piece.turned:
                tile = phrase("{tile} turned {turn}", tile=tile, turn=piece.turned // 90)
            sentences[piece.place] = [tile]
        elif piece.seat is not None:
            ship = name_piece(piece, colours)
            if piece.label:
                ship = phrase("{ship} at {edge}", ship=ship, edge=piece.label)
            sentences[piece.place].append(ship)
    return [
        Sentence(combine("{place}: {items}.", place=place, items=join_phrases(", ", items)))
        for place, items in sentences.items()
    ]


@cache
def _face_strokes(face: int, place: Place) -> tuple[Stroke, ...]:
    return tuple(tile_strokes(FACES[face], place, _LINES))


def build_scene(position: TruckinState, last: Sequence[str]) -> Scene:
    """Return the board, the drawn tile in its rotations, scores and bag."""
    board = grid_scene(GRID)
    shown = list(_rotations(position))
    centres = {cell: place.centre for cell, place in enumerate(board.places)}
    lying = [(face, board.places[cell]) for cell, face in enumerate(position.board) if face]
    turned = [(face, place) for place, face, _, _ in shown]
    return replace(
        board,
        places=(*board.places, *(place for place, _, _, _ in shown)),
        pieces=(
            *_pieces(position, centres),
            *(_tile(place.name, face) for place, face, _, _ in shown),
        ),
        marks=marks_on(GRID.names, position.named_cells(last)),
        labels=(*board.labels, *(label for _, _, *labels in shown for label in labels)),
        panels=tuple(_panels(position)),
        strokes=tuple(
            line for face, place in lying + turned for line in _face_strokes(face, place)
        ),
        ground="void",
    )


def _tile(name: str, face: int) -> Piece:
    return Piece(name, "tile", label=FACES[face].name, turned=90 * TILING.rotation(face))


def _pieces(position: TruckinState, centres: dict[int, Point]) -> Iterator[Piece]:
    """Yield the tiles, and on them the ships, each with the edge that names its segment."""
    for cell, face in enumerate(position.board):
        if not face:
            continue
        yield _tile(GRID.names[cell], face)
        if ship := position.ships[cell]:
            owner, number = divmod(ship - 1, 4)
            one = FACES[face].segments[number]
            (x, y), (right, down) = centres[cell], knot(one)
            edge = ship_text(face, number).partition(":")[2]
            yield Piece(
                GRID.names[cell],
                ROLES[one.kind],
                owner,
                height=1,
                label=edge,
                centre=(round(x + right, 3), round(y + down, 3)),
            )


def _rotations(position: TruckinState) -> Iterator[tuple[Place, int, Label, Label]]:
    """Yield the drawn tile in each rotation: a place below the board, the face, and the texts above
    and below it."""
    for turn, (face, _, below) in enumerate(position.choices()):
        x = turn * _APART + 0.9
        place = Place(f"@{turn}", square(x - 0.5, _BELOW), (x, _BELOW + 0.5), "choice")
        yield (
            place,
            face,
            Label(f"@{turn}", (x, _BELOW - 0.4)),
            Label(below, (x, _BELOW + 1.4)),
        )


def _panels(position: TruckinState) -> Iterator[Panel]:
    colours = COLOURS[: position.players]
    if position.outcome is None:
        yield from remark(_tell_draw(position, is_spoken=True))
        if beside := position.describe_neighbours():
            yield from remark(beside)
        if position.drawn == HOLE:
            yield Panel(
                phrase("with it"), tuple(Entry(text, name=name) for name, text in _WITH_HOLE)
            )
    yield tally(phrase("points"), colours, position.points)
    if position.outcome is None:
        yield tally(phrase("points if it ended now"), colours, tuple(map(int, position.standing)))
    yield tally(phrase("ships in the pool"), colours, position.pools, "ship")
    for seat in position.left:
        yield from remark(phrase("{seat} has resigned", seat=position.seat_name(seat)))
    left = (sum(position.bag[:HOLE]), position.bag[HOLE], position.set_aside)
    names = phrase("tiles"), phrase("black holes"), phrase("set aside")
    yield counters(phrase("left to draw"), names, left)
    bag = ((describe_draw(kind, NONE), n) for kind, n in zip(KINDS, position.bag, strict=True) if n)
    yield Panel(_BAG, tuple(Entry(tile, "tile", count=n, short="-") for tile, n in bag))


def _tell_draw(position: TruckinState, *, is_spoken: bool = False) -> str:
    """Return the draw of the seat on the move, or that it has to draw; `is_spoken`: without the
    code of the tile."""
    seat = position.seat_name(position.mover)
    if position.drawn == NONE:
        return phrase("a tile is to be drawn for {seat}", seat=seat)
    drawn = describe_draw(KINDS[position.drawn], position.corner, is_spoken=is_spoken)
    return phrase("{seat} has {drawn}", seat=seat, drawn=drawn)


def draw_position(position: TruckinState, last: Sequence[str]) -> Picture:
    """Return the board, six columns and three rows a tile, then the drawn tile and scores."""
    canvas = Canvas()
    _draw_tiles(canvas, position, last)
    if position.outcome is None:
        _draw_drawn(canvas, position)
    _draw_scores(canvas, position)
    return canvas.picture()


def _draw_tiles(canvas: Canvas, position: TruckinState, last: Sequence[str]) -> None:
    marks: dict[int, dict[int, tuple[str, str]]] = {}
    for cell, ship in enumerate(position.ships):
        if ship:
            owner, segment = divmod(ship - 1, 4)
            one = FACES[position.board[cell]].segments[segment]
            text = ROLES[one.kind][0] + COLOURS[owner][0].upper()
            marks[cell] = {place_of(one): (text, seat_role(owner))}
    draw_board(canvas, TILING, position.board, STYLE, marks, position.named_cells(last))
    canvas.paragraph(join_phrases("  ", _LEGEND), indent=0, width=78)
    ships = phrase("ships: b battleship, c cargo, e engineer, and the owner: cR is red's cargo")
    canvas.paragraph(ships, indent=0, width=78)


def _draw_drawn(canvas: Canvas, position: TruckinState) -> None:
    """Draw the drawn tile in its rotations, each with the cells that it fits or their number."""
    canvas.line()
    role = PLAIN if position.drawn == NONE else seat_role(position.mover)
    canvas.paragraph(_tell_draw(position), role, indent=0, width=78)
    if position.drawn == NONE:
        return
    if position.drawn == HOLE:
        choices = phrase(
            "{remove} takes a cargo, {exchange} swaps tiles; or pass",
            remove="remove:CELL",
            exchange="exchange:CELL@R,CELL@R",
        )
        canvas.paragraph(choices, indent=0, width=78)
        return
    shown = [(FACES[face], above, below) for face, above, below in position.choices()]
    draw_row(canvas, shown, STYLE, 18)
    if beside := position.describe_neighbours():
        canvas.paragraph(beside, indent=0, width=78)


def _draw_scores(canvas: Canvas, position: TruckinState) -> None:
    canvas.line()
    head = canvas.height
    for column, room, heading in _HEADINGS[: -1 if position.outcome else None]:
        canvas.put(head, column, heading, LABEL, room)
    standing = position.standing
    for seat, colour in enumerate(COLOURS[: position.players]):
        fleet = Counter(
            position.ship_kind_on(cell)
            for cell, ship in enumerate(position.ships)
            if ship and ship - 1 >> 2 == seat
        )
        row = canvas.height
        canvas.put(row, 0, ">" if seat == position.mover and position.outcome is None else " ")
        canvas.put(row, 2, f"{colour[0].upper()} ", seat_role(seat))
        canvas.put(row, 4, position.seat_name(seat), seat_role(seat), room=8)
        canvas.put(row, 12, f"{position.points[seat]:6}")
        if seat in position.left:
            canvas.put(row, 21, phrase("resigned"))
            continue
        counts = (position.pools[seat], fleet["p"], fleet["w"], fleet["s"])
        for column, count in zip((23, 37, 46, 58), counts, strict=True):
            canvas.put(row, column, f"{count:2}")
        if position.outcome is None:
            canvas.put(row, 70, f"{standing[seat]:4.0f}")
    canvas.line()
    holes, tiles = position.bag[HOLE], sum(position.bag[:HOLE])
    left = phrase(
        "left to draw: {tiles} tiles, {holes} black holes (which: {bag}); set aside: {aside}",
        tiles=tiles,
        holes=holes,
        bag=_BAG,
        aside=position.set_aside,
    )
    canvas.paragraph(left, LABEL, indent=0, width=78)
