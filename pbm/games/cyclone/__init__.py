"""Cyclone: bring cubes into the other bases, past stacks that are carried off.

Rules: docs/rules/cyclone.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import cos, hypot, pi, sin
from typing import Any, ClassVar

from pbm.games.cyclone.paths import (
    CENTRE,
    COLOURS,
    END_TURN,
    LETTERS,
    SETS,
    PathBoard,
    board_of,
    count_steps,
    land,
    winning_set,
    without_passes,
)
from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    MoveError,
    Option,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
    roll,
)
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Panel,
    Piece,
    Place,
    Point,
    Region,
    Scene,
    Stroke,
    counters,
    find_told,
    mark_told,
    marks_on,
    remark,
)
from pbm.rules.help_page import read_help
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import (
    SeatName,
    combine,
    join_phrases,
    pack,
    phrase,
    tell_end,
    tell_roll,
    unpack,
)
from pbm.rules.suggestions import choose_best
from pbm.rules.typed import quoted


@dataclass(frozen=True, slots=True)
class CyclonePosition(Position):
    """A position of Cyclone.

    spaces   for each space of the board its cubes, bottom to top; in a base in no order
    seat     the seat that is on the move, or to roll
    rolled   the number rolled for the seat; 0 before the roll
    left     the number of actions that the seat has left
    gone     the seats that have resigned, in order
    """

    game: ClassVar[Game]
    players: int
    options: Mapping[str, Value]
    spaces: tuple[str, ...]
    seat: int = 0
    turn: int = 0
    rolled: int = 0
    left: int = 0
    gone: tuple[int, ...] = ()
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def _board(self) -> PathBoard:
        return board_of(self.players, int(self.options["length"]))

    @property
    def to_move(self) -> frozenset[int]:
        if self.outcome:
            return NOBODY
        return SEAT_TO_MOVE[self.seat] if self.rolled else CHANCE_TO_MOVE

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.gone)

    @property
    def chance(self) -> Chance | None:
        return None if self.outcome or self.rolled else roll(6)

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        question = self.chance
        if question:
            return question.outcomes
        moves = self._actions(seat)
        if self.left < self.rolled:
            moves.append(END_TURN)
        return moves

    def suggest(self, seat: int) -> str:
        """Return the action that brings the seat's cubes farthest, and others' least far."""

        def rate(after: CyclonePosition) -> float:
            steps = [count_steps(self._board, after.spaces, each) for each in range(self.players)]
            return 2 * steps[seat] - sum(steps)

        return choose_best(self, seat, rate)

    def _actions(self, seat: int) -> list[str]:
        board, letter = self._board, LETTERS[seat]
        base, actions = board.bases[seat], board.actions[seat]
        return [
            move
            for space, cubes in enumerate(self.spaces)
            if cubes and (cubes[-1] == letter or (space == base and letter in cubes))
            for _, move in actions[space]
        ]

    def _can_act(self, seat: int) -> bool:
        board, letter = self._board, LETTERS[seat]
        base, actions = board.bases[seat], board.actions[seat]
        return any(
            cubes and (cubes[-1] == letter or (space == base and letter in cubes))
            for space, cubes in enumerate(self.spaces)
            if actions[space]
        )

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        move, rest = self._board.parse_first(text)
        if not rest or seat not in self.to_move:
            return move, rest
        following = self.apply(seat, move)
        if following.outcome or following.turn == self.turn:
            return move, rest
        # "a `pass` typed after the last action is ignored"
        rest = without_passes(rest)
        if rest:
            why = phrase("the turn has ended, no other cube can act")
            if move == END_TURN:
                why = phrase("pass has ended the turn")
            elif self.left == 1:
                why = phrase("the list is longer than the roll of {pips}", pips=self.rolled)
            try:
                step = self._board.parse_first(rest)[0]
            except MoveError:
                step = quoted(rest)
            raise IllegalMove(phrase("{step} is too much: {why}", step=step, why=why))
        return move, ""

    def apply(self, seat: int, move: str) -> CyclonePosition:
        if move == END_TURN:
            if self.left == self.rolled:
                raise IllegalMove(phrase("pass: at least one action must be taken first"))
            return self._end_turn(())
        source, target = self._board.read(move)
        fault = self._board.find_fault(self.spaces, seat, source, target)
        if fault:
            raise IllegalMove(combine("{move}: {fault}", move=move, fault=fault))
        spaces = list(self.spaces)
        cubes, letter = spaces[source], LETTERS[seat]
        if source == self._board.bases[seat]:
            spaces[source] = cubes.replace(letter, "", 1)
        else:
            spaces[source] = cubes[:-1]
        news = land(self._board, spaces, seat, target)
        following = replace(self, spaces=tuple(spaces), left=self.left - 1, news=tuple(news))
        won = following._find_winner()
        if won:
            return replace(following, outcome=won)
        if following.left and following._can_act(seat):
            return following
        if following.left:
            news.append(
                phrase("{colour} has no other cube that can act", colour=self.seat_name(seat))
            )
        return following._end_turn(tuple(news))

    def _find_winner(self) -> Outcome | None:
        """Return the outcome if a seat has won, the first in turn order counting from the seat that
        acted."""
        playing = self.playing
        for ahead in range(self.players):
            seat = (self.seat + ahead) % self.players
            if seat in playing and (won := winning_set(self._board, self.spaces, seat)):
                groups = [[seat], playing - {seat}, *([gone] for gone in reversed(self.gone))]
                return outcome_of(groups, won)
        return None

    def _end_turn(self, news: tuple[str, ...]) -> CyclonePosition:
        """Return the position after the turn of `seat`, in which the next seat has to roll."""
        ended = replace(self, turn=self.turn + 1, rolled=0, left=0, news=news)
        return ended._end_if_stuck(
            next(
                seat
                for ahead in range(1, self.players + 1)
                if (seat := (self.seat + ahead) % self.players) not in self.gone
            )
        )

    def _end_if_stuck(self, seat: int) -> CyclonePosition:
        """Return the position with `seat` to roll, or over if nobody left has a cube that can
        act."""
        if any(map(self._can_act, self.playing)):
            return replace(self, seat=seat)
        groups = [self.playing, *([gone] for gone in reversed(self.gone))]
        return replace(
            self, outcome=outcome_of(groups, phrase("nobody left has a cube that can act"))
        )

    def answer(self, outcome: str) -> CyclonePosition:
        pips = int(outcome)
        if self._can_act(self.seat):
            return replace(self, rolled=pips, left=pips, news=())
        stuck = phrase(
            "{colour} rolled {pips} and has no cube that can act",
            colour=self.seat_name(self.seat),
            pips=pips,
        )
        return self._end_turn((stuck,))

    def resign(self, seat: int) -> CyclonePosition:
        if self.outcome or seat not in self.playing:
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        news = (phrase("{colour}'s cubes stay as obstacles", colour=self.seat_name(seat)),)
        left = replace(self, gone=(*self.gone, seat), news=news)
        if len(left.playing) == 1:
            (winner,) = left.playing
            groups = [[winner], *([gone] for gone in reversed(left.gone))]
            return replace(
                left,
                outcome=outcome_of(
                    groups, phrase("{colour} alone is left", colour=self.seat_name(winner))
                ),
            )
        if seat == self.seat:
            return left._end_turn(news)
        return left if self.rolled else left._end_if_stuck(self.seat)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        """Say who rolls."""
        return tell_roll(self.seat_name(self.seat), move) if seat == CHANCE else move

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        board = self._board
        names = board.graph.names
        marked = {
            space
            for move in last
            for name in move.split("-")
            if (space := board.graph.number.get(name)) is not None
        }
        pieces: list[Piece] = []
        for space, cubes in enumerate(self.spaces):
            if space in board.bases:  # the order of its cubes means nothing
                pieces += (
                    Piece(names[space], "cube", seat, cubes.count(letter), label=letter)
                    for seat, letter in enumerate(LETTERS)
                    if letter in cubes
                )
            else:
                pieces += (
                    Piece(names[space], "cube", LETTERS.index(cube), height=height, label=cube)
                    for height, cube in enumerate(cubes)
                )
        standing = (
            Entry(said, seat=seat, short=said)
            for seat, said in enumerate(map(self._standing, range(self.players)))
        )
        panels = [Panel(phrase("standing"), tuple(standing)), *remark(self._goal)]
        if self.rolled and not self.outcome:
            counted = phrase("rolled"), phrase("actions left")
            panels.append(counters(phrase("dice"), counted, (self.rolled, self.left)))
        scene = replace(
            spiral_scene(self.players, board.length),
            pieces=tuple(pieces),
            marks=marks_on(names, marked),
            panels=tuple(panels),
        )
        return mark_told(scene, self.news) if last else scene

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the paths as rows from base to centre, a stack as letters in the order from below:
        the spiral of the scene has no room for stacks in characters."""
        canvas, board, length = Canvas(), self._board, self._board.length
        words = {name for move in last for name in move.split("-")}
        words |= find_told(self.news) if last else set[str]()
        marked = {board.graph.number.get(name) for name in words}
        rows = [
            [
                "".join(sorted(self.spaces[base], key=LETTERS.index)) or "-",
                *(self.spaces[base + n] or "." for n in range(1, length + 1)),
            ]
            for base in board.bases
        ]
        # At most 20 cubes widen the picture; with these gaps it stays within 78 columns.
        gap = 3 if length <= 9 else 2
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        starts = [9]  # columns stand where they always do, unless a high stack pushes them on
        for n, width in enumerate(widths, 1):
            starts.append(max(10 + (gap + 1) * n, starts[-1] + width + 1))
        for n in range(length + 1):
            canvas.put(0, starts[n] + 1, str(n), LABEL)
        join, middle = starts[-1] + 1, 1 + self.players
        for row in range(2, 2 * self.players + 1):
            canvas.put(row, join, "|")
        for seat, base in enumerate(board.bases):
            row = 2 + 2 * seat
            canvas.put(row, 0, ">" if seat == self.seat and not self.outcome else " ", LABEL)
            canvas.put(row, 2, self.seat_name(seat), seat_role(seat), room=8)
            for n, cubes in enumerate(rows[seat]):
                _put_cubes(canvas, row, starts[n], cubes, base + n in marked)
            canvas.put(row, join - 1, "-+")
        centre = board.graph.number[CENTRE]
        canvas.put(middle, join, "+- x")
        _put_cubes(canvas, middle, join + 4, self.spaces[centre] or ".", centre in marked)
        canvas.line()
        for seat in range(self.players):
            canvas.put(canvas.height, 2, self.seat_name(seat), seat_role(seat), room=8)
            canvas.put(canvas.height - 1, 10, self._standing(seat))
        canvas.paragraph(self._goal, indent=2)
        canvas.line()
        canvas.paragraph(self._die_in_words(), indent=2)
        legend: str = phrase(
            "{example} is space 3 of {colour}'s path, {base} its base, {centre} the centre; "
            "stacks stand bottom to top",
            example="b3",
            colour=self.seat_name(0),
            base="b0",
            centre=CENTRE,
        )
        if marked - {None}:
            acted = phrase("{marks} where cubes acted last", marks="[ ]")
            legend = join_phrases("; ", (legend, acted))
        canvas.paragraph(legend, indent=2)
        return canvas.picture()

    @property
    def _goal(self) -> str:
        return phrase("to win: {goal}", goal=SETS[self.players])

    def _standing(self, seat: int) -> str:
        if seat in self.gone:
            return phrase("has resigned, its cubes are obstacles")
        letter, bases = LETTERS[seat], self._board.bases
        waiting = self.spaces[bases[seat]].count(letter)
        arrived = [
            phrase("{count} in {base}", count=self.spaces[base].count(letter), base=f"{name}0")
            for name, base in zip(LETTERS, bases, strict=False)
            if name != letter
        ]
        if self.players == 2:
            (base,) = (base for base, name in zip(bases, LETTERS, strict=False) if name != letter)
            standing = phrase(
                "{count} of {all} have arrived",
                count=self.spaces[base].count(letter),
                all=5,
            )
        else:
            standing = phrase("arrived {arrived}", arrived=join_phrases(", ", arrived))
        if not waiting:
            return standing
        here = phrase("{count} waiting in {base}", count=waiting, base=f"{letter}0")
        return join_phrases("; ", (standing, here))

    def _die_in_words(self) -> str:
        if self.outcome:
            return tell_end(self.outcome.reason)
        colour = self.seat_name(self.seat)
        if not self.rolled:
            return phrase("{colour} is to roll", colour=colour)
        return phrase(
            "{colour} rolled {rolled}, actions left: {left}",
            colour=colour,
            rolled=self.rolled,
            left=self.left,
        )

    def dump(self) -> list[Any]:
        over = self.outcome and [list(self.outcome.ranks), pack(self.outcome.reason)]
        place = [list(self.spaces), self.seat, self.turn, self.rolled, self.left]
        return [*place, list(self.gone), over]


def _put_cubes(canvas: Canvas, row: int, column: int, cubes: str, marked: bool) -> None:
    """Write cubes, bottom to top, one column in: the columns around them are for marks."""
    if marked:
        canvas.put(row, column, f"[{cubes}]", LAST)
    for at, cube in enumerate(cubes):
        role = seat_role(LETTERS.index(cube)) if cube in LETTERS else LAST if marked else PLAIN
        canvas.put(row, column + 1 + at, cube, role)


_STACKED = ("3", "b4-b5", "b3-b4")
_MET = ("1", "b4-b5", "6", "y5-y6", "y6-y7", "y7-x", "x-b7", "b7-b6")
"""The moves before a stack is blown back, and on."""


class Cyclone(Game):
    """The game."""

    info = GameInfo(
        name="cyclone",
        title="Cyclone",
        version=1,
        players=range(2, 5),
        seats={players: COLOURS[:players] for players in (2, 3, 4)},
        summary="cubes race into other bases and carry off what they meet",
        help=read_help(__name__),
        options=(
            Option("length", "int", "spaces in each colour's path", default=7, low=5, high=12),
        ),
        features=frozenset({"chance"}),
        family="race",
    )

    def list_lessons(self) -> Sequence[Lesson]:
        return (
            Lesson(
                phrase(
                    "The paths wind about one centre. A cube runs up its own path, across the "
                    "centre and down another one, into the base at its end."
                ),
                (),
            ),
            Lesson(
                phrase("Blue has stacked two cubes on b5, and a third one comes next."), _STACKED
            ),
            Lesson(
                phrase(
                    "It lands on the stack, and all three are blown three spaces back to b2. A "
                    "cube stands there, so all four are blown on, into the base."
                ),
                (*_STACKED, "b4-b5"),
            ),
            Lesson(
                phrase(
                    "In another game, yellow's cube has come across the centre and down blue's "
                    "path to b6. It is about to land on the stack of two on b5."
                ),
                _MET,
                can=("b6-b5",),
            ),
            Lesson(
                phrase(
                    "Now the stack moves three spaces toward yellow's base, since a yellow cube "
                    "landed on it: over b6 and b7 to the centre x. Two blue cubes have been "
                    "carried on their way, and the top one alone, yellow's, can act."
                ),
                (*_MET, "b6-b5"),
            ),
        )

    def start(self, players: int, options: Mapping[str, Value]) -> CyclonePosition:
        board = board_of(players, int(options["length"]))
        spaces = tuple(
            name[0] if name != CENTRE and 1 <= int(name[1:]) <= 5 else ""
            for name in board.graph.names
        )
        return CyclonePosition(players, options, spaces)

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> CyclonePosition:
        spaces, seat, turn, rolled, left, gone, over = data
        return CyclonePosition(
            players=players,
            options=options,
            spaces=tuple(spaces),
            seat=seat,
            turn=turn,
            rolled=rolled,
            left=left,
            gone=tuple(gone),
            outcome=Outcome(tuple(over[0]), unpack(over[1])) if over else None,
        )


CyclonePosition.game = Cyclone()
GAMES = (CyclonePosition.game,)


# The scene of the empty board of Cyclone: paths that wind about the centre, each with its base at
# the outer end.

_STEP, _APART = 1.25, 1.8
"""The distance of two spaces of a path, and of two neighbouring paths."""
_BASE = 1.1
"""The radius of a base."""
_CORNERS = 48


@cache
def spiral_scene(players: int, length: int) -> Scene:
    """Return the board for a number of players and a length of the paths."""
    graph = board_of(players, length).graph
    ways = _spiral(players, length)
    places: list[Place] = []
    strokes: list[Stroke] = []
    labels: list[Label] = []
    regions: list[Region] = []
    for seat in range(players):
        turn = pi + 2 * pi * seat / players
        names = tuple(f"{LETTERS[seat]}{number}" for number in range(length + 1))
        for number, (name, (away, on)) in enumerate(zip(names, ways, strict=True)):
            shape = 0.5 if number else _BASE
            places.append(Place(name, shape, _at(turn + on, away), "space" if number else "home"))
            outside = _at(turn + on, away + (0.8 if number else _BASE + 0.5))
            labels.append(Label(name if number else SeatName(COLOURS[seat], seat), outside))
        regions.append(Region("path", COLOURS[seat], names))
        strokes.append(Stroke(_ring(places[-1 - length].centre, _BASE), "owner", seat))
    places.append(Place(CENTRE, 0.6, (0.0, 0.0), "goal"))
    labels.append(Label(CENTRE, (0.0, 0.0)))
    lines = (
        (graph.names[space], graph.names[there])
        for space, near in enumerate(graph.neighbours)
        for there in near
        if there > space
    )
    return Scene(
        tuple(places),
        labels=tuple(labels),
        lines=tuple(lines),
        regions=tuple(regions),
        strokes=tuple(strokes),
        ground="deck",
    )


def _ring(centre: Point, radius: float) -> tuple[Point, ...]:
    """Return a circle as a polygon."""
    x, y = centre
    turns = (2 * pi * corner / _CORNERS for corner in range(_CORNERS))
    return tuple((round(x + radius * cos(t), 3), round(y + radius * sin(t), 3)) for t in turns)


def _spiral(players: int, length: int) -> list[tuple[float, float]]:
    """Return the distances of a path's spaces from the centre, the base first, and the angle
    through which the path has turned there."""
    wider = players * _APART / (2 * pi)
    away, turned = _STEP, 0.0
    ways = [(away, turned)]
    for number in range(length):
        step = _STEP if number < length - 1 else _STEP / 2 + _BASE
        turn = step / hypot(away, wider)
        away, turned = away + wider * turn, turned + turn
        ways.append((away, turned))
    ways[-1] = away + _BASE / 2, turned
    return ways[::-1]


def _at(turn: float, away: float) -> Point:
    """Return the point that far from the centre in a direction."""
    return round(cos(turn) * away, 3), round(sin(turn) * away, 3)
