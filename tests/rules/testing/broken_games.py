"""Games with one mistake each, such as authors make, and what the suite says of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbm_poolside import PoolsidePosition

from pbm.rules import AmbiguousMove, Game, IllegalMove, InvalidMove, Option, Outcome, Value
from pbm.rules.drawing.scene import Scene
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
    SPEECH,
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
        "a question never asked",
        lambda: nim_game(chance=property(asked_always)),
        CHANCE_QUESTIONS,
        "a question exactly when",
    ),
    Broken("no end", lambda: nim_game(apply=filling), ENDLESS, "not over after"),
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
    Broken("a method in the place of `claim`", lambda: nim_game(claim=stuck), ENDING, "`claim`"),
    Broken("no scene", lambda: nim_game(scene=no_scene), SCENE, "shows something"),
    Broken("long words", lambda: nim_game(words=wide_words), SPEECH, "longer than 200"),
    Broken("no example", lambda: nim_info(help="Take stones.\n"), HELP, "help has an example"),
    Broken("an example that is no move", lambda: nim_info(help="  > all\n"), HELP, "'all' is none"),
    Broken("an option ignored", ignoring, OPTIONS, "-unheeded changes something"),
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
