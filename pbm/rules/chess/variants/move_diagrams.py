"""How pieces move: in words, and drawn as small diagrams in text."""

from __future__ import annotations

from itertools import groupby

from pbm.rules.chess.variants.equipment import Equipment
from pbm.rules.chess.variants.moves_in_betza import LEAPS, Step, Way, read_betza
from pbm.rules.chess.variants.rule_set import PAWN, VariantRules
from pbm.rules.typed import listing

_ANY = 99
_KINDS: dict[Step, str] = {
    (0, 1): "straight",
    (1, 1): "aslant",
    (1, 2): "like a knight",
    (0, 2): "two straight, leaping",
    (2, 2): "two aslant, leaping",
    (0, 3): "three straight, leaping",
    (1, 3): "three and one, leaping",
    (2, 3): "three and two, leaping",
    (3, 3): "three aslant, leaping",
}
_PER_ROW = 4
_GAP = 4


def describe_moves(rules: VariantRules, slot: str) -> str:
    """Return how a piece moves, in words."""
    if slot == PAWN:
        return "one forward, captures one aslant forward"
    texts = [_describe(way) for way in read_betza(rules.betza(slot))]
    return "; ".join(text for text, _ in groupby(texts)) or "does not move"


def _describe(way: Way) -> str:
    """Return one way of moving."""
    leap = min(tuple(sorted((abs(x), abs(y)))) for x, y in way.steps)
    kind = _KINDS[(leap[0], leap[1])]
    if way.reach == _ANY and not way.hops:
        distance = "any distance "
        kind = "along lines of knights' moves" if leap == LEAPS["N"] else kind
    elif way.reach > 1 and not way.hops:
        distance = f"up to {way.reach} "
    else:
        distance = "one " if leap in ((0, 1), (1, 1)) and not way.hops else ""
    text = distance + kind
    if way.hops:
        text += ", over exactly one man" + (" to right behind it" if way.hops == "g" else "")
    if way.lame:
        text += " unless blocked"
    if direction := _find_direction(way):
        text += f" {direction}"
    if way.first:
        text += ", as a first move"
    if not way.captures:
        return f"{text}, without capturing"
    return text if way.moves else f"captures {text}"


def _find_direction(way: Way) -> str:
    """Say where to, unless all around."""
    parts = []
    ups = [y > 0 for _, y in way.steps if y]
    if any(ups) and not all(ups):
        pass
    elif ups:
        parts.append("forward" if ups[0] else "backward")
    if any(not y for _, y in way.steps) and ups and len(set(ups)) == 1:
        parts.append("sideways")
    if not ups:
        parts.append("sideways")
    if ups and len(set(ups)) == 2 and all(not x for x, _ in way.steps):
        parts.append("forward and backward")
    return listing(parts)


def draw_diagrams(equipment: Equipment, left_out: set[str]) -> str:
    """Return a diagram of each piece but those that everybody knows."""
    rules = equipment.rules
    drawn = [
        (letter, _draw(read_betza(rules.betza(slot)), letter))
        for letter, slot in rules.slots.items()
        if slot not in left_out or (slot == "king" and rules.king_moves)
    ]
    drawn = [(letter, rows) for letter, rows in drawn if rows]
    if not drawn:
        return ""
    lines = ["DIAGRAMS. o moves and captures, m only moves, x only captures; capitals go on."]
    lines.append("h hops over a man; up is forward.")
    for at in range(0, len(drawn), _PER_ROW):
        group = [rows for _, rows in drawn[at : at + _PER_ROW]]
        height = max(map(len, group))
        padded = [rows + [" " * len(rows[0])] * (height - len(rows)) for rows in group]
        lines.append("")
        lines += [
            "  " + (" " * _GAP).join(rows[line] for rows in padded).rstrip()
            for line in range(height)
        ]
    return "\n".join(lines)


def _draw(ways: tuple[Way, ...], letter: str) -> list[str]:
    """Return the rows of a diagram."""
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
    return [
        " ".join(letter if (x, y) == (0, 0) else marks.get((x, y), ".") for x in span)
        for y in reversed(span)
    ]


def _join(one: str, two: str) -> str:
    """Return the mark of a place that is reached in two ways."""
    if not one or one == two:
        return two
    both = {one.lower(), two.lower()}
    if both == {"m", "x"}:
        return "o"
    return max(one, two, key=lambda mark: (mark.lower() == "o", mark.isupper()))
