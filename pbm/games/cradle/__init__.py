"""Cradle: stack pieces of four triangles until the other player cannot.

Rules: docs/rules/cradle.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbm.games.cradle.cradle_solver import get_solver, is_solved
from pbm.games.cradle.cradle_tables import SHAPES, filter_allowed, find_tables, name_stack_state
from pbm.rules import (
    NOBODY,
    SEAT_TO_MOVE,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Option,
    OptionError,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
)
from pbm.rules.boards.triangles import TriangleBoard
from pbm.rules.composition import Composition, compose_in_any_order
from pbm.rules.drawing.scene import Panel, Piece, Scene, counters, marks_on
from pbm.rules.drawing.sentences import describe_pieces, join_runs
from pbm.rules.drawing.triangle_scene import triangle_scene
from pbm.rules.families.stacking import Placements, find_fitting
from pbm.rules.help_page import read_help
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import Phrase, combine, join_phrases, make_phrase, pack, phrase, unpack
from pbm.rules.solutions import Puzzle, Solution, read_puzzles
from pbm.rules.typed import listing, quoted

TRIANGLE = 2
SEATS = ("first", "second", "third")


_OPENING = "b1,c1,d1,d2"
"""One of the twelve that do not lose on the smallest board."""
_COLUMNS = 74
"""Columns of a caption."""


def _explain_shape(places: Placements, move: str, cells: tuple[int, ...]) -> str:
    return phrase(
        "{move} is a {shape}; this game has cradles only",
        move=move,
        shape=SHAPES[places.form_of[cells]],
    )


@dataclass(frozen=True, slots=True)
class CradlePosition(Position):
    """A position of Cradle.

    seat    the seat that is to place; after the end, the seat that placed last
    left    the seats that resigned, in that order
    height  the height of each cell
    top     for each cell the number of its topmost piece, counted from 1; 0 for bare board
    levels  for each level from 1 the number of its pieces
    used    for each allowed shape how many have been placed
    fits    the mask of the placements that obey 2, 3 and 4 of "Placing" in docs/rules/cradle.md
    legal   the mask of those among them that supply and -must_reduce allow
    """

    game: ClassVar[Game]
    moves_once: ClassVar[bool] = True

    players: int
    options: Mapping[str, Value]
    seat: int
    turn: int
    left: tuple[int, ...]
    height: tuple[int, ...]
    top: tuple[int, ...]
    levels: tuple[int, ...]
    used: tuple[int, ...]
    outcome: Outcome | None
    fits: int = field(compare=False)
    legal: int = field(compare=False)

    @property
    def to_move(self) -> frozenset[int]:
        return SEAT_TO_MOVE[self.seat] if self.outcome is None else NOBODY

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.left)

    @property
    def key(self) -> str | None:
        """None where supply or levels bring every game to an end."""
        options = self.options
        if options["must_reduce"] or "num_each" in options:
            return None
        stack_state = name_stack_state(options["size"], len(self.used), self.height, self.top)
        return f"{self.seat}{self.left}/{stack_state}"

    @property
    def rough_key(self) -> str | None:
        """The possible placements and the seat on the move: stacks with the same state allow the
        same."""
        options = self.options
        if options["must_reduce"] or "num_each" in options:
            return None
        return f"{self.seat}{self.left}/{self.fits:x}"

    @property
    def places(self) -> Placements:
        """The placements of this size and these shapes."""
        return find_tables(self.options).places

    def legal_moves(self, seat: int) -> Sequence[str]:
        if self.outcome is not None or seat != self.seat:
            return ()
        return self.places.listing(self.legal)

    def solve(self, *, wants_all: bool = False) -> Solution | None:
        if self.outcome is not None or not is_solved(self.players, self.options):
            return None
        return get_solver().solve(self.height, self.top, wants_all=wants_all)

    def suggest(self, seat: int) -> str:
        places = self.places
        opening = places.number.get(_OPENING)
        if opening is not None and self.legal >> opening & 1:
            return _OPENING
        return places.middle(self.legal)

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        places = self.places
        if text in places.number:  # most people copy a move as it is listed
            return text, ""
        cells = places.read(text)
        move = places.name(cells)
        if move not in places.number:
            raise IllegalMove(_explain_shape(places, move, cells))
        return move, ""

    def apply(self, seat: int, move: str) -> CradlePosition:
        places = self.places
        number = places.number.get(move)
        if number is None:
            canonical, _ = self.parse(move, seat)
            raise InvalidMove(
                phrase("{move} is stored as {canonical}", move=quoted(move), canonical=canonical)
            )
        if not self.legal >> number & 1:
            raise IllegalMove(self._find_fault(number))
        _, ends, _, cells = places.pieces[number]
        rests = self.height[ends[0]]
        height, top, levels, used = map(list, (self.height, self.top, self.levels, self.used))
        piece = sum(used) + 1
        for cell in cells:
            height[cell] = rests + 1
            top[cell] = piece
        if rests == len(levels):
            levels.append(0)
        levels[rests] += 1
        used[places.form_of[cells]] += 1
        others, near = places.near[number]
        fits = self.fits & others | find_fitting(near, height, top)
        legal = filter_allowed(self.options, fits, height, levels, used)
        return CradlePosition(
            self.players,
            self.options,
            self._after(seat) if legal else seat,
            self.turn + 1,
            self.left,
            tuple(height),
            tuple(top),
            tuple(levels),
            tuple(used),
            None if legal else self._end(used),
            fits,
            legal,
        )

    def _after(self, seat: int) -> int:
        """Return the next seat that is still playing."""
        seat = (seat + 1) % self.players
        return self._after(seat) if seat in self.left else seat

    def _end(self, used: Sequence[int]) -> Outcome:
        """Return the outcome when `seat` has placed and nothing can follow."""
        gone = [(seat,) for seat in reversed(self.left)]
        limit = self.options.get("num_each")
        if all(number == limit for number in used):
            return outcome_of([self.playing, *gone], phrase("the supply is used up"))
        stuck = phrase("no cradle fits") if len(used) == 1 else phrase("no piece fits")
        return outcome_of([(self.seat,), self.playing - {self.seat}, *gone], stuck)

    def _find_fault(self, number: int) -> str:
        """Return why a placement is not legal."""
        places, height = self.places, self.height
        piece, names = places.pieces[number], places.board.names
        shape = places.form_of[piece.cells]
        if self.options.get("num_each") == self.used[shape]:
            return phrase("no {shape} is left in the supply", shape=SHAPES[shape])
        h = max(height[cell] for cell in piece.cells)
        for cell in piece.ends:
            if height[cell] < h:
                highest = next(names[other] for other in piece.cells if height[other] == h)
                where = {"highest": highest, "h": h, "name": names[cell], "height": height[cell]}
                if shape == TRIANGLE:
                    return phrase(
                        "the piece would rest on {highest} at height {h}, its corner {name} has "
                        "height {height}: all its corners must have height {h}",
                        **where,
                    )
                return phrase(
                    "the piece would rest on {highest} at height {h}, its end {name} has "
                    "height {height}: all its ends must have height {h}",
                    **where,
                )
        if not self.fits >> number & 1:
            if all(height[cell] < h for cell in piece.middle):
                first, second = (names[cell] for cell in piece.middle)
                return phrase(
                    "{first} and {second} are both lower than {h}: a cradle bridges one cell",
                    first=first,
                    second=second,
                    h=h,
                )
            return phrase(
                "exactly these cells are a {shape} already: a piece may not cover another exactly",
                shape=SHAPES[shape],
            )
        below = 4 * self.levels[h - 1] if h else len(height)
        here = 4 * (self.levels[h] if h < len(self.levels) else 0) + 4
        return phrase(
            "level {h} would have {here} cells and level {h_2} has {below}: with "
            "-must_reduce a level must have fewer cells than the one below",
            h=h + 1,
            here=here,
            h_2=h,
            below=below,
        )

    def resign(self, seat: int) -> CradlePosition:
        if seat not in self.playing or self.outcome is not None:
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        left = (*self.left, seat)
        after = replace(self, left=left)
        if len(after.playing) == 1:
            groups = [after.playing, *((one,) for one in reversed(left))]
            names = [self.seat_name(one) for one in left]
            reason = phrase("{names} resigned", names=listing(names))
            if len(names) == 1:
                reason = phrase("{seat_name} resigned", seat_name=names[0])
            return replace(after, outcome=outcome_of(groups, reason))
        if seat == self.seat:
            return replace(after, seat=after._after(seat), turn=self.turn + 1)
        return after

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the board with the outlines and heights of pieces, as the help page explains it:
        borders between pieces are what players look for, and a scene has none."""
        tables = find_tables(self.options)
        number = tables.board.number
        names = [name for move in last for name in move.split(",")]
        marked = {number[name] for name in names if name in number}
        canvas = tables.lattice.draw(self.top, self.height, marked)
        captions = self._captions(last)
        if captions:
            canvas.line()
        for caption in captions:
            canvas.paragraph(caption, indent=2, width=_COLUMNS, hang=2)
        return canvas.picture()

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        return build_scene(
            self.places.board,
            self.options,
            heights=self.height,
            tops=self.top,
            levels=self.levels,
            used=self.used,
            last=last,
        )

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        return describe_stacks(scene)

    def compose(self, seat: int, chosen: Sequence[str] = ()) -> Composition:
        moves = self.legal_moves(seat)
        return compose_in_any_order(chosen, ((move.split(","), move) for move in moves))

    def _captions(self, last: Sequence[str]) -> list[str]:
        """Return the lines below the board: the last placement, the supply, the levels."""
        captions: list[str] = []
        if placed := [move for move in last if move in self.places.number]:
            captions.append(phrase("{mark} placed last: {moves}", mark="*", moves=" ".join(placed)))
        if limit := self.options.get("num_each"):
            left = [
                combine("{shape} {left}", shape=Phrase(shape), left=int(limit) - used)
                for shape, used in zip(SHAPES, self.used, strict=False)
            ]
            supply = join_phrases(", ", left)
            captions.append(phrase("left in the supply: {supply}", supply=supply))
        if self.options["must_reduce"]:
            cells = [len(self.height), *(4 * pieces for pieces in self.levels)]
            captions.append(
                phrase(
                    "cells per level, each to stay below the one before: {cells}",
                    cells=", ".join(map(str, cells)),
                )
            )
        return captions

    def dump(self) -> list[Any]:
        end = self.outcome and [list(self.outcome.ranks), pack(self.outcome.reason)]
        boards = [self.height, self.top, self.levels, self.used]
        return [self.seat, self.turn, self.left, *boards, end]


_FIGURES = ("b1,c1,d1,d2", "a2,b2,a3,b3", "d1,b2,c2,d2")
"""The moves of the figures in the help."""


class Cradle(Game):
    """The game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="cradle",
        title="Cradle",
        version=1,
        players=range(2, 4),
        seats={players: SEATS[:players] for players in (2, 3)},
        summary="stack pieces of four triangles; the last to place wins",
        help=read_help(__name__),
        options=(
            Option("size", "int", "triangles along a side of the hexagon", 2, 2, 6),
            Option(
                "all_shapes", "flag", "snakes and triangles too; above size 2 only with -num_each"
            ),
            Option(
                "num_each",
                "int",
                "how many of each shape exist, shared by all players",
                low=1,
                high=99,
                shown="unlimited",
            ),
            Option(
                "must_reduce",
                "flag",
                "each level must have fewer cells than the one below, so that every game ends",
            ),
        ),
        family="tiles",
        length="short",
    )

    def list_lessons(self) -> Sequence[Lesson]:
        return (
            Lesson(
                phrase("A cradle lies on four cells around a corner, at height 1."), _FIGURES[:1]
            ),
            Lesson(phrase("A second one lies beside it."), _FIGURES[:2]),
            Lesson(
                phrase(
                    "The third rests on both, at height 2. Its ends need support; of its two "
                    "middle cells one may bridge a hole, here c2."
                ),
                _FIGURES,
            ),
        )

    def start(self, players: int, options: Mapping[str, Value]) -> CradlePosition:
        if options["all_shapes"] and int(options["size"]) > 2 and "num_each" not in options:
            raise OptionError(
                phrase(
                    "{option} with a size above 2 needs {other_option} from 1 to 99: it might "
                    "never end",
                    option=make_phrase("-all_shapes"),
                    other_option=make_phrase("-num_each"),
                ),
                missing="-num_each=6",
            )
        places = find_tables(options).places
        bare = [0] * len(places.board)
        unused = [0] * len(places.of_form)
        return self.load(players, options, [0, 0, [], bare, bare, [], unused, None])

    def list_puzzles(self) -> Sequence[Puzzle]:
        return read_puzzles(read_help(__name__, "puzzles.txt"))

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> CradlePosition:
        seat, turn, left, *rest, end = data
        height, top, levels, used = map(tuple, rest)
        fits = find_fitting(find_tables(options).places.rows, height, top)
        return CradlePosition(
            players,
            options,
            seat,
            turn,
            tuple(left),
            height,
            top,
            levels,
            used,
            Outcome(tuple(end[0]), unpack(end[1])) if end else None,
            fits,
            filter_allowed(options, fits, height, levels, used),
        )


CradlePosition.game = Cradle()
GAMES = (CradlePosition.game,)


# What stands where, for pictures and words.


def build_scene(
    board: TriangleBoard,
    options: Mapping[str, Value],
    *,
    heights: Sequence[int],
    tops: Sequence[int],
    levels: Sequence[int],
    used: Sequence[int],
    last: Sequence[str],
) -> Scene:
    """Return the scene of a position, with the moves `last` marked. `heights` and `tops` are those
    of the cells, `levels` has the pieces of each level, `used` those of each shape."""
    panels: list[Panel] = []
    if limit := options.get("num_each"):
        left = [int(limit) - count for count in used]
        panels.append(counters(phrase("left in the supply"), map(Phrase, SHAPES), left))
    if options["must_reduce"]:
        cells = [len(heights), *(4 * pieces for pieces in levels)]
        names = [
            phrase("board"),
            *(phrase("level {number}", number=number) for number in range(1, len(cells))),
        ]
        panels.append(counters(phrase("cells per level"), names, cells))
    marked = {board.number[name] for move in last for name in move.split(",")}
    return replace(
        triangle_scene(board),
        pieces=tuple(
            Piece(name, "piece", height=height - 1, label=str(height), body=top)
            for name, height, top in zip(board.names, heights, tops, strict=True)
            if height
        ),
        marks=marks_on(board.names, marked),
        panels=tuple(panels),
    )


def describe_stacks(scene: Scene) -> Sequence[str]:
    """Return the pieces in words, the highest first."""
    bodies: dict[tuple[int, int], list[str]] = {}
    for piece in scene.pieces:
        bodies.setdefault((-piece.height - 1, piece.body), []).append(piece.place)
    return [
        phrase(
            "Piece of height {height} on {places}.",
            height=-height,
            places=join_runs(scene, places),
        )
        for (height, _), places in sorted(bodies.items(), key=lambda item: (item[0][0], item[1]))
    ] or describe_pieces(scene, ())
