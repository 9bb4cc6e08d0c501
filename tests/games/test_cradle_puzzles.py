"""The puzzles of Cradle: each has one solution, and is as hard as it says."""

from __future__ import annotations

from collections import Counter

import pytest

from pbm.features.puzzles.commands import judge_move, show_solution
from pbm.games import get_game
from pbm.rules import Position
from pbm.rules.solutions import STRENGTHS, Puzzle
from tools.games.cradle_puzzles import FEWEST, grade
from tools.games.small_cradle import loses, node

CRADLE = get_game("cradle")
PUZZLES = CRADLE.list_puzzles()
SAMPLE = PUZZLES[::30]
_DEEPEST = 6
"""The second solver is asked about wins within so many placements."""


def set_up(puzzle: Puzzle) -> Position:
    position = CRADLE.setup()
    for move in puzzle.moves:
        position = position.play(min(position.to_move), move)
    return position


def loses_soon(position: Position) -> bool:
    """Whether who is to move loses, says a solver that has nothing in common with that of the
    game."""
    _, _, _, height, top, *_ = position.dump()
    return any(loses(node(height, top), depth) for depth in range(0, _DEEPEST + 1, 2))


def test_there_are_hundreds_of_each_strength_and_none_twice() -> None:
    counts = Counter(puzzle.strength for puzzle in PUZZLES)
    assert [*counts] == [*STRENGTHS]
    assert min(counts.values()) >= 190
    assert len({puzzle.moves for puzzle in PUZZLES}) == len(PUZZLES)


def test_all_can_come_up_in_play_and_leave_a_choice() -> None:
    for puzzle in PUZZLES:
        position = set_up(puzzle)
        assert len(position.legal_moves(min(position.to_move))) >= FEWEST


@pytest.mark.sampled(4)
@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda puzzle: "+".join(puzzle.moves))
def test_exactly_one_move_wins(puzzle: Puzzle) -> None:
    position = set_up(puzzle)
    assert grade(position) == puzzle.strength
    verdict = show_solution(position)
    assert verdict.end.outcome is not None
    (seat,) = position.to_move
    assert verdict.end.outcome.winners == (seat,)
    soon = [move for move in position.legal_moves(seat) if loses_soon(position.play(seat, move))]
    assert soon == ([] if puzzle.strength == "hard" else [verdict.move])


@pytest.mark.parametrize("puzzle", SAMPLE[::3], ids=lambda puzzle: "+".join(puzzle.moves))
def test_every_other_move_is_refuted(puzzle: Puzzle) -> None:
    position = set_up(puzzle)
    (seat,) = position.to_move
    solution = show_solution(position).move
    for move in position.legal_moves(seat):
        verdict = judge_move(position, move)
        assert verdict.is_right is (move == solution)
        if verdict.is_lost:
            assert verdict.end.outcome is not None
            assert verdict.end.outcome.winners == (1 - seat,)
        elif not verdict.is_right:
            answered = position.play(seat, move).play(1 - seat, verdict.reply)
            known = answered.solve()
            assert known is not None
            assert not known.wins
