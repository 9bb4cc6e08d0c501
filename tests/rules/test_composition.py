"""Moves composed step by step."""

from __future__ import annotations

import pytest

from pbm.games import get_game
from pbm.rules.composition import (
    Composition,
    compose_in_any_order,
    compose_in_order,
    step_finder,
)

SQUARES = [f"{column}{row}" for column in "abcdefghij" for row in range(1, 11)]


@pytest.mark.parametrize(
    ("names", "move", "steps"),
    [
        (SQUARES, "e2e4", ("e2", "e4")),
        (SQUARES, "a10xj1", ("a10", "j1")),
        (SQUARES, "e7e8q", ("e7", "e8", "q")),
        (SQUARES, "d3-e3a", ("d3", "e3", "a")),
        (SQUARES, "a4-d1/d4", ("a4", "d1", "d4")),
        (SQUARES, "c3:c2+b3", ("c3", "c2", "b3")),
        (SQUARES, "c3c5-d3", ("c3", "c5", "d3")),
        (SQUARES, "dead c3", ("dead", "c3")),
        (SQUARES, "pass", ("pass",)),
        (["3c", "5e", "4d"], "p*3c", ("p*", "3c")),
        (["3c", "5e", "4d"], "5e4d+", ("5e", "4d", "+")),
        ([*map(str, range(1, 51))], "45x34x23", ("45", "34", "23")),
        ([*SQUARES, "star", "red"], "a1xstar", ("a1", "star")),
        ([*SQUARES, "star", "red"], "deploy c red", ("deploy c", "red")),
        ([*SQUARES, "e3h", "e3v"], "e3h", ("e3h",)),
        (["a1-a2", "a1", "a2"], "a1-a2", ("a1-a2",)),
        (["x", "b7", "y7"], "b7-x", ("b7", "x")),
        ([], "take-3", ("take-3",)),
    ],
)
def test_the_steps_of_a_move_are_its_places_and_what_is_left(
    names: list[str], move: str, steps: tuple[str, ...]
) -> None:
    assert step_finder(names)(move) == steps


MOVES = [(tuple(move.split()), move) for move in ("a b c", "a b d", "a e", "f", "f g h")]


@pytest.mark.parametrize(
    ("chosen", "made"),
    [
        ((), Composition((), ("a", "f"))),
        (("a",), Composition(("a",), ("b", "e"))),
        (("a", "b"), Composition(("a", "b"), ("c", "d"))),
        (("a", "b", "d"), Composition(("a", "b", "d"), (), "a b d")),
        (("a", "e"), Composition(("a", "e"), (), "a e")),
        (("f",), Composition(("f",), ("g",), "f")),
        (("f", "g"), Composition(("f", "g", "h"), (), "f g h")),
        (("b",), Composition(("b",))),
        (("a", "e", "e"), Composition(("a", "e"), (), "a e")),
    ],
)
def test_chosen_steps_narrow_the_moves(chosen: tuple[str, ...], made: Composition) -> None:
    assert compose_in_order(chosen, MOVES) == made


def test_nothing_is_composed_of_no_moves() -> None:
    assert compose_in_order((), ()) == compose_in_any_order((), ()) == Composition()


def test_the_cells_of_a_cradle_can_be_chosen_in_any_order() -> None:
    position = get_game("cradle").setup()
    assert "d2" in position.compose(0).next
    assert position.compose(0, ("d2", "b1")).next == ("c1", "d1", "b2", "c2")
    made = position.compose(0, ("d2", "b1", "d1"))
    assert made == Composition(("d2", "b1", "d1", "c1"), (), "b1,c1,d1,d2")
    assert position.compose(0, ("d2", "d2")) == Composition(("d2", "d2"))
    assert position.compose(1) == Composition()


def test_a_single_move_needs_no_click() -> None:
    position = get_game("tictactoe").setup()
    for move in ("a1", "a2", "b1", "b2", "c2", "c1", "b3", "a3"):
        assert position.compose(min(position.to_move), (move,)).move == move
        position = position.play(min(position.to_move), move)
    assert position.outcome or position.compose(0) == Composition(("c3",), (), "c3")


def test_the_sides_of_a_sowing_game_choose_their_own_houses() -> None:
    position = get_game("oware").setup()
    assert position.compose(0).next[0] == "south a"
    assert position.play(0, "a").compose(1, ("north f",)).move == "f"


def test_who_places_a_fleet_chooses_in_the_own_sea_and_shoots_at_the_other() -> None:
    position = get_game("battleship").setup(2, {"fleet": "short"})
    assert position.steps(0, "a1-a4") == ("north a1", "north a4")
    for move in ("a1-a4", "c1-c3", "e1-e2"):
        for seat in (0, 1):
            position = position.play(seat, move)
    assert position.compose(0, ("south b7",)).move == "b7"


def test_a_way_of_a_man_is_chosen_place_by_place() -> None:
    position = get_game("backgammon").setup()
    for die in ("6", "1"):
        position = position.play(-1, die)
    seat = min(position.to_move)
    assert position.steps(seat, "13/7 8/7") == ("13", "7", "8", "7")
    assert position.compose(seat, ("13", "7", "8")).move == "13/7 8/7"
