"""Amazons, Clobber, Konane, morris, the tafl games, Sumito and Fanorona: known move counts,
hand-made positions, endings, accepted notations."""

from dataclasses import replace
from typing import Any

import pytest

from pbm.games.morris import Morris
from pbm.rules import AmbiguousMove, IllegalMove, Position
from pbm.rules.families.tafl import TaflPosition
from pbm.rules.families.two_player import TwoPlayerPosition
from tests.games.classics import (
    after,
    begun,
    begun_as,
    check_resigning,
    moves,
    on,
    perft,
    refusal,
    unplayable_examples,
)

GAMES = (
    "amazons",
    "clobber",
    "konane",
    "morris",
    "hnefatafl",
    "brandubh",
    "sumito",
    "fanorona",
)


@pytest.mark.parametrize("game", GAMES)
def test_examples_of_the_help_can_be_played(game: str) -> None:
    assert not unplayable_examples(game)


@pytest.mark.parametrize(
    ("game", "options", "counts"),
    [
        ("amazons", {}, [2176]),  # every program's first count
        ("morris", {}, [24, 552, 12144]),  # 24 * 23 * 22: no mill can close before
        ("sumito", {}, [44, 1936]),  # neither side touches the other before its second move
        ("hnefatafl", {}, [116]),
        ("fanorona", {}, [5]),  # the five openings of the printed rules
    ],
)
def test_published_counts(game: str, options: dict[str, str], counts: list[int]) -> None:
    position = begun(game, **options)
    assert [perft(position, depth + 1) for depth in range(len(counts))] == counts


# Amazons


def test_an_arrow_may_fly_to_where_the_amazon_came_from() -> None:
    position = after(begun("amazons"), "d1-d7/d1")
    assert position.board[3] == "#"
    assert after(begun("amazons"), "D1D7D1") == position
    assert after(begun("amazons"), "d1-d7(d1)") == position


def test_refusals_of_amazons() -> None:
    position = begun("amazons")
    assert "is black's, not yours" in refusal(position, "a7-a8/a9")
    assert "straight line" in refusal(position, "d1-e3/e4")
    assert "in the way of the amazon" in refusal(position, "d1-h1/h2")
    assert "not empty" in refusal(position, "d1-g1/g2")
    behind = after(position, "d1-d6/h6 a7-a8/a9")
    assert "in the way of the arrow" in refusal(behind, "d6-e6/i6")
    assert "the arrow cannot go to a4" in refusal(position, "d1-d4/a4")
    assert "not on the board" in refusal(position, "d1-d11/d2")


def test_who_is_walled_in_loses() -> None:
    board = "O##### ###... ...... ...... ...... X....."
    over = after(on(begun("amazons", size="6"), board), "a1-b1/b2")
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((1, 2), "black cannot move")


# Clobber


def test_clobber_ends_when_nothing_is_beside() -> None:
    position = on(begun("clobber", columns=3, rows=2), "X.. .XO")
    over = after(position, "b1c1")
    assert over.outcome is not None
    assert over.outcome.ranks == (1, 2)
    position = on(begun("clobber", columns=3, rows=2, misere=True), "X.. .XO")
    over = after(position, "b1xc1")
    assert over.outcome is not None
    assert over.outcome.ranks == (2, 1)


def test_refusals_of_clobber() -> None:
    position = begun("clobber")
    assert "not next to" in refusal(position, "a1-c1")
    assert "black's, not yours" in refusal(position, "b1-a1")
    gone = after(position, "a1-b1 a2-b2")
    assert "a1 is empty" in refusal(gone, "a1-a2")
    assert "no piece of black stands on a1" in refusal(gone, "b1-a1")


# Konane


def test_the_beginning_of_konane() -> None:
    position = begun("konane")
    assert sorted(moves(position)) == ["a1", "d4", "e5", "h8"]
    assert "corner or the middle" in refusal(position, "c1")
    assert "white's, not yours" in refusal(position, "b1")
    second = after(position, "d4")
    assert sorted(moves(second)) == ["c4", "d3", "d5", "e4"]
    assert "next to the empty square" in refusal(second, "b1")


def test_jumps_go_on_in_one_direction() -> None:
    board = "...... ...... ...... ...... ...... XO.O.."
    position = on(begun("konane", size="6"), board, turn=2)
    assert sorted(moves(position)) == ["a1-c1", "a1-e1"]
    over = after(position, "a1-e1")
    assert over.board[:6] == "....X."
    assert over.outcome is not None
    assert over.outcome.reason == "white cannot move"


def test_refusals_of_konane() -> None:
    position = after(begun("konane"), "d4 d5")
    assert "not empty" in refusal(position, "a1-c1")
    assert "row or a column" in refusal(position, "b2-d4")
    assert "behind it" in refusal(position, "d6-d5")
    bare = on(position, "........ ........ ........ ........ ........ ........ ........ X.X.O...")
    assert "each piece you jump over must be your opponent's" in refusal(bare, "a1-g1")
    assert "two squares" in refusal(position, "a1")
    assert "in the opening each side takes off a piece" in refusal(begun("konane"), "a1-c1")


# Morris


def test_a_mill_takes_a_man() -> None:
    position = after(begun("morris"), "a7 a1 d7 d1")
    with pytest.raises(AmbiguousMove, match="g7xa1 or g7xd1"):
        position.parse("g7", 0)
    taken = after(position, "g7xa1")
    assert taken.board.count("O") == 1
    assert "does not close a mill" in refusal(position, "b6xa1")


def test_men_in_mills_are_safe_while_others_are_not() -> None:
    # Black has a mill on row 1 and a man on c3; white closes one on row 7.
    position = after(begun("morris"), "a7 a1 d7 d1 b6 g1xb6 c3 c4")
    assert "is in a mill" in refusal(position, "g7xa1")
    assert moves(position).count("g7xc4") == 1
    assert not [move for move in moves(position) if move.startswith("g7x") and "c4" not in move]


def test_men_in_mills_are_taken_when_there_are_no_others() -> None:
    position = after(begun("morris"), "a7 a1 d7 d1 b6 g1xb6")
    takes = [move for move in moves(position) if move.startswith("g7")]
    assert takes == ["g7xa1", "g7xd1", "g7xg1"]


def men(position: Morris, white: str, black: str, **more: Any) -> Morris:
    """A position with men on points and none in hand."""
    number = position.geometry.number
    row = ["."] * len(number)
    for stone, names in (("X", white), ("O", black)):
        for name in names.split():
            row[number[name]] = stone
    return replace(position, board="".join(row), hand=(0, 0), **more)


def test_three_men_fly() -> None:
    position = men(begun_as(Morris, "morris"), "a1 d1 g4", "a7 d7 b6 d6")
    assert "g4-g1xa7" in moves(position)
    assert "g4-c3" in moves(position)
    walking = men(begun_as(Morris, "morris", nofly=True), "a1 d1 g4", "a7 d7 b6 d6")
    assert "no line joins g4 to c3" in refusal(walking, "g4-c3")


def test_endings_of_morris() -> None:
    lost = after(men(begun_as(Morris, "morris"), "a1 d1 g4", "a7 d7 b6"), "g4-g1xa7")
    assert lost.outcome is not None
    assert (lost.outcome.ranks, lost.outcome.reason) == ((1, 2), "black has 2 men left")
    quiet = men(begun_as(Morris, "morris"), "a1 d1 g4 b2", "a7 d7 b6 d6", idle=99)
    drawn = after(quiet, "b2-b4")
    assert drawn.outcome is not None
    assert drawn.outcome.ranks == (1, 1)


def test_who_cannot_move_in_morris_loses() -> None:
    position = men(begun_as(Morris, "morris"), "d7 b4 d2 g4 c5", "a7 a4 a1 d1")
    over = after(position, "g4-g1")
    assert over.outcome is not None
    assert over.outcome.reason == "black cannot move"


def test_boards_of_morris() -> None:
    six, twelve = begun("morris", men="6"), begun_as(Morris, "morris", men="12")
    assert len(six.board) == 16
    assert "a1-b2" in moves(men(twelve, "a1 d1 g4 g1", "a7 d7 b6 d6"))
    closed = men(twelve, "a1 b2 d3 g1", "a7 d7 b6 d6")
    assert [move for move in moves(closed) if move.startswith("d3-c3x")]
    assert "a1-b2" not in moves(men(begun_as(Morris, "morris"), "a1 d1 g4 g1", "a7 d7 b6 d6"))


def test_a_full_board_of_twelve_men_is_a_draw() -> None:
    twelve = begun_as(Morris, "morris", men="12")
    board = "XOXOXOXOXOXOXOXOXOXOXOX."
    position = replace(twelve, board=board, hand=(0, 1), side=1)
    last = [move for move in moves(position) if "x" not in move]
    assert last
    drawn = after(position, last[0])
    assert drawn.outcome is not None
    assert drawn.outcome.reason == "the board is full"


# Tafl


def tafl_board(game: str, pieces: str, **more: Any) -> TaflPosition:
    """A position with pieces like Kf6 Xa1."""
    position = begun(game)
    assert isinstance(position, TaflPosition)
    row = ["."] * len(position.board)
    for piece in pieces.split():
        row[position.geometry.number[piece[1:]]] = piece[0]
    return replace(position, board="".join(row), **more)


def test_a_piece_between_two_is_taken() -> None:
    position = after(tafl_board("hnefatafl", "Kf6 Xa4 Oc5 Xd9 Xc6 Oe9"), "a4-c4")
    assert "O" in position.board
    assert position.board.count("O") == 1


def test_a_third_repetition_loses_for_the_king_and_is_claimed_in_version_1() -> None:
    shuttle = ("d1-c1", "f4-e4", "c1-d1", "e4-f4") * 2
    position = begun("hnefatafl")
    for move in shuttle[:-1]:
        position = after(position, move)
    assert position.outcome is None
    over = after(position, shuttle[-1])
    assert over.outcome is not None
    assert (over.outcome.winners, over.outcome.reason) == (
        (0,),
        "the position occurred for the third time",
    )
    (earlier,) = over.game.earlier
    former = earlier.setup()
    for number, move in enumerate(shuttle):
        former = former.play(number % 2, move)
    assert former.outcome is None
    assert over.game.decode(former.encode()) == former
    assert "can also be claimed" in earlier.info.help


def test_going_between_two_is_safe() -> None:
    position = after(tafl_board("hnefatafl", "Kf6 Xc4 Xc6 Oa5", side=1), "a5-c5")
    assert position.board.count("O") == 1


def test_corners_and_the_empty_throne_are_hostile() -> None:
    corner = after(tafl_board("hnefatafl", "Kf6 Ob1 Xc5 Xj9"), "c5-c1")
    assert corner.board.count("O") == 0
    throne = after(tafl_board("hnefatafl", "Kb6 Oe6 Xd9 Xa9"), "d9-d6")
    assert throne.board.count("O") == 0
    held = after(tafl_board("hnefatafl", "Kf6 Oe6 Xd9 Xa9"), "d9-d6")
    assert held.board.count("O") == 1, "the king on his throne protects his man"


def test_the_king_takes_part() -> None:
    position = after(tafl_board("hnefatafl", "Kc6 Xd4 Oe4 Xa9", side=1), "c6-c4")
    assert position.board.count("X") == 1


def test_barred_squares() -> None:
    position = tafl_board("brandubh", "Kb2 Xd1 Xa3")
    assert "d1-d7" in moves(position), "over the empty throne"
    assert "only the king" in refusal(position, "d1-d4")
    assert "only the king" in refusal(position, "a3-a1")
    assert "in the way" in refusal(tafl_board("brandubh", "Kb2 Xd1 Xd3"), "d1-d5")


def test_the_king_wins_in_a_corner() -> None:
    over = after(tafl_board("hnefatafl", "Kk5 Xd1", side=1), "k5-k1")
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((2, 1), "the king has reached a corner")


@pytest.mark.parametrize(
    ("game", "pieces", "move", "taken"),
    [
        ("hnefatafl", "Kc5 Xc4 Xc6 Xb5 Xd9", "d9-d5", True),
        ("hnefatafl", "Kc5 Xc4 Xc6 Xd9", "d9-d5", False),
        ("hnefatafl", "Ke6 Xe5 Xe7 Xd9", "d9-d6", True),  # the throne is the fourth
        ("hnefatafl", "Ka5 Xa4 Xa6 Xb9", "b9-b5", False),  # at the border
        ("brandubh", "Kb5 Xa5 Xc7", "c7-c5", True),
        ("brandubh", "Kb1 Xc7", "c7-c1", True),  # against the corner
        ("brandubh", "Kd4 Xc4 Xe4 Xd3 Xe5", "e5-d5", True),
        ("brandubh", "Kd4 Xc4 Xe4 Xe5", "e5-d5", False),
        ("brandubh", "Kd5 Xc5 Xe7", "e7-e5", False),  # next to the throne
        ("brandubh", "Kd5 Xc5 Xd6 Xe7", "e7-e5", True),
        ("brandubh", "Kb5 Xb4 Xc7", "c7-c5", False),  # not in one line
    ],
)
def test_the_king_is_taken(game: str, pieces: str, move: str, taken: bool) -> None:
    over = after(tafl_board(game, pieces + " Oa7" * (game == "hnefatafl")), move)
    assert (over.outcome is not None and over.outcome.ranks == (1, 2)) == taken


def test_the_king_may_go_between_attackers() -> None:
    safe = after(tafl_board("brandubh", "Kb7 Xa5 Xc5 Xg3", side=1), "b7-b5")
    assert safe.outcome is None


def test_surrounded_defenders_lose() -> None:
    ring = "Xd3 Xe3 Xf3 Xc4 Xc5 Xd6 Xe6 Xf6 Xg5 Xh4 "
    position = tafl_board("hnefatafl", "Ke4 Of5 " + ring)
    over = after(position, "h4-g4")
    assert over.outcome is not None
    assert over.outcome.reason == "the king and his men are surrounded"
    outside = after(tafl_board("hnefatafl", "Ke4 Of5 Oa9 " + ring), "h4-g4")
    assert outside.outcome is None


def test_a_quiet_game_of_tafl_is_a_draw_and_who_cannot_move_loses() -> None:
    drawn = after(tafl_board("brandubh", "Kd4 Xa3 Og3", idle=199), "a3-a4")
    assert drawn.outcome is not None
    assert drawn.outcome.ranks == (1, 1)
    walled = tafl_board("brandubh", "Kc3 Xa2 Oa3 Ob5", side=1)
    over = after(walled, "b5-b2")
    assert over.outcome is not None
    assert over.outcome.reason == "attackers cannot move"


# Sumito


def marbles(rows: str, **more: Any) -> TwoPlayerPosition:
    """A position from rows i to a, with blanks between cells left out."""
    return replace(begun("sumito"), board="".join(rows.split()), **more)


LINE = "..... ...... ....... ........ .XXXOO... ........ ....... ...... OOOOO"


def test_three_push_two() -> None:
    position = after(marbles(LINE), "e2-e3")
    assert position.board[26:35] == "..XXXOO.."


def test_two_do_not_push_two() -> None:
    position = marbles(LINE.replace(".XXXOO", "..XXOO"))
    assert "not fewer" in refusal(position, "e3-e4")


def test_four_in_line_do_not_move() -> None:
    position = marbles(LINE.replace(".XXXOO...", "XXXX....."))
    assert "4 of your marbles" in refusal(position, "e1-e2")
    assert "e2-e3" in moves(position), "three of them do"


def test_whose_marbles_are_pushed_and_where_to_is_told() -> None:
    one = after(marbles(LINE.replace(".XXXOO...", ".XXXO....")), "e2-e3")
    assert "white's marble is pushed to e6" in one.news
    two = after(marbles(LINE), "e2-e3")
    assert "white's 2 marbles are pushed on to e7" in two.news


def test_a_marble_is_pushed_off() -> None:
    position = marbles(LINE.replace(".XXXOO...", "....XXXOO"))
    pushed = after(position, "e5-e6")
    assert pushed.board[26:35] == ".....XXXO"
    assert pushed.news == (
        "the marble in front of the line goes to e8",
        "a white marble is pushed off from e9",
    )
    assert "pushed off, of 6: black" in pushed.render()


def test_the_goal_and_the_draw() -> None:
    board = LINE.replace(".XXXOO...", "....XXXOO")
    over = after(replace(begun("sumito", goal=8), board=board.replace(" ", "")), "e5-e6")
    assert over.outcome is not None
    assert over.outcome.ranks == (1, 2)
    drawn = after(marbles(LINE, options={"start": "usual", "goal": 14}, idle=199), "e2-d1")
    assert drawn.outcome is not None
    assert drawn.outcome.ranks == (1, 1)


def test_sideways() -> None:
    position = begun("sumito")
    assert after(position, "c3c5-d3") == after(position, "c5c3-d5"), "from either end"
    assert "needs an empty cell" in refusal(position, "b3b4-c3")
    assert "c2 is empty" in refusal(position, "c2c3-d2")
    assert "not the ends of a line of two or three cells" in refusal(position, "a1b3-c3")
    assert "along a line write" in refusal(position, "a2a1-a3")
    assert "not next to a1" in refusal(position, "a1a2-c1")


def test_own_marbles_do_not_leave_the_board() -> None:
    assert "not next to" in refusal(begun("sumito"), "a1-c3")
    position = marbles("..... ...... ....... ........ ......... ........ ....... ...... XX..O")
    assert "a2-a1" not in moves(position)
    assert "your own marble would leave" in refusal(position, "a2-a1")


# Fanorona


def test_approach_and_withdrawal() -> None:
    position = begun("fanorona")
    with pytest.raises(AmbiguousMove, match="d3-e3a or d3-e3w"):
        position.parse("d3-e3", 0)
    near = after(position, "d3-e3a")
    assert near.board[18:27] == "OXO.X.XOX"
    away = after(position, "d3-e3w")
    assert away.board[18:27] == "OX..XOXOX"


def test_a_capture_takes_the_whole_line() -> None:
    assert after(begun("fanorona"), "e2-e3a").board.count("O") == 20


def test_captures_must_be_made() -> None:
    assert "you must capture" in refusal(
        on(begun("fanorona", size="5x5"), "..... ..O.. ..... ..X.. X...."), "a1-a2"
    )


def test_a_capture_may_go_on_but_not_back_nor_straight_on() -> None:
    position = after(begun("fanorona"), "d3-e3w")
    going = position.play(1, "c4-c3a")
    assert going.to_move == {1}
    assert going.turn == position.turn
    assert set(going.legal_moves(1)) == {"c3-d3a", "c3-d3w", "done"}
    assert going.parse("c3-d3w", 1)[0] == "c3-d3w"
    assert position.parse("c4-c3a", 1) == ("c4-c3a", "done"), "the list ends the turn"
    assert after(position, "c4-c3a").to_move == {0}
    assert "only the piece on c3" in _why(going, "d4-d3a")
    assert "it was on c4" in _why(going, "c3-c4a")


def _why(position: Position, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        position.play(1, move)
    return str(error.value)


def test_lines_of_weak_points() -> None:
    position = on(begun("fanorona", size="5x5"), "O...O ..... ..... .X... .....")
    assert sorted(moves(position)) == [
        f"b2-{there}" for there in ("a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3")
    ]
    weak = on(begun("fanorona", size="5x5"), "O...O ..... ..... X.... .....")
    assert sorted(moves(weak)) == ["a2-a1", "a2-a3", "a2-b2"]
    assert "no line joins" in refusal(weak, "a2-b3")


def test_endings_of_fanorona() -> None:
    over = after(on(begun("fanorona", size="5x5"), "..... ..... ..O.. ..... ..X.."), "c1-c2")
    assert over.outcome is not None
    assert over.outcome.reason == "black has no piece left"
    quiet = on(begun("fanorona", size="5x5"), "O.... ..... ..... ..... ....X", idle=99)
    drawn = after(quiet, "e1-e2")
    assert drawn.outcome is not None
    assert drawn.outcome.ranks == (1, 1)


@pytest.mark.parametrize("size", ["9x5", "5x5", "3x3"])
def test_the_start_of_fanorona_is_turned_round_with_colours_changed(size: str) -> None:
    board = begun("fanorona", size=size).board
    assert board == board[::-1].translate(str.maketrans("XO", "OX"))


@pytest.mark.parametrize("game", GAMES)
def test_resigning_loses(game: str) -> None:
    check_resigning(begun(game))
