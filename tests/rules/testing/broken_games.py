"""Games with one mistake each, such as authors make, and what the suite says of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbm_poolside import PoolsidePosition

from pbm.rules import AmbiguousMove, Game, IllegalMove, InvalidMove, Option, Outcome, Value
from pbm.rules.drawing.scene import Scene
from pbm.rules.solutions import Puzzle, Solution
from pbm.rules.testing.topics import (
    AMBIGUITY,
    CHANCE_QUESTIONS,
    CRASHES,
    ENDING,
    ENDLESS,
    HELP,
    INFO,
    LEGALITY,
    MOVES,
    OPTIONS,
    PARSING,
    PICTURE,
    REPLAY,
    RESIGNING,
    SCENE,
    SHARING,
    SOLUTIONS,
    SPEECH,
    STANDING,
    STEPS,
    STORAGE,
    TURNS,
    Topic,
)
from tests.rules.nim import Nim, NimPosition


def nim_game(position: type[NimPosition] | None = None, **members: Any) -> Nim:
    """Nim whose positions are of that class, or have these members in the place of their own."""
    position = position or type("BrokenPosition", (NimPosition,), members)
    kind: type[Nim] = type("BrokenNim", (Nim,), {"position": position})
    game = position.game = kind()
    return game


def nim_info(**changes: Any) -> Nim:
    """Nim that says other things of itself."""
    position: type[NimPosition] = type("BrokenPosition", (NimPosition,), {})
    kind = type("BrokenNim", (Nim,), {"position": position, "info": replace(Nim.info, **changes)})
    game: Nim = kind()
    position.game = game
    return game


# Shared state, and positions that do not survive being stored


@dataclass(frozen=True, slots=True)
class Noted(NimPosition):
    """Positions that all write into one list."""

    taken: list[str] = field(default_factory=list)

    def apply(self, seat: int, move: str) -> NimPosition:
        after = NimPosition.apply(self, seat, move)
        self.taken.append(move)
        return after

    def dump(self) -> list[Any]:
        return [*NimPosition.dump(self), len(self.taken)]


@dataclass(frozen=True, slots=True)
class Listing(NimPosition):
    """A list inside a position, though nothing changes it."""

    heaps: list[int] = field(default_factory=lambda: [3, 4])


@dataclass(frozen=True, slots=True)
class Counting(NimPosition):
    """The fifth move ends the game, but the counter is not stored."""

    moves: int = field(default=0, compare=False)

    @property
    def over(self) -> bool:
        return self.moves > 4 or not self.stones or len(self.playing) == 1

    def apply(self, seat: int, move: str) -> NimPosition:
        after = NimPosition.apply(self, seat, move)
        assert isinstance(after, Counting)
        return replace(after, moves=self.moves + 1)


@dataclass(frozen=True, slots=True)
class Weighed(NimPosition):
    """A weight that is not a whole number."""

    weight: float = 0.1

    def dump(self) -> list[Any]:
        return [*NimPosition.dump(self), self.weight]


@dataclass(frozen=True, slots=True)
class Named(NimPosition):
    """A set that is stored as it comes."""

    labels: frozenset[str] = frozenset(f"word{number}" for number in range(9))

    def dump(self) -> list[Any]:
        return [*NimPosition.dump(self), list(self.labels)]


@dataclass(frozen=True, slots=True)
class Forgotten(NimPosition):
    """A field that `dump` forgets."""

    best: int = 0

    def apply(self, seat: int, move: str) -> NimPosition:
        after = NimPosition.apply(self, seat, move)
        assert isinstance(after, Forgotten)
        return replace(after, best=self.stones)


class Longer(Nim):
    """Nim whose dump has one part more than usual."""

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> NimPosition:
        return super().load(players, options, data[:4])


def longer(position: type[NimPosition]) -> Nim:
    """The game with these positions and a longer dump."""
    game = type("LongerNim", (Longer,), {"position": position})()
    position.game = game
    assert isinstance(game, Nim)
    return game


# Moves


def refusing(self: NimPosition, seat: int, move: str) -> NimPosition:
    if move == "take-3" and self.stones < 7:
        raise IllegalMove("not so many")
    return NimPosition.apply(self, seat, move)


def accepting(self: NimPosition, seat: int, move: str) -> NimPosition:
    return NimPosition.apply(self, seat, move.strip())


def twice(self: NimPosition, seat: int) -> Sequence[str]:
    moves = NimPosition.legal_moves(self, seat)
    return [*moves, *moves[:1]]


def twice_spelled(self: NimPosition, seat: int) -> Sequence[str]:
    return [*(moves := NimPosition.legal_moves(self, seat)), *(one[:4] + "/1" for one in moves[:1])]


def play_spelled(self: NimPosition, seat: int, move: str) -> NimPosition:
    return NimPosition.apply(self, seat, move.replace("/", "-"))


def parse_spelled(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    move = text.strip().lower()
    if not move.startswith("take"):
        raise InvalidMove("write take-1")
    return move, ""


def capital(self: NimPosition, seat: int) -> Sequence[str]:
    return [move.upper() for move in NimPosition.legal_moves(self, seat)]


def play_capital(self: NimPosition, seat: int, move: str) -> NimPosition:
    return NimPosition.apply(self, seat, move.lower() if move.isupper() else "-")


def guessing(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    move, _ = NimPosition.parse(self, text, seat)
    return (move if text == move else "take-1"), ""


def unreadable(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    if text == "take-2":
        raise AmbiguousMove("which two?")
    return NimPosition.parse(self, text, seat)


def crashing(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    return f"take-{int(text[5:])}", ""


def alike(self: NimPosition, seat: int, move: str, viewer: int | None = None) -> str:
    return "takes some"


def same_steps(self: NimPosition, seat: int, move: str) -> tuple[str, ...]:
    return ("heap",)


def falling(self: NimPosition, seat: int, move: str) -> NimPosition:
    return replace(NimPosition.apply(self, seat, move), turn=self.stones)


def lasting(self: NimPosition, seat: int, move: str) -> NimPosition:
    return replace(NimPosition.apply(self, seat, move), turn=self.turn)


def unrepeatable() -> Callable[..., NimPosition]:
    calls = itertools.count(1)

    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        return replace(NimPosition.apply(self, seat, move), turn=self.turn + next(calls))

    return apply


def reserved_moves(self: NimPosition, seat: int) -> Sequence[str]:
    return [*NimPosition.legal_moves(self, seat), "undo"] if seat in self.to_move else []


def play_reserved(self: NimPosition, seat: int, move: str) -> NimPosition:
    return NimPosition.apply(self, seat, "take-1" if move == "undo" else move)


def parse_reserved(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    return ("undo", "") if text == "undo" else NimPosition.parse(self, text, seat)


# Ends


def filling(self: NimPosition, seat: int, move: str) -> NimPosition:
    """The last stone comes back."""
    if move not in self.legal_moves(seat):
        raise IllegalMove("not now")
    after = replace(self, stones=self.stones - int(move[5:]) or 9, turn=self.turn + 1)
    return after.passed_on()


def without_ranks(self: NimPosition) -> Outcome | None:
    return Outcome((1,), "the heap is gone") if self.over else None


def stuck(self: NimPosition, seat: int) -> NimPosition:
    """The seat that resigned stays on the move."""
    after = NimPosition.resign(self, seat)
    return after if after.over else replace(after, seat=seat)


def stuck_at_times(self: NimPosition, seat: int) -> NimPosition:
    """The seat that resigned stays on the move, in one turn only."""
    return stuck(self, seat) if self.turn == 2 else NimPosition.resign(self, seat)


def asked_always(self: NimPosition) -> Any:
    from pbm.rules import roll

    return roll(6)


def wide_words(self: NimPosition, *_: Any, **__: Any) -> str:
    return "stones " * 40


def no_scene(self: NimPosition, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
    return Scene()


class Ignoring(Nim):
    """Nim with an option that nothing reads."""

    info = replace(
        Nim.info, options=(*Nim.info.options, Option("unheeded", "flag", "the last stone loses"))
    )


def ignoring() -> Nim:
    game = Ignoring()
    Ignoring.position = type("IgnoringPosition", (NimPosition,), {"game": game})
    return game


# What the position promises, solutions and puzzles


def infinite_at_end(self: NimPosition) -> tuple[float, ...]:
    return tuple(1 / self.stones if self.stones else float("inf") for _ in range(self.players))


def indivisible(self: NimPosition) -> tuple[float, ...]:
    return (9 / self.stones,) * self.players


def solve(self: NimPosition, *, wants_all: bool = False) -> Solution | None:
    """What becomes of each move of Nim for two: who leaves a multiple of four wins."""
    if self.over or self.players > 2 or self.left:
        return None
    after = {number: self.stones - number for number in range(1, min(3, self.stones) + 1)}
    return Solution(
        wins={f"take-{n}": left // 2 + 1 for n, left in after.items() if not left % 4},
        loses={f"take-{n}": left // 4 * 2 + 2 for n, left in after.items() if left % 4},
        holds=(),
    )


def solving(change: Callable[[NimPosition, Solution], Solution]) -> Callable[[], Nim]:
    """Nim whose solutions are changed."""

    def changed(self: NimPosition, *, wants_all: bool = False) -> Solution | None:
        solution = solve(self)
        return None if solution is None else change(self, solution)

    return lambda: nim_game(solve=changed)


def solved_at_end(self: NimPosition, *, wants_all: bool = False) -> Solution | None:
    return solve(self) or Solution({"take-1": 1}, {}, ())


def hold_all(position: NimPosition, solution: Solution) -> Solution:
    """The move that takes the last stone holds, too."""
    return Solution({}, {}, [*solution.wins, *solution.loses])


def with_puzzles(*puzzles: Puzzle, **members: Any) -> Callable[[], Nim]:
    """Nim with these puzzles, of which the positions are solved."""

    def build() -> Nim:
        position: type[NimPosition] = type("Solved", (NimPosition,), {"solve": solve, **members})
        listed = {"position": position, "list_puzzles": lambda self: puzzles}
        game: Nim = type("PuzzlingNim", (Nim,), listed)()
        position.game = game
        return game

    return build


TAKE_THREE = Puzzle("easy", ("take-2",))
"""Seven stones are left: to take three wins."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A game with a mistake: what the mistake is, a function that builds the game, the kind of the
    finding, and words of what was expected."""

    mistake: str
    build: Callable[[], Game]
    topic: Topic
    expected: str


BROKEN = (
    Broken("a list that positions share", lambda: longer(Noted), SHARING, "stays as it is"),
    Broken("a list in a position", lambda: nim_game(Listing), SHARING, "`heaps` consists of"),
    Broken("a counter not stored", lambda: nim_game(Counting), STORAGE, "has its to_move"),
    Broken("a float in the dump", lambda: longer(Weighed), STORAGE, "whole numbers and words"),
    Broken("a set stored as it comes", lambda: longer(Named), STORAGE, "sorted(self.labels)"),
    Broken("a field not dumped", lambda: nim_game(Forgotten), STORAGE, "has its best"),
    Broken("chance of its own", lambda: nim_game(apply=unrepeatable()), REPLAY, "a replay"),
    Broken("listed, refused", lambda: nim_game(apply=refusing), LEGALITY, "it was refused"),
    Broken("unlisted, played", lambda: nim_game(apply=accepting), LEGALITY, "not listed for"),
    Broken("listed twice", lambda: nim_game(legal_moves=twice), MOVES, "listed once"),
    Broken(
        "spelled in two ways",
        lambda: nim_game(legal_moves=twice_spelled, apply=play_spelled, parse=parse_spelled),
        MOVES,
        "two spellings",
    ),
    Broken(
        "in capitals",
        lambda: nim_game(legal_moves=capital, apply=play_capital),
        MOVES,
        "is lower case",
    ),
    Broken("a guess", lambda: nim_game(parse=guessing), PARSING, "is read as"),
    Broken("a listed move not read", lambda: nim_game(parse=unreadable), PARSING, "parses to"),
    Broken("an exception", lambda: nim_game(parse=crashing), CRASHES, "no exception but"),
    Broken("described alike", lambda: nim_game(describe=alike), AMBIGUITY, "not both called"),
    Broken(
        "a command as a move",
        lambda: nim_game(legal_moves=reserved_moves, apply=play_reserved, parse=parse_reserved),
        AMBIGUITY,
        "'undo' is not a word of the command language",
    ),
    Broken(
        "a command as an alias", lambda: nim_info(aliases=("undo",)), AMBIGUITY, "'undo' is not"
    ),
    Broken("the same steps", lambda: nim_game(steps=same_steps), STEPS, "differ"),
    Broken("a turn that falls", lambda: nim_game(apply=falling), TURNS, "never falls"),
    Broken(
        "a turn that goes on",
        lambda: nim_game(apply=lasting, moves_once=True),
        TURNS,
        "ends the turn: `moves_once`",
    ),
    Broken(
        "a question never asked",
        lambda: nim_game(chance=property(asked_always)),
        CHANCE_QUESTIONS,
        "a question exactly when",
    ),
    Broken("no ranks", lambda: nim_game(outcome=property(without_ranks)), ENDING, "every seat is"),
    Broken("resigned and on the move", lambda: nim_game(resign=stuck), RESIGNING, "resigns here"),
    Broken(
        "resigned and on the move in turn 2",
        lambda: nim_game(resign=stuck_at_times),
        RESIGNING,
        "resigns here",
    ),
    Broken(
        "a wide picture",
        lambda: nim_info(options=(Option("heap", "int", "stones", 9, 5, 2**300),)),
        PICTURE,
        "wider than 78",
    ),
    Broken(
        "a rough key that tells equal positions apart",
        lambda: nim_game(key="the same", rough_key=property(lambda self: f"{self.turn}")),
        ENDLESS,
        "an equal `rough_key`",
    ),
    Broken("a rough key alone", lambda: nim_game(rough_key="any"), ENDLESS, "an equal `rough_key`"),
    Broken("a method in the place of `claim`", lambda: nim_game(claim=stuck), ENDING, "`claim`"),
    Broken("no scene", lambda: nim_game(scene=no_scene), SCENE, "shows something"),
    Broken("long words", lambda: nim_game(words=wide_words), SPEECH, "longer than 200"),
    Broken("no example", lambda: nim_info(help="Take stones.\n"), HELP, "help has an example"),
    Broken("an example that is no move", lambda: nim_info(help="  > all\n"), HELP, "'all' is none"),
    Broken("an option ignored", ignoring, OPTIONS, "-unheeded changes something"),
    Broken(
        "an outlook of one seat",
        lambda: nim_game(outlook=(0.5,)),
        STANDING,
        "the outlook has a number for each seat",
    ),
    Broken(
        "an outlook without end at the end",
        lambda: nim_game(outlook=property(infinite_at_end)),
        STANDING,
        "the outlook consists of finite numbers",
    ),
    Broken(
        "an outlook that fails at the end",
        lambda: nim_game(outlook=property(indivisible)),
        CRASHES,
        "ZeroDivisionError",
    ),
    Broken(
        "a standing against the ranks",
        lambda: nim_game(standing=property(lambda self: (*range(self.players - 1), 0.5))),
        STANDING,
        "agrees with the ranks",
    ),
    Broken(
        "a solution with an illegal move",
        solving(lambda position, known: replace(known, holds=("take-4",))),
        SOLUTIONS,
        "'take-4' is none",
    ),
    Broken(
        "a solution with a move twice",
        solving(lambda position, known: replace(known, holds=("take-1",))),
        SOLUTIONS,
        "each move once",
    ),
    Broken(
        "a solution without a losing move",
        solving(lambda position, known: replace(known, loses={}, holds=[*known.loses][1:])),
        SOLUTIONS,
        "has every legal move",
    ),
    Broken(
        "a solution without moves",
        solving(lambda position, known: Solution({}, {}, ())),
        SOLUTIONS,
        "at least one move",
    ),
    Broken(
        "a solution that counts from 0",
        solving(lambda position, known: replace(known, wins=dict.fromkeys(known.wins, 0))),
        SOLUTIONS,
        "at least 1",
    ),
    Broken(
        "a win at once that is none",
        solving(lambda position, known: replace(known, wins=dict.fromkeys(known.wins, 1))),
        SOLUTIONS,
        "the game goes on",
    ),
    Broken("a win that holds", solving(hold_all), SOLUTIONS, "which wins the game at once"),
    Broken(
        "a solution of what is over",
        lambda: nim_game(solve=solved_at_end),
        SOLUTIONS,
        "exactly one seat is on the move",
    ),
    Broken(
        "a puzzle of a strength of its own",
        with_puzzles(replace(TAKE_THREE, strength="tough")),
        SOLUTIONS,
        "not 'tough'",
    ),
    Broken("a puzzle listed twice", with_puzzles(TAKE_THREE, TAKE_THREE), SOLUTIONS, "listed once"),
    Broken(
        "a puzzle with a blank in a move",
        with_puzzles(Puzzle("easy", ("take 2",))),
        SOLUTIONS,
        "without blanks",
    ),
    Broken(
        "a puzzle that cannot be reached",
        with_puzzles(Puzzle("easy", ("take-2", "take-4"))),
        SOLUTIONS,
        "'take-4' leads to a puzzle; it was refused",
    ),
    Broken(
        "a puzzle beyond the end",
        with_puzzles(Puzzle("hard", ("take-3",) * 4)),
        SOLUTIONS,
        "leads to a puzzle; the game is over",
    ),
    Broken(
        "a puzzle that is over",
        with_puzzles(Puzzle("hard", ("take-3",) * 3)),
        SOLUTIONS,
        "leaves a move to be found",
    ),
    Broken(
        "a puzzle that is lost",
        with_puzzles(Puzzle("hard", ("take-1",))),
        SOLUTIONS,
        "exactly one move wins in a puzzle: none",
    ),
    Broken(
        "a puzzle that is not solved",
        with_puzzles(TAKE_THREE, solve=NimPosition.solve),
        SOLUTIONS,
        "knows the position",
    ),
    Broken("a summary of two lines", lambda: nim_info(summary="a\nb"), INFO, "one short line"),
)
"""The table: one row a mistake."""

_picture, _scene = PoolsidePosition.picture, PoolsidePosition.scene


def _see_all(self: PoolsidePosition, viewer: int | None, seat: int) -> bool:
    return True


def _show_hands(
    self: PoolsidePosition, viewer: int | None = None, last: Sequence[str] = ()
) -> object:
    return _picture(self.uncovered(), viewer, last)


def _tell_draw(self: PoolsidePosition, seat: int, move: str, viewer: int | None = None) -> str:
    return move


def _tell_news(self: PoolsidePosition, outcome: str) -> PoolsidePosition:
    return replace(_answer(self, outcome), news=(f"somebody has {outcome}",))


def _list_sealed(self: PoolsidePosition, text: str, seat: int) -> tuple[str, str]:
    raise InvalidMove(f"not while the hands are {self.hands}")


_answer = PoolsidePosition.answer


def _show_bid(self: PoolsidePosition, viewer: int | None, seat: int) -> str:
    return str(self.bids[seat])


LEAKS: dict[str, tuple[dict[str, Any], str]] = {
    "a hand shown to all": ({"picture": _show_hands}, "pictures are equal"),
    "everything open": (
        {"_sees": _see_all, "_bid_shown": _show_bid, "describe": _tell_draw},
        "something is hidden from somebody",
    ),
    "a hidden draw told by describe": ({"describe": _tell_draw}, "`describe` tells"),
    "a hidden draw told by news": ({"answer": _tell_news}, "news is equal"),
    "hands told by a refusal": ({"parse": _list_sealed}, "answers to 'a1' are equal"),
}
"""Leaks of Poolside: the members that have the mistake, and words of what was expected."""
