"""Examples of moves: whole turns that can be played as they stand, in every game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from pbm.games import get_game
from pbm.rules import CHANCE_TO_MOVE, IllegalMove, Position
from pbm.rules.examples import begin, find_example
from pbm.rules.typed_moves import ends_turn
from tests.rules.nim import Nim, NimPosition
from tests.rules.test_typed_moves import answer_chance, play_typed
from tools.games.sampling import list_sampled_names


class PatientNim(NimPosition):
    """Nim in which a seat may wait as often as it likes before it ends its turn."""

    def legal_moves(self, seat: int) -> Sequence[str]:
        return ["end", "wait"] if seat in self.to_move else []

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        move, _, rest = text.strip().partition(", ")
        return move, rest

    def apply(self, seat: int, move: str) -> NimPosition:
        if move not in self.legal_moves(seat):
            raise IllegalMove("wait, or end")
        return self if move == "wait" else replace(self, turn=self.turn + 1).passed_on()


class EndlessNim(Nim):
    position = PatientNim


PatientNim.game = EndlessNim()


@pytest.mark.parametrize("name", list_sampled_names())
def test_an_example_is_a_whole_turn(name: str) -> None:
    """It can be played as it stands, always reads the same, and leaves nothing undone."""
    dice = random.Random(name)
    position = get_game(name).setup()
    is_open = not position.game.info.features & {"hidden", "sealed"}
    for _ in range(12):
        position = answer_chance(position, dice)
        if position.outcome is not None:
            break
        seat, turn, before = min(position.to_move), position.turn, position
        example = find_example(position, seat)
        assert example == find_example(get_game(name).decode(position.encode()), seat)
        moves = play_typed(position, seat, example)
        assert moves
        for move in moves:
            if is_open and not position.moves_once:
                assert not list_better(position, seat, move), example
            position = position.play(seat, move)
        if is_open and position.to_move != CHANCE_TO_MOVE:
            assert position.turn != turn or seat not in position.to_move
        if dice.random() < 0.7:  # else the game goes on as the examples have it
            position = before.play(seat, dice.choice(before.legal_moves(seat)))


def list_better(position: Position, seat: int, move: str) -> list[str]:
    """Return what a seat can do instead of ending its turn with a move, and would not regret."""
    turn, others = position.turn, {*position.legal_moves(seat)} - {move}
    if position.play(seat, move).leaves_open(seat, turn):
        return []
    if ends_turn(move):
        now = lead(position, seat)
        return [other for other in others if lead(position.play(seat, other), seat) >= now]
    return [other for other in others if position.play(seat, other).leaves_open(seat, turn)]


def lead(position: Position, seat: int) -> float:
    outlook = position.outlook or (0.0,) * position.players
    return outlook[seat] - max(outlook[:seat] + outlook[seat + 1 :])


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("fourinarow", "d"),
        ("tictactoe", "b2"),
        ("hex", "f6"),
    ],
)
def test_the_first_example_is_sensible(name: str, example: str) -> None:
    assert find_example(get_game(name).setup(), 0) == example


@pytest.mark.parametrize(
    "name", [n for n in list_sampled_names() if get_game(n).setup().moves_once]
)
def test_an_example_of_one_move_is_what_the_game_suggests(name: str) -> None:
    position = begin(get_game(name))
    seat = min(position.to_move)
    assert find_example(position, seat) == position.suggest(seat)


def test_a_turn_is_ended_by_the_word_of_the_game() -> None:
    """Where orders are left that would do harm, the example says how to stop."""
    fighters = get_game("spacefighters").setup()
    for _ in range(2):
        seat = min(fighters.to_move)
        fighters = answer_chance(
            fighters.play(seat, fighters.legal_moves(seat)[0]), random.Random(1)
        )
    orders = find_example(fighters, min(fighters.to_move)).split(", ")
    assert orders[-1] == "end"
    assert {order.partition(" ")[0] for order in orders} >= {"deploy", "end"}
    assert sum("-" in order for order in orders) >= 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_examples_lead_to_the_end_of_cyclone(players: int) -> None:
    """Each uses the whole roll, and who follows them wins within a reasonable time."""
    dice = random.Random(players)
    position = begin(get_game("cyclone"), players)
    for _ in range(200):
        if position.outcome is not None:
            break
        seat = min(position.to_move)
        example = find_example(position, seat)
        assert "pass" not in example
        for move in play_typed(position, seat, example):
            position = position.play(seat, move)
        position = answer_chance(position, dice)
    assert position.outcome is not None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_mothership_comes_in_at_once(players: int) -> None:
    position = get_game("spacecradles").setup(players)
    for seat in range(players):
        moves = play_typed(position, seat, find_example(position, seat))
        assert [move.startswith("m-") for move in moves] == [False, True]
        for move in moves:
            position = position.play(seat, move)


def test_a_turn_without_end_is_no_endless_example() -> None:
    """Where somebody could go on for ever, the example stops by the word for that."""
    example = find_example(PatientNim.game.setup(), 0).split(", ")
    assert set(example[:-1]) == {"wait"}
    assert example[-1] == "end"
