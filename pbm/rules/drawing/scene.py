"""What stands where on a board, with the geometry of its places: pictures, words and clicks are
made of this.

Units are cells, x grows to the right and y downwards. What belongs to a seat is numbered like the
roles `seat(n)` of a text picture: `position.colours[n]` is its name. A scene contains nothing that
its viewer may not see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules.phrases import Listing, LoneName, Phrase, SeatName

Point = tuple[float, float]
LAST, TAKEN, SLIDE = "last", "taken", "slide"
"""Roles of the marks of the last move."""
TURN = "turn "
"""The beginning of the role of a mark that shows which of several turns has ended there."""
HELD, BUILT, DISBANDED = "held", "built", "disbanded"
"""Roles of the marks on a unit that was ordered to stay, on a new one, and where one was
removed."""
STOOD_OFF = "stood off"
"""The role of the mark on an empty place that several units of equal strength were ordered to."""
LAND = "land"
"""The role of the mark on a place of a map that lies in the country of the mark's seat; words leave
it out."""
ORDERED = "order: "
"""The beginning of the role of a mark for an order given that a panel also names; it goes on with
"move", "support", "convoy", "hold", "build" or "disband"."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place on which something can stand, or which can be named in a move: a cell, a point, an
    edge, the stretch of a wall.

    name    as players type it, in lower case
    shape   the corners of a polygon, or the radius of a circle
    centre  where what stands on it is drawn
    shade   a role for its colour: "light", "dark", "point" (a crossing of lines), "star" (a marked
            one), "edge" (drawn only with something on it), "hole", "home", "goal", "river" ...
    """

    name: str
    shape: tuple[Point, ...] | float
    centre: Point
    shade: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that stands on a place.

    place   the name of the place
    kind    "disc", "stone", "man", "king", "wall", "ship", "hit", "fog" ...
    seat    the seat it belongs to; None for nobody's
    count   how many like it stand there
    height  its level in a stack, 0 being the lowest
    label   a short text that it shows: a letter, a number
    body    the same number on each place of one thing that covers several; 0 for others
    turned  how it points, in degrees clockwise from the top
    shape   its outline if it does not lie within its place
    centre  where it is drawn if not in the middle of its place
    """

    place: str
    kind: str
    seat: int | None = None
    count: int = 1
    height: int = 0
    label: str = ""
    body: int = 0
    turned: int = 0
    shape: tuple[Point, ...] = ()
    centre: Point | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on one place, between two, or from the first of three to the middle of the way between
    the others; its role is "last" (the last move), "taken" (something
    left the board there in the last move), "slide" (something was moved by it from the first place
    to the second), "check", "dead", "active" (the piece that may go on), "link" (joins two places)
    ... Of a map, one on a place is about whose that is, or about the unit there. It is drawn at the
    points `at` if not in the middle of its places."""

    places: tuple[str, ...]
    role: str
    seat: int | None = None
    at: tuple[Point, ...] = ()


def is_said(mark: Mark) -> bool:
    """Whether words name a mark: not if a panel does, or if it is only a colour."""
    return mark.role != LAND and not mark.role.startswith(ORDERED)


def is_of_place(mark: Mark) -> bool:
    """Whether a mark of a map shows the owner of a place, not something about a unit."""
    is_of_unit = mark.role in (HELD, BUILT, DISBANDED) or mark.role.startswith(ORDERED)
    return len(mark.places) == 1 and mark.seat is not None and not is_of_unit


@dataclass(frozen=True, slots=True)
class Label:
    """A coordinate or another text at the border of the board; `role` is "cube" for the number of
    a doubling cube, "centre" for the name of a supply centre."""

    text: str
    centre: Point
    role: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line drawn on the board that cannot be chosen: its points, its role ("border" for a side of
    the board that belongs to a seat, "owner" for the outline of a part that does, "impassable" for
    land that nobody enters, "wall", "river", "grid"), whose it is, and the place of the tile on
    which it is drawn, if it is."""

    points: tuple[Point, ...]
    role: str
    seat: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a panel.

    text   as players read it
    kind   the kind of the piece or counter it stands for, if any
    seat   whose it is
    count  how many
    name   the word that the seat on the move types for it, which makes it a step of a move
    short  how a picture writes it, where `text` is too long for one; "-" for not at all
    """

    text: str
    kind: str = ""
    seat: int | None = None
    count: int = 1
    name: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands beside the board: a hand, a supply, a score, dice; without title, a remark. It
    `counts` its entries where their numbers are told even if each is one."""

    title: str
    entries: tuple[Entry, ...]
    seat: int | None = None
    counts: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether its entries are told with their numbers."""
        return self.counts or any(entry.count != 1 for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Region:
    """Places that players think of together: ("row", "4", ...), ("column", "d", ...), ("ring", "2",
    ...)."""

    kind: str
    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A board as a viewer sees it: its places; the pieces, in the order of places, those of a stack
    from below; the marks; the labels at the border; the panels beside the board; the pairs of
    places that the board joins by a line, where it is a graph; the regions; the strokes. `style` is
    how its field draws the men: "chess", "shogi", "xiangqi"; "" if their kinds say it. `ground` is
    what the board is made of: "felt", "rack", "sea", "void", "map" ...; "" for the usual wood."""

    places: tuple[Place, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    labels: tuple[Label, ...] = ()
    panels: tuple[Panel, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    regions: tuple[Region, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    style: str = ""
    ground: str = ""

    def number_turns(self, turns: Sequence[Scene]) -> Scene:
        """Return the scene with a number where each of several turns has ended: `turns` are scenes
        of the same board, in each of which one turn is marked as the last."""
        occupied = {piece.place for piece in self.pieces}
        numbers: dict[str, list[str]] = {}
        for number, turn in enumerate(turns, 1):
            places = [place for mark in turn.marks if mark.role == LAST for place in mark.places]
            ends = [place for place in places if place in occupied] or places
            if ends:
                numbers.setdefault(ends[-1], []).append(str(number))
        marks = (Mark((place,), TURN + " ".join(each)) for place, each in numbers.items())
        return replace(self, marks=(*self.marks, *marks))


Kinds = Mapping[str, tuple[str, int | None]]
"""For each sign of a board the kind of its piece and its seat; places with other signs are
empty."""


def both_sides(kind: str) -> Kinds:
    """Return the kinds of a board whose signs X and O are such pieces of seat 0 and seat 1."""
    return {"X": (kind, 0), "O": (kind, 1)}


STONE_KINDS: Kinds = both_sides("stone")
CROSSES: Kinds = {"X": ("cross", 0), "O": ("nought", 1)}


def pieces_on(
    names: Sequence[str], board: Sequence[str], kinds: Kinds = STONE_KINDS
) -> tuple[Piece, ...]:
    """Return the pieces of a board with one sign for each of its cells, whose names are `names`."""
    return tuple(
        Piece(name, *kinds[sign]) for name, sign in zip(names, board, strict=True) if sign in kinds
    )


def marks_on(names: Sequence[str], cells: Iterable[int], role: str = "last") -> tuple[Mark, ...]:
    """Return a mark on each of the cells, in their order."""
    return tuple(Mark((names[cell],), role) for cell in sorted(cells))


def tally(title: str, names: Sequence[str], counts: Sequence[int], kind: str = "") -> Panel:
    """Return a panel with a number for each seat, whose colours are `names`."""
    pairs = enumerate(zip(names, counts, strict=True))
    entries = (Entry(LoneName(name), kind, seat, count) for seat, (name, count) in pairs)
    return Panel(title, tuple(entries), counts=True)


def counters(title: str, names: Iterable[str], counts: Iterable[int]) -> Panel:
    """Return a panel with numbers that belong to no seat; names without a number are left out."""
    entries = (Entry(name, count=n) for name, n in zip(names, counts, strict=False))
    return Panel(title, tuple(entries), counts=True)


def shifted(scene: Scene, right: float, down: float, prefix: str) -> Scene:
    """Return an empty scene moved by these distances, with a prefix before the names of places and
    regions, to be put beside others."""

    def there(point: Point) -> Point:
        return point[0] + right, point[1] + down

    return replace(
        scene,
        places=tuple(
            replace(
                place,
                name=prefix + place.name,
                shape=place.shape
                if isinstance(place.shape, float)
                else tuple(map(there, place.shape)),
                centre=there(place.centre),
            )
            for place in scene.places
        ),
        labels=tuple(replace(label, centre=there(label.centre)) for label in scene.labels),
        lines=tuple((prefix + one, prefix + other) for one, other in scene.lines),
        regions=tuple(
            Region(one.kind, prefix + one.name, tuple(prefix + name for name in one.places))
            for one in scene.regions
        ),
        strokes=tuple(
            replace(stroke, points=tuple(map(there, stroke.points))) for stroke in scene.strokes
        ),
    )


def join_scenes(scenes: Sequence[Scene]) -> Scene:
    """Return empty scenes that stand beside each other as one."""
    return Scene(
        tuple(place for scene in scenes for place in scene.places),
        labels=tuple(label for scene in scenes for label in scene.labels),
        lines=tuple(line for scene in scenes for line in scene.lines),
        regions=tuple(region for scene in scenes for region in scene.regions),
        strokes=tuple(stroke for scene in scenes for stroke in scene.strokes),
    )


def remark(text: str) -> tuple[Panel, ...]:
    """Return a panel of one sentence; none if it is empty."""
    return (Panel("", (Entry(text),)),) if text else ()


def find_told(news: Iterable[str]) -> set[str]:
    """Return the names in sentences of the news: the values with which they are filled in."""
    told = set[str]()
    for text in news:
        if isinstance(text, Listing):
            told |= find_told(text.items)
        elif isinstance(text, Phrase) and text.values:
            told |= find_told(value for value in text.values.values() if isinstance(value, str))
        elif not isinstance(text, SeatName):  # a place may have the name of its owner
            told.add(str(text))
    return told


def mark_told(scene: Scene, news: Sequence[str]) -> Scene:
    """Return the scene with the places named in the news also marked: as "taken" if they are empty
    now."""
    told = find_told(news) if news else set[str]()
    if not told:
        return scene
    marked = {mark.places[0] for mark in scene.marks if len(mark.places) == 1}
    occupied = {piece.place for piece in scene.pieces}
    more = tuple(
        Mark((place.name,), LAST if place.name in occupied else TAKEN)
        for place in scene.places
        if place.name in told and place.name not in marked
    )
    return replace(scene, marks=scene.marks + more)


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
