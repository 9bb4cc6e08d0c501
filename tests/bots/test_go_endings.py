"""In go bots come to an end: they pass when nothing is left to gain, and are honest about stones
that are dead."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbm.bots.quick.go_playouts import finish_go, list_useful
from pbm.bots.strengths import Strength
from pbm.bots.turns import play_turn
from pbm.games import get_game
from pbm.games.go import FIRST, LAST_WORD, SECOND, Go
from pbm.rules.families.surrounding import fingerprint

BOARD = ".XXO.", "OXXO.", "XXXOO", ".XXO.", ".XXO."
"""From the top: all is settled, and the stone on a4 is dead."""
BLACK, WHITE = 0, 1


def lay_out(*rows: str, komi: float = 3.5) -> Go:
    """A board of five lines; with that komi Black wins by 1.5 if the white stone is dead, and loses
    by 1.5 if not."""
    position = get_game("go").setup(2, {"size": 5, "komi": komi})
    assert isinstance(position, Go)
    board = "".join(reversed(rows))
    return replace(position, board=board, history=(fingerprint(board),), turn=20)


def finish(position: Go) -> list[str]:
    return [*finish_go(position, random.Random(1))]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("strengths", [((0, 1.0), (8,)), ((8,), (8,))])
def test_a_game_ends_by_agreement(seed: int, strengths: tuple[tuple[float, ...], ...]) -> None:
    dice, position = random.Random(seed), get_game("go").setup(2, {"size": 6})
    while position.outcome is None:
        assert position.turn < 200
        (seat,) = position.to_move
        work, *slips = strengths[seat]
        for move in play_turn(position, seat, Strength(int(work), *slips), dice, lambda _: False):
            position = position.play(seat, move)
    assert "by" in position.outcome.reason


def test_both_pass_when_all_is_settled() -> None:
    for side in (BLACK, WHITE):
        for passes in (0, 1):
            assert finish(replace(lay_out(*BOARD), side=side, passes=passes)) == ["pass"]


def test_a_pass_too_early_is_answered_by_a_move_unless_the_lead_is_safe() -> None:
    few = lay_out(".....", "..X..", ".....", "..O..", ".....")
    for side in (BLACK, WHITE):
        assert not finish(replace(few, side=side, passes=1))
    assert not finish(replace(few, side=WHITE, turn=2))
    assert finish(replace(few, side=WHITE, passes=1, options={**few.options, "komi": 60.0}))


def test_dead_stones_are_named_by_either_side() -> None:
    for side in (BLACK, WHITE):
        position = replace(lay_out(*BOARD), side=side, passes=2, stage=FIRST)
        assert finish(position) == ["dead a4", "done"]


def test_what_costs_the_game_is_corrected_and_what_is_right_is_agreed_to() -> None:
    position = replace(lay_out(*BOARD), passes=2, stage=SECOND)
    cell = position.geometry.number["a4"]
    assert finish(replace(position, side=BLACK)) == ["dead a4", "done"]
    assert finish(replace(position, side=BLACK, dead=(cell,))) == ["agree"]
    for side in (BLACK, WHITE):
        assert finish(replace(position, side=side, dead=(cell,), stage=LAST_WORD)) == ["agree"]


def test_who_is_lied_to_resumes_and_does_not_pass_before_the_stones_are_taken() -> None:
    position = replace(lay_out(*BOARD), passes=2, side=BLACK)
    assert finish(replace(position, stage=LAST_WORD)) == ["resume"]
    resumed = replace(position, passes=0, resumed=True)
    assert not finish(resumed)
    taken = resumed.play(BLACK, "a5")
    assert isinstance(taken, Go)
    assert finish(replace(taken, side=BLACK)) == ["pass"]


def test_no_own_eye_is_filled_and_nobody_passes_by_chance() -> None:
    position = lay_out(".....", ".....", "..O..", "XX...", ".X...")
    assert list_useful(position, ["a1", "a3", "pass"]) == ["a3"]
    assert list_useful(position, ["a1", "pass"]) == ["a1", "pass"]
    assert list_useful(replace(position, side=WHITE), ["a1", "pass"]) == ["a1"]
    naming = replace(position, stage=FIRST)
    assert list_useful(naming, naming.legal_moves(0)) == naming.legal_moves(0)
