"""The solver of the smallest board of Cradle: what is known of the openings, and games by it."""

from __future__ import annotations

import random

import pytest

from pbm.games import get_game
from pbm.games.cradle.cradle_solver import (
    HELD,
    Class,
    Solver,
    digest,
    get_solver,
    read_classes,
)
from pbm.rules import Position
from tools.games.solve_cradle import SOON, Graph, decide, find_state, pack_classes


def test_thirty_openings_lose_and_twelve_hold() -> None:
    """The first player does not win by force: each opening loses within 7 more, or holds."""
    solution = get_game("cradle").setup(2).solve()
    assert solution is not None
    assert (len(solution.wins), len(solution.loses), len(solution.holds)) == (0, 30, 12)
    assert max(solution.loses.values()) == 8
    assert "b1,c1,d1,d2" in solution.holds


@pytest.mark.parametrize("seed", range(6))
def test_what_is_won_is_won_in_time_against_any_defence(seed: int) -> None:
    dice = random.Random(seed)
    position = get_game("cradle").setup(2).play(0, "b1,b2,c2,d2")  # loses, says the solver
    solution = position.solve()
    assert solution is not None
    promised = min(solution.wins.values())
    turn = position.turn
    while position.outcome is None:
        seat = min(position.to_move)
        known = position.solve() if position.turn % 2 == turn % 2 else None
        moves = known.best if known is not None else position.legal_moves(seat)
        position = position.play(seat, dice.choice(moves))
    assert position.outcome.ranks == (2, 1)
    assert position.turn - turn <= promised


def find_value(position: Position) -> int | None:
    """What the file says of a position."""
    height, top, _ = find_state(position)
    return read_classes().get(digest(get_solver().classify(height, top)))


@pytest.mark.parametrize("seed", range(2))
def test_the_file_agrees_with_itself_and_with_a_search_that_does_not_read_it(seed: int) -> None:
    """Along games without a mistake that loses soon: what becomes of a position follows from what
    becomes of those after it."""
    dice, position = random.Random(seed), get_game("cradle").setup(2)
    searching = Solver({}, most=10**6)
    while position.outcome is None and position.turn < 6:
        value = find_value(position)
        assert value is not None
        state, seat = find_state(position), min(position.to_move)
        assert not any(searching.is_decided(state, depth) for depth in range(SOON - 2))
        after = [position.play(seat, move) for move in position.legal_moves(seat)]
        known = [find_value(each) for each in after]
        for each, found in zip(after, known, strict=True):
            if found is None:
                state = find_state(each)
                assert any(searching.is_decided(state, depth) for depth in range(1, SOON + 1, 2))
        lost = [each for each in known if each is not None and each % 2 == 0]
        if value == HELD:
            assert not lost
            assert HELD in known
        elif value % 2:
            assert value == min(lost) + 1
        else:
            assert not lost
            assert value == max(each or SOON for each in known) + 1
        onward = [each for each, found in zip(after, known, strict=True) if found is not None]
        if not onward:
            break
        position = dice.choice(onward)


def test_what_is_decided_backwards() -> None:
    """One class leads to a loss in 8, one to a win in 9; two lead to each other for ever."""
    classes: list[Class] = [((number,), 0) for number in range(5)]
    one, two, three, four, five = classes
    graph: Graph = {
        one: frozenset([two]),
        two: None,
        three: frozenset([one, two, four]),
        four: frozenset([five, two]),
        five: frozenset([four]),
    }
    values = decide(graph)
    assert values == {one: 8, three: 9, four: HELD, five: HELD}
    assert len(pack_classes(values)) == 4 * 6


def test_a_question_about_the_first_position_is_cheap() -> None:
    solver = Solver(read_classes(), most=400)
    solution = solver.solve([0] * 24, [0] * 24)
    assert len(solution.holds) == 12


def test_other_boards_are_not_solved() -> None:
    cradle = get_game("cradle")
    assert cradle.setup(2, {"size": 3}).solve() is None
    assert cradle.setup(3).solve() is None
    assert cradle.setup(2, {"must_reduce": True}).solve() is None
    assert get_game("hex").setup(2).solve() is None
