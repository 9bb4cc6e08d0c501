"""A scene from the other side of the board, as the second player sees it."""

from __future__ import annotations

from dataclasses import replace

from pbm.rules.drawing.scene import Place, Point, Scene


def turn(scene: Scene) -> Scene:
    """Return the scene from the other side of the board."""

    def turn_shape(place: Place) -> tuple[Point, ...] | float:
        shape = place.shape
        return shape if isinstance(shape, (int, float)) else tuple(map(_opposite, shape))

    return replace(
        scene,
        places=tuple(
            replace(place, shape=turn_shape(place), centre=_opposite(place.centre))
            for place in scene.places
        ),
        pieces=tuple(
            replace(
                piece,
                shape=tuple(map(_opposite, piece.shape)),
                centre=piece.centre and _opposite(piece.centre),
            )
            for piece in scene.pieces
        ),
        marks=tuple(replace(mark, at=tuple(map(_opposite, mark.at))) for mark in scene.marks),
        labels=tuple(replace(label, centre=_opposite(label.centre)) for label in scene.labels),
        strokes=tuple(
            replace(stroke, points=tuple(map(_opposite, stroke.points))) for stroke in scene.strokes
        ),
    )


def _opposite(point: Point) -> Point:
    return -point[0], -point[1]
