"""Moves that a line describes: by their place, as in `top right corner`, `the middle`, `3-4` or
`column 3`, and by the piece that goes there, as in `cannon to the middle`; and a move at random."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from random import SystemRandom

from pbm.core.intents import Known, find_named
from pbm.locale import LANGUAGES
from pbm.locale.intents import find_meanings, split_words
from pbm.rules import Position
from pbm.rules.phrases import drop_marks

_Point = tuple[float, float]
_ANCHORS = ("middle", "corner", "star", "column")
_SIDES = ("upper", "lower", "left-side", "right-side")
_BESIDE = ("put", "move", "play", "want", "piece", "square", "my", "i", "please", "towards")
"""What else may be said."""
_FROM_THE_SIDES = re.compile(r"\b([1-9])-([1-9])\b")
_NUMBER = re.compile(r"\d+")
_MOST_TRIED, _MOST_STEPS, _MOST_SHOWN, _MOST_WORDS = 500, 40, 8, 18
_SHORT = 3
"""Letters of a word that changes nothing."""
_PATH = 2
"""Places by which a move is named without its piece."""
_NEAR = 0.3
"""Of the distance between two places that are neighbours."""
_LARGE = 13
"""Lines of a go board whose marked points are the 4-4 points."""


def find_described(
    position: Position, seat: int, line: str, known: Known, *, reads: Callable[[str], bool]
) -> list[str]:
    """Return the moves that a line describes, as they are shown where `reads` says that they can be
    written so; none for a line that describes nothing or many, or has other words."""
    if position.takes_orders:
        return []
    found = _find_named_places(position, seat, line, known)
    for language in LANGUAGES if not found and "?" not in line else ():
        said = _read(line, language, known)
        if "random" in said:
            return [turn] if reads(turn := _choose_turn(position, seat)) else []
        found = found or (_find_at_place(position, seat, line, known, said) if said else [])
    if len(found) > _MOST_SHOWN:
        return []
    shown = [(move, drop_marks(position.describe(seat, move, seat))) for move in found]
    return [text if reads(text) else move for move, text in shown]


def _find_named_places(position: Position, seat: int, line: str, known: Known) -> list[str]:
    """Return the one move that a line names by its places: of a piece, to the last place, such as
    `the queen goes to h5`, or by all places in order; none where there are several."""
    kinds, places = find_named(line, known)
    if len(places) < (1 if kinds else _PATH):
        return []
    scene = position.scene(seat)
    begins = {each.place for each in scene.pieces if each.kind in kinds and each.seat == seat}
    names = {each.name for each in scene.places}
    of_piece, on_path = list[str](), list[str]()
    for move in islice(position.legal_moves(seat), _MOST_TRIED):
        steps = position.steps(seat, move)
        if steps[0] in begins and places[-1] in steps[1:] and set(places) <= set(steps):
            of_piece.append(move)
        if [step for step in steps if step in names] == places:
            on_path.append(move)
    found = of_piece or on_path
    return found if len(found) == 1 else []


def _read(line: str, language: str, known: Known) -> frozenset[str]:
    """Return what a line says of a place; nothing where it has other words."""
    words = split_words(line)
    if len(words) > _MOST_WORDS:
        return frozenset()
    found = find_meanings(words, language)
    said = {name for name in ("random", *_ANCHORS, *_SIDES) if name in found}
    if _FROM_THE_SIDES.search(line):
        said.add("distance")
    meant = {at for name in {*said, *_BESIDE} for places in found.get(name, ()) for at in places}
    kinds, _ = find_named(line, known)
    is_whole = all(
        at in meant or word.isdecimal() or len(word) <= _SHORT or find_named(word, known)[0]
        for at, word in enumerate(words)
    )
    return frozenset(said) if is_whole and not (kinds and "random" in said) else frozenset()


def _find_at_place(
    position: Position, seat: int, line: str, known: Known, said: frozenset[str]
) -> list[str]:
    """Return the moves to where a line says; those of a piece, if it names one. The line may say
    only a direction where the seat has one piece."""
    kinds, _ = find_named(line, known)
    scene = position.scene(seat)
    cells = [each for each in scene.places if each.shade != "edge"] or scene.places
    turned = -1 if position.turns_board and seat == 1 else 1
    points = {each.name: (turned * each.centre[0], turned * each.centre[1]) for each in cells}
    own = {each.place for each in scene.pieces if each.seat == seat and each.place in points}
    if kinds:
        own = {each.place for each in scene.pieces if each.place in own and each.kind in kinds}
    board, ends = _Board(points), dict[str, tuple[_Point, _Point]]()
    for move in islice(position.legal_moves(seat), _MOST_TRIED):
        steps = position.steps(seat, move)
        if steps and steps[-1] in points and (not kinds or steps[0] in own):
            ends[move] = points.get(steps[0], points[steps[-1]]), points[steps[-1]]
    sides = said.intersection(_SIDES)
    if sides != said:
        fits = board.build_test(line, said)
    elif len(own) == 1:
        fits = board.build_step_test(points[min(own)], said)
    else:
        fits = board.build_test(line, said | {"edge"})
    found = [move for move, (_, end) in ends.items() if fits(end)]
    if not found and kinds and sides:  # the left one, to the middle
        is_there, is_that = (board.build_test(line, each) for each in (said - sides, sides))
        found = [move for move, (start, end) in ends.items() if is_there(end) and is_that(start)]
    if not found and "middle" in said:  # of the sides, where pieces fall
        said = said - sides - {"middle"} | {"middle column"}
        is_there, is_that = (board.build_test(line, each) for each in (said, sides))
        found = [
            move
            for move, (start, end) in ends.items()
            if is_there(end) and (is_that(start) or not kinds)
        ]
    return found


class _Board:
    """The places of a board as they lie before a reader: in columns from the left, in rows from
    above."""

    def __init__(self, points: Mapping[str, _Point]) -> None:
        self._columns, self._rows = (
            sorted({round(point[axis], 3) for point in points.values()}) for axis in (0, 1)
        )

    def build_test(self, line: str, said: frozenset[str]) -> Callable[[_Point], bool]:
        """Return what tells whether a place is where a line says."""
        number, distances = _NUMBER.search(line), _FROM_THE_SIDES.search(line)
        star = 4 if len(self._columns) >= _LARGE else 3

        def fits(point: _Point) -> bool:
            column, across, down, lines = self._locate(point)
            last, lowest = len(self._columns) / 2 - 0.5, len(self._rows) / 2 - 0.5
            edges = {
                "upper": down == -lowest,
                "lower": down == lowest,
                "left-side": across == -last,
                "right-side": across == last,
            }
            tests = {
                "edge": all(edges[each] for each in said.intersection(edges)),
                "middle column": abs(across) < _NEAR,
                "middle": abs(across) < _NEAR and abs(down) < _NEAR,
                "corner": lines == [1, 1] or not said.isdisjoint(("star", "distance")),
                "star": lines == [star, star],
                "column": number is not None and column == int(number[0]),
                "upper": down < -_NEAR,
                "lower": down > _NEAR,
                "left-side": across < -_NEAR,
                "right-side": across > _NEAR,
                "distance": distances is not None and lines == sorted(map(int, distances.groups())),
            }
            return all(tests[each] for each in said)

        return fits

    def build_step_test(self, start: _Point, said: frozenset[str]) -> Callable[[_Point], bool]:
        """Return what tells whether a place is beside the start, on the sides that a line says."""
        column, row = self._locate(start)[1:3]
        wanted = (
            ("right-side" in said) - ("left-side" in said),
            ("lower" in said) - ("upper" in said),
        )

        def fits(point: _Point) -> bool:
            _, across, down, _ = self._locate(point)
            return (across - column, down - row) == wanted

        return fits

    def _locate(self, point: _Point) -> tuple[int, float, float, list[int]]:
        """Return the column of a place, from 1; how far it is from the middle, to the right and
        down; and on which lines from the sides it lies, the lower number first."""
        column, row = self._columns.index(round(point[0], 3)), self._rows.index(round(point[1], 3))
        last, lowest = len(self._columns) - 1, len(self._rows) - 1
        lines = sorted((1 + min(column, last - column), 1 + min(row, lowest - row)))
        return column + 1, column - last / 2, row - lowest / 2, lines


def _choose_turn(position: Position, seat: int) -> str:
    """Return moves by chance, as many as a turn or a fleet takes."""
    dice, moves = SystemRandom(), list[str]()
    while seat in position.to_move and len(moves) < _MOST_STEPS:
        move = dice.choice(position.legal_moves(seat))
        moves.append(drop_marks(position.describe(seat, move, seat)))
        position = position.play(seat, move)
    return " ".join(moves)
