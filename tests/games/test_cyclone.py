"""Cyclone, sentence by sentence of docs/rules/cyclone.md."""

import random
from dataclasses import replace

import pytest

from pbm.games.cyclone import GAMES, CyclonePosition
from pbm.games.cyclone.paths import PathBoard, board_of
from pbm.rules import CHANCE, IllegalMove, InvalidMove, MoveError, OptionError, Position
from pbm.rules.drawing.svg.draw import draw_svg
from tests.games.turns import legal_set, on_move, play_text

GAME = GAMES[0]


def place(
    players: int,
    cubes: str,
    *,
    seat: int = 0,
    rolled: int = 6,
    left: int = 0,
    length: int = 7,
    gone: tuple[int, ...] = (),
) -> CyclonePosition:
    """A position with only these stacks, as `b5:byy x:g y0:bb`."""
    start = GAME.setup(players, {"length": length})
    assert isinstance(start, CyclonePosition)
    spaces = [""] * len(start.spaces)
    for word in cubes.split():
        name, stack = word.split(":")
        spaces[board_of(players, length).graph.number[name]] = stack
    return replace(
        start, spaces=tuple(spaces), seat=seat, rolled=rolled, left=left or rolled, gone=gone
    )


def cubes(position: Position) -> set[str]:
    assert isinstance(position, CyclonePosition)
    names = board_of(position.players, int(position.options["length"])).graph.names
    return {f"{names[at]}:{''.join(stack)}" for at, stack in enumerate(position.spaces) if stack}


def words(text: str) -> set[str]:
    return set(text.split())


def refusal(position: Position, text: str) -> str:
    with pytest.raises(MoveError) as caught:
        play_text(position, text)
    return str(caught.value)


# Spaces and set-up


@pytest.mark.parametrize("length", [4, 13, "x"])
def test_a_path_has_5_to_12_spaces(length: int | str) -> None:
    with pytest.raises(OptionError, match="a number from 5 to 12"):
        GAME.setup(2, {"length": length})


def test_paths_meet_in_the_centre() -> None:
    board = PathBoard(2, 5)
    assert set(board.graph.names) == words("b0 b1 b2 b3 b4 b5 y0 y1 y2 y3 y4 y5 x")
    centre = board.graph.number["x"]
    assert {board.graph.names[space] for space in board.graph.neighbours[centre]} == {"b5", "y5"}


def test_each_player_begins_on_the_first_five_spaces() -> None:
    start = GAME.setup(3)
    assert cubes(start) == {f"{c}{n}:{c}" for c in "byg" for n in range(1, 6)}
    assert start.seat_names == ("blue", "yellow", "green")
    assert GAME.setup(4).seat_names == ("blue", "yellow", "green", "red")
    assert start.options == {"length": 7}


# Turn and random events


def test_the_die_is_rolled_for_seat_0_and_after_each_turn() -> None:
    position = GAME.setup(2)
    assert position.to_move == {CHANCE}
    assert position.chance is not None
    assert position.chance.kind == "roll"
    assert position.chance.outcomes == ("1", "2", "3", "4", "5", "6")
    position = position.play(CHANCE, "2")
    assert (position.to_move, position.chance, position.turn) == (frozenset({0}), None, 0)
    position = position.play(0, "b5-b6").play(0, "b6-b7")
    assert (position.to_move, position.turn) == (frozenset({CHANCE}), 1)
    assert position.play(CHANCE, "1").to_move == {1}


def test_a_roll_says_whose_it_is() -> None:
    assert GAME.setup(2).describe(CHANCE, "2") == "blue rolls 2"
    after = GAME.setup(2).play(CHANCE, "1").play(0, "b5-b6")
    assert after.describe(CHANCE, "5") == "yellow rolls 5"
    assert after.describe(1, "y5-y6") == "y5-y6"


def test_pass_ends_the_turn_after_at_least_one_action() -> None:
    position = GAME.setup(2).play(CHANCE, "3")
    assert "pass" not in legal_set(position)
    assert refusal(position, "pass") == "pass: at least one action must be taken first"
    position = position.play(0, "b5-b6")
    assert "pass" in legal_set(position)
    assert position.play(0, "pass").turn == 1


def test_a_list_shorter_than_the_roll_leaves_the_turn_open() -> None:
    position = play_text(GAME.setup(2).play(CHANCE, "3"), "b5-b6,b4-b5")
    assert position.to_move == {0}
    assert position.turn == 0


def test_a_pass_after_the_last_action_is_ignored() -> None:
    position = GAME.setup(2).play(CHANCE, "2")
    for text in ("b5-b7,pass", "b5-b6 b6-b7 Pass.", "b5-b7, pass, pass"):
        after = play_text(position, text)
        assert (after.turn, after.to_move) == (1, frozenset({CHANCE}))
    assert play_text(position, "b5-b6,pass").turn == 1


def test_the_turn_ends_when_no_cube_can_act() -> None:
    position = place(2, "y1:b y0:bbb x:by b1:y", rolled=4)
    after = position.play(0, "y1-y0")
    assert (after.turn, after.to_move) == (1, frozenset({CHANCE}))
    assert after.news == ("blue has no other cube that can act",)


def test_a_seat_with_nothing_that_can_act_rolls_and_the_turn_passes_on() -> None:
    covered = place(2, "x:yb b1:b", rolled=1).play(0, "b1-b2")
    passed = covered.play(CHANCE, "4")
    assert passed.to_move == {CHANCE}
    assert passed.turn == covered.turn + 1
    assert passed.news == ("yellow rolled 4 and has no cube that can act",)
    assert passed.play(CHANCE, "1").to_move == {0}


def test_if_nobody_can_act_the_game_ends_without_a_roll() -> None:
    stuck = place(3, "y1:b y0:g b0:g g0:y", rolled=3, gone=(2,)).play(0, "y1-y0")
    assert stuck.outcome is not None
    assert stuck.outcome.ranks == (1, 1, 3)
    assert stuck.outcome.reason == "nobody left has a cube that can act"
    assert stuck.to_move == frozenset()


# Actions


def test_outward_on_the_own_path() -> None:
    assert legal_set(place(2, "b3:b y1:y")) == {"b3-b4"}
    assert legal_set(place(2, "b7:b y1:y")) == {"b7-x"}


def test_from_the_centre_onto_any_path_but_the_own() -> None:
    assert legal_set(place(4, "x:b")) == {"x-y7", "x-g7", "x-r7"}
    assert legal_set(place(2, "x:y b1:b", seat=1)) == {"x-b7"}


def test_on_anothers_path_also_back_with_three_or_more_players() -> None:
    assert legal_set(place(2, "y3:b")) == {"y3-y2"}
    assert legal_set(place(3, "y3:b")) == {"y3-y2", "y3-y4"}
    assert legal_set(place(3, "y7:b")) == {"y7-y6", "y7-x"}


def test_only_the_top_cube_acts() -> None:
    position = place(2, "b5:by b6:yb")
    assert legal_set(position) == {"b6-b7"}
    assert refusal(position, "b5-b6") == (
        "b5-b6: blue's cube on b5 is covered by yellow's, only the top can act"
    )


def test_a_cube_in_the_own_base_moves_out() -> None:
    position = place(2, "b0:byb y4:y")
    assert legal_set(position) == {"b0-b1"}
    assert cubes(position.play(0, "b0-b1")) == words("b0:yb b1:b y4:y")


def test_a_cube_in_anothers_base_has_arrived_for_good() -> None:
    position = place(3, "y0:b b1:b")
    assert legal_set(position) == {"b1-b2"}
    assert refusal(position, "y0-y1") == "y0-y1: a cube in y0 has arrived for good"
    assert cubes(place(2, "y1:b b1:b").play(0, "y1-y0")) == {"y0:b", "b1:b"}


# Landing


def test_on_an_empty_space_and_on_one_cube() -> None:
    assert cubes(place(2, "b5:b").play(0, "b5-b6")) == {"b6:b"}
    assert cubes(place(2, "b5:b b6:y").play(0, "b5-b6")) == {"b6:yb"}


def test_on_two_or_more_the_stack_moves_three_toward_the_movers_base() -> None:
    after = place(2, "b4:b b5:yy").play(0, "b4-b5")
    assert cubes(after) == {"b2:yyb"}
    assert after.news == ("the stack yyb on b5 moves on to b2",)


def test_by_way_of_the_centre() -> None:
    assert cubes(place(2, "x:b y7:yy").play(0, "x-y7")) == {"b6:yyb"}
    assert cubes(place(2, "b7:b x:yy").play(0, "b7-x")) == {"b5:yyb"}
    assert cubes(place(3, "y5:b y4:gy").play(0, "y5-y4")) == {"y7:gyb"}


def test_what_it_passes_does_not_count() -> None:
    after = place(2, "b4:b b5:yy b3:y").play(0, "b4-b5")
    assert cubes(after) == {"b2:yyb", "b3:y"}


def test_it_goes_on_top_and_the_whole_stack_moves_three_more() -> None:
    after = place(2, "x:b y7:yy b6:y", length=7).play(0, "x-y7")
    assert cubes(after) == {"b3:yyyb"}
    chain = place(3, "y3:b y2:gg y5:y x:gy").play(0, "y3-y2")
    assert cubes(chain) == {"b5:gyyggb"}
    assert chain.news == (
        "the stack ggb on y2 moves on to y5",
        "the stack yggb on y5 moves on to x",
        "the stack gyyggb on x moves on to b5",
    )


@pytest.mark.parametrize("step", ["b2-b3", "b1-b2"])
def test_a_stack_that_reaches_or_would_pass_the_base_dissolves(step: str) -> None:
    source, target = step.split("-")
    after = place(2, f"{source}:b {target}:yb y1:y").play(0, step)
    assert cubes(after) == {"b0:ybb", "y1:y"}
    assert after.news == (f"the stack ybb on {target} dissolves in b0",)
    assert legal_set(after) == {"b0-b1", "pass"}


# Winning


@pytest.mark.parametrize(
    ("players", "arrived", "step", "reason"),
    [
        (2, "y0:bbbb y1:b", "y1-y0", "blue has 5 cubes in yellow's base"),
        (3, "y0:bb y1:b", "y1-y0", "blue has 3 cubes in yellow's base"),
        (3, "y0:b g0:bb y1:b", "y1-y0", "blue has two cubes in each of the other bases"),
        (4, "g0:bb g1:b", "g1-g0", "blue has 3 cubes in green's base"),
        (4, "y0:b g0:b r1:b", "r1-r0", "blue has a cube in each of the other bases"),
    ],
)
def test_winning_sets(players: int, arrived: str, step: str, reason: str) -> None:
    end = place(players, f"{arrived} x:y").play(0, step)
    assert end.outcome is not None
    assert end.outcome.ranks == (1,) + (2,) * (players - 1)
    assert end.outcome.reason == reason


@pytest.mark.parametrize(
    ("players", "arrived"),
    [(2, "y0:bbb y1:b"), (3, "y0:bb g0: y1:"), (3, "y0:b g0:b y1:b"), (4, "y0:b g0: y1:b")],
)
def test_less_does_not_win(players: int, arrived: str) -> None:
    after = place(players, f"{arrived} x:y b1:b").play(0, "b1-b2")
    assert after.outcome is None
    if "y1:b" in arrived:
        after = after.play(0, "y1-y0")
        assert after.outcome is None


def test_a_stack_may_make_another_seat_win() -> None:
    end = place(3, "b0:yy b1:b b2:yg").play(0, "b1-b2")
    assert end.outcome is not None
    assert end.outcome.ranks == (2, 1, 2)


def test_of_several_the_first_from_the_mover_wins_alone() -> None:
    end = place(3, "g1:g g2:by g0:bbyy", seat=2, rolled=1).play(2, "g1-g2")
    assert end.outcome is not None
    assert end.outcome.ranks == (1, 2, 2)
    end = place(3, "b1:b b2:yg b0:yygg", seat=0, rolled=1).play(0, "b1-b2")
    assert end.outcome is not None
    assert end.outcome.ranks == (2, 1, 2)
    end = place(4, "y1:y y2:brg y0:bbrrgg", seat=1, rolled=1).play(1, "y1-y2")
    assert end.outcome is not None
    assert end.outcome.ranks == (2, 2, 1, 2)  # green comes first after yellow


def test_a_resigned_seat_cannot_win_and_ranks_below() -> None:
    after = place(3, "b0:yy b1:b b2:yg", gone=(1,)).play(0, "b1-b2")
    assert after.outcome is None
    end = place(4, "y0:bb y1:b r1:r", gone=(3, 1)).play(0, "y1-y0")
    assert end.outcome is not None
    assert end.outcome.ranks == (1, 3, 2, 4)


# Notation


def test_several_steps_of_one_cube_in_one() -> None:
    eight = GAME.setup(2, {"length": 8}).play(CHANCE, "6")
    assert eight.parse("b5-b8", 0) == ("b5-b6", "b6-b8")
    assert eight.parse("b5-b8,b4-b5", 0) == ("b5-b6", "b6-b8,b4-b5")
    after = play_text(eight, "b5-b8,b4-b5,pass")
    assert "b8:b" in cubes(after)
    assert after.turn == 1
    position = place(2, "b6:b y1:y")
    assert position.parse("b6-y6", 0) == ("b6-b7", "b7-y6")
    assert cubes(play_text(position, "B6 - Y6")) == {"y6:b", "y1:y"}
    assert cubes(play_text(place(2, "b0:b y1:y"), "b0-b3")) == {"b3:b", "y1:y"}
    assert cubes(play_text(place(2, "y3:b y5:y b1:b"), "y3-y0")) == {"y0:b", "y5:y", "b1:b"}


def test_a_list_with_commas_or_blanks() -> None:
    position = GAME.setup(2).play(CHANCE, "4")
    for text in ("b5-b6,b6-b7,b1-b2", "b5-b6 b6-b7 b1-b2", " B5 - b7 ; b1-b2."):
        assert cubes(play_text(position, text)) == cubes(play_text(position, "b5-b7,b1-b2"))


def test_a_list_longer_than_the_roll_names_the_step() -> None:
    position = GAME.setup(2).play(CHANCE, "2")
    assert refusal(position, "b5-x") == "b7-x is too much: the list is longer than the roll of 2"
    long = "b5-b6,b6-b7,b4-b6"
    assert refusal(position, long) == "b4-b5 is too much: the list is longer than the roll of 2"
    assert refusal(position, "b5-b6,pass,b6-b7") == "b6-b7 is too much: pass has ended the turn"
    over = place(2, "y1:b y0:bbb x:by b1:y", rolled=4)
    assert refusal(over, "y1-y0,x-y7") == (
        "x-y7 is too much: the turn has ended, no other cube can act"
    )


def test_what_follows_a_win_is_left_alone() -> None:
    position = place(2, "y0:bbbb y1:b", rolled=1)
    assert position.parse("y1-y0,b1-b2", 0) == ("y1-y0", "b1-b2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("y5-y6", "y5-y6: there is no cube of blue on y5, only of yellow"),
        ("b6-b7", "b6-b7: there is no cube of blue on b6"),
        ("b5-b4", "b5-b4: that leads toward no other base; b5-b6 would"),
        ("b5-b3", "b5-b4: that leads toward no other base; b5-b6 would"),
        ("b5-b5", "b5-b5: that is 0 steps, an action is one"),
        ("b0-b1", "b0-b1: there is no cube of blue on b0"),
        (
            "b5-g5",
            "b5-g5: g5 is not on this board, its spaces are b0-b7 and y0-y7, and x",
        ),
        (
            "b5-b8",
            "b7-b8: b8 is not on this board, its spaces are b0-b7 and y0-y7, and x",
        ),
    ],
)
def test_a_refusal_names_the_step(text: str, reason: str) -> None:
    assert refusal(GAME.setup(2).play(CHANCE, "6"), text) == reason


def test_play_takes_single_steps_only() -> None:
    position = GAME.setup(2).play(CHANCE, "6")
    with pytest.raises(IllegalMove, match="b5-b7: that is 2 steps, an action is one"):
        position.play(0, "b5-b7")
    for move in ("B5-b6", "b5-b6 ", "b5-b6,pass", "b05-b6", "b5-b6\n", "Pass"):
        with pytest.raises(MoveError):
            position.play(0, move)


def test_the_own_path_is_no_way_from_the_centre() -> None:
    assert refusal(place(3, "x:b"), "x-b7") == (
        "x-b7: that leads toward no other base; x-y7 or x-g7 would"
    )


@pytest.mark.parametrize("text", ["", "b5", "b5-", "5-6", "b5-b6x", "-b5", "b5b6", "?"])
def test_what_is_not_notation_is_invalid(text: str) -> None:
    with pytest.raises(InvalidMove, match="write b5-b6, b7-x, x-y7 or pass"):
        GAME.setup(2).play(CHANCE, "1").parse(text, 0)


def test_hostile_text_is_repeated_safely() -> None:
    position = GAME.setup(2).play(CHANCE, "1")
    for text in ("\u00e9" * 100_000, "b5-b6," + "pass," * 50_000 + "\u00e9" * 1000):
        with pytest.raises(MoveError) as caught:
            position.parse(text, 0)
        assert len(str(caught.value)) < 160
        assert str(caught.value).isprintable()


# Resigning


def test_resigned_cubes_are_obstacles_and_are_carried() -> None:
    position = place(3, "b4:b b5:gg y1:y g3:g").resign(2)
    assert position.to_move == {0}
    assert cubes(position) == words("b4:b b5:gg y1:y g3:g")
    assert cubes(position.play(0, "b4-b5")) == words("b2:ggb y1:y g3:g")
    assert "x-g7" in legal_set(place(3, "x:b y1:y", gone=(2,)))


def test_resigning_on_the_move_rolls_for_the_next_seat() -> None:
    start = GAME.setup(3)
    after = start.play(CHANCE, "3").play(0, "b5-b6").resign(0)
    assert (after.turn, after.to_move) == (1, frozenset({CHANCE}))
    assert after.play(CHANCE, "2").to_move == {1}
    before_the_roll = start.resign(0)
    assert (before_the_roll.turn, before_the_roll.to_move) == (1, frozenset({CHANCE}))
    assert before_the_roll.play(CHANCE, "2").to_move == {1}
    off_turn = start.resign(1).play(CHANCE, "1").play(0, "b5-b6")
    assert off_turn.play(CHANCE, "2").to_move == {2}


def test_the_last_seat_left_wins() -> None:
    end = GAME.setup(3).resign(1).resign(0)
    assert end.outcome is not None
    assert end.outcome.ranks == (2, 3, 1)
    with pytest.raises(IllegalMove):
        end.resign(2)


def test_nobody_able_to_act_after_a_resignation_ends_without_a_roll() -> None:
    position = place(4, "y0:b b0:y x:g r1:b", rolled=1).play(0, "r1-r0")
    assert position.to_move == {CHANCE}
    stuck = position.resign(2)
    assert stuck.outcome is not None
    assert stuck.outcome.ranks == (1, 1, 4, 1)


def test_repetition_means_nothing() -> None:
    assert GAME.setup(2).key is None


# What people see


def test_the_picture_shows_paths_stacks_bases_and_the_die() -> None:
    text = place(2, "b5:byy x:by b0:yy y7:b", rolled=4, left=3).render()
    lines = [" ".join(line.split()) for line in text.split("\n")]
    assert lines[0] == "0 1 2 3 4 5 6 7"
    assert "> blue yy . . . . byy . . -+" in lines
    assert "+- x by" in lines
    assert "yellow - . . . . . . b -+" in lines
    assert "yellow 2 of 5 have arrived" in lines
    assert "blue rolled 4, actions left: 3" in lines


def test_the_picture_names_the_centre_and_counts_stacks() -> None:
    position = place(2, "b5:byy y7:b")
    svg = draw_svg(position.scene(), position.colours)
    assert ">x</text>" in svg
    assert ">3</text>" in svg


def test_columns_stand_where_they_do_with_low_stacks() -> None:
    heads = set()
    for seed in range(20):
        position: Position = GAME.setup(2)
        chance = random.Random(seed)
        while position.outcome is None and position.turn < 12:
            mover = min(position.to_move)
            position = position.play(mover, chance.choice(list(position.legal_moves(mover))))
        rows = position.render().splitlines()
        if max(len(word) for row in rows[2:5] for word in row.split() if {*word} <= {*"by"}) <= 3:
            heads.add(rows[0])
    assert len(heads) == 1


def test_the_last_actions_are_marked() -> None:
    position = GAME.setup(2).play(CHANCE, "3").play(0, "b5-b6").play(0, "b6-b7")
    text = position.render(None, ("b5-b6", "b6-b7"))
    assert "[.] [.] [b]" in text
    assert "[" not in position.render()


def test_the_cubes_in_a_base_are_shown_in_one_order() -> None:
    """Two ways to the same position show the same board."""
    position = place(2, "y1:y y3:yy y6:yy y7:b b0:bb b1:b b5:b", seat=1, left=4)
    texts = []
    for moves in (("y6-y7", "y6-y7", "y3-y4"), ("y3-y4", "y6-y7", "y6-y7")):
        after: Position = position
        for move in moves:
            after = after.play(1, move)
        texts.append(after.render())
    assert texts[0] == texts[1]
    assert "> yellow  byyyy " in texts[0]


@pytest.mark.parametrize("space", ["x", "b12", "b0", "b1"])
def test_the_tallest_stack_fits_into_78_columns(space: str) -> None:
    position = place(4, f"{space}:{'bygr' * 5}", length=12)
    assert max(map(len, position.render(None, (f"{space}-x",)).split("\n"))) <= 78


def test_the_examples_of_the_help_can_be_played() -> None:
    position = GAME.setup(2)
    examples = [line.strip().split(" > ") for line in GAME.info.help.splitlines() if " > " in line]
    assert len(examples) == 4
    for turn, (rolled, text) in enumerate(examples, 1):
        position = play_text(position.play(CHANCE, rolled), text)
        assert position.turn == turn


# Invariants


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_cube_is_lost(players: int) -> None:
    rng = random.Random(players)
    for length in (5, 7, 12):
        position: Position = GAME.setup(players, {"length": length})
        while position.to_move and position.turn < 120:
            seat = on_move(position)
            position = position.play(seat, rng.choice(list(position.legal_moves(seat))))
            assert isinstance(position, CyclonePosition)
            everything = "".join(position.spaces)
            assert all(everything.count(letter) == 5 for letter in "bygr"[:players])
