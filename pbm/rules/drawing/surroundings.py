"""Describes one place of a board, or one line of places, with the surroundings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import atan2, dist, tau

from pbm.rules.drawing.scene import Place, Region, Scene
from pbm.rules.drawing.sentences import ROLES, describe_stack, join_two
from pbm.rules.phrases import Phrase, Sentence, combine, join_phrases, phrase

_SYNONYMS = {"file": "column", "col": "column", "rank": "row"}
_FILLING = ("place", "point", "square", "cell", "field", "house")
_MOST_WORDS = 3
"""The most words in the name of a place or a region."""
UNNAMED = ("", "light", "dark", "point", "star", "edge", "hole", "house", "sun")
"""Shades that only colour a place and have no meaning."""


def find_places(scene: Scene, words: Sequence[str]) -> list[Place | Region] | None:
    """Return the places and regions that words such as `d4`, `point 13` or `row 4` name; None if
    one word has no meaning on this board."""
    places = {place.name: place for place in scene.places}
    regions = {(region.kind, region.name): region for region in scene.regions}
    found: list[Place | Region] = []
    left = [word.lower() for word in words]
    while left:
        kind = _SYNONYMS.get(left[0], left[0])
        here = {name: region for (of, name), region in regions.items() if of == kind}
        names: Mapping[str, Place | Region] = here or places
        rest = left[1:] if here or left[0] in _FILLING else left
        ends = (end for end in range(_MOST_WORDS, 0, -1) if " ".join(rest[:end]) in names)
        if (end := next(ends, 0)) == 0:
            return None
        found.append(names[" ".join(rest[:end])])
        left = rest[end:]
    return found


def describe_surroundings(
    scene: Scene, colours: Sequence[str], which: Place | Region
) -> tuple[str, ...]:
    """Return sentences about a place and those around it, or about the places of a region in
    order."""
    if isinstance(which, Region):
        contents = ((name, _describe_content(scene, colours, name)) for name in which.places)
        runs = [
            (content, [name for name, _ in run])
            for content, run in groupby(contents, lambda pair: pair[1])
        ]
        items = [
            _join(join_two(names[0], names[-1]), content)
            if len(names) > 2
            else join_phrases(", ", [_join(name, content) for name in names])
            for content, names in runs
        ]
        line = combine("{kind} {name}", kind=Phrase(which.kind), name=which.name)
        return (_say_of(line, items),)
    here: list[str] = [which.name]
    if which.shade not in UNNAMED:
        here.append(Phrase(which.shade))
    marks = [mark.role for mark in scene.marks if mark.places == (which.name,)]
    what = [
        _describe_content(scene, colours, which.name),
        *(ROLES.get(role, role) for role in marks if role != "last"),
    ]
    first = _say_of(join_phrases(", ", here), what)
    around = [
        _join(place.name, _describe_content(scene, colours, place.name))
        for place in find_neighbours(scene, which)
    ]
    if not around:
        return (first,)
    listed = join_phrases(", ", around)
    return first, phrase("Around it, clockwise from the top: {places}.", places=listed)


def _say_of(what: str, items: Sequence[str]) -> str:
    return Sentence(combine("{what}: {items}.", what=what, items=join_phrases(", ", items)))


def _join(name: str, content: str) -> str:
    """Return a place with its piece; two numbers do not follow each other."""
    if content[0].isdigit():
        return phrase("{place} has {pieces}", place=name, pieces=content)
    return combine("{place} {pieces}", place=name, pieces=content)


def _describe_content(scene: Scene, colours: Sequence[str], name: str) -> str:
    pieces = [piece for piece in scene.pieces if piece.place == name]
    return describe_stack(pieces, colours) if pieces else phrase("empty")


def find_neighbours(scene: Scene, place: Place) -> list[Place]:
    """Return the places around one, clockwise from the top: those joined to it by a line, else
    those that share a side or a corner with it, else the nearest."""
    others = [other for other in scene.places if other is not place]
    joined = {name for line in scene.lines if place.name in line for name in line}
    beside = [other for other in others if other.name in joined]
    if not joined and not isinstance(place.shape, float):
        corners = {(round(x, 3), round(y, 3)) for x, y in place.shape}
        beside = [
            other
            for other in others
            if not isinstance(other.shape, float)
            and any((round(x, 3), round(y, 3)) in corners for x, y in other.shape)
        ]
    if not beside and others:
        nearest = min(dist(place.centre, other.centre) for other in others)
        beside = [o for o in others if dist(place.centre, o.centre) < nearest * 1.1]
    x, y = place.centre
    return sorted(beside, key=lambda other: atan2(other.centre[0] - x, y - other.centre[1]) % tau)
