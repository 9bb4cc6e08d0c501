"""Stones in a row: Tic-Tac-Toe, Four in a Row, Gomoku, Connect6, Five and Pairs, Qubic,
Yavalath."""

from collections import Counter
from dataclasses import replace

import pytest
from sgfmill.sgf import Sgf_game

from pbm.games import get_game
from pbm.games.fivepairs import FivePairsPosition
from pbm.games.qubic import cube
from pbm.rules import OptionError, Outcome, Played, Value
from pbm.rules.drawing.svg import draw_svg
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

GAMES = ("tictactoe", "fourinarow", "gomoku", "connect6", "fivepairs", "qubic", "yavalath")


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_of_the_help_can_be_played(game: str) -> None:
    assert unplayable_examples(game) == set()


@pytest.mark.parametrize("game", GAMES)
def test_who_resigns_loses_and_the_position_is_kept(game: str) -> None:
    check_resigning(after(begun(game), moves(begun(game))[0]))


def test_noughts_and_crosses_has_the_known_numbers_of_positions_and_games() -> None:
    # 5478 positions, 255168 games, of which 1440 end with the fifth sign, 127872 with the ninth.
    boards = {begun("tictactoe").board: begun("tictactoe")}
    games = Counter(list(boards))
    seen, ended = set(boards), Counter[int]()
    for ply in range(1, 10):
        following: dict[str, TwoPlayerPosition] = {}
        counts = Counter[str]()
        for board, position in boards.items():
            for move in position.legal_moves(min(position.to_move)):
                then = after(position, move)
                following[then.board] = then
                counts[then.board] += games[board]
        seen |= set(following)
        ended[ply] = sum(counts[b] for b, p in following.items() if p.outcome)
        boards = {b: p for b, p in following.items() if not p.outcome}
        games = counts
    assert len(seen) == 5478
    assert dict(+ended) == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}


def test_four_in_a_row_has_the_known_numbers_of_positions() -> None:
    # OEIS A212693.
    boards, counts = {begun("fourinarow").board: begun("fourinarow")}, [1]
    for _ in range(5):
        boards = {
            then.board: then for p in boards.values() for then in (after(p, m) for m in moves(p))
        }
        counts.append(len(boards))
    assert counts == [1, 7, 49, 238, 1120, 4263]


def test_a_full_board_is_a_draw() -> None:
    assert ending(after(begun("tictactoe"), "b2 a1 c1 a3 a2 c2 b3 b1 c3")) == (
        (1, 1),
        "the board is full",
    )


def test_a_row_wins_and_loses_with_misere() -> None:
    line = "a1 b1 a2 b2 a3"
    assert ending(after(begun("tictactoe"), line)) == ((1, 2), "3 in a row for crosses")
    assert ending(after(begun("tictactoe", misere=True), line))[0] == (2, 1)
    with pytest.raises(OptionError, match="does not fit"):
        begun("tictactoe", row=4)


def test_pieces_fall_and_a_column_fills_up() -> None:
    position = after(begun("fourinarow"), "d 4 D d d d")
    assert refusal(position, "d") == "column d is full"
    assert refusal(position, "h") == "there is no column h; the last one is g"
    assert refusal(position, "9").startswith("'9' is not a column")
    assert "d" not in moves(position)
    assert "[O]" in position.render(None, ("d",)).split("\n")[1]
    assert ending(after(begun("fourinarow"), "a b a b a b a"))[0] == (1, 2)


def test_cells_are_refused_with_the_reason() -> None:
    position = after(begun("gomoku"), "h8")
    assert refusal(position, "H8") == "h8 is already taken by black"
    assert "it runs from a1 to o15" in refusal(position, "p3")
    assert "is not a cell" in refusal(position, "8h")


def test_six_in_a_row_count_unless_exact() -> None:
    line = "a1 a9 b1 b9 c1 c9 e1 e9 f1 f9 d1"
    assert ending(after(begun("gomoku", size=9), line))[0] == (1, 2)
    exact = after(begun("gomoku", size=9, exact=True), line)
    assert exact.outcome is None
    assert exact.to_move == {1}
    five = "a1 a9 b1 b9 c1 c9 e1 e9 d1"
    assert ending(after(begun("gomoku", size=9, exact=True), five))[0] == (1, 2)


def test_a_swap_gives_the_stone_to_the_other_seat() -> None:
    position = after(begun("gomoku", swap=True), "h8 swap")
    assert position.seat_names == ("white", "black")
    assert position.to_move == {0}
    assert position.turn == 2
    assert refusal(position, "swap") == "swap: it has already been played"
    won = after(position, "a1 h9 a2 h10 a3 h11 a4 h12")
    assert ending(won) == ((2, 1), "five in a row for black")


def test_a_swap_is_refused_where_it_is_no_move() -> None:
    assert "only as the answer" in refusal(begun("gomoku", swap=True), "swap")
    assert "without the swap rule" in refusal(after(begun("gomoku"), "h8"), "swap")
    assert "has no swap rule" in refusal(after(begun("qubic"), "1a1"), "swap")
    assert "swap" in moves(after(begun("yavalath"), "e5"))
    assert "swap" not in moves(after(begun("yavalath", noswap=True), "e5"))


def test_connect6_turns_have_two_stones_but_the_first() -> None:
    position = begun("connect6")
    assert perft(begun("connect6", size=9), 2) == 81 * 80
    position = after(position, "j10")
    assert (position.to_move, position.turn) == (frozenset({1}), 1)
    position = after(position, "K10K11")
    assert (position.to_move, position.turn) == (frozenset({0}), 2)
    position = after(position, "a1 b1 a9,a10 c1 d1 a12 a13 e1")
    assert position.to_move == {0}
    # With the first stone of two.
    assert ending(after(after(position, "s19 a15 a16"), "f1")) == (
        (1, 2),
        "six in a row for black",
    )


def pairs(rows: str, **more: Value) -> FivePairsPosition:
    return on(begun_as(FivePairsPosition, "fivepairs", size=9, **more), rows, turn=10)


EMPTY_ROW = "......... "


def test_pairs_are_captured_in_several_directions_at_once() -> None:
    board = pairs(
        "X...X.... .O..O.... ..O.O.... ......... ......... ......... ......... ......... ........."
    )
    # e6 closes e9 e8 e7 upwards; the slanting pair b8 c7 is closed from d6.
    position = after(board, "e6")
    assert position.news == ("white captures e7 and e8",)
    assert position.taken == (2, 0)
    assert {"e7", "e8"} <= set(moves(position))
    position = after(after(position, "i1"), "d6")
    assert position.taken == (4, 0)


def test_moving_between_two_stones_is_safe() -> None:
    board = replace(pairs(EMPTY_ROW * 8 + "X.OX....."), side=1)
    position = after(board, "b1")
    assert position.news == ()
    assert position.board[:4] == "XOOX"


def test_threes_are_captured_in_keryo_only() -> None:
    row = EMPTY_ROW * 8 + "XOOO....."
    assert after(pairs(row), "e1").board[:5] == "XOOOX"
    position = after(pairs(row, keryo=True), "e1")
    assert position.board[:5] == "X...X"


def test_the_tenth_captured_stone_wins() -> None:
    position = replace(pairs(EMPTY_ROW * 8 + "XOO......"), taken=(8, 6))
    assert ending(after(position, "d1")) == ((1, 2), "10 captured stones for white")


def test_the_first_stone_goes_to_the_centre_and_the_third_away_from_it() -> None:
    position = begun("fivepairs")
    assert moves(position) == ["j10"]
    assert "the centre, j10" in refusal(position, "k10")
    position = after(begun("fivepairs", tournament=True), "j10 a1")
    assert "three lines" in refusal(position, "l12")
    assert len(moves(position)) == 361 - 1 - 25
    assert len(moves(after(begun("fivepairs"), "j10 a1"))) == 359


def test_a_cube_has_76_rows() -> None:
    board = cube()
    rows = {
        tuple(sorted((cell, *ahead, *behind)))
        for cell, through in enumerate(board.axes)
        for ahead, behind in through
        if len(ahead) + len(behind) == 3
    }
    assert len(rows) == 76
    for row in rows:
        signs = "".join("X" if cell in row[:3] else "." for cell in range(64))
        position = replace(begun("qubic"), board=signs, turn=6)
        assert ending(after(position, board.names[row[3]]))[0] == (1, 2)


def test_cube_cells_are_refused_with_the_reason() -> None:
    assert "levels are 1 to 4" in refusal(begun("qubic"), "5a1")
    assert "level, column and row" in refusal(begun("qubic"), "a11")


def test_three_lose_and_four_win_also_both_at_once() -> None:
    three = after(begun("yavalath"), "a1 i9 b1 i8 c1")
    assert ending(three) == ((2, 1), "three in a row for white")
    four = after(begun("yavalath"), "a1 i9 b1 h9 d1 g5 c1")
    assert ending(four) == ((1, 2), "four in a row for white")
    # c1 makes four along row 1 and three along its column.
    both = after(begun("yavalath"), "a1 i9 b1 h9 d1 g5 c2 i6 c3 e9 c1")
    assert ending(both)[0] == (1, 2)


def test_a_record_of_gomoku_is_read_by_another_program() -> None:
    game = get_game("gomoku")
    position = game.setup(2, {"size": 9})
    moves_played = [(0, "a1"), (1, "swap"), (0, "i9"), (1, "c2")]
    headers = {"White": "ann", "Black": "bob", "Date": "2026.03.02"}
    won = Outcome((2, 1), "five in a row")
    text = game.record(Played(2, position.options, moves_played, won, headers))
    read = Sgf_game.from_string(text)
    assert (read.get_size(), read.get_player_name("w"), read.get_winner()) == (9, "ann", "b")
    nodes = [node.get_move() for node in read.get_main_sequence()[1:]]
    assert nodes == [("b", (0, 0)), ("w", (8, 8)), ("b", (1, 2))]


def test_discs_of_four_in_a_row_are_red_and_yellow_in_words_and_picture() -> None:
    position = after(begun("fourinarow"), "d, e")
    assert "X red, to move   O yellow" in position.picture(0).text
    words = position.words(0)
    assert "Red disc on d1." in words
    assert "Yellow disc on e1." in words
    drawn = draw_svg(position.scene(), position.colours)
    assert "#c4261d" in drawn
    assert "#f7cf2e" in drawn
