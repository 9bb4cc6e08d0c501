"""The scene of the empty board of Cyclone: paths that meet in the centre, each with its base at the
outer end."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

from pbm.games.cyclone.paths import CENTRE, COLOURS, LETTERS, board_of
from pbm.rules.drawing.scene import Label, Place, Point, Region, Scene

_WIDE, _BASE = 1.2, 1.1
"""The distance of two spaces, and the radius of a base."""


@cache
def star_scene(players: int, length: int) -> Scene:
    """The board for a number of players and a length of the paths."""
    graph = board_of(players, length).graph
    far = (length + 1) * _WIDE + _BASE - 0.5
    places: list[Place] = []
    labels: list[Label] = []
    regions: list[Region] = []
    for seat in range(players):
        turn = pi + 2 * pi * seat / players
        for number in range(length + 1):
            name = f"{LETTERS[seat]}{number}"
            away = (length + 1 - number) * _WIDE if number else far
            shape = 0.5 if number else _BASE
            places.append(Place(name, shape, _at(turn, away), "" if number else "home"))
            if number:
                labels.append(Label(name, _at(turn, away, 0.75)))
        labels.append(Label(COLOURS[seat], _at(turn, far + _BASE + 0.5)))
        names = tuple(f"{LETTERS[seat]}{number}" for number in range(length + 1))
        regions.append(Region("path", COLOURS[seat], names))
    places.append(Place(CENTRE, 0.6, (0.0, 0.0), "goal"))
    lines = (
        (graph.names[space], graph.names[there])
        for space, near in enumerate(graph.neighbours)
        for there in near
        if there > space
    )
    return Scene(tuple(places), labels=tuple(labels), lines=tuple(lines), regions=tuple(regions))


def _at(turn: float, away: float, beside: float = 0) -> Point:
    """The point that far from the centre in a direction, and that far beside the path."""
    x, y = cos(turn), sin(turn)
    return round(x * away - y * beside, 3), round(y * away + x * beside, 3)
