"""The scene of the empty board of Cyclone: paths that wind about the centre, each with its base at
the outer end."""

from __future__ import annotations

from functools import cache
from math import cos, hypot, pi, sin

from pbm.games.cyclone.paths import CENTRE, COLOURS, LETTERS, board_of
from pbm.rules.drawing.scene import Label, Place, Point, Region, Scene, Stroke
from pbm.rules.phrases import SeatName

_STEP, _APART = 1.25, 1.8
"""The distance of two spaces of a path, and of two neighbouring paths."""
_BASE = 1.1
"""The radius of a base."""
_CORNERS = 48


@cache
def spiral_scene(players: int, length: int) -> Scene:
    """Return the board for a number of players and a length of the paths."""
    graph = board_of(players, length).graph
    ways = _spiral(players, length)
    places: list[Place] = []
    strokes: list[Stroke] = []
    labels: list[Label] = []
    regions: list[Region] = []
    for seat in range(players):
        turn = pi + 2 * pi * seat / players
        names = tuple(f"{LETTERS[seat]}{number}" for number in range(length + 1))
        for number, (name, (away, on)) in enumerate(zip(names, ways, strict=True)):
            shape = 0.5 if number else _BASE
            places.append(Place(name, shape, _at(turn + on, away), "space" if number else "home"))
            outside = _at(turn + on, away + (0.8 if number else _BASE + 0.5))
            labels.append(Label(name if number else SeatName(COLOURS[seat], seat), outside))
        regions.append(Region("path", COLOURS[seat], names))
        strokes.append(Stroke(_ring(places[-1 - length].centre, _BASE), "owner", seat))
    places.append(Place(CENTRE, 0.6, (0.0, 0.0), "goal"))
    lines = (
        (graph.names[space], graph.names[there])
        for space, near in enumerate(graph.neighbours)
        for there in near
        if there > space
    )
    return Scene(
        tuple(places),
        labels=tuple(labels),
        lines=tuple(lines),
        regions=tuple(regions),
        strokes=tuple(strokes),
        ground="deck",
    )


def _ring(centre: Point, radius: float) -> tuple[Point, ...]:
    """Return a circle as a polygon."""
    x, y = centre
    turns = (2 * pi * corner / _CORNERS for corner in range(_CORNERS))
    return tuple((round(x + radius * cos(t), 3), round(y + radius * sin(t), 3)) for t in turns)


def _spiral(players: int, length: int) -> list[tuple[float, float]]:
    """Return how far from the centre the spaces of a path are, the base first, and how far the path
    has turned there."""
    wider = players * _APART / (2 * pi)
    away, turned = _STEP, 0.0
    ways = [(away, turned)]
    for number in range(length):
        step = _STEP if number < length - 1 else _STEP / 2 + _BASE
        turn = step / hypot(away, wider)
        away, turned = away + wider * turn, turned + turn
        ways.append((away, turned))
    ways[-1] = away + _BASE / 2, turned
    return ways[::-1]


def _at(turn: float, away: float) -> Point:
    """Return the point that far from the centre in a direction."""
    return round(cos(turn) * away, 3), round(sin(turn) * away, 3)
