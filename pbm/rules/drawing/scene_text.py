"""Text pictures of scenes: the places of a board in lines and columns of characters, what stands on
them, the marks, and what stands beside the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from types import MappingProxyType

from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas, Picture
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    TAKEN,
    Entry,
    Label,
    Panel,
    Piece,
    Place,
    Point,
    Scene,
    turn,
)
from pbm.rules.drawing.sentences import name_owner
from pbm.rules.phrases import combine, join_phrases, make_phrase

_SEATS = "XO#%&@"
_STAR = "*"
_EMPTY: Mapping[str, str] = MappingProxyType(
    {"edge": "", "box": "", "dot": "+", "star": "+", "throne": "+", "corner": "*", "home": ":"}
)
_KNIGHTS: Mapping[tuple[int, int], Sequence[tuple[int, int, str]]] = {
    (4, 3): ((1, 1, "/"), (2, 1, "/"), (3, 2, "/")),
    (4, -3): ((1, -1, "\\"), (2, -1, "\\"), (3, -2, "\\")),
    (2, 6): ((1, 2, "."), (1, 3, "-"), (1, 4, "'"), (2, 5, "_")),
    (2, -6): ((1, -2, "."), (1, -3, "-"), (1, -4, "`"), (2, -5, "_")),
}
"""Lines of a knight's move: by how far the upper end lies above and to the right of the lower one,
the strokes (lines above it, columns to the right, sign)."""
_MOST_PAGES = 64

Spot = tuple[int, int]
"""A line and a column."""
Stroke = tuple[int, int, str]
"""A piece of a line: where it begins and its characters."""


@dataclass(frozen=True, slots=True, eq=False)
class TextLayout:
    """How a board is set in characters.

    across  columns to a unit of the scene; with more than two there is room for lines
    down    lines to a unit
    left    the column of the leftmost place; 0 for three blanks before the labels at the left
    gaps    columns from the outermost place of a line to the end of the label at its left, and to
            the beginning of the label at its right; 0 for `across`
    empty   signs of empty places by their shade, where they differ from those of most boards
    """

    across: int = 2
    down: float = 1
    left: int = 0
    gaps: tuple[int, int] = (2, 0)
    empty: Mapping[str, str] = field(default_factory=dict)


SQUARES = TextLayout()
CHEQUERS = TextLayout(empty={"dark": ":"})
"""Squares whose colours are seen where they are empty."""
NUMBERED = TextLayout(across=4, left=4)
"""Squares with room for the number that names each."""
HEXAGONS = TextLayout(down=2 / sqrt(3), left=7, gaps=(2, 3))
TRIANGLES = TextLayout(across=4, down=2 / sqrt(3), left=7, gaps=(3, 0))
POINTS = TextLayout(across=4, down=2, left=7, gaps=(3, 3))
"""Points with room for the lines that join them."""
EDGES = TextLayout(across=4, down=2, left=7)
"""Squares or dots with room for things between them."""


def sign_of(piece: Piece) -> str:
    """Return the sign of a piece of which nothing more is known: its label, or that of its seat."""
    return piece.label or (_SEATS[piece.seat] if piece.seat is not None else "*")


def draw_scene(
    scene: Scene,
    layout: TextLayout | None = None,
    sign: Callable[[Piece], str] = sign_of,
    *,
    is_turned: bool = False,
) -> Canvas:
    """Draw a board with its pieces; without a layout, one that suits its places is used.
    `is_turned` shows it from the other side. The places of the last move are in brackets, a star
    marks where something was taken, and dead pieces are in lower case."""
    if not scene.places:
        return Canvas()
    page = _find_page(scene, layout, is_turned=is_turned)
    canvas, spots = Canvas(page.lines, page.roles, page.texts), page.spots
    last, dead = dict[str, str](), set[str]()
    for mark in scene.marks:
        if mark.role == "last":
            last.update((name, page.empty[name]) for name in mark.places)
        elif mark.role == TAKEN:
            canvas.put(*spots[mark.places[0]], _STAR, LAST)
        elif mark.role == "dead":
            dead.update(mark.places)
        elif mark.role == "link":
            one, other = mark.places
            role = PLAIN if mark.seat is None else seat_role(mark.seat)
            for line, column, text in _join(spots[one], spots[other]):
                canvas.put(line, column, text, role)
    edges = page.edges
    for piece in scene.pieces:
        name, seat = piece.place, piece.seat
        role = PLAIN if seat is None else seat_role(seat)
        if name in edges:
            is_last = name in last
            for line, column, text in page.fill_edge(edges[name], piece, is_last=is_last):
                canvas.put(line, column, text, LAST if is_last else role)
            continue
        text = sign(piece)
        if name in dead:
            text = text.lower()
        if name in last:
            last[name] = text
            role = LAST if role == PLAIN else role
        canvas.put(*spots[name], text, role)
    for name, text in last.items():
        if name not in edges:
            page.bracket(canvas, name, text)
    return canvas


def draw_with_panels(
    scene: Scene, colours: Sequence[str], sign: Callable[[Piece], str], ending: str
) -> Picture:
    """Draw any scene: the board, a legend of the signs, the panels, and a line at the end."""
    canvas, signs = draw_scene(scene, sign=sign), dict[int, str]()
    for piece in scene.pieces:
        if piece.seat is not None:
            signs.setdefault(piece.seat, sign(piece))
    whose = [
        combine("{sign} {seat}", sign=text, seat=make_phrase(colours[seat]))
        for seat, text in sorted(signs.items())
    ]
    if scene.places:
        canvas.line()
    for text in (join_phrases("   ", whose), *list_panels(scene.panels, colours), ending):
        canvas.paragraph(text)
    return canvas.picture()


def list_panels(panels: Iterable[Panel], colours: Sequence[str]) -> Iterator[str]:
    """Yield the panels beside the board, an item for each."""
    for panel in panels:
        entries = [_write_entry(entry, is_counted=panel.is_counted) for entry in panel.entries]
        words, title = join_phrases(", ", entries), panel.title
        if panel.seat is not None and colours[panel.seat] not in title:
            seat = name_owner(colours[panel.seat], panel.seat)
            title = combine("{seat}, {title}", seat=seat, title=title)
        if words or title:
            yield combine("{title}: {words}", title=title, words=words or "-") if title else words


def _write_entry(entry: Entry, *, is_counted: bool) -> str:
    if not is_counted:
        return entry.text
    return combine("{text} {count}", text=entry.text, count=entry.count)


class _Page:
    """The drawing of an empty board, and where its places are."""

    keeps: object
    """The parts by whose identity it is known, which live as long as it does."""

    def __init__(self, scene: Scene, layout: TextLayout | None) -> None:
        self._layout = layout = layout or _choose_layout(scene)
        centres = [place.centre for place in scene.places if place.shade != "edge"]
        self._left = min(x for x, _ in centres)
        self._top, self._bottom = min(y for _, y in centres), max(y for _, y in centres)
        self._above, self._column = 0, 0
        self._above = -min((self._line_of(label.centre[1]) for label in scene.labels), default=0)
        self._column = layout.left or self._measure_margin(scene.labels)
        self.edges = {place.name: place for place in scene.places if place.shade == "edge"}
        self.spots = {place.name: self._find(place.centre) for place in scene.places}
        signs = {**_EMPTY, **layout.empty}
        self.empty = {place.name: signs.get(place.shade, ".") for place in scene.places}
        canvas = Canvas()
        for one, other in scene.lines if layout.across > 2 else ():
            for line, column, text in _join(self.spots[one], self.spots[other]):
                canvas.put(line, column, text)
        for name, spot in self.spots.items():
            canvas.put(*spot, self.empty[name])
        self._named = {label.text for label in scene.labels if label.text in self.spots}
        for label in scene.labels:
            canvas.put(*self._find_label(label), label.text, LABEL)
        drawn = canvas.picture()
        self.lines, self.roles = drawn.lines, [*map(dict, drawn.roles)]
        self.texts = drawn.texts

    def _line_of(self, y: float) -> int:
        """Return the line at that height; beyond the places a unit is one line."""
        inside = min(max(y, self._top), self._bottom)
        return self._above + round((inside - self._top) * self._layout.down) + round(y - inside)

    def _find(self, centre: Point) -> Spot:
        x, y = centre
        return self._line_of(y), self._column + round((x - self._left) * self._layout.across)

    def _measure_margin(self, labels: Iterable[Label]) -> int:
        """Return the column of the leftmost place after the longest label at the left."""
        texts = (label.text for label in labels if label.centre[0] < self._left)
        return 3 + max(map(len, texts), default=0) + self._layout.gaps[0]

    def _find_label(self, label: Label) -> Spot:
        """Return where a label begins: beside the place that it names, at an end of a line of
        places, or centred on its own spot."""
        if label.text in self.spots:
            line, column = self.spots[label.text]
            return line, column + 1
        (line, column), (left, right) = self._find(label.centre), self._layout.gaps
        across = self._layout.across
        beside = [to for at, to in self.spots.values() if at == line]
        nearest = min(beside, key=lambda to: abs(to - column), default=column)
        if nearest > column:
            return line, column + across - left - len(label.text)
        if nearest < column:
            return line, column - across + (right or across)
        return line, column - len(label.text) // 2

    def bracket(self, canvas: Canvas, name: str, text: str) -> None:
        """Put brackets around a place; a label beside it makes room."""
        line, column = self.spots[name]
        canvas.put(line, column - 1, "[", LAST)
        if text == self.empty[name]:
            canvas.put(line, column, text, LAST)
        beside = name if name in self._named else ""
        canvas.put(line, column + len(text), f"]{beside}", LAST)

    def fill_edge(self, edge: Place, piece: Piece, *, is_last: bool) -> Iterator[Stroke]:
        """Draw the thing on an edge, along its longer side."""
        points = piece.shape or edge.shape
        across, down = zip(*(points if isinstance(points, tuple) else ()), strict=True)
        wide, high = max(across) - min(across), max(down) - min(down)
        line, column = self.spots[edge.name]
        if wide > high:
            half = int(wide * self._layout.across) // 2
            yield line, column - half, "-="[is_last] * (2 * half + 1)
            return
        half = int(high * self._layout.down) // 2
        for along in range(line - half, line + half + 1):
            yield along, column, "|#"[is_last]


def _choose_layout(scene: Scene) -> TextLayout:
    shape = scene.places[0].shape
    corners = len(shape) if isinstance(shape, tuple) else 0
    if corners in (3, 6):
        return HEXAGONS if corners == 6 else TRIANGLES
    return EDGES if any(place.shade == "edge" for place in scene.places) else SQUARES


def _join(one: Spot, other: Spot) -> Iterator[Stroke]:
    """Draw a line between two places."""
    (line, column), (low, to) = sorted((one, other))
    if line == low:
        yield line, column + 1, "-" * (to - column - 1)
    elif column == to:
        yield from ((between, column, "|") for between in range(line + 1, low))
    elif strokes := _KNIGHTS.get((low - line, column - to)):
        yield from ((low - above, to + right, text) for above, right, text in strokes)
    else:
        yield (line + low) // 2, (column + to) // 2, "\\" if to > column else "/"


_pages: dict[tuple[int, int, int, TextLayout | None, bool], _Page] = {}
"""The pages of the boards drawn of late. Positions share the scene of their empty board, so its
parts are known by their identity: to compare them would take longer than to draw."""


def _find_page(scene: Scene, layout: TextLayout | None, *, is_turned: bool) -> _Page:
    key = id(scene.places), id(scene.labels), id(scene.lines), layout, is_turned
    page = _pages.get(key)
    if page is None:
        if len(_pages) >= _MOST_PAGES:
            _pages.clear()
        page = _pages[key] = _Page(turn(scene) if is_turned else scene, layout)
        page.keeps = scene.places, scene.labels, scene.lines
    return page
