"""Two-player games: serialization, parsing, captions, rows of stones, drawing."""

from dataclasses import replace

import pytest

from pbm.games import get_game
from pbm.rules import InvalidMove
from pbm.rules.boards.squares import Grid
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import marks_on, pieces_on
from pbm.rules.drawing.scene_text import draw_scene
from pbm.rules.families.placement import CUBE_AXES, row_lengths
from pbm.rules.families.two_player import TwoPlayerPosition


def begun(**options: bool) -> TwoPlayerPosition:
    position = get_game("gomoku").setup(2, options)
    assert isinstance(position, TwoPlayerPosition)
    return position


def test_a_typed_list_leaves_the_rest() -> None:
    assert begun().parse("  H8, i9. ", 0) == ("h8", "i9")
    assert begun().parse("h8.", 0) == ("h8", "")


@pytest.mark.parametrize("text", ["", " ,;", "x" * 5000, "h\u00e98", "h888"])
def test_what_is_no_move_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidMove, match="a1"):
        begun().parse(text, 0)


def test_a_position_is_kept_with_all_it_has() -> None:
    position = replace(begun(swap=True), swapped=True, turn=7, side=1, news=("told once",))
    for kept in (
        position,
        position.win(0, "a reason"),
        position.end_in_draw("full"),
        position.resign(1),
    ):
        again = get_game("gomoku").decode(kept.encode())
        assert again == replace(kept, news=())
        assert again.news == ()


def test_winning_is_by_colour_and_ranks_are_by_seat() -> None:
    position = begun(swap=True)
    for swapped, ranks in ((False, (1, 2)), (True, (2, 1))):
        outcome = replace(position, swapped=swapped).win(0, "").outcome
        assert outcome is not None
        assert outcome.ranks == ranks


def test_the_caption_says_whose_move_it_is() -> None:
    assert "X black, to move   O white" in begun().render()
    assert "the game is over: black resigns" in begun().resign(0).render()


def test_rows_are_measured_in_every_direction() -> None:
    grid = Grid(5, 5)
    board = ["."] * 25
    for name in ("b2", "c3", "d4", "c2", "c4", "e3"):
        board[grid.number[name]] = "X"
    lengths = row_lengths(board, grid.number["c3"], grid.axes)
    assert lengths == [3, 3, 1, 1]
    assert len(CUBE_AXES) == 13


def test_a_square_board_has_coordinates_on_all_sides_and_marks() -> None:
    grid = Grid(3, 2)
    pieces, marks = pieces_on(grid.names, "X..O.."), marks_on(grid.names, {3})
    text = draw_scene(replace(grid_scene(grid), pieces=pieces, marks=marks)).picture().text
    assert text.split("\n") == [
        "      a b c",
        "   2 [O]. . 2",
        "   1  X . . 1",
        "      a b c",
    ]
