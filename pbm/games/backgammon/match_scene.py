"""The scene of a match of backgammon: the board as one of the players counts its points, the cube,
the score, the dice."""

from __future__ import annotations

from functools import cache

from pbm.games.backgammon.match_state import MatchState
from pbm.games.backgammon.match_view import describe_cube, describe_next, marked_places
from pbm.games.backgammon.men import BAR, OFF, count_at, pip_count
from pbm.games.backgammon.vocabulary import COLOURS, DOUBLED, PLAY
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Mark,
    Panel,
    Piece,
    Place,
    Region,
    Scene,
    Stroke,
    remark,
    tally,
)

_DEEP, _HALF = 11.0, 5.5
"""The height of the board, and of what lies above and below its middle."""
_BAR_LEFT, _WIDE = 6.0, 13.0


def build_scene(position: MatchState, seat: int) -> Scene:
    """The scene of a position as that seat sees it."""
    empty, mover = empty_scene(seat), position.last[0] if position.last else 0
    last = sorted(place if mover == seat else BAR - place for place in marked_places(position))
    return Scene(
        empty.places,
        tuple(
            Piece(_name(seat, owner, place), "man", owner, count)
            for owner in (seat, 1 - seat)
            for place in range(OFF, BAR + 1)
            if (count := count_at(position.men[owner], place))
        ),
        tuple(Mark((str(point),), "last") for point in last),
        empty.labels,
        _panels(position),
        regions=empty.regions,
        strokes=empty.strokes,
    )


def _name(seat: int, owner: int, place: int) -> str:
    """The name of a place of `owner` as `seat` writes it."""
    if place in (OFF, BAR):
        name = "bar" if place else "off"
        return name if owner == seat else f"{COLOURS[owner]} {name}"
    return str(place if owner == seat else BAR - place)


def _panels(position: MatchState) -> tuple[Panel, ...]:
    panels = [tally("pips", COLOURS, [pip_count(men) for men in position.men])]
    if position.points > 1:
        panels.append(tally("points", COLOURS, position.score))
        panels += remark(f"game {position.round} to {position.points} points")
        panels += remark(describe_cube(position))
    if position.phase in (PLAY, DOUBLED) and not position.outcome:
        panels += remark(describe_next(position))
    if position.dice and not position.outcome:
        dice = tuple(Entry(str(pips), "die", position.side) for pips in position.dice)
        panels.append(Panel("dice", dice, position.side))
    if position.last:
        mover, dice_shown, text = position.last
        played = f"{text}, as {COLOURS[mover]} counts" if text else "could not move"
        panels += remark(f"last: {COLOURS[mover]} rolled {dice_shown}, {played}")
    return tuple(panels)


@cache
def empty_scene(seat: int) -> Scene:
    """The scene of the empty board, with points numbered for a seat: its home at the lower
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
    """Half of the bar, or the tray of the men borne off."""
    top = _HALF if lower else 0.0
    shape = ((x, top), (x + 1, top), (x + 1, top + _HALF), (x, top + _HALF))
    is_bar = x == _BAR_LEFT
    inner, outer = (_HALF + 0.7, _DEEP - 0.5) if lower else (_HALF - 0.7, 0.5)
    return Place(name, shape, (x + 0.5, inner if is_bar else outer), "bar" if is_bar else "tray")
