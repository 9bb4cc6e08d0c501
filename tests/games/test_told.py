"""Whatever leaves the board or moves is named and marked; `tools.games.told` plays more."""

import pytest

from pbm.games import get_game
from pbm.rules.testing.untold import find_untold
from tests.games.turns import play_text
from tools.games.sampling import list_sampled_names
from tools.games.told import list_untold


@pytest.mark.parametrize("name", list_sampled_names())
def test_what_vanishes_or_moves_is_named_and_marked(name: str) -> None:
    assert [*list_untold(get_game(name), 60, seed=3)] == []


def test_the_program_sees_what_nobody_is_told() -> None:
    before = get_game("draughts").setup()
    for move in ("11-15", "22-18"):
        before = play_text(before, move)
    after = before.play(0, "15x22")
    assert after.news == ("black captures 18",)
    assert [*find_untold(before, 0, "15x22", after)] == []
    assert [*find_untold(before, 0, "15x22", after.told(()))] == [
        "what stood on 18 is gone without a word",
        "18 is not marked",
    ]


def test_a_wall_and_captured_dice_are_named_in_words() -> None:
    walls = play_text(play_text(get_game("corridor").setup(), "d3v"), "e5h")
    assert walls.news == ("the wall is above e5 and f5",)
    dice = get_game("cephalopod").setup()
    for move in ("c3", "d4", "d3:c3+d4"):
        dice = play_text(dice, move)
    assert dice.news == ("first captures c3 and d4",)
