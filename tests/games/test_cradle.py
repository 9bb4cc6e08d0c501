"""Cradle, sentence by sentence of docs/rules/cradle.md."""

import random
import re
from itertools import pairwise

import pytest

from pbm.features.finding.game_page import build_game_page
from pbm.games import get_game
from pbm.games.cradle import CradlePosition
from pbm.rules import IllegalMove, InvalidMove, OptionError, Value
from tests.games.cradles import CLIMB, FINISHED, SPIRAL
from tests.games.turns import refusal

EMPTY_BOARD = """
       a  b  c  d  e  f  g

          +-----+-----+
     4   /             \\   4
        /               \\
       +     +     +     +
  3   /                   \\   3
     /                     \\
    +     +     +     +     +
     \\                     /
  2   \\                   /   2
       +     +     +     +
        \\               /
     1   \\             /   1
          +-----+-----+

       a  b  c  d  e  f  g"""[1:]

FINISHED_BOARD = """
       a  b  c  d  e  f  g

          +-----+-----+
     4   /     /   2 / \\   4
        /     / 2   / 1 \\
       +     +-----+-----+
  3   /     /   3 / \\     \\   3
     /     / 3   / 2 \\     \\
    +-----+     +-----+-----+
     \\ 1   \\ 3   \\ 1     1 /
  2   \\   1 \\   3 \\   1   /   2
       +-----+-----+-----+
        \\ 1 /   2 /     /
     1   \\ / 2   /     /   1
          +-----+-----+

       a  b  c  d  e  f  g"""[1:]


def start(players: int = 2, **options: Value) -> CradlePosition:
    position = get_game("cradle").setup(players, options)
    assert isinstance(position, CradlePosition)
    return position


def played(position: CradlePosition, *moves: str) -> CradlePosition:
    for move in moves:
        (seat,) = position.to_move
        following = position.play(seat, move)
        assert isinstance(following, CradlePosition)
        position = following
    return position


def built(heights: dict[str, int], tops: dict[str, int], **options: int) -> CradlePosition:
    """A position with those heights and topmost pieces; level by level nothing is known."""
    position = start(**options)
    numbers = position.places.board.number
    height, top = list(position.height), list(position.top)
    for name, value in heights.items():
        height[numbers[name]] = value
    for name, value in tops.items():
        top[numbers[name]] = value
    highest = max(height)
    data = [0, 0, [], height, top, [1] * highest, list(position.used), None]
    loaded = position.game.load(2, position.options, data)
    assert isinstance(loaded, CradlePosition)
    return loaded


def heights_of(position: CradlePosition, move: str) -> list[int]:
    return [position.height[position.places.board.number[cell]] for cell in move.split(",")]


# The board


def test_the_empty_board_is_drawn_as_the_page_shows() -> None:
    assert start().render() == EMPTY_BOARD


def test_the_finished_game_is_drawn_as_the_page_shows() -> None:
    assert played(start(), *FINISHED).render() == FINISHED_BOARD


def test_the_last_placement_has_stars_and_a_line_of_its_own() -> None:
    lines = played(start(), *FINISHED).render(None, FINISHED[-1:]).split("\n")
    assert lines[6] == "  3   /     /   3*/ \\     \\   3"
    assert lines[7] == "     /     / 3*  / 2 \\     \\"
    assert lines[-2:] == ["", "  * placed last: c2,d2,c3,d3"]
    unmarked = [line.replace("*", " ").rstrip() for line in lines[:-2]]
    assert unmarked == FINISHED_BOARD.split("\n")


def test_of_two_digits_the_last_stands_where_one_digit_stands() -> None:
    heights = {"b1": 9, "c1": 10, "d1": 100, "e1": 12}
    position = built(heights, dict.fromkeys(heights, 1))
    lines = position.render().split("\n")
    assert lines[12] == "        \\ 9    100  \\   /"
    assert lines[13] == "     1   \\  10    12 \\ /   1"
    lines = position.render(None, ("b1,c1,d1,e1",)).split("\n")
    assert lines[12] == "        \\ 9*   100  \\   /"
    assert lines[13] == "     1   \\  10*   12*\\ /   1"


@pytest.mark.parametrize("size", range(2, 7))
def test_every_size_fits_a_mail_and_has_its_cells(size: int) -> None:
    position = start(size=size)
    lines = position.render().split("\n")
    assert max(map(len, lines)) <= 78
    assert lines[0].split() == [chr(ord("a") + column) for column in range(4 * size - 1)]
    assert len(position.height) == 6 * size * size


def test_the_supply_and_the_levels_stand_below_the_board() -> None:
    position = played(start(all_shapes=True, num_each=3, must_reduce=True), "b1,c1,d1,d2")
    text = position.render()
    assert "left in the supply: cradle 2, snake 3, triangle 3" in text
    assert "cells per level, each to stay below the one before: 24, 4" in text


# Pieces


def test_there_are_as_many_placements_as_the_page_counts() -> None:
    assert len(start().legal_moves(0)) == 42
    of_form = start(all_shapes=True).places.of_form
    assert [mask.bit_count() for mask in of_form] == [42, 36, 12]
    assert len(start(all_shapes=True).legal_moves(0)) == 90


def test_only_the_seat_on_the_move_has_moves() -> None:
    assert start().legal_moves(1) == ()


# Placing


def test_a_placement_raises_its_cells_to_one_above_the_highest() -> None:
    position = played(start(), *FINISHED[:5])
    heights = dict(zip(position.places.board.names, position.height, strict=True))
    assert [heights[name] for name in ("b1", "c1", "d1", "c2", "d2", "e2")] == [1, 2, 2, 2, 2, 1]
    assert position.levels == (4, 1)


def test_a_shape_that_is_not_allowed_is_refused_by_name() -> None:
    assert refusal(start(), "b1,c1,d1,e1") == "b1,c1,d1,e1 is a snake; this game has cradles only"
    assert "is a triangle" in refusal(start(), "d1,c2,d2,e2")


def test_both_ends_must_have_the_greatest_height() -> None:
    position = played(start(), "b1,c1,d1,d2")
    assert refusal(position, "d1,e1,d2,e2") == (
        "the piece would rest on d1 at height 1, its end e1 has height 0: "
        "all its ends must have height 1"
    )


def test_a_higher_middle_does_not_carry_the_ends() -> None:
    position = built({"c1": 1}, {"c1": 1})
    assert "its end b1 has height 0" in refusal(position, "b1,c1,d1,d2")


def test_a_cradle_bridges_one_middle_cell() -> None:
    one = built({"b1": 1, "c1": 1, "d2": 1}, {"b1": 1, "c1": 1, "d2": 2})
    assert "b1,c1,d1,d2" in one.legal_moves(0)
    both = built({"b1": 1, "d2": 1}, {"b1": 1, "d2": 2})
    assert refusal(both, "b1,c1,d1,d2") == (
        "c1 and d1 are both lower than 1: a cradle bridges one cell"
    )


def test_a_snake_bridges_its_whole_middle() -> None:
    position = built({"b1": 1, "e1": 1}, {"b1": 1, "e1": 2}, all_shapes=True)
    assert "b1,c1,d1,e1" in position.legal_moves(0)
    assert position.play(0, "b1,c1,d1,e1").legal_moves(0) == ()


def test_a_triangle_bridges_its_middle_and_needs_all_corners() -> None:
    corners = {"c2": 1, "e2": 1, "d1": 1}
    position = built(corners, {"c2": 1, "e2": 2, "d1": 3}, all_shapes=True)
    assert "d1,c2,d2,e2" in position.legal_moves(0)
    lacking = built({"c2": 1, "e2": 1}, {"c2": 1, "e2": 2}, all_shapes=True)
    assert "its corner d1 has height 0: all its corners" in refusal(lacking, "d1,c2,d2,e2")


@pytest.mark.parametrize("move", ["b1,c1,d1,d2", "b1,c1,d1,e1", "d1,c2,d2,e2"])
def test_a_piece_may_not_cover_exactly_one_piece(move: str) -> None:
    position = played(start(all_shapes=True), move)
    assert refusal(position, move).startswith("exactly these cells are a ")


def test_the_cells_of_two_pieces_may_be_covered() -> None:
    cells = ("b1", "c1", "d1", "d2")
    position = built(dict.fromkeys(cells, 1), dict(zip(cells, (1, 1, 2, 2), strict=True)))
    assert "b1,c1,d1,d2" in position.legal_moves(0)


@pytest.mark.parametrize("players", [2, 3])
def test_a_level_must_have_fewer_cells_than_the_one_below(players: int) -> None:
    rng, refused = random.Random(3), 0
    for _ in range(40):
        position = start(players, all_shapes=True, must_reduce=True)
        while position.to_move:
            (seat,) = position.to_move
            legal = position.legal_moves(seat)
            for move in position.places.listing(position.fits):
                pieces = [*position.levels, 0]
                pieces[max(heights_of(position, move))] += 1
                cells = [len(position.height), *(4 * number for number in pieces if number)]
                falls = all(above < below for below, above in pairwise(cells))
                assert falls == (move in legal)
                refused += not falls
            position = played(position, rng.choice(legal))
    assert refused


def test_the_bare_board_is_level_0() -> None:
    cells = ("b1", "c1", "d1", "d2")
    position = start(must_reduce=True)
    rows = [position.height, position.top]
    five, four = (
        position.game.load(2, position.options, [0, 0, [], *rows, [pieces], [pieces], None])
        for pieces in (5, 4)
    )
    assert ",".join(cells) in four.legal_moves(0)
    assert five.legal_moves(0) == []


def test_the_reason_of_must_reduce_counts_the_cells() -> None:
    cells = ("b1", "c1", "d1", "d2")
    position = built(
        dict.fromkeys(cells, 1), dict(zip(cells, (1, 1, 2, 2), strict=True)), must_reduce=True
    )
    assert refusal(position, "b1,c1,d1,d2") == (
        "level 2 would have 4 cells and level 1 has 4: with -must_reduce "
        "a level must have fewer cells than the one below"
    )


# Turn and end


def test_seats_take_turns() -> None:
    position = start(3)
    seats = []
    for _ in range(4):
        (seat,) = position.to_move
        seats.append(seat)
        position = played(position, position.legal_moves(seat)[0])
    assert seats == [0, 1, 2, 0]
    assert position.turn == 4


def test_who_places_last_wins() -> None:
    over = played(start(), *FINISHED)
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((1, 2), "no cradle fits")
    assert over.to_move == frozenset()
    assert over.legal_moves(0) == over.legal_moves(1) == ()


def test_the_others_share_the_second_rank() -> None:
    over = played(start(3), *FINISHED)
    assert over.outcome is not None
    assert over.outcome.ranks == (1, 2, 2)


def test_in_the_finished_position_a_snake_would_fit_in_two_places() -> None:
    over = played(start(all_shapes=True), *FINISHED)
    assert over.outcome is None
    snakes = over.places.listing(over.legal & over.places.of_form[1])
    assert snakes == ["g2,f3,g3,f4", "a3,b3,b4,c4"]
    assert over.legal_moves(1) == snakes


def test_an_empty_supply_is_a_tie() -> None:
    over = played(start(3, num_each=2), "b1,c1,d1,d2", "a2,b2,c2,c3")
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((1, 1, 1), "the supply is used up")


def test_a_used_up_shape_is_refused_while_others_are_left() -> None:
    position = played(start(all_shapes=True, num_each=1), "b1,c1,d1,d2")
    assert refusal(position, "a2,b2,c2,c3") == "no cradle is left in the supply"
    assert len(position.legal_moves(1)) > 0


def test_with_a_supply_the_end_is_a_win_or_a_tie() -> None:
    rng = random.Random(5)
    seen = set()
    for game in range(60):
        supply = 1 + game % 4
        position = start(all_shapes=True, num_each=supply)
        while position.to_move:
            (seat,) = position.to_move
            position = played(position, rng.choice(position.legal_moves(seat)))
        assert position.outcome is not None
        seen.add(position.outcome.reason)
        if position.outcome.reason == "no piece fits":
            assert position.outcome.winners == (seat,)
            assert min(position.used) < supply
        else:
            assert position.outcome.winners == (0, 1)
            assert set(position.used) == {supply}
    assert seen == {"no piece fits", "the supply is used up"}


# Repetition


def test_a_position_that_has_climbed_is_the_same() -> None:
    position = played(start(), *CLIMB)
    keys = [position.key]
    for _ in range(3):
        for move in SPIRAL:
            position = played(position, move)
            keys.append(position.key)
    assert keys[0] is not None
    assert keys[0] == keys[6] == keys[12] == keys[18]
    assert len(set(keys)) == 6
    loaded = position.game.decode(position.encode())
    assert loaded.key == position.key
    assert loaded.rough_key == position.rough_key


def test_equal_keys_have_equal_rough_keys() -> None:
    """Wherever the climb stands, and whoever has left."""
    position = played(start(3), *CLIMB)
    seen: dict[str | None, set[str | None]] = {}
    for move in [*SPIRAL, *SPIRAL, *SPIRAL]:
        position = played(position, move)
        for each in (position, position.resign(position.seat)):
            seen.setdefault(each.key, set()).add(each.rough_key)
    assert len(seen) == 12
    assert all(len(roughs) == 1 and None not in roughs for roughs in seen.values())
    assert len(set.union(*seen.values())) == 12


def test_whose_turn_it_is_and_who_has_left_count() -> None:
    position = played(start(3), *CLIMB)
    after = played(position, *SPIRAL)
    assert position.key == after.key
    assert position.key != played(after, SPIRAL[0]).key
    assert position.resign(0).key != after.key


@pytest.mark.parametrize(
    "options", [{"num_each": 9}, {"must_reduce": True}, {"all_shapes": True, "num_each": 9}]
)
def test_a_game_that_must_end_knows_no_repetition(options: dict[str, Value]) -> None:
    position = played(start(2, **options), "b1,c1,d1,d2")
    assert position.key is None
    assert position.rough_key is None


# Resigning


def test_of_two_the_other_one_wins() -> None:
    over = start().resign(0)
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((2, 1), "first resigned")
    with pytest.raises(IllegalMove):
        over.resign(1)


def test_of_three_the_seat_is_skipped() -> None:
    position = played(start(3), "b1,c1,d1,d2").resign(1)
    assert (position.to_move, position.turn) == (frozenset({2}), 2)
    position = position.resign(0)
    assert position.outcome is not None
    assert position.outcome.ranks == (2, 3, 1)


def test_a_seat_that_is_not_on_the_move_may_resign() -> None:
    position = start(3).resign(1)
    assert (position.to_move, position.turn) == (frozenset({0}), 0)
    assert position.play(0, "b1,c1,d1,d2").to_move == {2}
    with pytest.raises(IllegalMove):
        position.resign(1)


def test_who_resigned_ranks_below_those_who_played_on() -> None:
    over = start(3).resign(0)
    assert isinstance(over, CradlePosition)
    over = played(over, *FINISHED)
    assert over.outcome is not None
    assert over.outcome.ranks == (3, 1, 2)
    left = start(3, num_each=1).resign(2)
    assert isinstance(left, CradlePosition)
    tie = played(left, "b1,c1,d1,d2")
    assert tie.outcome is not None
    assert tie.outcome.ranks == (1, 1, 3)


# Notation


@pytest.mark.parametrize(
    "text",
    [
        "b1,c1,d1,d2",
        "D2 b1 c1,d1",
        " b1 , c1 ; d1 d2. ",
        "b1-c1-d1-d2",
        "b1c1d1d2",
        "d1,d2,\n c1 B1",
    ],
)
def test_cells_come_in_any_order_and_dress(text: str) -> None:
    assert start().parse(text, 0) == ("b1,c1,d1,d2", "")


def test_cells_are_sorted_by_the_number_of_the_row() -> None:
    position = start(size=6, all_shapes=True, num_each=1)
    assert position.parse("e10 c9 d10 d9", 0)[0] == "c9,d9,d10,e10"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("b1,c1,d1", "a piece covers four cells, 3 are named"),
        ("b1", "a piece covers four cells, 1 is named"),
        ("", "a piece covers four cells, 0 are named"),
        ("b1,c1,d1,d2,e2", "a piece covers four cells, 5 are named"),
        ("b1,c1,c1,d1", "c1 is named twice"),
        ("a1,b1,c1,d1", "a1 is not on the board: row 1 goes from b1 to f1"),
        ("b1,c1,d1,d5", "d5 is not on the board: its rows are 1 to 4"),
        ("b1,c1,d1,zz9", "zz9 is not on the board"),
        ("b1,c1,d1,d0", "d0 is not on the board"),
        ("b1,c1,d1,hello", "'hello' is not a cell"),
        ("b1,c1,d1,f4", "f4 touches none of the other three cells"),
        ("b1,c1,e4,f4", "b1 and c1 are not joined to e4 and f4"),
        ("b1," * 100, "is too long for a move"),
    ],
)
def test_a_wrong_text_is_refused_with_what_is_wrong(text: str, reason: str) -> None:
    for refuse in (lambda: start().parse(text, 0), lambda: start().play(0, text)):
        with pytest.raises(InvalidMove) as refused:
            refuse()
        assert reason in str(refused.value)


def test_play_takes_the_stored_spelling_only() -> None:
    for text in ("d2,b1,c1,d1", "B1,C1,D1,D2", "b1,c1,d1,d2 ", "b1 c1 d1 d2"):
        with pytest.raises(InvalidMove, match="is stored as b1,c1,d1,d2"):
            start().play(0, text)


def test_a_shape_that_is_not_allowed_is_refused_when_read() -> None:
    with pytest.raises(IllegalMove, match="cradles only"):
        start().parse("e1 d1 c1 b1", 0)


# Options


def test_all_shapes_on_a_large_board_needs_a_supply() -> None:
    with pytest.raises(OptionError, match="-num_each"):
        start(size=3, all_shapes=True)
    assert start(size=3, all_shapes=True, num_each=9).to_move == {0}
    assert start(size=2, all_shapes=True).to_move == {0}


@pytest.mark.parametrize("options", [{"size": 1}, {"size": 7}, {"num_each": 0}, {"num_each": 100}])
def test_a_value_out_of_range_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        start(**options)


@pytest.mark.parametrize("players", [1, 4])
def test_it_takes_two_or_three_players(players: int) -> None:
    with pytest.raises(OptionError, match="2 or 3 players"):
        get_game("cradle").setup(players)


# Help, and random play


def test_the_examples_of_the_help_can_be_played() -> None:
    examples = re.findall(r"^ +> (.+)$", get_game("cradle").info.help, re.MULTILINE)
    assert len(examples) >= 3
    for text in examples:
        move, left = start().parse(text, 0)
        assert not left
        assert start().play(0, move).turn == 1


def test_the_page_says_how_to_begin_and_draws_both_snakes() -> None:
    page = build_game_page(get_game("cradle"))
    begins = "challenge [-size=n] [-all_shapes] [-num_each=n] [-must_reduce] userid1 userid2"
    assert f"cradle {begins} [userid3]" in " ".join(page.split())
    assert "\n  cradle move BOARD USERID PASSWORD b1,c1,d1,d2\n" in page
    assert "\\ e     m   \\     /   m     e /" in page
    for words in ("a snake in 36", "so do two of each", "dozen"):
        assert words in " ".join(page.split())
    assert "-all_shapes -num_each=6 is a set of eighteen pieces" in " ".join(page.split())


def every_fit(position: CradlePosition) -> int:
    """What `fits` would be if it were found from the whole board."""
    copy = position.game.decode(position.encode())
    assert isinstance(copy, CradlePosition)
    return copy.fits


@pytest.mark.parametrize(
    "options",
    [{}, {"size": 5}, {"all_shapes": True}, {"size": 3, "all_shapes": True, "num_each": 9}],
)
def test_what_fits_is_kept_up_to_date(options: dict[str, int]) -> None:
    position, rng = start(**options), random.Random(7)
    while position.to_move:
        assert position.fits == every_fit(position)
        (seat,) = position.to_move
        position = played(position, rng.choice(position.legal_moves(seat)))
    assert sum(position.levels) == sum(position.used)


FIGURES = (
    ("b1,c1,d1,d2",),
    ("b1,c1,d1,d2", "a2,b2,a3,b3"),
    ("b1,c1,d1,d2", "a2,b2,a3,b3", "d1,b2,c2,d2"),
    FINISHED,
)


@pytest.mark.parametrize("moves", FIGURES)
def test_the_figures_of_the_help_page_are_what_the_game_draws(moves: tuple[str, ...]) -> None:
    """Each row of the board stands on the page, one below the other in the same column."""
    position = get_game("cradle").setup(2)
    for move in moves:
        position = position.play(min(position.to_move), move)
    rows = [row for row in position.picture().text.split("\n") if row.strip()]
    indent = min(len(row) - len(row.lstrip()) for row in rows)
    rows = [row[indent:] for row in rows]
    page = [line for line in get_game("cradle").info.help.split("\n") if line.strip()]
    width = max(map(len, rows))
    assert any(
        [line[column : column + width].rstrip() for line in page[at : at + len(rows)]]
        == [row.rstrip() for row in rows]
        for at in range(len(page))
        for column in (4, 43)
    )


def test_what_the_help_page_forbids_is_refused() -> None:
    position = get_game("cradle").setup(2).play(0, "b1,c1,d1,d2").play(1, "a2,b2,a3,b3")
    for move in ("b2,c2,b3,c3", "b1,c1,d1,d2", "d1,e1,d2,e2"):
        assert move in get_game("cradle").info.help
        assert refusal(position, move)
    position.play(0, "d1,b2,c2,d2")
