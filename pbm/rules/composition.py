"""Moves composed step by step: a click on a place or a button narrows the legal moves.

The steps of a move are the names of places in it, and what is left of it as buttons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

Steps = tuple[str, ...]
_BLANK = " -,/:"
"""Separates the parts of a move, and is no step."""
_CONNECTOR = re.compile(r"[^a-z0-9]*x?[^a-z0-9]*")
"""Joins two places in a move, and is no step."""


@dataclass(frozen=True, slots=True)
class Composition:
    """How far some steps have led.

    steps  those that were chosen and those that had to follow: there was no other
    next   the steps that can be chosen now
    move   the legal move that the steps compose; "" if there is none yet. Longer moves may begin
           with the same steps: these are in `next`
    """

    steps: Steps = ()
    next: Steps = ()
    move: str = ""


def step_finder(names: Iterable[str]) -> Callable[[str], Steps]:
    """Return a function that takes a move apart, for a board whose places have these names."""
    known = frozenset(names)
    words = {name for name in known if name.isalpha()}
    shapes = {re.sub("[0-9]", "0", re.sub("[a-z]", "a", name)) for name in known - words}
    forms = [
        *map(re.escape, sorted(words, key=len, reverse=True)),
        *(_form(shape) for shape in sorted(shapes, key=len, reverse=True)),
    ]
    pattern = re.compile("|".join(forms) or "(?!)")

    def find_steps(move: str) -> Steps:
        steps: list[str] = []
        end = 0
        for match in pattern.finditer(move):
            if match[0] in known:
                between = move[end : match.start()].strip(_BLANK)
                if between and not (steps and _CONNECTOR.fullmatch(between)):
                    steps.append(between)
                steps.append(match[0])
                end = match.end()
        rest = move[end:].strip(_BLANK)
        return (*steps, rest) if rest or not steps else tuple(steps)

    return find_steps


def _form(shape: str) -> str:
    """Return the pattern of names with letters and digits where the shape has `a` and `0`."""
    classes = {"a": "[a-z]", "0": "[0-9]"}
    return "".join(classes.get(char, re.escape(char)) for char in shape)


def compose_in_order(
    chosen: Sequence[str], candidates: Iterable[tuple[Sequence[str], str]]
) -> Composition:
    """Return the state after the chosen steps, when each move is composed in the order of its
    steps. `candidates` are the legal moves with their steps."""
    left, clicks = list(candidates), iter(chosen)
    steps: list[str] = []
    while left:
        done = next((move for way, move in left if len(way) == len(steps)), "")
        following = dict.fromkeys(way[len(steps)] for way, _ in left if len(way) > len(steps))
        if done and not following:
            return Composition(tuple(steps), (), done)
        if len(following) == 1 and not done:
            (step,) = following
        elif (step := next(clicks, "")) == "":
            return Composition(tuple(steps), tuple(following), done)
        left = [(way, move) for way, move in left if way[len(steps) : len(steps) + 1] == (step,)]
        steps.append(step)
    return Composition(tuple(steps))


def compose_in_any_order(
    chosen: Sequence[str], candidates: Iterable[tuple[Sequence[str], str]]
) -> Composition:
    """Return the same, when the steps of each move may be chosen in any order."""
    wanted = Counter(chosen)
    left = [
        (rest, move)
        for way, move in candidates
        if wanted <= (have := Counter(way))
        for rest in (have - wanted,)
    ]
    if not left:
        return Composition(tuple(chosen))
    forced = reduce(Counter.__and__, [rest for rest, _ in left])
    steps = (*chosen, *forced.elements())
    done = next((move for rest, move in left if rest == forced), "")
    return Composition(
        steps, tuple(dict.fromkeys(step for rest, _ in left for step in rest - forced)), done
    )
