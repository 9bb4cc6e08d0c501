"""Draws what stands on the board: pieces, stacks, rows of pieces, things of several places."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, cos, dist, pi, sin, sqrt

from pbm.rules.drawing.scene import Piece, Place, Point
from pbm.rules.drawing.svg.elements import line_width, number, path, polygon, text
from pbm.rules.drawing.svg.layout import Layout, column_of, half_size
from pbm.rules.drawing.svg.palette import LEVELS
from pbm.rules.drawing.svg.piece_shapes import shape_of

_FILLING = {"wall", "line", "link", "box", "fog", "unseen"}
"""Kinds that fill their place instead of standing on it."""
_BESIDE, _ON_A_MAP = 0.6, 0.9
"""The size of pieces drawn beside each other on a place, in its radius."""
_MOST_IN_A_ROW = 6
_MOST_SEEDS = 20
_GOLDEN = pi * (3 - sqrt(5))
"""The angle between one seed of a sunflower and the next."""


class PieceLayer:
    """Draws pieces; each shape is defined once. `has_emblems`: seats differ by emblems as well as
    colours."""

    def __init__(self, layout: Layout, *, has_emblems: bool) -> None:
        self._layout = layout
        self._has_emblems = has_emblems
        self._shapes: dict[tuple[object, ...], str] = {}
        self._owners = {
            _middle(stroke.points): stroke.seat
            for stroke in layout.scene.strokes
            if stroke.role == "owner"
        }
        self._definitions: list[str] = []

    @property
    def writes_on_men(self) -> bool:
        """Whether the game's field writes the kinds of men on them."""
        return self._layout.scene.style in ("shogi", "xiangqi")

    @property
    def definitions(self) -> str:
        """The shapes that the picture uses more than once."""
        return "".join(self._definitions)

    def draw(self) -> str:
        """Return all that stands on the board."""
        return self._bodies() + self._pieces()

    def _bodies(self) -> str:
        """Draw things that cover several places, each with its outline: the edges that only one of
        its places has."""
        bodies: dict[int, list[Piece]] = defaultdict(list)
        for piece in self._layout.scene.pieces:
            if piece.body:
                bodies[piece.body].append(piece)
        last = {mark.places[0] for mark in self._layout.scene.marks if mark.role == "last"}
        is_last = {number: any(p.place in last for p in body) for number, body in bodies.items()}
        return "".join(
            self._body(bodies[number], is_last=is_last[number])
            for number in sorted(bodies, key=is_last.__getitem__)
        )

    def _body(self, pieces: Sequence[Piece], *, is_last: bool) -> str:
        places = [self._layout.places[piece.place] for piece in pieces]
        first = pieces[0]
        style = f"h{min(first.height, LEVELS - 1)}" if first.seat is None else str(first.seat)
        edges = Counter(
            frozenset(edge)
            for place in places
            if not isinstance(place.shape, (int, float))
            for edge in zip(place.shape, (*place.shape[1:], place.shape[0]), strict=True)
        )
        outline = "".join(
            f"M{number(x)} {number(y)}L{number(p)} {number(q)}"
            for edge, count in edges.items()
            if count == 1 and len(edge) == 2
            for (x, y), (p, q) in (tuple(map(self._layout.at, sorted(edge))),)
        )
        width = max(1.2, self._layout.cell / (11 if is_last else 20))
        edge = "lastring" if is_last else f"o{style}"
        shape = "".join(map(self._layout.outline, places))
        filled = path(shape, f"c{style}")
        if first.height:
            away = number(min(6, 1.5 + first.height) * self._layout.cell / 50)
            filled = f'<g transform="translate({away} {away})">{path(shape, "shadow")}</g>' + filled
        labels = "".join(
            text(piece.label, f"t{style}", 0.42 * self._layout.cell, *self._layout.at(place.centre))
            for piece, place in zip(pieces, places, strict=True)
            if piece.label
        )
        return filled + path(outline, edge, width) + labels

    def _pieces(self) -> str:
        stacks: dict[str, list[Piece]] = defaultdict(list)
        for piece in self._layout.scene.pieces:
            if not piece.body and piece.kind != "tile":
                stacks[piece.place].append(piece)
        return "".join(
            self._filling(self._layout.places[name], pieces[0])
            if pieces[0].kind in _FILLING
            else self._stack(self._layout.places[name], pieces)
            for name, pieces in stacks.items()
        )

    def _filling(self, place: Place, piece: Piece) -> str:
        """Return a piece that fills its place, or lies in an outline of its own."""
        to, radius = self._layout.at, self._layout.radius(place)
        outline = polygon(map(to, piece.shape)) if piece.shape else self._layout.outline(place)
        if piece.kind in ("fog", "unseen"):
            sign = text(piece.label or "?", "fog", radius, *to(place.centre))
            return path(outline, "veil", 1) + sign
        style = "wall" if piece.seat is None else f"a{piece.seat}"
        drawn = path(outline, style, line_width(self._layout.cell / 3))
        if not piece.label:
            return drawn
        return drawn + text(piece.label, f"t{_seat(piece.seat)}", radius, *to(place.centre))

    def _stack(self, place: Place, pieces: Sequence[Piece]) -> str:
        """Return the pieces on a place: one, a stack from below, or a column along a long place."""
        if pieces[0].kind == "seed":
            return self._seeds(place, pieces[0].count)
        total = sum(piece.count for piece in pieces)
        if total > 1 and (column := column_of(place)):
            return self._row_of(column, pieces)
        x, y = self._layout.at(place.centre)
        radius = self._layout.radius(place)
        if pieces[0].kind == "cube" and place.shade == "home":
            return self._crowd(place, pieces)
        if any(piece.centre for piece in pieces):
            share = _ON_A_MAP if self._layout.is_map else _BESIDE
            return "".join(
                self.use(piece, share * radius, *self._layout.at(piece.centre or place.centre))
                for piece in pieces
            )
        if len(pieces) > 1:
            radius *= 0.85
        lift = 0.0 if len(pieces) < 2 else min(0.34, 1.0 / len(pieces)) * radius
        base = y + lift * (len(pieces) - 1) / 2
        drawn = []
        for level, piece in enumerate(pieces):
            shown = replace(piece, label=str(piece.count)) if piece.count > 1 else piece
            drawn.append(self.use(shown, radius, x, base - lift * level))
        if len(pieces) > 1 and pieces[0].kind == "cube":
            drawn.append(text(str(len(pieces)), "label halo", radius, x + 1.25 * radius, y))
        return "".join(drawn)

    def _crowd(self, place: Place, pieces: Sequence[Piece]) -> str:
        """Draw cubes side by side on a base; those that wait on their own are pale."""
        each = [replace(piece, count=1) for piece in pieces for _ in range(piece.count)]
        wide = ceil(sqrt(len(each)))
        high = ceil(len(each) / wide)
        (x, y), step = self._layout.at(place.centre), 1.36 * self._layout.radius(place) / wide
        owner = self._owners.get(_middle((place.centre,)))
        groups: dict[bool, list[str]] = {True: [], False: []}
        for at, piece in enumerate(each):
            row, column = divmod(at, wide)
            right, down = step * (column - (wide - 1) / 2), step * (row - (high - 1) / 2)
            drawn = self.use(piece, 0.58 * step, x + right, y + down)
            groups[piece.seat == owner].append(drawn)
        waiting = "".join(groups[True])
        return (f'<g opacity=".45">{waiting}</g>' if waiting else "") + "".join(groups[False])

    def _seeds(self, place: Place, count: int) -> str:
        """Draw seeds in a house or store, and their number: beside a house, at the foot of a
        store."""
        x, y = self._layout.at(place.centre)
        across, down = (0.8 * half * self._layout.cell for half in half_size(place))
        is_store = column_of(place) is not None
        if is_store:
            down *= 0.75
        radius = 0.075 * self._layout.cell
        top = y - 0.2 * self._layout.cell if is_store else y
        shown = min(count, _MOST_SEEDS)
        spread = [(sqrt((k + 0.6) / max(shown, 4)), k * _GOLDEN) for k in range(shown)]
        seeds = "".join(
            self.use(
                Piece("", "seed"), radius, x + across * far * cos(a), top + down * far * sin(a)
            )
            for far, a in spread
        )
        side = 1 if is_store or place.centre[1] > 1 else -1
        away = side * (0.8 if is_store else 0.64) * self._layout.cell
        return seeds + text(str(count), "words", 0.32 * self._layout.cell, x, y + away)

    def _row_of(self, column: tuple[Point, Point, float], pieces: Sequence[Piece]) -> str:
        """Draw pieces side by side along a long place; if they are many the last one shows their
        number."""
        start, end, half = column
        length, radius = dist(start, end), half * self._layout.cell * 0.9
        each = [piece for piece in pieces for _ in range(min(piece.count, _MOST_IN_A_ROW))]
        step = min(2 * half, (length - 2 * half) / max(1, len(each) - 1))
        drawn, x, y = [], 0.0, 0.0
        for level, piece in enumerate(each):
            share = (half + step * level) / length
            x, y = self._layout.at(
                (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            )
            drawn.append(self.use(piece, radius, x, y))
        most = max(pieces, key=lambda piece: piece.count)
        if most.count > _MOST_IN_A_ROW:
            drawn.append(self._count(most, radius, x, y))
        return "".join(drawn)

    def _count(self, piece: Piece, radius: float, x: float, y: float) -> str:
        """Return the number of such pieces on the place."""
        return text(f"{piece.count}", f"t{_seat(piece.seat)}", radius, x, y)

    def use(self, piece: Piece, radius: float, x: float, y: float) -> str:
        """Return the piece at a point in pixels. Its shape is defined once."""
        key = (piece.kind, piece.seat, piece.label, round(radius, 1), piece.turned)
        if key not in self._shapes:
            name = f"p{len(self._shapes)}"
            self._shapes[key] = name
            drawn = shape_of(piece, radius, self._layout.scene.style, has_emblem=self._has_emblems)
            turned = f' transform="rotate({piece.turned})"' if piece.turned else ""
            self._definitions.append(f'<g id="{name}"{turned}>{drawn}</g>')
        return f'<use href="#{self._shapes[key]}" x="{number(x)}" y="{number(y)}"/>'


def _middle(points: Sequence[Point]) -> Point:
    count = len(points)
    return (
        round(sum(x for x, _ in points) / count, 2),
        round(sum(y for _, y in points) / count, 2),
    )


def _seat(seat: int | None) -> str:
    return "n" if seat is None else str(seat)
