"""The conformance suite detects faults: each test plants one in a game that conforms."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbm.rules import NOBODY, Canvas, IllegalMove, Option, Outcome, Picture, roll
from pbm.rules.testing import (
    Nonconforming,
    check,
    finished,
    playthrough,
    random_options,
)
from pbm.rules.testing.nonconforming import require
from pbm.rules.testing.topics import MOVES
from tests.rules.nim import Nim, NimPosition


def with_fault(base: type[NimPosition] = NimPosition, **members: Any) -> Nim:
    """Nim whose positions have these members in the place of their own."""
    position: type[NimPosition] = type("Faulty", (base,), members)
    kind: type[Nim] = type("FaultyNim", (Nim,), {"position": position})
    game = position.game = kind()
    return game


def with_info(**changes: Any) -> Nim:
    """Nim that says other things of itself."""
    kind: type[Nim] = type("StrangeNim", (Nim,), {"info": replace(Nim.info, **changes)})
    kind.position = type("StrangePosition", (NimPosition,), {})
    game = kind.position.game = kind()
    return game


def refused_for(game: Nim, games: int = 12, moves: int = 300) -> str:
    with pytest.raises(Nonconforming) as raised:
        check(game, games=games, moves=moves)
    return str(raised.value)


def test_the_game_without_a_fault_conforms() -> None:
    assert check(Nim()) > 12
    assert check(with_fault()) == check(Nim())
    assert check(Nim(), games=1, moves=2) == 6


def test_require_is_never_left_out() -> None:
    require(True, "holds", MOVES)
    with pytest.raises(Nonconforming, match="does not hold"):
        require([], "does not hold", MOVES)


# Moves


class Lenient(NimPosition):
    """Takes a move in any case."""

    def apply(self, seat: int, move: str) -> NimPosition:
        return NimPosition.apply(self, seat, move.lower())


class Trimming(NimPosition):
    """Takes a move with blanks about it."""

    def apply(self, seat: int, move: str) -> NimPosition:
        return NimPosition.apply(self, seat, move.strip())


class Greedy(NimPosition):
    """Takes three stones of two."""

    def apply(self, seat: int, move: str) -> NimPosition:
        if move == "take-3" and self.stones < 3:
            return NimPosition.apply(self, seat, f"take-{self.stones}")
        return NimPosition.apply(self, seat, move)


@pytest.mark.parametrize("position", [Lenient, Trimming, Greedy])
def test_an_unlisted_move_that_is_accepted(position: type[NimPosition]) -> None:
    assert "is not listed for seat" in refused_for(with_fault(position))


def test_a_move_of_a_seat_that_is_not_on_the_move() -> None:
    def play(self: NimPosition, seat: int, move: str) -> NimPosition:
        return self.apply(self.seat if self.to_move else seat, move)

    assert "is not listed for seat" in refused_for(with_fault(play=play))


def test_a_move_that_is_listed_twice() -> None:
    def legal_moves(self: NimPosition, seat: int) -> Sequence[str]:
        return [*NimPosition.legal_moves(self, seat), "take-1"] if seat in self.to_move else []

    assert "listed once" in refused_for(with_fault(legal_moves=legal_moves))


def test_moves_for_a_seat_that_is_not_on_the_move() -> None:
    def legal_moves(self: NimPosition, seat: int) -> Sequence[str]:
        return NimPosition.legal_moves(self, self.seat)

    assert "is not on the move" in refused_for(with_fault(legal_moves=legal_moves))


def test_moves_after_the_end() -> None:
    def legal_moves(self: NimPosition, seat: int) -> Sequence[str]:
        return ["take-0"] if self.over else NimPosition.legal_moves(self, seat)

    assert "nothing is legal when it is over" in refused_for(with_fault(legal_moves=legal_moves))


def test_no_moves_for_the_seat_on_the_move() -> None:
    def legal_moves(self: NimPosition, seat: int) -> Sequence[str]:
        return [] if self.stones < 4 else NimPosition.legal_moves(self, seat)

    assert "is on the move and has one" in refused_for(with_fault(legal_moves=legal_moves))


def test_a_list_that_changes_its_order() -> None:
    calls = itertools.count()

    def legal_moves(self: NimPosition, seat: int) -> Sequence[str]:
        return NimPosition.legal_moves(self, seat)[:: 1 - 2 * (next(calls) % 2)]

    assert "stable" in refused_for(with_fault(legal_moves=legal_moves))


def test_a_listed_move_that_parses_to_another() -> None:
    def parse(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
        return NimPosition.parse(self, text, seat)[0].replace("3", "2"), ""

    assert "'take-3' parses to itself" in refused_for(with_fault(parse=parse))


def test_an_implied_end_that_is_none() -> None:
    def parse(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
        return NimPosition.parse(self, text, seat)[0], "take-1" if self.stones > 6 else ""

    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        return replace(NimPosition.apply(self, seat, move), seat=self.seat, turn=self.turn)

    assert "ends the turn" in refused_for(with_fault(parse=parse, apply=apply))


def test_a_move_that_changes_nothing() -> None:
    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        NimPosition.apply(self, seat, move)
        return self

    assert "changes the position" in refused_for(with_fault(apply=apply), moves=5)


def test_a_turn_that_falls() -> None:
    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        return replace(NimPosition.apply(self, seat, move), turn=self.stones)

    assert "the turn never falls" in refused_for(with_fault(apply=apply))


def test_a_refusal_without_words() -> None:
    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        if move not in self.legal_moves(seat):
            raise IllegalMove
        return NimPosition.apply(self, seat, move)

    assert "an error has a text" in refused_for(with_fault(apply=apply))


def test_an_error_that_is_no_refusal() -> None:
    def parse(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
        return f"take-{int(text[5:])}", ""

    text = refused_for(with_fault(parse=parse))
    assert "no exception but MoveError; raised: ValueError: invalid literal" in text
    assert "moves:    none; it is the first position" in text


def test_a_move_that_is_described_by_nothing() -> None:
    def describe(self: NimPosition, seat: int, move: str, viewer: int | None = None) -> str:
        return "" if viewer == 1 else move

    assert "is described" in refused_for(with_fault(describe=describe))


# Positions


def test_a_decoded_position_that_lost_a_field() -> None:
    class Forgetful(Nim):
        def load(self, players: int, options: Any, data: list[Any]) -> NimPosition:
            stones, seat, _turn, left = data
            return super().load(players, options, [stones, seat, 0, left])

    class Remembered(NimPosition):
        pass

    Forgetful.position, Remembered.game = Remembered, Forgetful()
    assert "encode and decode are inverse" in refused_for(Remembered.game)


def test_a_field_that_is_not_encoded() -> None:
    class Short(Nim):
        def load(self, players: int, options: Any, data: list[Any]) -> NimPosition:
            return super().load(players, options, data if len(data) == 4 else [*data, []])

    class Shortened(NimPosition):
        def dump(self) -> list[Any]:
            return [self.stones, self.seat, self.turn]

    Short.position, Shortened.game = Shortened, Short()
    assert "resigns here: a decoded position has its to_move" in refused_for(Shortened.game)


def test_a_position_of_several_lines() -> None:
    def encode(self: NimPosition) -> str:
        return NimPosition.encode(self) + "\n"

    assert "one line" in refused_for(with_fault(encode=encode))


def test_play_that_is_not_deterministic() -> None:
    calls = itertools.count(1)

    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        after = NimPosition.apply(self, seat, move)
        return replace(after, turn=self.turn + next(calls))

    assert "replay" in refused_for(with_fault(apply=apply))


def drawn(*lines: str) -> Callable[..., Picture]:
    def picture(self: NimPosition, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        for line in lines:
            canvas.line(line)
        return canvas.picture()

    return picture


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["x" * 79], "wider than 78 columns"),
        (["ok", "caf\u00e9"], "not plain ASCII"),
        (["a\tb"], "not plain ASCII"),
        ([""], "a board shows something"),
    ],
)
def test_a_board_that_no_mail_can_show(lines: list[str], reason: str) -> None:
    assert reason in refused_for(with_fault(picture=drawn(*lines)))
    assert check(with_fault(picture=drawn("x" * 78))) > 12


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("x" * 201, "a line of words is longer than 200"),
        ("caf\u00e9", "not plain ASCII"),
        ("", "the words say something"),
    ],
)
def test_words_that_cannot_be_read_aloud(words: str, reason: str) -> None:
    assert reason in refused_for(with_fault(words=lambda self, viewer, last: words))
    assert check(with_fault(words=lambda self, viewer, last: "x" * 200)) > 12


def test_news_that_no_mail_can_show() -> None:
    assert "not plain ASCII" in refused_for(with_fault(news=("a\nb",)))


# The end, chance, resigning


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome((1,), "why"), "every seat is ranked"),
        (Outcome((1, 3), "why"), "a rank is 1 + the number of seats"),
        (Outcome((2, 2), "why"), "a rank is 1 + the number of seats"),
        (Outcome((1, 2), ""), "an outcome has a reason"),
        (None, "it is over exactly when nobody is to move"),
    ],
)
def test_an_end_that_is_none(outcome: Outcome | None, reason: str) -> None:
    def ended(self: NimPosition) -> Outcome | None:
        return outcome if self.over else None

    assert reason in refused_for(with_fault(outcome=property(ended)))


def test_an_outcome_while_somebody_is_to_move() -> None:
    early = property(lambda self: Outcome((1,) * self.players, "early"))
    assert "over exactly when" in refused_for(with_fault(outcome=early))


def test_a_question_that_nobody_asked() -> None:
    asked = property(lambda self: roll(6))
    assert "a question exactly when chance is to move" in refused_for(with_fault(chance=asked))


def test_chance_on_the_move_together_with_a_seat() -> None:
    both = property(lambda self: NOBODY if self.over else frozenset({-1, self.seat}))
    assert "chance moves alone" in refused_for(with_fault(to_move=both))


def test_a_seat_on_the_move_that_has_left() -> None:
    def resign(self: NimPosition, seat: int) -> NimPosition:
        after = NimPosition.resign(self, seat)
        return after if after.over else replace(after, seat=seat)

    assert "who moves is playing" in refused_for(with_fault(resign=resign), games=60)


def test_who_resigned_and_still_plays() -> None:
    def resign(self: NimPosition, seat: int) -> NimPosition:
        if seat not in self.playing:
            raise IllegalMove("no such seat")
        return replace(self, turn=self.turn + 1)

    assert "who resigned no longer plays" in refused_for(with_fault(resign=resign), games=60)


def test_a_seat_that_resigns_although_it_cannot() -> None:
    def resign(self: NimPosition, seat: int) -> NimPosition:
        return self if seat not in self.playing else NimPosition.resign(self, seat)

    assert "cannot resign" in refused_for(with_fault(resign=resign))


# What a game says of itself


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "Nim"}, "lower case"),
        ({"name": "nim-2"}, "alphanumeric"),
        ({"name": "2nim"}, "begins with a letter"),
        ({"help": ""}, "help are written"),
        ({"help": "x" * 79}, "help is wider"),
        ({"help": "caf\u00e9"}, "help is not plain ASCII"),
        ({"summary": "two\nlines"}, "one short line"),
        ({"summary": "x" * 71}, "one short line"),
        ({"seats": {2: ("a", "b"), 3: ("a", "b")}}, "3 seats have 3 names"),
        ({"seats": {2: ("a", "a"), 3: ("a", "b", "c")}}, "different names"),
        ({"features": frozenset({"dice"})}, "unknown features"),
        ({"options": (Option("heap", "int", "", 9, 5, 20),)}, "has a line of help"),
        ({"options": (Option("heap", "int", "stones", 9.0, 5, 20),)}, "default of its type"),
    ],
)
def test_what_a_game_may_not_say(changes: dict[str, Any], reason: str) -> None:
    assert reason in refused_for(with_info(**changes))


def test_a_default_that_is_not_allowed() -> None:
    game = with_info(options=(Option("heap", "int", "stones", 4, 5, 20),))
    assert "-heap has a default that is allowed" in refused_for(game)


def test_random_options_are_allowed_ones() -> None:
    game = with_info(
        options=(
            Option("heap", "int", "stones", 9, 5, 20),
            Option("tax", "float", "what it costs", 1.0, 0.5, 2),
            Option("dark", "flag", "by night"),
            Option("side", "choice", "of the street", "left", choices=("left", "right")),
            Option("word", "text", "any", pattern="a word"),
        )
    )
    rng, seen = random.Random(4), set()
    for _ in range(60):
        given = random_options(game, rng)
        seen |= set(given)
        settled = game.setup(2, given).options
        assert {name: settled[name] for name in given} == given
    assert seen == {"heap", "tax", "dark", "side"}


# Playthroughs


def test_a_playthrough_is_the_same_each_time_and_tells_all() -> None:
    text = playthrough(Nim(), players=3, seed=2, options={"heap": 12})
    assert text == playthrough(Nim(), players=3, seed=2, options={"heap": 12})
    assert text != playthrough(Nim(), players=3, seed=3, options={"heap": 12})
    lines = text.splitlines()
    assert lines[:4] == ["game nim version 1", "players 3", "seed 2", "option heap = 12"]
    assert "# state 0, turn 0" in lines
    assert "12 stones" in lines
    assert "seat 0 has 3 moves: take-1 | take-2 | take-3" in lines
    assert lines[-1].startswith("ranks (")


def test_a_playthrough_may_leave_states_out_but_no_move() -> None:
    """The first state and the last are shown, also where the game is not over."""
    whole, text = (playthrough(Nim(), players=3, seed=2, moves=4, every=each) for each in (1, 8))
    plays = [line for line in text.splitlines() if " plays " in line]
    assert plays == [line for line in whole.splitlines() if " plays " in line]
    first, *middle, last = text.split("\n\n# state ")[1:]
    assert [first, last] == [whole.split("\n\n# state ")[each] for each in (1, -1)]
    assert not any(" stones" in each for each in middle)


def test_a_playthrough_shows_each_view_where_something_is_hidden() -> None:
    game = with_info(features=frozenset({"hidden"}))
    text = playthrough(game, players=2, seed=1)
    assert text.count("as seat 1 sees it:") == text.count("# state")


@pytest.mark.parametrize("standing", [(1.0,), (1.0, float("inf")), (1.0, 2.0)])
def test_a_standing_that_is_none(standing: tuple[float, ...]) -> None:
    """Too short, not finite, and at the end not that of the winner."""

    def wrong(self: NimPosition) -> tuple[float, ...]:
        return standing if len(standing) < 2 or self.over or standing[1] > 9 else (0.0, 0.0)

    assert "standing" in refused_for(with_fault(standing=property(wrong)))


def test_random_games_are_played_to_their_end() -> None:
    rng, first = random.Random(1), Nim().setup()
    last, moves = finished(first, rng)
    assert last.outcome is not None
    assert finished(last, rng) == (last, 0)
    with pytest.raises(Nonconforming, match=f"not over after {moves - 1} moves"):
        finished(first, random.Random(1), most=moves - 1)


def test_a_seat_on_the_move_without_a_move() -> None:
    stuck = with_fault(legal_moves=lambda self, seat: ()).setup()
    with pytest.raises(Nonconforming, match="is on the move and has one"):
        finished(stuck, random.Random(1))
