"""The scene and the picture of a match of backgammon.

The picture is the board as it is printed everywhere: own home at the lower right, points numbered
from there, men stacked on them, with the cube and the score beside."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pbm.games.backgammon.men import BAR, OFF, count_at, pip_count, read_ways
from pbm.games.backgammon.state import (
    COLOURS,
    CRAWFORD,
    CUBE,
    DOUBLED,
    MIDDLE,
    OPENING,
    PLAY,
    SIGNS,
    MatchState,
    dice_text,
)
from pbm.rules import Picture
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Mark,
    Panel,
    Piece,
    Place,
    Point,
    Region,
    Scene,
    Stroke,
    remark,
    tally,
)
from pbm.rules.phrases import LoneName, combine, join_phrases, phrase

SIDE_COLUMN = 49
"""The column beside the board where text has room."""
TOP_LINES, MIDDLE_LINE, BOTTOM_LINES = 1, 7, 10
"""The rows of the texts beside it: the opponent, the game, the viewer."""
_LEFT, _QUARTER, _SHOWN = 2, 18, 5
_BAR_COLUMN = _LEFT + 1 + _QUARTER + 1
_BORDER = "+" + "-" * _QUARTER + "+---+" + "-" * _QUARTER + "+"


@cache
def _empty() -> Canvas:
    """Return the board without men."""
    canvas = Canvas()
    for row in (1, 13):
        canvas.put(row, _LEFT, _BORDER)
    for row in range(2, 13):
        for column in (_LEFT, _BAR_COLUMN - 1, _BAR_COLUMN + 3, _LEFT + len(_BORDER) - 1):
            canvas.put(row, column, "|")
    for point in range(1, 25):
        column = _column(point) - (point > 9)
        canvas.put(0 if point > 12 else 14, column, str(point), LABEL)
    canvas.put(MIDDLE_LINE, _BAR_COLUMN, "BAR", LABEL)
    return canvas


def draw_men(
    men: tuple[int, int], seat: int, signs: str, marked: Iterable[int], mover: int
) -> Canvas:
    """Draw the board as `seat` sees it, with the points `marked` to which `mover` (who counts them
    from its own side) has moved."""
    canvas = _empty().copy()
    mine = {(place if mover == seat else BAR - place) for place in marked if place}
    for owner in (seat, 1 - seat):
        for place in range(1, BAR):
            count = count_at(men[owner], place)
            if count:
                point = place if owner == seat else BAR - place
                _stack(canvas, point, count, signs[owner], owner, marked=point in mine)
        count = count_at(men[owner], BAR)
        if count:
            row = MIDDLE_LINE + 2 if owner == seat else MIDDLE_LINE - 2
            text = f"{count}{signs[owner]}" if count > 1 else f" {signs[owner]}"
            canvas.put(row, _BAR_COLUMN, text, seat_role(owner))
    return canvas


def _column(point: int) -> int:
    across = point - 13 if point > 12 else 12 - point
    return _LEFT + 2 + 3 * across + 5 * (across > 5)


def _stack(canvas: Canvas, point: int, count: int, sign: str, owner: int, *, marked: bool) -> None:
    """Draw the men on a point; if there are too many, the last is their number."""
    column = _column(point)
    shown = min(count, _SHOWN)
    for n in range(shown):
        row = 2 + n if point > 12 else 12 - n
        text, tip = sign, n == shown - 1
        if tip and count > _SHOWN:
            text = str(count)
        if tip and marked:
            canvas.put(row, column - 1 - (len(text) > 1), f"[{text}]", LAST)
        canvas.put(row, column - (len(text) > 1), text, seat_role(owner) if text == sign else PLAIN)


def draw_match(position: MatchState, seat: int) -> Picture:
    """Draw a position as that seat sees it."""
    mover, dice, text = position.last or (0, "", "")
    canvas = draw_men(position.men, seat, SIGNS, marked_places(position) - {OFF}, mover)
    for owner, row in ((1 - seat, TOP_LINES), (seat, BOTTOM_LINES)):
        men = position.men[owner]
        canvas.put(row, SIDE_COLUMN, SIGNS[owner], seat_role(owner))
        canvas.put(row, SIDE_COLUMN + 2, LoneName(position.seat_name(owner)), seat_role(owner))
        canvas.put(row + 1, SIDE_COLUMN + 2, phrase("pips {count}", count=pip_count(men)))
        canvas.put(row + 2, SIDE_COLUMN + 2, phrase("off {count}", count=count_at(men, OFF)))
        if position.points > 1:
            points = phrase("points {count}", count=position.score[owner])
            canvas.put(row + 3, SIDE_COLUMN + 2, points)
    if position.points > 1:
        canvas.put(MIDDLE_LINE - 1, SIDE_COLUMN, _describe_game(position))
        canvas.put(MIDDLE_LINE, SIDE_COLUMN, describe_cube(position))
    canvas.line()
    canvas.paragraph(describe_next(position), indent=2, width=76)
    if position.last:
        played = combine(
            "{colour} {dice} {play}",
            colour=position.seat_name(mover),
            dice=dice,
            play=text or phrase("could not move"),
        )
        last: str = phrase("last: {play}", play=played)
        if mover != seat:
            counts = phrase("(as {colour} counts)", colour=position.seat_name(mover))
            last = join_phrases("  ", (last, counts))
        canvas.paragraph(last, LABEL, indent=2, width=76)
    return canvas.picture()


def marked_places(position: MatchState) -> set[int]:
    """Return the places to which the last play led and those where it hit, as its player counts
    them."""
    ways, _ = read_ways(position.last[2] if position.last else "")
    return {place for way in ways for place in (way.places[-1], *way.hits)}


def describe_cube(position: MatchState) -> str:
    """Return the number on the cube and its owner."""
    if position.options["nocube"]:
        return phrase("no cube")
    if position.crawford == CRAWFORD:
        return phrase("no cube, Crawford game")
    owner, cube = position.owner, position.cube
    if owner == MIDDLE:
        return phrase("cube {cube}, in the middle", cube=cube)
    return phrase("cube {cube}, {colour}'s", cube=cube, colour=position.seat_name(owner))


def _describe_game(position: MatchState) -> str:
    """Return which game of a match it is."""
    return phrase("game {number} to {points} points", number=position.round, points=position.points)


def describe_next(position: MatchState) -> str:
    """Return what happens next."""
    if position.outcome:
        return phrase("over: {reason}", reason=position.outcome.reason)
    side = position.side
    colour, other = (position.seat_name(each) for each in (side, 1 - side))
    if position.phase == CUBE:
        return phrase("{colour} is to roll or double", colour=colour)
    if position.phase == DOUBLED:
        return phrase(
            "{colour} doubles to {cube}, {other} takes or drops",
            colour=colour,
            cube=2 * position.cube,
            other=other,
        )
    if position.phase == PLAY:
        return phrase("{colour} rolled {dice}", colour=colour, dice=dice_text(position.dice))
    if position.phase == OPENING:
        return phrase("both are to roll")
    return phrase("{colour} is to roll", colour=colour)


_DEEP, _HALF = 11.0, 5.5
"""The height of the board, and of what lies above and below its middle."""
_BAR_LEFT, _WIDE = 6.0, 13.0


def build_scene(position: MatchState, seat: int) -> Scene:
    """Return the scene of a position as that seat sees it."""
    empty, mover = empty_scene(seat), position.last[0] if position.last else 0
    last = sorted(marked_places(position), reverse=mover != seat)
    return Scene(
        empty.places,
        tuple(
            Piece(_name(seat, owner, place), "man", owner, count)
            for owner in (seat, 1 - seat)
            for place in range(OFF, BAR + 1)
            if (count := count_at(position.men[owner], place))
        ),
        tuple(Mark((_name(seat, mover, place),), "last") for place in last),
        (*empty.labels, *_cube_labels(position, seat)),
        _panels(position),
        regions=empty.regions,
        strokes=(*empty.strokes, *_cube_strokes(position, seat)),
        ground="case",
    )


def _cube_corner(position: MatchState, seat: int) -> Point:
    """Return the upper left corner of the cube as a seat sees it: on the bar, or in its owner's
    tray."""
    x, y = _BAR_LEFT + 0.1, _HALF - 0.4
    if position.owner != MIDDLE:
        x, y = _WIDE + 0.4, _HALF + (0.4 if position.owner == seat else -1.2)
    return x, y


def _has_cube(position: MatchState) -> bool:
    is_used = position.points > 1 and not position.options["nocube"]
    return is_used and position.crawford != CRAWFORD


def _cube_strokes(position: MatchState, seat: int) -> Iterable[Stroke]:
    if _has_cube(position):
        x, y = _cube_corner(position, seat)
        yield Stroke(((x, y), (round(x + 0.8, 3), round(y + 0.8, 3))), "cube")


def _cube_labels(position: MatchState, seat: int) -> Iterable[Label]:
    if _has_cube(position):
        x, y = _cube_corner(position, seat)
        shown = 64 if position.cube == 1 else position.cube
        yield Label(str(shown), (round(x + 0.4, 3), round(y + 0.4, 3)), "cube")


def _name(seat: int, owner: int, place: int) -> str:
    """Return the name of a place of `owner` as `seat` writes it."""
    if place in (OFF, BAR):
        name = "bar" if place else "off"
        return name if owner == seat else f"{COLOURS[owner]} {name}"
    return str(place if owner == seat else BAR - place)


def _panels(position: MatchState) -> tuple[Panel, ...]:
    panels = [tally(phrase("pips"), COLOURS, [pip_count(men) for men in position.men])]
    if position.points > 1:
        panels.append(tally(phrase("points"), COLOURS, position.score))
        panels += remark(_describe_game(position))
        panels += remark(describe_cube(position))
    if position.phase in (PLAY, DOUBLED) and not position.outcome:
        panels += remark(describe_next(position))
    if position.dice and not position.outcome:
        dice = tuple(Entry(str(pips), "die", position.side) for pips in position.dice)
        panels.append(Panel(phrase("dice"), dice, position.side))
    if position.last:
        mover, dice_shown, text = position.last
        colour = position.seat_name(mover)
        played: str = phrase("could not move")
        if text:
            counted = phrase("as {colour} counts", colour=colour)
            played = combine("{play}, {counted}", play=text, counted=counted)
        panels += remark(
            phrase(
                "last: {colour} rolled {dice}, {play}", colour=colour, dice=dice_shown, play=played
            )
        )
    return tuple(panels)


@cache
def empty_scene(seat: int) -> Scene:
    """Return the scene of the empty board, with points numbered for a seat: its home at the lower
    right."""
    points = [_point(number) for number in range(1, BAR)]
    own, other = COLOURS[seat], COLOURS[1 - seat]
    trays = [
        _box(_name(seat, owner, place), x, lower=owner == seat)
        for owner in (seat, 1 - seat)
        for place, x in ((BAR, _BAR_LEFT), (OFF, _WIDE + 0.3))
    ]
    labels = [
        Label(point.name, (point.centre[0], -0.5 if point.centre[1] < _HALF else _DEEP + 0.5))
        for point in points
    ]
    quarters = (f"{own} home", f"{own} outer", f"{other} outer", f"{other} home")
    regions = (
        Region("board", name, tuple(str(6 * quarter + n) for n in range(1, 7)))
        for quarter, name in enumerate(quarters)
    )
    frame = ((0.0, 0.0), (_WIDE, 0.0), (_WIDE, _DEEP), (0.0, _DEEP))
    return Scene(
        (*points, *trays),
        labels=tuple(labels),
        regions=tuple(regions),
        strokes=(Stroke(frame, "frame"),),
    )


def _point(number: int) -> Place:
    across = number - 13 if number > 12 else 12 - number
    x = float(across + (across > 5))
    base, tip, men = (0.0, 5.0, 0.5) if number > 12 else (_DEEP, _DEEP - 5, _DEEP - 0.5)
    shade = "dark" if number % 2 else "light"
    return Place(str(number), ((x, base), (x + 1, base), (x + 0.5, tip)), (x + 0.5, men), shade)


def _box(name: str, x: float, *, lower: bool) -> Place:
    """Return half of the bar, or the tray of the men borne off."""
    top = _HALF if lower else 0.0
    shape = ((x, top), (x + 1, top), (x + 1, top + _HALF), (x, top + _HALF))
    is_bar = x == _BAR_LEFT
    inner, outer = (_HALF + 0.7, _DEEP - 0.5) if lower else (_HALF - 0.7, 0.5)
    return Place(name, shape, (x + 0.5, inner if is_bar else outer), "bar" if is_bar else "tray")
