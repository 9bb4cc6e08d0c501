"""How pieces move: in words, and drawn as small diagrams in text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from textwrap import fill

from pbm.rules.chess.variants.men_tables import PAWN, VariantRules
from pbm.rules.chess.variants.moves_in_betza import LEAPS, BetzaWay, Step, read_betza
from pbm.rules.chess.variants.start import Equipment
from pbm.rules.phrases import Phrase, join_phrases, phrase

_ANY = 99
_COLUMNS = 78
_KINDS: dict[Step, Phrase] = {
    (0, 1): phrase("straight"),
    (1, 1): phrase("diagonally"),
    (1, 2): phrase("like a knight"),
    (0, 2): phrase("two straight"),
    (2, 2): phrase("two diagonally"),
    (0, 3): phrase("three straight"),
    (1, 3): phrase("three and one"),
    (2, 3): phrase("three and two"),
    (3, 3): phrase("three diagonally"),
}
_USUAL = ((0, 1), (1, 1), LEAPS["N"])
_KNIGHT = phrase("two straight and one to the side, leaping over men")
_AHEAD = {(-1, 2), (1, 2)}
"""The steps of shogi's knight."""
_LAME: dict[Step, Phrase] = {
    (0, 2): phrase("two straight"),
    (1, 2): phrase("one straight and one diagonally on"),
    (2, 2): phrase("two diagonally"),
    (1, 3): phrase("two straight and one diagonally on"),
    (2, 3): phrase("one straight and two diagonally on"),
}
_PER_ROW = 4
_GAP = 4


def describe_moves(rules: VariantRules, slot: str) -> str:
    """Return how a piece moves, in words."""
    if slot == PAWN:
        return phrase("one forward, captures one diagonally forward")
    if rules.betza(slot) == "N":
        return _KNIGHT
    has_knight = "knight" in rules.letters
    ways = _join_directions([*_join_ways(read_betza(rules.betza(slot)))])
    texts = [_describe(way, has_knight=has_knight) for way in ways]
    each = [text for text, _ in groupby(texts)]
    return join_phrases("; ", each) if each else phrase("does not move")


def _join_directions(ways: list[BetzaWay]) -> list[BetzaWay]:
    """Return the ways, those along rows and columns and those along diagonals as one where they
    are alike."""
    joined = list[BetzaWay]()
    for way in ways:
        before = joined[-1] if joined else way
        leaps = {_find_leap(before), _find_leap(way)}
        is_whole = len(before.steps) == len(way.steps) == 4
        if leaps == {(0, 1), (1, 1)} and is_whole and replace(way, steps=before.steps) == before:
            joined[-1] = replace(way, steps=(*before.steps, *way.steps))
        else:
            joined.append(way)
    return joined


def _join_ways(ways: tuple[BetzaWay, ...]) -> Iterator[BetzaWay]:
    """Yield the ways, those that move and those that capture alike as one."""
    for way in ways:
        if way.captures and not way.moves and replace(way, captures=False, moves=True) in ways:
            continue
        both = replace(way, captures=True)
        yield both if replace(both, moves=False) in ways else way


def _describe(way: BetzaWay, *, has_knight: bool) -> Phrase:
    if {*way.steps} == _AHEAD and way.reach == 1 and not way.lame:
        move = phrase("two straight forward and one to the side, leaping over men")
    else:
        move = _add_direction(_describe_distance(way, has_knight=has_knight), way)
    if way.hops == "g":
        move = phrase("{move}, over exactly one man to right behind it", move=move)
    elif way.hops:
        move = phrase("{move}, over exactly one man", move=move)
    if not way.lame and way.reach == 1 and _find_leap(way) not in _USUAL:
        move = phrase("{move}, leaping", move=move)
    if way.lame:
        move = phrase("{move}, not over a man", move=move)
    if way.first:
        move = phrase("{move}, as a first move", move=move)
    if not way.captures:
        return phrase("{move}, without capturing", move=move)
    return move if way.moves else phrase("captures {move}", move=move)


def _describe_distance(way: BetzaWay, *, has_knight: bool) -> Phrase:
    """Return the range of a way, and its lines. Where no man is a knight its move is explained."""
    leap = _find_leap(way)
    kind = (_LAME if way.lame else _KINDS)[leap]
    if {(0, 1), (1, 1)} <= {*way.steps}:
        kind = phrase("in any direction")
    elif kind is _KINDS[LEAPS["N"]] and way.reach == 1 and not has_knight:
        kind = _KNIGHT
    if way.reach == _ANY and not way.hops:
        if leap == LEAPS["N"]:
            return phrase("any distance along lines of knights' moves")
        return phrase("any distance {straight}", straight=kind)
    if way.reach > 1 and not way.hops:
        return phrase("up to {count} {straight}", count=way.reach, straight=kind)
    if leap in ((0, 1), (1, 1)) and not way.hops:
        return phrase("one {straight}", straight=kind)
    return kind


def _find_leap(way: BetzaWay) -> Step:
    """Return how far a step of a way goes: the shorter part first."""
    return min((min(abs(x), abs(y)), max(abs(x), abs(y))) for x, y in way.steps)


def _add_direction(move: Phrase, way: BetzaWay) -> Phrase:
    """Add the direction, unless it is all around."""
    ups = {y > 0 for _, y in way.steps if y}
    level = {x > 0 for x, y in way.steps if not y}
    rights = {x > 0 for x, _ in way.steps if x}
    if len(ups) == 2:
        if not rights:
            return phrase("{move} forward or backward", move=move)
        return move
    if not ups:
        return phrase("{move} sideways", move=move)
    move = (
        phrase("{move} forward", move=move) if True in ups else phrase("{move} backward", move=move)
    )
    if len(level) == 2:
        return phrase("{move} or sideways", move=move)
    if level:
        (is_right,) = level
        if is_right:
            return phrase("{move} or to the right", move=move)
        return phrase("{move} or to the left", move=move)
    if rights == {True}:
        return phrase("{move} to the right", move=move)
    if rights == {False}:
        return phrase("{move} to the left", move=move)
    return move


def draw_diagrams(equipment: Equipment, say: Callable[[str], str] = str) -> str:
    """Return a diagram of each piece but those that everybody knows, with words above them in the
    language of the page."""
    rules = equipment.rules
    drawn = [
        rows
        for slot in equipment.unfamiliar
        if (rows := _draw(read_betza(rules.betza(slot)), equipment.signs[slot][0]))
    ]
    if not drawn:
        return ""
    marks = phrase("o moves and captures, m only moves, x only captures; capitals go on.")
    head = phrase("DIAGRAMS")
    lines = [fill(f"{say(head)}. {say(marks)}", _COLUMNS)]
    lines.append(fill(say(phrase("h hops over a man; up is forward.")), _COLUMNS))
    for at in range(0, len(drawn), _PER_ROW):
        group = drawn[at : at + _PER_ROW]
        height = max(map(len, group))
        padded = [rows + [" " * len(rows[0])] * (height - len(rows)) for rows in group]
        lines.append("")
        lines += [
            "  " + (" " * _GAP).join(rows[line] for rows in padded).rstrip()
            for line in range(height)
        ]
    return "\n".join(lines)


def _draw(ways: tuple[BetzaWay, ...], sign: str) -> list[str]:
    """Return the rows of a diagram; the + of a promoted man stands in the gap before its letter."""
    marks = dict[Step, str]()
    for way in ways:
        for x, y in way.steps:
            mark = "o" if way.moves and way.captures else "m" if way.moves else "x"
            reach = 1 if way.reach == 1 else min(way.reach, 2)
            if way.hops:
                mark, reach = "h", 2
            elif way.reach > 1:
                mark = mark.upper()
            for number in range(1, reach + 1):
                place = (x * number, y * number)
                if max(map(abs, place)) <= 3:
                    marks[place] = _join(marks.get(place, ""), mark)
    if not marks:
        return []
    size = max(max(map(abs, place)) for place in marks)
    span = range(-size, size + 1)
    marks[0, 0] = sign
    lines = (" ".join(marks.get((x, y), ".") for x in span) for y in reversed(span))
    return [line.replace(" +", "+") for line in lines]


def _join(one: str, two: str) -> str:
    """Return the mark of a place that is reached in two ways."""
    if not one or one == two:
        return two
    both = {one.lower(), two.lower()}
    if both == {"m", "x"}:
        return "o"
    return max(one, two, key=lambda mark: (mark.lower() == "o", mark.isupper()))
