"""Games of two sides that three and more can play: who begins where, who is out, who wins."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbm.games import get_game
from pbm.games.ataxx import CrowdedAtaxx
from pbm.games.hexxagon import CrowdedHexxagon
from pbm.games.reversi import CrowdedReversi
from pbm.games.sternhalma import CrowdedStar, Star
from pbm.games.sumito import CrowdedSumito
from pbm.rules import OptionError, Position
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.testing import check
from tests.games.classics import after, moves, refusal, unplayable_examples

FOURS = (
    "amazons",
    "ataxx",
    "corridor",
    "fourinarow",
    "halma",
    "reversi",
    "sternhalma",
    "sumito",
)
GAMES = (*FOURS, "hexxagon")


def begun(game: str, players: int, **options: int | str) -> Position:
    return get_game(game).setup(players, options)


def places(position: Position, seat: int) -> set[str]:
    return {piece.place for piece in position.scene().pieces if piece.seat == seat}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", GAMES)
def test_boards_of_each_number_conform(game: str) -> None:
    assert check(get_game(game), games=len(get_game(game).info.players), moves=120) > 0


@pytest.mark.parametrize("game", FOURS)
def test_the_turn_goes_round_without_those_who_left(game: str) -> None:
    """Who leaves later ranks higher, and the last one wins."""
    position = begun(game, 4)
    seats = []
    for _ in range(5):
        (seat,) = position.to_move
        seats.append(seat)
        position = position.play(seat, position.legal_moves(seat)[-1])
    assert seats == [0, 1, 2, 3, 0]
    left = position.resign(1)
    assert left.to_move == {2}
    assert left.playing == {0, 2, 3}
    left = left.resign(3)
    left = left.play(2, left.legal_moves(2)[-1])
    assert left.to_move == {0}
    over = left.resign(0)
    assert over.outcome is not None
    assert over.outcome.ranks == (2, 4, 1, 3)
    assert over.game.decode(over.encode()) == over


def test_pawns_begin_in_the_middle_of_each_side_and_share_the_walls() -> None:
    position = begun("corridor", 4)
    assert [places(position, seat) for seat in range(4)] == [{"e1"}, {"a5"}, {"e9"}, {"i5"}]
    assert "walls left: white 5, red 5, black 5, blue 5" in position.picture().text
    assert "walls left: white 6, red 6, black 6" in begun("corridor", 3).picture().text
    position = after(position, "e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5")
    assert {"d4", "e3", "f4", "e5"} == {move for move in moves(position) if move[-1] not in "hv"}


def test_the_far_side_of_each_pawn_is_its_goal() -> None:
    position = begun("corridor", 3, size="5", walls=0)
    position = after(position, "c2 b3 c4 b2 c3 d4 b1 d3 d5 a1")
    assert position.outcome is None
    position = after(position, "e3")
    assert position.outcome is not None
    assert position.outcome.ranks == (2, 1, 2)
    assert position.outcome.reason == "red is on the other side"


def test_no_pawn_jumps_over_two() -> None:
    position = begun("corridor", 3, size="5", walls=0)
    position = after(position, "c2 b3 d5 c1 a3 d4 c2 b3 d3 c3")
    assert sorted(moves(position)) == ["a3", "b2", "b4"]


def test_pawns_that_leave_are_in_nobodys_way() -> None:
    position = begun("corridor", 4).resign(2)
    assert places(position, 2) == set()
    assert {piece.seat for piece in position.scene().pieces} == {0, 1, 3}


def test_four_camps_of_halma() -> None:
    position = begun("halma", 4)
    assert [len(places(position, seat)) for seat in range(4)] == [13] * 4
    corners = ({"a1", "d1"}, {"a16", "d16"}, {"p16", "m16"}, {"p1", "m1"})
    assert all(corner <= places(position, seat) for seat, corner in enumerate(corners))
    assert "arrived, of 13: black 0, red 0, white 0, blue 0" in position.picture().text
    assert "red's, not yours" in refusal(position, "a13-a12")
    assert places(position.resign(1), 1) == set()


def test_three_and_four_players_of_amazons() -> None:
    assert [len(places(begun("amazons", 3), seat)) for seat in range(3)] == [3, 3, 3]
    position = begun("amazons", 4)
    assert places(position, 3) == {"j7", "j4"}
    assert "red's, not yours" in refusal(position, "a4-a5/a6")
    with pytest.raises(OptionError, match="the board has ten squares"):
        begun("amazons", 3, size="8")


def test_who_cannot_move_an_amazon_is_out() -> None:
    """As often as that happens; the last one wins, and those who went out later rank higher."""
    position = begun("amazons", 3)
    while position.outcome is None:
        (seat,) = position.to_move
        before = position.playing
        position = position.play(seat, position.legal_moves(seat)[0])
        assert position.playing <= before
    assert sorted(position.outcome.ranks) == [1, 2, 3]
    assert "cannot move" in position.outcome.reason


@pytest.mark.parametrize(("players", "marbles"), [(3, 11), (4, 8), (6, 6)])
def test_marbles_of_three_to_six(players: int, marbles: int) -> None:
    position = begun("sumito", players)
    assert {len(places(position, seat)) for seat in range(players)} == {marbles}
    with pytest.raises(OptionError, match="is for two players"):
        begun("sumito", players, start="daisy")


def test_marbles_of_several_are_pushed_and_count_for_who_pushes_them_off() -> None:
    """A marble at the edge behind two of another: the first to push off as many as agreed wins."""
    first = begun("sumito", 3, goal=1)
    assert isinstance(first, CrowdedSumito)
    names = first.geometry.names
    signs = {"a1": "%", "b2": "O", "c3": "X", "d4": "X", "e5": "X", "i9": "O", "i5": "%"}
    board = "".join(signs.get(name, ".") for name in names)
    position = after(replace(first, board=board), "e5-d4")
    assert places(position, 0) == {"b2", "c3", "d4"}
    assert places(position, 1) == {"a1", "i9"}
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 2, 2)
    assert "red is pushed off from a1" in position.news[-1]
    assert position.outcome.reason == "black has pushed 1 off"


def test_discs_of_all_others_turn_and_who_cannot_move_is_skipped() -> None:
    first = begun("ataxx", 4, size="5")
    assert [places(first, seat) for seat in range(4)] == [{"a1"}, {"a5"}, {"e5"}, {"e1"}]
    assert isinstance(first, CrowdedAtaxx)
    rows = "@...O .X%.. ..... ..... ....."
    board = "".join(rows.split())
    position = after(replace(first, board=board), "c1")
    assert places(position, 0) == {"b2", "c1", "c2"}
    assert position.to_move == {1}
    assert [*position.news] == ["black turns over c2"]
    position = after(position, "d1")
    assert places(position, 1) == {"c1", "c2", "d1", "e1"}
    assert position.to_move == {3}, "red has no disc left"


def test_who_has_most_discs_wins_of_three() -> None:
    first = begun("hexxagon", 3)
    assert [len(places(first, seat)) for seat in range(3)] == [2, 2, 2]
    assert isinstance(first, CrowdedHexxagon)
    full = first.board.replace(".", "%")
    at = full.index("%")
    position = after(replace(first, board=f"{full[:at]}.{full[at + 1 :]}", side=2), moves_to(at))
    assert position.outcome is not None
    assert position.outcome.ranks[2] == 1


def test_ten_men_in_each_point_of_the_star() -> None:
    for players in range(2, 7):
        position = begun("sternhalma", players)
        assert [len(places(position, seat)) for seat in range(players)] == [10] * players
    assert places(begun("sternhalma", 2), 1) == places(begun("sternhalma", 6), 3)
    assert unplayable_examples("sternhalma", games=20) == set()


def test_men_of_the_star_jump_on_and_stop_in_no_point_of_others() -> None:
    first = begun("sternhalma", 2)
    assert isinstance(first, Star)
    names = first.geometry.names
    signs = {"h1": "X", "g2": "X", "e3": "O", "n2": "X", "a1": "O"}
    board = "".join(signs.get(name, ".") for name in names)
    position = replace(first, board=board)
    listed = set(moves(position))
    assert listed == {*["n2-o1", "n2-o2", "n2-n1", "n2-n3", "h1-i1", "h1-h2", "g2-h2", "g2-g3"]}
    assert refusal(position, "g2-g1").endswith("your move may not end in the camp of somebody else")
    assert refusal(position, "n2-m6").endswith("a piece in the opposite camp must stay there")
    assert refusal(position, "a1-b1").endswith("white's, not yours")


def test_a_full_point_of_the_star_wins() -> None:
    first = begun("sternhalma", 3)
    assert isinstance(first, CrowdedStar)
    names, goal = first.geometry.names, sorted(first.find_goal(0))
    row = ["."] * len(names)
    for cell in goal[:-1]:
        row[cell] = "X"
    last = names[goal[-1]]
    row[names.index("m8")] = "X"
    row[names.index("a1")] = "O"
    position = replace(first, board="".join(row))
    assert last == "n4"
    over = after(position, "m8-n4")
    assert over.outcome is not None
    assert over.outcome.ranks == (1, 2, 2)


def moves_to(cell: int) -> str:
    """The name of a cell of Hexxagon."""
    return get_game("hexxagon").setup(3, {}).scene().places[cell].name


def test_the_first_row_of_three_wins_and_the_others_share_the_second_place() -> None:
    position = after(begun("fourinarow", 3), "a b c a b c a b d")
    assert position.to_move == {0}
    won = after(position, "a")
    assert won.outcome is not None
    assert won.outcome.ranks == (1, 2, 2)
    assert won.outcome.reason == "4 in a row for red"
    left = position.resign(1)
    won = after(left, "a")
    assert won.outcome is not None
    assert won.outcome.ranks == (1, 3, 2)


def test_with_misere_the_others_go_on_without_who_completes_a_row() -> None:
    position = after(begun("fourinarow", 3, misere=True), "a b c a b c a b d a")
    assert position.outcome is None
    assert position.playing == {1, 2}
    assert position.to_move == {1}
    assert [*position.news] == ["4 in a row for red", "red is out"]
    assert len(places(position, 0)) == 4
    over = after(position, "b")
    assert over.outcome is not None
    assert over.outcome.ranks == (3, 2, 1)


def test_a_full_board_of_four_is_shared_by_those_who_still_play() -> None:
    position = begun("fourinarow", 4, columns=4, rows=4)
    position = after(position, "d d a c d d b").resign(3)
    position = after(position, "b b c a c a b a c")
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 1, 1, 4)


def test_discs_of_all_others_are_outflanked_together() -> None:
    position = after(begun("reversi", 3, size="6"), "c3 d3 d4 c4")
    assert sorted(moves(position)) == ["b3", "b5", "d5"]
    turned = after(position, "b3")
    assert places(turned, 1) == {"b3", "c3", "d3"}
    assert [*turned.news] == ["white turns over c3"]


def test_who_outflanks_nothing_puts_a_disc_beside_another() -> None:
    first = begun("reversi", 4, size="6")
    assert isinstance(first, CrowdedReversi)
    board = "".join(["......", "......", "..X...", "..X...", "......", "......"])
    position = replace(first, board=board.replace("..X...", "..XX.."))
    assert position.side == 0
    around = {"b2", "c2", "d2", "e2", "b3", "e3", "b4", "e4", "b5", "c5", "d5", "e5"}
    assert {*moves(position)} == around
    assert "no disc is next to a1" in refusal(position, "a1")
    assert "outflanks nothing" in refusal(after(begun("reversi", 3), "d4 e4 e5 d5"), "f6")


def test_a_full_board_is_counted_for_each() -> None:
    first = begun("reversi", 3, size="6")
    assert isinstance(first, CrowdedReversi)
    full = "X" * 20 + "O" * 10 + "%" * 5 + "."
    position = replace(first, board=full, side=1)
    over = after(position, *moves(position)).outcome
    assert over is not None
    assert over.ranks == (1, 2, 3)
    assert over.reason.startswith("black 20, white 11, red 5")


@pytest.mark.parametrize("game", [name for name in GAMES if name not in ("amazons", "corridor")])
def test_pieces_of_each_seat_differ_by_more_than_colour(game: str) -> None:
    """The emblems are those beside the board; amazons and pawns, of which there are few, have
    figures of four colours."""
    position = begun(game, players := max(get_game(game).info.players))
    while len({piece.seat for piece in position.scene().pieces}) < players:
        (seat,) = position.to_move
        position = position.play(seat, position.legal_moves(seat)[0])
    board = replace(position.scene(), panels=())
    drawn = draw_svg(board, position.colours, dark=False)
    bodies = re.findall(r'<g id="p\d+">(.*?)</g>', drawn)
    without_colours = {re.sub(r'class="\w+"', "", each) for each in bodies}
    assert len(without_colours) >= players, bodies
