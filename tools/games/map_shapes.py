"""Computes the areas of a map of Diplomacy from the places of its provinces and from who neighbours
whom, and writes them into the map file.

    python -m tools.games.map_shapes pbm/rules/diplomacy/maps/standard.txt

Each province is a part of a plane: what lies nearer to one of its points than to any other
province's. Its points are where the map file draws it, and those of a file beside (`--points`, by
default `tools/games/map_points/NAME.txt`), in which a line has a province and further points, or
`-` and the points of land that nobody enters; `bridge KYO KYU` names neighbours that
need not touch. Where neighbours do not touch, each reaches out
towards the other; where others touch, one that neighbours both, or such land, comes between them.
The borders are then rounded and bent as coasts are, each once, so that neighbours share it.

The program says what it could not bring about: no plane may have such a map, or a point is missing.
Run again, it replaces the areas that it wrote."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pbm.rules.diplomacy.board import GameMap, province_of
from pbm.rules.diplomacy.maps import find_file, read_map
from pbm.rules.drawing.scene import Point

_STRETCH = 1.3
"""How much farther apart places are drawn than the file says, from north to south."""
_FINE = 20
"""Pixels to a unit."""
_MARGIN = 0.65
"""How far the map reaches beyond its outermost places."""
_NOBODY = -1
_SHORTEST = 0.22
"""The shortest border of neighbours."""
_ROUNDS = 14
_BRUSH = 0.13
_LAND = 0.2
"""How near to a point of land that nobody enters it is that land."""
_SMOOTHING = 12
_TOLERANCE = 0.022
_WAVES = ((0.055, 1.5), (0.04, 3.1), (0.026, 6.3))
"""How far borders are bent, and how often in a unit."""
_PER_LINE = 10
_NAME, _UNIT = (0.38, 0.12), 0.3
"""Half the width and height of a name, and the radius of what stands on a spot."""
_RIM = 0.1
"""How far names stay away from the frame."""
_APART = 0.88, 0.3
"""How far names stand apart that do not lie on each other, across or down."""
_NEAR = 3.0
_NAMINGS = 3

Grid = NDArray[np.int64]
Segment = tuple[int, Point, Point]


class Shaping:
    """The map on its way: pixels with the number of a province each."""

    def __init__(
        self,
        game_map: GameMap,
        points: Sequence[tuple[str, Point]],
        bridges: Sequence[set[str]] = (),
    ) -> None:
        self.codes = sorted(game_map.provinces)
        number = {code: at for at, code in enumerate(self.codes)}
        number["-"] = _NOBODY
        self.wanted = {
            (min(pair), max(pair))
            for one, other in list_neighbours(game_map)
            if {one, other} not in bridges
            for pair in ((number[one], number[other]),)
        }
        self.spots = {number[code]: _stretch(game_map.spots[code]) for code in game_map.provinces}
        given = [(province_of(place), spot) for place, spot in game_map.spots.items()]
        self.segments: list[Segment] = [
            (number[code], _stretch(spot), _stretch(spot)) for code, spot in (*given, *points)
        ]
        placed = [spot for at, spot, _ in self.segments[: len(given)]]
        self.units = [(place, _stretch(spot)) for place, spot in game_map.spots.items()]
        self.left = min(x for x, _ in placed) - _MARGIN
        self.top = min(y for _, y in placed) - _MARGIN
        width = max(x for x, _ in placed) + _MARGIN - self.left
        height = max(y for _, y in placed) + _MARGIN - self.top
        self.size = math.ceil(height * _FINE), math.ceil(width * _FINE)
        rows, columns = np.mgrid[0 : self.size[0], 0 : self.size[1]]
        self._x = self.left + (columns + 0.5) / _FINE
        self._y = self.top + (rows + 0.5) / _FINE
        self.grid: Grid = np.zeros(self.size, dtype=np.int64)

    def shape(self) -> list[str]:
        """Give each pixel to a province; return what could not be brought about."""
        self._divide()
        for _ in range(_ROUNDS):
            missing = self._list_missing()
            if not missing:
                break
            for one, other in missing:
                self._reach_out(one, other)
            self._divide()
        for _ in range(_ROUNDS):
            missing = self._list_missing()
            for one, other in missing:
                self._carve(one, other)
            self._clean()
            wrong = self._list_wrong()
            for pair in wrong:
                self._part(*pair)
            self._clean()
            if not missing and not wrong:
                break
        name = [*self.codes, "-"]
        return [
            *(f"{name[one]} and {name[other]} do not touch" for one, other in self._list_missing()),
            *(f"{name[one]} and {name[other]} touch" for one, other in self._list_wrong()),
        ]

    def _divide(self) -> None:
        nearest = np.full(self.size, np.inf)
        for number, (x, y), (p, q) in self.segments:
            away = self._measure((x, y), (p, q))
            if number == _NOBODY:
                away = np.where(away < _LAND, away - _LAND, np.inf)
            closer = away < nearest
            nearest[closer] = away[closer]
            self.grid[closer] = number
        self._clean()

    def _measure(self, start: Point, end: Point) -> NDArray[np.float64]:
        """Return how far each pixel is from a segment."""
        (x, y), (p, q) = start, end
        length = (p - x) ** 2 + (q - y) ** 2
        along = 0.0
        if length:
            along = np.clip(((self._x - x) * (p - x) + (self._y - y) * (q - y)) / length, 0, 1)
        return np.asarray(np.hypot(self._x - x - along * (p - x), self._y - y - along * (q - y)))

    def _count_contacts(self) -> dict[tuple[int, int], float]:
        """Return how long the border of each pair is."""
        found: dict[tuple[int, int], float] = defaultdict(float)
        grid = self.grid
        for one, other in ((grid[:, 1:], grid[:, :-1]), (grid[1:], grid[:-1])):
            differ = one != other
            low, high = np.minimum(one, other)[differ], np.maximum(one, other)[differ]
            keys, counts = np.unique((low + 1) * 1000 + high + 1, return_counts=True)
            for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
                found[key // 1000 - 1, key % 1000 - 1] += count / _FINE
        return found

    def _list_missing(self) -> list[tuple[int, int]]:
        contacts = self._count_contacts()
        return sorted(pair for pair in self.wanted if contacts.get(pair, 0) < _SHORTEST)

    def _list_wrong(self) -> list[tuple[int, int]]:
        contacts = self._count_contacts()
        return sorted(
            pair
            for pair, length in contacts.items()
            if pair not in self.wanted and pair[0] != _NOBODY and length > 2.5 / _FINE
        )

    def _reach_out(self, one: int, other: int) -> None:
        """Let two neighbours reach out towards each other, from where they are nearest."""
        start, end = self._find_nearest(one, other)
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        for number, at in ((one, start), (other, end)):
            near = _between(middle, at, 0.06)
            self.segments.append((number, at, near))

    def _find_nearest(self, one: int, other: int) -> tuple[Point, Point]:
        """Return a point of each of two provinces, as near to each other as there are, but no
        nearer to the border than their points are."""
        own = [(s, e) for number, s, e in self.segments if number == one]
        far = [(s, e) for number, s, e in self.segments if number == other]
        ends = [point for pair in own for point in pair]
        others = [point for pair in far for point in pair]
        return min(((a, b) for a in ends for b in others), key=lambda pair: math.dist(*pair))

    def _carve(self, one: int, other: int) -> None:
        """Draw a strip of each of two neighbours towards the other through what lies between."""
        first, second = np.argwhere(self.grid == one), np.argwhere(self.grid == other)
        if not len(first) or not len(second):
            return
        best: tuple[float, Sequence[int], Sequence[int]] = (math.inf, (), ())
        for pixel in first:
            away = np.hypot(*(second - pixel).T)
            at = int(away.argmin())
            if away[at] < best[0]:
                best = (float(away[at]), pixel.tolist(), second[at].tolist())
        (row, column), (to_row, to_column) = best[1], best[2]
        steps = int(best[0] * 2) + 2
        for number, half in ((one, 0), (other, 1)):
            for step in range(steps + 1):
                share = step / steps
                if (share > 0.5) == bool(half) or share == 0.5:
                    self._paint(
                        row + (to_row - row) * share, column + (to_column - column) * share, number
                    )

    def _paint(self, row: float, column: float, number: int, brush: float = _BRUSH) -> None:
        reach = brush * _FINE
        rows, columns = np.ogrid[0 : self.size[0], 0 : self.size[1]]
        self.grid[(rows - row) ** 2 + (columns - column) ** 2 <= reach**2] = number

    def _part(self, one: int, other: int) -> None:
        """Put between two that are no neighbours one that neighbours both, or land that nobody
        enters."""
        grid = self.grid
        border = [
            (row, column)
            for shift in ((0, 1), (1, 0))
            for row, column in np.argwhere(self._is_border(grid, shift, one, other)).tolist()
        ]
        if not border:
            return
        rows = [row for row, _ in border]
        columns = [column for _, column in border]
        reach = 3
        around = grid[
            max(0, min(rows) - reach) : max(rows) + reach + 2,
            max(0, min(columns) - reach) : max(columns) + reach + 2,
        ]
        numbers, counts = np.unique(around, return_counts=True)
        fit = [
            (count, number)
            for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
            if number not in (one, other)
            and (
                number == _NOBODY
                or (self._are_wanted(number, one) and self._are_wanted(number, other))
            )
        ]
        between = max(fit)[1] if fit else _NOBODY
        for row, column in border:
            self._paint(row + 0.5, column + 0.5, between, 0.1)

    @staticmethod
    def _is_border(grid: Grid, shift: tuple[int, int], one: int, other: int) -> NDArray[np.bool_]:
        down, right = shift
        near = grid[: grid.shape[0] - down, : grid.shape[1] - right]
        far = grid[down:, right:]
        border = ((near == one) & (far == other)) | ((near == other) & (far == one))
        return np.asarray(border)

    def _are_wanted(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self.wanted

    def _clean(self) -> None:
        """Give the pieces of a province that do not hang together with its place to what lies
        around them."""
        for number, spot in self.spots.items():
            row = int((spot[1] - self.top) * _FINE)
            column = int((spot[0] - self.left) * _FINE)
            if self.grid[row, column] != number:
                self._paint(row, column, number)
            part = self._flood(row, column)
            loose = (self.grid == number) & ~part
            while loose.any():
                for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    here = _cut(self.size, down, right)
                    there = _cut(self.size, -down, -right)
                    free = loose[here] & ~loose[there]
                    self.grid[here][free] = self.grid[there][free]
                    loose[here] &= ~free

    def _flood(self, row: int, column: int) -> NDArray[np.bool_]:
        """Return the pixels that hang together with one."""
        number, (height, width) = self.grid[row, column], self.size
        left = self.grid == number
        part = np.zeros(self.size, dtype=bool)
        waiting = [(row, column)]
        left[row, column] = False
        while waiting:
            down, right = waiting.pop()
            part[down, right] = True
            for near in (
                (down - 1, right),
                (down + 1, right),
                (down, right - 1),
                (down, right + 1),
            ):
                if 0 <= near[0] < height and 0 <= near[1] < width and left[near]:
                    left[near] = False
                    waiting.append(near)
        return part

    def trace(self) -> dict[str, list[list[Point]]]:
        """Return the outlines of each province, and of the land that nobody enters under "-"."""
        outlines: dict[str, list[list[Point]]] = {}
        padded = np.full((self.size[0] + 2, self.size[1] + 2), -2, dtype=np.int64)
        padded[1:-1, 1:-1] = self.grid
        arcs = dict[tuple[Point, ...], tuple[Point, ...]]()
        for number in sorted({*np.unique(self.grid).tolist()}):
            code = "-" if number == _NOBODY else self.codes[number]
            rings = [self._finish(ring, padded, arcs) for ring in _trace_rings(padded, number)]
            outlines[code] = [ring for ring in rings if len(ring) > 2]
        return outlines

    def place_units(self) -> dict[str, Point]:
        """Return where what stands in each province is drawn: where the map has it if there is room
        on all sides, else where there is most."""
        stands = dict[str, Point]()
        for number, spot in self.spots.items():
            inside = np.pad(self.grid == number, 1)
            depth = np.zeros(inside.shape, dtype=np.int64)
            layer = inside
            while layer.any():
                depth += layer
                across = layer[1:-1, 1:-1] & layer[:-2, 1:-1] & layer[2:, 1:-1]
                layer = np.pad(across & layer[1:-1, :-2] & layer[1:-1, 2:], 1)
            room = np.minimum(depth[1:-1, 1:-1] / _FINE, 0.5)
            away = np.hypot(self._x - spot[0], self._y - spot[1])
            best = int((np.where(inside[1:-1, 1:-1], room - 0.08 * away, -9)).argmax())
            row, column = divmod(best, self.size[1])
            stands[self.codes[number]] = float(self._x[row, column]), float(self._y[row, column])
        return stands

    def place_names(self, stands: Mapping[str, Point]) -> dict[str, Point]:
        """Return where the name of each province is written: within it, beside what stands there,
        and near that."""
        names = dict[str, Point]()
        for _ in range(_NAMINGS):  # those placed first knew nothing of the later ones
            for number, code in enumerate(self.codes):
                names[code] = self._place_name(number, stands, names)
        return names

    def _place_name(
        self, number: int, stands: Mapping[str, Point], names: Mapping[str, Point]
    ) -> Point:
        """Return the best place for the name of a province, as far as others are placed."""
        sums = np.zeros((self.size[0] + 1, self.size[1] + 1), dtype=np.int64)
        sums[1:, 1:] = (self.grid == number).cumsum(0).cumsum(1)
        code = self.codes[number]
        spot = stands[code]
        units = [*stands.values(), *(at for place, at in self.units if "/" in place)]
        others = [at for other, at in names.items() if other != code]
        near = [at for at in units if math.dist(at, spot) < _NEAR]
        crowd = [at for at in others if math.dist(at, spot) < _NEAR]

        def cost(at: Point) -> float:
            left, top, right, bottom = self._pixels(at)
            inside = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
            share = inside / ((right - left) * (bottom - top))
            covered = sum(_cover(at, unit) for unit in near)
            crowded = sum(_overlap(at, other) for other in crowd)
            return 7 * (1 - float(share)) + 20 * covered + 60 * crowded + 0.6 * math.dist(at, spot)

        steps = [0.1 * step for step in range(-14, 15)]
        around = [(spot[0] + right, spot[1] + down) for right in steps for down in steps]
        return min(filter(self._holds, around), key=cost)

    def _pixels(self, at: Point) -> tuple[int, int, int, int]:
        """Return the left, top, right and bottom pixel of a name."""
        x, y = (at[0] - self.left) * _FINE, (at[1] - self.top) * _FINE
        wide, high = _NAME[0] * _FINE, _NAME[1] * _FINE
        return int(x - wide), int(y - high), int(x + wide) + 1, int(y + high) + 1

    def _holds(self, at: Point) -> bool:
        left, top, right, bottom = self._pixels(at)
        height, width = self.size
        return min(left, top, width - right, height - bottom) >= _RIM * _FINE

    def _finish(
        self,
        ring: list[tuple[int, int]],
        padded: Grid,
        arcs: dict[tuple[Point, ...], tuple[Point, ...]],
    ) -> list[Point]:
        """Return an outline in pixels as one of the map: its borders are smoothed one by one, and
        one that was met from the other side is taken from there."""
        corners = [at for at, point in enumerate(ring) if _count_around(padded, point) > 2]
        if not corners:
            corners = [ring.index(min(ring))]
        start = corners[0]
        turned = ring[start:] + ring[:start]
        cuts = [at - start for at in corners] + [len(turned)]
        finished = list[Point]()
        for at, to in pairwise(cuts):
            arc = tuple((*turned, turned[0])[at : to + 1])
            if arc[::-1] in arcs:
                found = arcs[arc[::-1]][::-1]
            elif arc in arcs:
                found = arcs[arc]
            else:
                found = arcs[arc] = tuple(self._smooth(arc))
            finished.extend(found[:-1])
        return finished

    def _smooth(self, arc: Sequence[tuple[int, int]]) -> list[Point]:
        height, width = self.size
        is_rim = all(x in (1, width + 1) or y in (1, height + 1) for x, y in arc)
        points = [(float(x), float(y)) for x, y in arc]
        if not is_rim:
            for _ in range(_SMOOTHING):
                points = _average(points)
        there = [(self.left + (x - 1) / _FINE, self.top + (y - 1) / _FINE) for x, y in points]
        bent = [self._bend(point) for point in there]
        return [(round(x, 2), round(y / _STRETCH, 2)) for x, y in _simplify(bent, _TOLERANCE)]

    def _bend(self, point: Point) -> Point:
        """Return a point moved a little, as its neighbours are; the rim stays straight."""
        x, y = point
        right, down = 0.0, 0.0
        for far, often in _WAVES:
            right += far * math.sin(often * (x + 1.7 * y) + 1.3) * math.cos(often * 1.1 * y + often)
            down += far * math.sin(often * (y - 1.3 * x) + 0.4) * math.cos(often * 0.9 * x + 2)
        height, width = self.size
        far_x, far_y = width / _FINE + self.left, height / _FINE + self.top
        x += right * min(1, 4 * max(0, min(x - self.left, far_x - x)))
        y += down * min(1, 4 * max(0, min(y - self.top, far_y - y)))
        return x, y


def _cut(size: tuple[int, int], down: int, right: int) -> tuple[slice, slice]:
    """Return the part of a grid that, moved so far, lies on the grid."""
    return (
        slice(max(0, -down), size[0] - max(0, down)),
        slice(max(0, -right), size[1] - max(0, right)),
    )


def _trace_rings(padded: Grid, number: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the outer outline of each part of a province, as corners of pixels, clockwise."""
    inside = padded == number
    edges = dict[tuple[int, int], list[tuple[int, int]]]()
    for row, column in np.argwhere(inside).tolist():
        for there, start, end in (
            ((row - 1, column), (column, row), (column + 1, row)),
            ((row, column + 1), (column + 1, row), (column + 1, row + 1)),
            ((row + 1, column), (column + 1, row + 1), (column, row + 1)),
            ((row, column - 1), (column, row + 1), (column, row)),
        ):
            if not inside[there]:
                edges.setdefault(start, []).append(end)
    while edges:
        start = min(edges)
        ring = [start]
        at, before = start, (start[0], start[1] + 1)
        while True:
            choices = edges[at]
            if len(choices) == 1:
                to = choices.pop()
            else:  # at a corner where two pixels meet: stay with the one that was followed
                step = at[0] - before[0], at[1] - before[1]
                right = at[0] - step[1], at[1] + step[0]
                to = right if right in choices else choices[0]
                choices.remove(to)
            if not choices:
                del edges[at]
            before, at = at, to
            if at == start:
                break
            ring.append(at)
        if _area(ring) > 0:
            yield ring


def _area(ring: Sequence[tuple[float, float]]) -> float:
    return sum(x * q - p * y for (x, y), (p, q) in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2


def _count_around(padded: Grid, corner: tuple[int, int]) -> int:
    x, y = corner
    return len({*padded[y - 1 : y + 1, x - 1 : x + 1].ravel().tolist()})


def _average(points: Sequence[Point]) -> list[Point]:
    """Return a line smoothed once; its ends stay."""
    if len(points) < 3:
        return [*points]
    inner = [
        ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
        for a, b, c in zip(points, points[1:], points[2:], strict=False)
    ]
    return [points[0], *inner, points[-1]]


def _simplify(points: Sequence[Point], tolerance: float) -> list[Point]:
    """Return a line with fewer points, none of which was farther away (Douglas and Peucker)."""
    if len(points) < 3:
        return [*points]
    start, end = points[0], points[-1]
    length = math.dist(start, end)

    def away(point: Point) -> float:
        if not length:
            return math.dist(point, start)
        across = (end[0] - start[0]) * (start[1] - point[1]) - (start[0] - point[0]) * (
            end[1] - start[1]
        )
        return abs(across) / length

    at = max(range(1, len(points) - 1), key=lambda n: away(points[n]))
    if away(points[at]) <= tolerance:
        return [start, end]
    return [*_simplify(points[: at + 1], tolerance)[:-1], *_simplify(points[at:], tolerance)]


def _cover(at: Point, unit: Point) -> float:
    """Return how far a name there would reach into what stands on a spot."""
    right = max(abs(at[0] - unit[0]) - _NAME[0], 0.0)
    down = max(abs(at[1] - unit[1]) - _NAME[1], 0.0)
    return max(0.0, _UNIT - math.hypot(right, down))


def _overlap(one: Point, other: Point) -> float:
    """Return how much of each other two names cover."""
    across = _APART[0] - abs(one[0] - other[0])
    down = _APART[1] - abs(one[1] - other[1])
    return max(0.0, min(across, down))


def _stretch(spot: Point) -> Point:
    return spot[0], _STRETCH * spot[1]


def _between(one: Point, other: Point, far: float) -> Point:
    """Return the point so far from one towards the other."""
    length = math.dist(one, other) or 1.0
    share = min(1.0, far / length)
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def list_neighbours(game_map: GameMap) -> Iterator[tuple[str, str]]:
    """Yield the pairs of provinces between which an army or a fleet can move."""
    for table in (game_map.armies, game_map.fleets):
        for place, near in table.items():
            for other in near:
                yield province_of(place), province_of(other)


def read_bridges(text: str) -> list[set[str]]:
    """Return the pairs of neighbours that need not touch."""
    return [{*line.split()[1:]} for line in text.splitlines() if line.startswith("bridge ")]


def read_points(text: str) -> Iterator[tuple[str, Point]]:
    """Yield further points of provinces, and under "-" those of land that nobody enters."""
    for line in text.splitlines():
        code, *numbers = line.partition("#")[0].split() or [""]
        if code == "bridge":
            continue
        values = [float(each) for each in numbers]
        for x, y in zip(values[::2], values[1::2], strict=True):
            yield code, (x, y)


def write_areas(
    text: str,
    outlines: Mapping[str, Iterable[Sequence[Point]]],
    spots: Mapping[str, Mapping[str, Point]],
) -> str:
    """Return the text of a map with these areas, and without those it had."""
    kept = re.sub(
        r"\n*(# The areas[^\n]*\n+)?((area|more|impassable|unit|name) [^\n]*\n)+", "\n", text
    )
    lines = [kept.rstrip("\n"), "", "# The areas, computed by tools/games/map_shapes.py.", ""]
    lines += [
        f"{word} {code} {round(x, 2):g} {round(y / _STRETCH, 2):g}"
        for word, places in spots.items()
        for code, (x, y) in sorted(places.items())
    ]
    for code, rings in sorted(outlines.items()):
        for ring in sorted(rings, key=_area, reverse=True)[: None if code == "-" else 1]:
            points = [f"{x:g} {y:g}" for x, y in ring]
            parts = [
                ", ".join(points[at : at + _PER_LINE]) for at in range(0, len(points), _PER_LINE)
            ]
            first = "impassable" if code == "-" else f"area {code}"
            lines.append(f"{first} {parts[0]}")
            lines.extend(f"more {part}" for part in parts[1:])
    return "\n".join(lines) + "\n"


def shape_map(path: Path, points: str = "") -> list[str]:
    """Write the areas of a map into its file, with further points; return what could not be brought
    about."""
    text = path.read_text()
    game_map = read_map(text, path.stem, find_file)
    shaping = Shaping(game_map, [*read_points(points)], read_bridges(points))
    faults = shaping.shape()
    stands = shaping.place_units()
    spots = {"unit": stands, "name": shaping.place_names(stands)}
    path.write_text(write_areas(text, shaping.trace(), spots))
    return faults


def main() -> None:
    """Write the areas of the map that is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("map", type=Path)
    parser.add_argument("--points", type=Path)
    given = parser.parse_args()
    points = given.points or Path(__file__).parent / "map_points" / f"{given.map.stem}.txt"
    for fault in shape_map(given.map, points.read_text() if points.exists() else ""):
        print(fault, file=sys.stderr)


if __name__ == "__main__":
    main()
