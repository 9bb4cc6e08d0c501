"""Games with a goal to reach: Breakthrough, Lines of Action, Corridor, Halma."""

from dataclasses import replace

import pytest

from pbm.games.corridor import CorridorPosition
from pbm.games.halma import HalmaPosition, camps
from pbm.rules.families.two_player import TwoPlayerPosition
from tests.games.classics import (
    after,
    begun,
    begun_as,
    check_resigning,
    ending,
    moves,
    on,
    perft,
    refusal,
    unplayable_examples,
)

GAMES = ("breakthrough", "linesofaction", "corridor", "halma")


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_of_the_help_can_be_played(game: str) -> None:
    assert unplayable_examples(game, games=20) == set()


@pytest.mark.parametrize("game", GAMES)
def test_who_resigns_loses(game: str) -> None:
    check_resigning(after(begun(game), moves(begun(game))[0]))


def test_breakthrough_has_the_known_numbers_of_lines() -> None:
    # As counted by Fairy-Stockfish from the first position.
    assert [perft(begun("breakthrough"), depth) for depth in (1, 2, 3)] == [22, 484, 11132]


def test_pieces_go_straight_or_slanting_and_capture_slanting() -> None:
    position = on(begun("breakthrough", columns=3, rows=5), "O.. ... .O. XX. ...", turn=8)
    assert moves(position) == ["a2-a3", "a2xb3", "b2-a3", "b2-c3"]
    assert refusal(position, "b2b3") == "b2xb3: a piece captures only diagonally"
    assert "one square forward" in refusal(position, "a2a4")
    assert (
        refusal(position, "a2b2")
        == "a2-b2: a piece moves one square forward, straight or diagonally"
    )
    assert "not yours" in refusal(position, "b3a2")
    assert refusal(position, "c2c3") == "c2-c3: c2 is empty"
    assert after(position, "A2B3").board.count("O") == 1
    own = on(begun("breakthrough", columns=3, rows=5), "O.. ... X.. XX. ...", turn=8)
    assert "your own piece" in refusal(own, "a2a3")


def test_the_last_row_wins_and_so_does_taking_all() -> None:
    position = on(begun("breakthrough", columns=3, rows=5), "... X.. ... ..O ...", turn=8)
    assert ending(after(position, "a4b5")) == ((1, 2), "white has broken through")
    black = replace(position, side=1)
    assert ending(after(black, "c2c1")) == ((2, 1), "black has broken through")
    last = on(begun("breakthrough", columns=3, rows=5), "... ... .O. X.. ...", turn=8)
    assert ending(after(last, "a2b3")) == ((1, 2), "white has captured all pieces")


def loa(rows: str, side: int = 0, **options: bool) -> TwoPlayerPosition:
    return on(begun("linesofaction", **options), rows, side=side, turn=20)


def test_lines_of_action_has_36_first_moves() -> None:
    assert perft(begun("linesofaction"), 1) == 36
    assert begun("linesofaction", scrambled=True).board.count("O") == 12


FAR = "........ "


def test_a_piece_moves_as_far_as_its_line_has_pieces() -> None:
    position = loa(FAR * 3 + "X..X.O.O " + FAR * 2 + "X....... " + ".....X..")
    # Row 5 holds four: a5 jumps over its own colour on d5.
    assert "a5-e5" in moves(position)
    assert "over the other colour" in refusal(position, "d5h5")
    assert "4 pieces, so it is 4 squares, not 1" in refusal(position, "d5e5")
    assert "not on a line" in refusal(position, "a5b7")
    # Column a holds two.
    assert "a5-a3" in moves(position)
    assert "a5-a7" in moves(position)


def test_captures_end_on_the_other_colour_and_never_on_the_own() -> None:
    position = loa("X....... " + FAR * 5 + "O.O..... X.X.....")
    assert "your own piece" in refusal(position, "a1c1")
    position = loa("X....... " + FAR * 5 + "......O. X.O.....")
    taken = after(position, "A1C1")
    assert taken.board.count("O") == 1


def test_one_group_wins_for_either_side() -> None:
    won = after(loa(FAR * 4 + "...X.... XX...... ........ O......O"), "d4c4")
    assert ending(won) == ((1, 2), "black is in one group")


def test_capturing_the_second_last_piece_joins_the_last_to_itself() -> None:
    position = loa("X....... " + FAR * 5 + "......O. X.O.....")
    assert ending(after(position, "a1c1")) == ((2, 1), "white is in one group")


def test_both_sides_in_one_group_is_a_win_of_the_mover_or_a_draw() -> None:
    rows = ".......O " + FAR * 5 + "...X.... X.O....."
    assert ending(after(loa(rows), "a1c1")) == ((1, 2), "black is in one group")
    assert ending(after(loa(rows, draw=True), "a1c1")) == ((1, 1), "both sides are in one group")


def test_a_third_time_is_a_draw() -> None:
    position = begun("linesofaction")
    line = "b1b3 a2c2 b3b1 c2a2 "
    assert after(position, line).outcome is None
    assert ending(after(position, line * 2)) == (
        (1, 1),
        "the position occurred for the third time",
    )


def corridor(
    pawns: tuple[str, str], put: str = "", side: int = 0, **options: int | str
) -> TwoPlayerPosition:
    """A position with the pawns there and walls that were put up alternately."""
    first = begun_as(CorridorPosition, "corridor", **options)
    position = after(first, put)
    board = ["."] * len(first.board)
    names = first.geometry.names
    for sign, name in zip("XO", pawns, strict=True):
        board[names.index(name)] = sign
    return replace(position, board="".join(board), side=side)


def pawn_moves(position: TwoPlayerPosition) -> list[str]:
    return sorted(move for move in moves(position) if move[-1] not in "hv")


def test_the_first_player_has_131_moves() -> None:
    assert perft(begun("corridor"), 1) == 131


def test_a_pawn_steps_where_no_wall_is() -> None:
    assert pawn_moves(begun("corridor")) == ["d1", "e2", "f1"]
    position = corridor(("e4", "e9"), "e4h d4v")
    assert pawn_moves(position) == ["e3", "f4"]
    assert "cannot go there" in refusal(position, "e5")
    assert refusal(position, "e9") == "e9: a pawn stands there"


def test_a_pawn_jumps_straight_or_to_the_side_of_a_wall() -> None:
    assert pawn_moves(corridor(("e4", "e5"))) == ["d4", "e3", "e6", "f4"]
    # With a wall behind the other pawn.
    assert pawn_moves(corridor(("e4", "e5"), "e5h a1h")) == ["d4", "d5", "e3", "f4", "f5"]
    # The border is like a wall, and a wall beside bars that side.
    assert pawn_moves(corridor(("e8", "e9"), "d8v a1h")) == ["e7", "f8", "f9"]


def test_walls_neither_overlap_nor_cross() -> None:
    position = after(begun("corridor"), "e3h e8")
    for taken in ("e3h", "d3h", "f3h", "e3v"):
        assert refusal(position, taken) == f"{taken}: another wall is in the way"
    assert {"c3h", "g3h", "d3v", "e4v", "e2v"} <= set(moves(position))
    assert refusal(position, "i3h") == "i3h does not fit: walls go from a1 to h8"


def test_the_last_way_must_stay_open() -> None:
    position = corridor(("e1", "e9"), "a1h c1h e1h g1h")
    assert refusal(position, "h1v") == "h1v: it would cut a pawn off from its goal"
    assert "h1v" not in moves(position)
    assert "h2h" in moves(position)
    # The same wall while there is another way.
    assert "h1v" in moves(corridor(("e1", "e9"), "a1h c1h g1h e5h"))


def test_who_has_no_wall_left_can_only_move() -> None:
    position = begun("corridor", walls=0)
    assert moves(position) == ["e2", "f1", "d1"]
    assert refusal(position, "e3h") == "e3h: you have no walls left"
    assert refusal(position, "pass").startswith("'pass' is not a move")


def test_the_other_side_wins_and_a_third_time_is_a_draw() -> None:
    assert ending(after(corridor(("d8", "a3"), put="a1h e5h"), "d9")) == (
        (1, 2),
        "white is on the other side",
    )
    line = "e2 e8 e1 e9 "
    assert after(begun("corridor"), line).outcome is None
    assert ending(after(begun("corridor"), line * 2))[0] == (1, 1)
    # A wall in between begins the count anew.
    assert after(begun("corridor"), line + "a1h e8 e2 e9 e1 e8 e2 e9").outcome is None


def halma(black: str, white: str, side: int = 0, size: str = "8") -> TwoPlayerPosition:
    first = begun_as(HalmaPosition, "halma", size=size)
    names = first.geometry.names
    board = ["."] * len(names)
    for sign, cells in (("X", black), ("O", white)):
        for name in cells.split():
            board[names.index(name)] = sign
    return replace(first, board="".join(board), side=side, turn=20)


def test_camps_have_their_pieces() -> None:
    for size, pieces in ((8, 10), (10, 15), (16, 19)):
        assert [len(camp) for camp in camps(size)] == [pieces, pieces]
        assert begun("halma", size=str(size)).board.count("O") == pieces


def test_steps_and_chains_of_jumps() -> None:
    position = halma("a1 b1 c2", "d4")
    listed = set(moves(position))
    # a1 over b1 to c1, from there over c2 to c3, over d4 to e5.
    assert {"a1-c1", "a1-c3", "a1-e5", "a1-a2", "a1-b2"} <= listed
    assert "a1-d1" not in listed
    assert "neither a step nor jumps" in refusal(position, "a1-d1")
    assert "not yours" in refusal(position, "d4d5")
    assert refusal(position, "a1b1") == "a1-b1: b1 is not empty"
    assert after(position, "A1C1C3E5").board.index("X") == 1


def test_a_piece_stays_in_the_other_camp() -> None:
    position = halma("h5 a1", "b8 g4")
    assert "h5-h6" in moves(position)
    assert refusal(position, "h5h4") == "h5-h4: a piece in the opposite camp must stay there"
    # Outside and back in by jumps.
    board = halma("h5 h6 g6", "c8")
    assert "h6-h7" in moves(board)


CAMP = "h8 g8 f8 e8 h7 g7 f7 h6 g6 h5"


def test_the_full_camp_wins_when_most_in_it_are_own() -> None:
    cells = CAMP.split()
    one_left = " ".join(cells[:-1]) + " h4"
    assert ending(after(halma(one_left, "a1"), "h4h5")) == (
        (1, 2),
        "black has filled the opposite camp",
    )
    # Four that stayed at home do not prevent it, five do.
    for stayed in (4, 5):
        black = " ".join(cells[stayed:-1]) + " h4"
        position = after(halma(black, " ".join(cells[:stayed])), "h4h5")
        assert (position.outcome is not None) == (stayed == 4)


def test_a_third_time_is_a_draw_in_halma_too() -> None:
    line = "d1e1 e8d8 e1d1 d8e8 "
    assert ending(after(begun("halma", size="8"), line * 2))[0] == (1, 1)


def test_who_is_shut_in_passes() -> None:
    position = halma("a1", "a2 b1 b2 a3 b3 c1 c2 c3")
    assert moves(position) == ["pass"]
    assert refusal(position, "a1a2").startswith("a1-a2: a2 is not empty")
    assert after(position, "pass").to_move == {1}
