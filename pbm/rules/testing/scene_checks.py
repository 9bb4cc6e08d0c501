"""The conformance suite: scenes, and moves composed by steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import isfinite

from pbm.rules.drawing.scene import Point, Scene
from pbm.rules.game import Position
from pbm.rules.testing.nonconforming import require
from pbm.rules.testing.topics import SCENE, STEPS

_LONGEST_STEP = 30
_COMPARED = 300
"""The number of moves of a long list whose steps are compared."""


def check_scene(position: Position, viewer: int | None, last: Sequence[str]) -> None:
    """Check that the scene of a viewer shows something, and is consistent."""
    scene = position.scene(viewer, last)
    require(scene.places or scene.panels, "a scene shows something", SCENE)
    names = [place.name for place in scene.places]
    require(len(set(names)) == len(names), "places have different names", SCENE)
    for name in names:
        require(name and name == name.lower() and _is_plain(name), f"{name!r} names a place", SCENE)
    for place in scene.places:
        is_outline = isinstance(place.shape, tuple) and len(place.shape) >= 3
        is_circle = not isinstance(place.shape, tuple) and place.shape > 0
        require(is_outline or is_circle, f"{place.name} has a shape", SCENE)
    for point in _points(scene):
        require(all(map(isfinite, point)), f"{point} is a point", SCENE)
    known = frozenset(names)
    for what in _named(scene):
        require(what in known, f"{what!r} is a place of the scene", SCENE)
    _check_contents(position, scene)


def _check_contents(position: Position, scene: Scene) -> None:
    for piece in scene.pieces:
        require(piece.kind, f"the piece on {piece.place} has a kind", SCENE)
        require(piece.count > 0 and piece.height >= 0, f"{piece} is counted", SCENE)
        require(_is_plain(piece.label), f"{piece.label!r} is plain ASCII", SCENE)
    for mark in scene.marks:
        require(1 <= len(mark.places) <= 3 and mark.role, f"{mark} is on one place to three", SCENE)
    entries = [entry for panel in scene.panels for entry in panel.entries]
    for text in chain((one.text for one in scene.labels), (one.text for one in entries)):
        require(text and _is_plain(text), f"{text!r} is plain ASCII", SCENE)
    seats = chain(
        (piece.seat for piece in scene.pieces),
        (stroke.seat for stroke in scene.strokes),
        (panel.seat for panel in scene.panels),
        (entry.seat for entry in entries),
    )
    allowed = (None, *range(len(position.colours)))
    require(set(seats) <= set(allowed), "what belongs to a seat belongs to one there is", SCENE)


def _is_plain(text: str) -> bool:
    return text.isascii() and (text.isprintable() or not text)


def _points(scene: Scene) -> Iterator[Point]:
    for place in scene.places:
        yield place.centre
        yield from place.shape if isinstance(place.shape, tuple) else ((place.shape, 0),)
    for piece in scene.pieces:
        yield from piece.shape
        yield from () if piece.centre is None else (piece.centre,)
    for label in scene.labels:
        yield label.centre
    for stroke in scene.strokes:
        require(stroke.points, "a stroke has points", SCENE)
        yield from stroke.points


def _named(scene: Scene) -> Iterator[str]:
    """Yield the names of places that other parts of a scene refer to."""
    yield from (piece.place for piece in scene.pieces)
    for group in chain((mark.places for mark in scene.marks), scene.lines):
        yield from group
    for region in scene.regions:
        require(region.places and region.kind and region.name, f"{region} is named", SCENE)
        yield from region.places


def check_steps(position: Position, seat: int, moves: Sequence[str], some: Sequence[str]) -> None:
    """Check that the legal moves of a seat differ in their steps, and that `some` of them can be
    composed."""
    scene, owners = position.scene(seat), dict[tuple[str, ...], str]()
    shown = {place.name for place in scene.places}
    shown |= {entry.name for panel in scene.panels for entry in panel.entries}
    for move in moves if len(moves) <= _COMPARED else some:
        steps = position.steps(seat, move)
        require(steps and all(steps), f"{move!r} has steps", STEPS)
        require(
            owners.setdefault(steps, move) == move, f"{move!r} and {owners[steps]!r} differ", STEPS
        )
        for step in steps:
            require(_is_plain(step) and len(step) <= _LONGEST_STEP, f"{step!r} is a step", STEPS)
            is_named = step in shown or not any(map(str.isdigit, step))
            require(is_named, f"{step!r} is a place or in a panel", STEPS)
    for move in some:
        _check_composing(position, seat, move)


def _check_composing(position: Position, seat: int, move: str) -> None:
    steps = position.steps(seat, move)
    chosen: list[str] = []
    made = position.compose(seat)
    while made.move != move:
        left = Counter(steps) - Counter(made.steps)
        able = [step for step in steps if left[step] and step in made.next]
        require(able, f"{move!r} can be composed after {made.steps}", STEPS)
        in_order = steps[len(made.steps) :][:1]
        chosen += in_order if in_order and in_order[0] in able else able[:1]
        made = position.compose(seat, chosen)
    require(Counter(made.steps) == Counter(steps), f"{move!r} is composed of its steps", STEPS)
    require(len(chosen) <= len(steps), f"{move!r} takes a click for each step at most", STEPS)
