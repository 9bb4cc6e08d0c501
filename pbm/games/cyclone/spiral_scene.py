"""The scene of the empty board of Cyclone: paths that wind about the centre, each with its base at
the outer end."""

from __future__ import annotations

from functools import cache
from math import cos, hypot, pi, sin

from pbm.games.cyclone.paths import CENTRE, COLOURS, LETTERS, board_of
from pbm.rules.drawing.scene import Label, Place, Point, Region, Scene

_STEP, _APART = 1.25, 1.8
"""The distance of two spaces of a path, and of two neighbouring paths."""
_BASE = 1.1
"""The radius of a base."""


@cache
def spiral_scene(players: int, length: int) -> Scene:
    """The board for a number of players and a length of the paths."""
    graph = board_of(players, length).graph
    ways = _spiral(players, length)
    places: list[Place] = []
    labels: list[Label] = []
    regions: list[Region] = []
    for seat in range(players):
        turn = pi + 2 * pi * seat / players
        names = tuple(f"{LETTERS[seat]}{number}" for number in range(length + 1))
        for number, (name, (away, on)) in enumerate(zip(names, ways, strict=True)):
            shape = 0.5 if number else _BASE
            places.append(Place(name, shape, _at(turn + on, away), "space" if number else "home"))
            outside = _at(turn + on, away + (0.8 if number else _BASE + 0.5))
            labels.append(Label(name if number else COLOURS[seat], outside))
        regions.append(Region("path", COLOURS[seat], names))
    places.append(Place(CENTRE, 0.6, (0.0, 0.0), "goal"))
    lines = (
        (graph.names[space], graph.names[there])
        for space, near in enumerate(graph.neighbours)
        for there in near
        if there > space
    )
    return Scene(tuple(places), labels=tuple(labels), lines=tuple(lines), regions=tuple(regions))


def _spiral(players: int, length: int) -> list[tuple[float, float]]:
    """How far from the centre the spaces of a path are, the base first, and how far the path has
    turned there."""
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
    """The point that far from the centre in a direction."""
    return round(cos(turn) * away, 3), round(sin(turn) * away, 3)
