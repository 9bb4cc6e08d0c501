"""Puts the pictures of boards together from parts that were drawn before: the empty board, what
stands on a place with its marks, and the panels. resvg takes some 60 ms for a whole board, parts
take two.

A part is kept by what it shows, and all have the same colours, those of the style sheet. So a
picture is a function of its scene, whatever was drawn before it."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from typing import TYPE_CHECKING, TypeAlias

from pbm.pictures.png import MOST_BYTES, SHARPEST, make_png, render
from pbm.rules.drawing.scene import Mark, Piece, Point, Scene, Stroke, is_of_place
from pbm.rules.drawing.svg.board_surface import SOFT
from pbm.rules.drawing.svg.draw import draw_svg, draw_things, face, lay_out
from pbm.rules.drawing.svg.layout import Layout, reach_of
from pbm.rules.drawing.svg.style_sheet import list_colours

if TYPE_CHECKING:
    from PIL.Image import Image

_QUALITIES = (
    *((2.0, 3), (1.5, 3), (1.25, 3), (1.25, 4), (1.0, 3), (1.0, 4)),
    *((0.875, 3), (0.875, 4), (0.875, 6)),
)
"""Dots for each pixel, and how hard zlib tries: at 6 it takes twice as long as all the rest. The
first with few enough dots and bytes is kept in mind for a board."""
_EVEN = 8
"""Parts begin and end at such pixels, so that they do at whole dots: resvg would stretch others."""
_MOST_DOTS = 500_000
"""How many dots zlib compresses in two milliseconds."""
_MOST_NAMED = 128
"""How many places a map of areas may have, times the dots of a pixel: most of its bytes are names
and borders."""
_SHARPEST_MAP = 1.4
"""Dots for each pixel of a map that is drawn as a whole, with which most are small enough at
once."""
_HARD = "crispEdges"
"""How the edges of areas of a map are drawn, so that land in the colour of its holder leaves no
seams where it is put between others, and the picture has a sixth fewer bytes."""
_MOST_BOARDS = 30
_MOST_PARTS = 600
"""Parts that are kept of a board; those that were used longest ago are dropped."""
_MOST_NEW = 16
"""Parts that are drawn for one picture. Where more are missing the board is drawn as a whole, and
these are there for the next time."""
_OVERLAP = 16
"""Where the panels begin, in pixels above the end of the board: they reach up to it."""
_MARGIN = 0.9
"""How far what stands on a place may reach beyond it, in cells."""
_STEPS = (3, 4, 3)
"""Shades of red, green and blue in which edges are drawn, besides the colours of the style."""
_NOTHING, _HALF = 255, 128
"""The number of the colour through which the page of a mail is seen, light or dark, and how opaque
the edge of a letter is that is not seen through."""
_NO_COLOUR = (254, 0, 254)
"""What nothing is drawn in."""
_SIZE = re.compile(r'viewBox="0 0 [^"]*" width="([^"]*)" height="([^"]*)"')

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Thing:
    """What is drawn in one piece: with which pieces, marks and lines of tiles, and on which
    places; without the board below it if it `is_alone`."""

    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...]
    places: tuple[str, ...]
    strokes: tuple[Stroke, ...] = ()
    is_alone: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A drawn part: where, and which dots of it differ from the empty board."""

    at: tuple[int, int]
    image: Image
    mask: Image | None = None


@dataclass(slots=True)
class _Ground:
    """An empty board, with the parts that were drawn on it."""

    scene: Scene
    colours: tuple[str, ...]
    layout: Layout
    below: int
    width: float
    scale: float
    image: Image
    parts: OrderedDict[Hashable, _Part] = field(default_factory=OrderedDict)


@dataclass(slots=True)
class _Board:
    """An empty board as it was drawn, by the dots for each pixel; None where it was seen once and
    not drawn yet: some are never seen again. `size` is how many pixels it has; `fitting` is which
    of the qualities has been small enough, by the most bytes."""

    scene: Scene
    colours: tuple[str, ...]
    size: float
    grounds: dict[float, _Ground | None] = field(default_factory=dict)
    fitting: dict[int, int] = field(default_factory=dict)

    def find_ground(self, scale: float) -> _Ground | None:
        """Return the ground, which is drawn when it is wanted for the second time."""
        if scale not in self.grounds:
            self.grounds[scale] = None
        elif self.grounds[scale] is None:
            self.grounds[scale] = _draw_ground(self.scene, self.colours, scale)
        return self.grounds[scale]


_BOARDS: OrderedDict[Hashable, _Board] = OrderedDict()


@lru_cache(maxsize=8)
def draw_board_png(
    scene: Scene, colours: tuple[str, ...], *, is_turned: bool, most: int = MOST_BYTES
) -> tuple[bytes, float]:
    """Return a board on a light ground as PNG of at most `most` bytes, as `make_png` does, and how
    wide it is on a phone; once for the mails to all who see the same."""
    faced = face(scene, is_turned=is_turned)
    board = _find_board(_strip(faced), colours)
    is_map = faced.ground == "map"
    sharpest = _MOST_DOTS / board.size
    if is_map:
        sharpest = min(sharpest, _MOST_NAMED / len(faced.places))
    for number in range(board.fitting.get(most, 0), len(_QUALITIES)):
        scale, effort = _QUALITIES[number]
        if scale * scale > sharpest:
            continue
        ground = board.find_ground(scale)
        picture = _put_together(ground, faced, effort) if ground is not None else b""
        if ground is None or not picture:
            break
        if len(picture) <= most:
            board.fitting[most] = number
            return picture, ground.width
    else:
        board.fitting[most] = len(_QUALITIES) - 1
    svg = draw_svg(scene, colours, dark=False, has_sheet=False, is_turned=is_turned)
    coarser = _SHARPEST_MAP if is_map else SHARPEST
    return make_png(svg, most, sharpest=coarser), float(_find_size(svg)[0])


def forget_all() -> None:
    """Forget all that was drawn."""
    _BOARDS.clear()
    draw_board_png.cache_clear()


def _put_together(ground: _Ground, scene: Scene, effort: int) -> bytes:
    """Return a picture made of parts; nothing where too many are missing."""
    new, drawn = 0, list[_Part]()
    for thing in _list_things(scene):
        part = ground.parts.get(thing)
        if part is None:
            new += not thing.is_alone
            if new > _MOST_NEW:
                continue
            draw = _draw_alone if thing.is_alone else _draw_thing
            part = ground.parts[thing] = draw(ground, thing)
        ground.parts.move_to_end(thing)
        drawn.append(part)
    panels = _find_panels(ground, scene)
    while len(ground.parts) > _MOST_PARTS:
        ground.parts.popitem(last=False)
    return b"" if new > _MOST_NEW else _paste(ground, drawn, panels, effort)


def _paste(ground: _Ground, drawn: Iterable[_Part], panels: _Part | None, effort: int) -> bytes:
    image = ground.image.copy()
    if panels is not None:
        image = image.crop((0, 0, image.width, panels.at[1] + panels.image.height))
        image.paste(panels.image, panels.at)
    for part in drawn:
        image.paste(part.image, part.at, part.mask)
    file = BytesIO()
    image.save(file, "PNG", compress_level=effort, transparency=_NOTHING)
    return file.getvalue()


def _strip(scene: Scene) -> Scene:
    """Return the board of a scene without what stands on it."""
    strokes = tuple(stroke for stroke in scene.strokes if not stroke.place)
    return replace(scene, pieces=(), marks=(), panels=(), strokes=strokes)


def _find_board(empty: Scene, colours: tuple[str, ...]) -> _Board:
    """Return what was drawn of an empty board."""
    key = empty, colours
    board = _BOARDS.pop(key, None)
    if board is None:
        _, width, height = lay_out(empty)
        board = _Board(*key, width * height)
    _BOARDS[key] = board
    if len(_BOARDS) > _MOST_BOARDS:
        _BOARDS.popitem(last=False)
    return board


def _draw_ground(scene: Scene, colours: tuple[str, ...], scale: float) -> _Ground:
    layout, width, below = lay_out(scene)
    height = float(_find_size(draw_svg(scene, colours, dark=False, is_faced=True))[1])
    image = _draw(scene, colours, scale, (0, 0, _round_up(width), _round_up(height)))
    image = image.crop((0, 0, round(width * scale), round(height * scale)))
    return _Ground(scene, colours, layout, _round_down(below - _OVERLAP), width, scale, image)


def _list_things(scene: Scene) -> Iterator[_Thing]:
    """Yield what is on a board, from below. What stands on a map of areas is drawn alone: it would
    else be another part on the land of each holder."""
    single, several = dict[str, list[Mark]](), list[Mark]()
    is_map = scene.ground == "map"
    for mark in scene.marks:
        if is_map and is_of_place(mark):
            yield _Thing((), (mark,), mark.places)
        elif len(mark.places) == 1:
            single.setdefault(mark.places[0], []).append(mark)
        else:
            several.append(mark)
    stacks, bodies = dict[str, list[Piece]](), dict[int, list[Piece]]()
    for piece in scene.pieces:
        if piece.body:
            bodies.setdefault(piece.body, []).append(piece)
        else:
            stacks.setdefault(piece.place, []).append(piece)
    lines = dict[str, list[Stroke]]()
    for stroke in scene.strokes:
        if stroke.place:
            lines.setdefault(stroke.place, []).append(stroke)
    for mark in several:
        if mark.role == "link":
            yield _Thing((), (mark,), mark.places)
    things = list[_Thing]()
    for body in bodies.values():
        places = tuple(piece.place for piece in body)
        things.append(_Thing(tuple(body), _take(single, places), places))
    yield from sorted(things, key=lambda thing: any(m.role == "last" for m in thing.marks))
    for place, stack in stacks.items():
        below = tuple(lines.get(place, ()))
        yield _Thing(tuple(stack), _take(single, (place,)), (place,), below, is_map)
    for place, marks in single.items():
        yield _Thing((), tuple(marks), (place,), (), is_map)
    for mark in several:
        if mark.role != "link":
            ends = (piece for place in mark.places for piece in stacks.get(place, ()))
            strokes = (stroke for place in mark.places for stroke in lines.get(place, ()))
            if is_map:
                yield _Thing((), (mark,), mark.places, (), is_map)
            else:
                yield _Thing(tuple(ends), (mark,), mark.places, tuple(strokes))


def _take(marks: dict[str, list[Mark]], places: Sequence[str]) -> tuple[Mark, ...]:
    """Return the marks of places, which are then left out."""
    return tuple(mark for place in places for mark in marks.pop(place, ()))


def _draw_thing(ground: _Ground, thing: _Thing) -> _Part:
    from PIL import ImageChops

    scene = ground.scene
    strokes = (*scene.strokes, *thing.strokes)
    shown = replace(scene, pieces=thing.pieces, marks=thing.marks, strokes=strokes)
    points = [point for name in thing.places for point in reach_of(ground.layout.places[name])]
    box = _find_box(ground, points)
    image = _draw(shown, ground.colours, ground.scale, box)
    left, top = (int(side * ground.scale) for side in box[:2])
    # Below the board stand the panels, over which nothing of a part is laid.
    right, end = (
        min(at + size, most)
        for at, size, most in zip((left, top), image.size, ground.image.size, strict=True)
    )
    image = image.crop((0, 0, right - left, end - top))
    empty = ground.image.crop((left, top, right, end))
    plain = [each.point(range(256), "L") for each in (image, empty)]
    differs = ImageChops.difference(*plain).point([0] + [255] * 255)
    seen = differs.getbbox() or (0, 0, 1, 1)
    at = left + seen[0], top + seen[1]
    return _Part(at, image.crop(seen), differs.crop(seen).convert("1"))


def _draw_alone(ground: _Ground, thing: _Thing) -> _Part:
    """Return what stands on a map, between whose dots the land is seen."""
    points = [at for mark in thing.marks for at in mark.at]
    points += [ground.layout.places[name].centre for name in thing.places]
    points += [piece.centre for piece in thing.pieces if piece.centre]
    box = _find_box(ground, points)
    svg = draw_things(ground.layout, thing.pieces, thing.marks, ground.colours, box)
    image = _reduce(svg, ground.scale, _build_palette(ground.scene.ground, ground.colours))
    left, top = (int(side * ground.scale) for side in box[:2])
    mask = image.point([255] * _NOTHING + [0], "1")
    seen = mask.getbbox() or (0, 0, 1, 1)
    return _Part((left + seen[0], top + seen[1]), image.crop(seen), mask.crop(seen))


def _find_box(ground: _Ground, points: Iterable[Point]) -> Box:
    """Return the part of the picture in which something at these points is, in pixels."""
    layout = ground.layout
    points = [
        layout.at((x + side * _MARGIN, y + side * _MARGIN)) for x, y in points for side in (-1, 1)
    ]
    columns, rows = [x for x, _ in points], [y for _, y in points]
    return (
        max(0, _round_down(min(columns))),
        max(0, _round_down(min(rows))),
        _round_up(max(columns)),
        _round_up(max(rows)),
    )


def _round_down(pixel: float) -> int:
    return floor(pixel / _EVEN) * _EVEN


def _round_up(pixel: float) -> int:
    return ceil(pixel / _EVEN) * _EVEN


def _find_panels(ground: _Ground, scene: Scene) -> _Part | None:
    """Return what stands below the board; None for nothing."""
    if not scene.panels:
        return None
    part = ground.parts.get(scene.panels)
    if part is None:
        shown = replace(ground.scene, panels=scene.panels)
        height = float(_find_size(draw_svg(shown, ground.colours, dark=False, is_faced=True))[1])
        box = (0, ground.below, _round_up(ground.width), _round_up(height))
        image = _draw(shown, ground.colours, ground.scale, box)
        part = ground.parts[scene.panels] = _Part((0, int(ground.below * ground.scale)), image)
    ground.parts.move_to_end(scene.panels)
    return part


def _draw(scene: Scene, colours: tuple[str, ...], scale: float, box: Box) -> Image:
    """Return a part of the picture of a scene in the colours of all pictures."""
    svg = draw_svg(scene, colours, dark=False, has_sheet=False, is_faced=True)
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    size = f'viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'
    svg = _SIZE.sub(size, svg, count=1)
    svg = svg.replace(SOFT, _HARD, 1)
    return _reduce(svg, scale, _build_palette(scene.ground, colours))


def _reduce(svg: str, scale: float, palette: Image) -> Image:
    """Return a drawing in the colours of all pictures."""
    from PIL import Image

    with Image.open(BytesIO(render(svg, scale))) as drawn:
        is_seen_through = drawn.getchannel("A").point([255] * _HALF + [0] * _HALF)
        flat = drawn.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
        flat.paste(_NOTHING, mask=is_seen_through)
    return flat


@lru_cache(maxsize=_MOST_BOARDS)
def _build_palette(ground: str, colours: tuple[str, ...]) -> Image:
    """Return the colours of all pictures on a ground: those of the style sheet, and between them
    enough for edges."""
    from PIL import Image

    flat = list_colours(ground, colours)
    reds, greens, blues = ([255 * n // (most - 1) for n in range(most)] for most in _STEPS)
    cube = [(r, g, b) for r in reds for g in greens for b in blues]
    known = list(dict.fromkeys([*flat, *cube]))[:_NOTHING]
    known += known[:1] * (_NOTHING - len(known))
    known.append(_NO_COLOUR)
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in known for part in colour])
    return image


def _find_size(svg: str) -> tuple[str, str]:
    found = _SIZE.search(svg)
    return (found[1], found[2]) if found else ("1", "1")
