"""Connection games: Hex, Y, Havannah, Pegs and Links, Gonnect."""

from dataclasses import replace
from random import Random

import pytest
from sgfmill.sgf import Sgf_game

from pbm.games import get_game
from pbm.games.gonnect import Gonnect
from pbm.games.pegs import PegsPosition
from pbm.rules import Outcome, Played
from pbm.rules.families.connection import CORNERS, SIDES, find_rim
from pbm.rules.families.two_player import TwoPlayerPosition
from tests.games.classics import (
    after,
    begun,
    begun_as,
    check_resigning,
    ending,
    moves,
    on,
    refusal,
    unplayable_examples,
)

GAMES = ("hex", "gameofy", "havannah", "pegs", "gonnect")


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_of_the_help_can_be_played(game: str) -> None:
    assert unplayable_examples(game, games=20) == set()


@pytest.mark.parametrize("game", GAMES)
def test_who_resigns_loses_also_after_a_swap(game: str) -> None:
    first = begun(game)
    position = after(first, moves(first)[len(moves(first)) // 2])
    assert moves(position)[-1] == "swap"
    swapped = after(position, "swap")
    assert swapped.to_move == {0}
    for board in (position, swapped):
        check_resigning(board)
    outcome = swapped.resign(0).outcome
    assert outcome is not None
    assert outcome.reason.startswith(swapped.colour(1))


def hexes(
    game: str, rows: str, side: int = 0, cells: int = 3, **options: bool
) -> TwoPlayerPosition:
    """A board of hexagons with that many along each side, rows from the top."""
    size = {"size" if game == "hex" else "side": cells}
    first = begun(game, **size, **options)
    return replace(first, board="".join(rows.split()), side=side, turn=20)


def test_red_joins_top_and_bottom_blue_left_and_right() -> None:
    rows = ".X. .X. ..."
    assert ending(after(hexes("hex", rows), "a3")) == ((1, 2), "red joins top and bottom")
    assert ending(after(hexes("hex", rows), "b3"))[0] == (1, 2)
    # c3 is no neighbour of b2.
    assert after(hexes("hex", rows), "c3").outcome is None
    blue = hexes("hex", "... OO. ...", 1)
    assert ending(after(blue, "c1")) == ((2, 1), "blue joins left and right")
    misere = hexes("hex", "... OO. ...", 1, misere=True)
    assert ending(after(misere, "c2"))[0] == (1, 2)


def test_joining_the_sides_of_the_other_is_worth_nothing() -> None:
    assert after(hexes("hex", "... XX. ..."), "c2").outcome is None


@pytest.mark.parametrize("word", ["swap", "Swap", "swap-pieces", "swap-sides"])
def test_a_swap_is_read_as_other_programs_write_it(word: str) -> None:
    position = after(begun("hex", size=3), "b2")
    assert position.parse(word, 1) == ("swap", "")


def test_after_a_swap_the_colours_keep_their_sides() -> None:
    position = after(begun("hex", size=3), "b2 swap")
    assert position.seat_names == ("blue", "red")
    # Seat 0 is blue now and moves; red belongs to seat 1.
    assert ending(after(position, "a1 c1 a2 a3")) == ((2, 1), "red joins top and bottom")


def y(rows: str) -> TwoPlayerPosition:
    """A board with five cells along each side, rows of 1 to 5 from the top."""
    return hexes("gameofy", rows, side=0, cells=5)


def test_three_sides_are_joined_by_one_group() -> None:
    position = y(". .. XXX .X.. .....")
    assert after(position, "d5").outcome is None
    assert ending(after(position, "b5")) == ((1, 2), "black joins the three sides")
    assert ending(after(y(". .. XXX .X.. ....."), "c5"))[0] == (1, 2)


def test_a_side_from_corner_to_corner_joins_all_three() -> None:
    won = after(y("X .. X.. X... X...."), "a2")
    assert ending(won) == ((1, 2), "black joins the three sides")
    # The same between two sides only.
    assert after(y(". .. X.. X... ....."), "a2").outcome is None


def test_who_joins_the_three_sides_loses_with_misere() -> None:
    position = hexes("gameofy", ". X. X.", cells=3, misere=True)
    assert ending(after(position, "a1"))[0] == (2, 1)


def havannah(rows: str) -> TwoPlayerPosition:
    """A board with three cells along each side, rows of 3, 4, 5, 4, 3 from the top."""
    return hexes("havannah", rows, cells=3)


def test_a_hexagon_has_six_corners_and_the_rest_of_six_sides() -> None:
    bits = find_rim(8)
    assert sum(bool(b & CORNERS) for b in bits) == 6
    assert sum(bool(b & SIDES) for b in bits) == 36
    assert len({b for b in bits if b & SIDES}) == 6


def test_a_bridge_joins_two_corners() -> None:
    assert ending(after(havannah("X.X .... ..... .... ..."), "b1")) == (
        (1, 2),
        "white has a bridge",
    )
    assert after(havannah("X.. .... ..... .... ..."), "b1").outcome is None


def test_a_fork_joins_three_sides_and_corners_belong_to_none() -> None:
    position = havannah(".X. .XX. .X.X. X... ...")
    assert ending(after(position, "e4")) == ((1, 2), "white has a fork")
    assert after(position, "e3").outcome is None


@pytest.mark.parametrize("inside", ".OX")
def test_a_ring_goes_round_an_empty_cell_or_any_stone(inside: str) -> None:
    board = havannah(f"... .XX. .X{inside}X. .X.. ...")
    assert after(board, "a3").outcome is None
    assert ending(after(board, "d4")) == ((1, 2), "white has a ring")


def test_a_stone_inside_closes_no_ring() -> None:
    board = havannah("... .XXX .X..X .X.X ...")
    assert after(board, "d3").outcome is None
    assert ending(after(board, "d4"))[1] == "white has a ring"


def test_a_full_board_without_ring_bridge_or_fork_is_a_draw() -> None:
    line = "c3 b4 a3 c4 c2 e3 d2 c1 d3 d4 d5 e5 a1 b2 e4 b1 b3 a2 c5"
    drawn = after(begun("havannah", side=3), line)
    assert ending(drawn) == ((1, 1), "the board is full")


def pegs(moves_: str, **options: int | bool) -> PegsPosition:
    return after(begun_as(PegsPosition, "pegs", size=8, noswap=True, **options), moves_)


def linked(position: PegsPosition) -> int:
    """The number of links."""
    return sum(int(sign, 16).bit_count() for sign in position.links)


def test_pegs_a_knights_move_apart_are_linked_unless_the_other_crosses() -> None:
    assert linked(pegs("c3 h2 d5 h3 e7")) == 2
    # Blue's link from c4 to e3 (made by its second peg) lies across c3-d5.
    crossed = pegs("c3 c4 g7 e3 d5")
    assert linked(crossed) == 1
    assert linked(pegs("c3 c4 d5 e3")) == 1


def test_own_links_may_cross_unless_strict() -> None:
    # The last peg is a knight's move from d5 and from c4; its link to c4 crosses c3-d5.
    line = "c3 a2 d5 a3 c4 a5 e3"
    assert linked(pegs(line)) == 3
    assert linked(pegs(line, strict=True)) == 2


def test_border_rows_and_corners_are_refused_with_the_reason() -> None:
    position = begun("pegs", size=8)
    assert refusal(position, "a3") == "a3 is in a border row of blue"
    assert refusal(position, "a1") == "a1 is a corner, there is no hole"
    assert "d1" in moves(position)
    after_one = after(position, "d1")
    assert refusal(after_one, "d8") == "d8 is in a border row of red"
    assert refusal(after_one, "d1") == "d1 is already taken by red"


def test_a_chain_from_side_to_side_wins() -> None:
    won = pegs("c1 h2 d3 h3 e5 h5 f7 h6 d8")
    assert ending(won) == ((1, 2), "red joins top and bottom")


def test_links_are_drawn() -> None:
    lines = pegs("c3 h2 d5").render(None, ("d5",)).split("\n")
    assert [lines[row].rstrip()[-1] for row in (6, 8)] == ["\\", "\\"]
    assert lines[5][10] == "X"
    assert "[X]" in lines[9]


def gonnect(rows: str, **more: object) -> TwoPlayerPosition:
    return on(begun("gonnect", size=5), rows, turn=20, **more)


def test_either_pair_of_sides_wins_for_either_colour() -> None:
    across = gonnect("..... XX.XX ..... ..... .....")
    assert ending(after(across, "c4")) == ((1, 2), "black joins left and right")
    up = gonnect(".O... .O... ..... .O... .O...", side=1)
    assert ending(after(up, "b3")) == ((2, 1), "white joins bottom and top")
    # Slanting does not join.
    assert after(gonnect("..... XX... ..XXX ..... ....."), "a1").outcome is None


def test_stones_are_captured_and_suicide_is_refused() -> None:
    position = gonnect("..... .X... XOX.. ..... .....", history=(0,))
    taken = after(position, "b2")
    assert taken.board.count("O") == 0
    alone = gonnect("..... .O... O.O.. .O... .....")
    assert "suicide" in refusal(alone, "b3")
    assert "b3" not in moves(alone)


def test_a_board_that_was_there_is_refused() -> None:
    position = after(gonnect("..... ..... .XO.. X.XO. .XO.."), "a5")
    taken = after(position, "b2")
    assert taken.board.count("X") == 4
    assert "ko" in refusal(taken, "c2")
    assert "c2" not in moves(taken)


def test_who_cannot_move_loses() -> None:
    line = "a4 a2 e4 c2 c3 b3 e3 a1 d5 d2 e2 c1 b4 d4 d3 e1 a5 b5 b1 c5 d1 e5 b2 d2 c1 d5 c2"
    assert ending(after(begun("gonnect", size=5), line)) == ((1, 2), "white cannot move")


def test_a_record_of_hex_is_read_by_another_program() -> None:
    game = get_game("hex")
    options = game.setup(2).options
    moves_played = [(0, "f6"), (1, "swap"), (0, "d3"), (1, "k11")]
    headers = {"White": "ann", "Black": "bob", "Termination": "resignation"}
    won = Outcome((1, 2), "blue resigns")
    text = game.record(Played(2, options, moves_played, won, headers))
    read = Sgf_game.from_string(text)
    assert (read.get_size(), read.get_winner(), read.get_player_name("b")) == (11, "w", "bob")
    properties = [
        (n.properties()[0], n.get_raw(n.properties()[0])) for n in read.get_main_sequence()[1:]
    ]
    assert properties == [("B", b"f6"), ("W", b"swap-sides"), ("W", b"d3"), ("B", b"k11")]


def test_gonnect_knows_when_there_surely_is_a_move() -> None:
    """Also where captures have made some points forbidden."""
    open_ones = 0
    for seed in range(4):
        dice, position = Random(seed), get_game("gonnect").setup(2, {"size": 5})
        while position.outcome is None:
            assert isinstance(position, Gonnect)
            moves = position.moves()
            assert moves or not position.has_open_point()
            open_ones += position.has_open_point()
            position = position.play(min(position.to_move), dice.choice(moves))
    assert open_ones > 20
