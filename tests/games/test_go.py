"""Go and Atari Go: captures, repetition, the agreement on dead stones, scoring, records."""

import random

import pyspiel
import pytest
from sgfmill import boards, sgf

from pbm.games import get_game
from pbm.games.go import Go, area
from pbm.rules import IllegalMove, OptionError, Outcome, Played
from pbm.rules.families.two_player import TwoPlayerPosition
from tests.games.classics import after, begun, moves, refusal, unplayable_examples
from tests.games.turns import played


def go(size: int = 5, text: str = "", **options: float) -> Go:
    position = after(begun("go", size=size, **options), text)
    assert isinstance(position, Go)
    return position


def rows(position: TwoPlayerPosition) -> list[str]:
    """The board from the top."""
    width = int(len(position.board) ** 0.5)
    return [position.board[n : n + width] for n in range(0, width * width, width)][::-1]


def test_a_stone_without_liberty_is_taken_off() -> None:
    position = go(5, "a2 a1 b1")
    assert rows(position)[-1] == ".X..."
    assert position.taken_by == (1, 0)


def test_a_group_is_taken_off_as_a_whole() -> None:
    position = go(5, "c3 a1 c1 b1 a2 e5 b2")
    assert rows(position)[3:] == ["XX...", "..X.."]
    assert position.taken_by == (2, 0)


def test_suicide_is_refused() -> None:
    position = go(5, "a2 e5 b1")
    assert "a1" not in moves(position)
    assert "suicide" in refusal(position, "a1")


def test_suicide_of_a_group_is_refused() -> None:
    position = go(5, "a3 a2 b2 e5 c1 e4 d4 b1")
    assert "a1" in moves(position), "black captures two"
    position = go(5, "a3 a2 b2 b1 c1")
    assert "a1" not in moves(position), "the group of three would have no liberty"


def test_a_stone_that_captures_is_no_suicide() -> None:
    position = go(5, "a2 a3 b1 b2 e5 c1")
    assert position.side == 0
    white = after(position, "e4")
    assert "a1" in moves(white), "it takes a2 and b1, which have no other liberty"
    assert after(white, "a1").board[:6] == "O.O..."


KO = "b1 c1 a2 d2 b3 c3 e5 b2 c2"
"""Black has just captured b2; white may not take back at once."""


def test_a_ko_is_not_taken_back_at_once() -> None:
    position = go(5, KO)
    assert position.taken_by == (1, 0)
    assert "b2" not in moves(position)
    assert "ko" in refusal(position, "b2")


def test_a_ko_is_taken_back_after_a_threat() -> None:
    position = go(5, KO + " e1 e2 b2")
    assert position.taken_by == (1, 1)


def test_no_board_comes_again_in_random_games() -> None:
    rng, captured = random.Random(2), 0
    for _ in range(20):
        position, seen = go(5), set[str]()
        while position.to_move and position.stage == 0:
            (seat,) = position.to_move
            move = rng.choice(position.legal_moves(seat))
            seen.add(position.board)
            position = played(position, seat, move)
            assert move == "pass" or position.board not in seen
        captured += sum(position.taken_by)
    assert captured > 20


def test_longer_cycles_than_ko_are_refused_too() -> None:
    """White gives two stones for one: then the stones would stand as four moves before."""
    position = go(5, "a2 b1 b2 c2 e5 d1 e4 a1 c1")
    assert position.taken_by == (2, 0)
    assert "b1" not in moves(position)
    assert "ko" in refusal(position, "b1")
    assert after(position, "d5 d4 b1").taken_by == (2, 1)


def test_two_passes_lead_to_the_agreement() -> None:
    position = go(5, "c3 pass pass")
    assert position.to_move == {1}
    assert position.news == ("both players have passed: white names the dead groups",)
    assert moves(position) == ["dead c3", "done"]


def test_an_empty_board_needs_no_agreement() -> None:
    position = go(5, "pass pass")
    assert position.outcome is not None
    assert position.outcome.ranks == (2, 1)


ENDED = "b1 d1 b2 d2 b3 d3 b4 d4 b5 d5 c1 a1 pass pass"
"""Black holds the left, a dead white stone on a1; white holds the right; black is to propose."""


def test_agreed_dead_stones_are_taken_off() -> None:
    position = go(5, ENDED, komi=0)
    assert position.to_move == {0}
    proposed = after(position, "dead a1")
    assert proposed.to_move == {1}
    assert "called dead: a1" in proposed.render()
    over = after(proposed, "agree")
    assert over.outcome is not None
    assert over.outcome.reason == "black wins by 1: black 11, white 10 + 0"


def test_none_is_dead() -> None:
    over = after(go(5, ENDED, komi=0), "dead none")
    over = after(over, "agree")
    assert over.outcome is not None
    assert over.outcome.reason == "white wins by 5: black 6, white 11 + 0"
    assert over.outcome.ranks == (2, 1)


def test_a_list_of_groups_ends_the_turn() -> None:
    position = go(5, ENDED)
    first, rest = position.parse("dead a1, D3", 0)
    assert (first, rest) == ("dead a1", "dead d3")
    second = position.play(0, first)
    assert second.parse(rest, 0) == ("dead d1", "done"), "any stone names its group"


def test_the_answer_may_change_the_list_once() -> None:
    position = after(go(5, ENDED), "dead a1 d1")
    assert set(moves(position)) == {"alive a1", "dead b1", "alive d1", "agree", "resume"}
    changed = after(position, "alive d1")
    assert changed.to_move == {0}
    assert moves(changed) == ["agree", "resume"]
    assert isinstance(changed, Go)
    assert [changed.geometry.names[cell] for cell in changed.dead] == ["a1"]


@pytest.mark.parametrize("said", ["dead a1", "dead a1 d1"])
def test_either_may_resume(said: str) -> None:
    position = after(go(5, ENDED), said)
    if said.endswith("d1"):
        position = after(position, "alive d1")
    resumed = after(position, "resume")
    assert resumed.to_move == {0}, "whose turn it was after the passes"
    assert "dead" not in " ".join(moves(resumed))
    over = after(resumed, "pass pass")
    assert over.outcome is not None, "the next two passes end it, all stones alive"
    assert "black 6, white 11" in over.outcome.reason


def test_only_what_was_said_before_can_be_agreed_to() -> None:
    position = go(5, ENDED)
    assert "nothing to agree to" in refusal(position, "agree")
    assert "both players have passed" in refusal(position, "e3")
    assert "after two passes" in refusal(go(5), "dead c3")
    assert "no stone" in refusal(position, "dead a5")
    with pytest.raises(IllegalMove, match="group is named d1"):
        position.play(0, "dead d3")


def test_a_region_that_both_border_counts_for_nobody() -> None:
    assert area("X.O" + "XXO" + "XXO", 3) == (5, 3)
    assert area("X.X" + "XXX" + "OOO", 3) == (6, 3)


def test_komi_and_draws() -> None:
    over = after(go(5, "c3 pass pass dead none", komi=25), "agree")
    assert over.outcome is not None
    assert over.outcome.ranks == (1, 1)
    with pytest.raises(OptionError, match=r"multiple of 0\.5"):
        go(5, komi=0.3)


@pytest.mark.parametrize(
    ("size", "handicap", "names"),
    [
        (19, 2, "q16 d4"),
        (19, 5, "q16 d4 q4 d16 k10"),
        (9, 3, "g7 c3 g3"),
        (13, 9, "k10 d4 k4 d10 d7 k7 g4 g10 g7"),
    ],
)
def test_handicap_stones(size: int, handicap: int, names: str) -> None:
    position = go(size, handicap=handicap)
    stones = {position.geometry.names[n] for n, one in enumerate(position.board) if one == "X"}
    assert stones == set(names.split())
    assert position.to_move == {1}
    assert "komi 0.5" in position.render()


def test_no_handicap_without_points_for_it() -> None:
    with pytest.raises(OptionError, match="at most 4"):
        go(8, handicap=5)


def test_there_is_no_column_i() -> None:
    assert "no column i" in refusal(go(9), "i5")
    assert after(go(9), "J5.").board[44] == "X"
    assert "j9" in go(9).geometry.names


def test_scores_are_those_of_openspiel_and_sgfmill() -> None:
    rng = random.Random(3)
    game = pyspiel.load_game("go(board_size=7,komi=6.5,max_game_length=2000)")
    for _ in range(15):
        ours, theirs, plain = go(7, komi=6.5), game.new_initial_state(), boards.Board(7)
        while ours.stage == 0 and ours.to_move:
            (seat,) = ours.to_move
            move = rng.choice(ours.legal_moves(seat))
            action = 49
            if move != "pass":
                row, column = divmod(ours.geometry.number[move], 7)
                plain.play(row, column, "bw"[seat])
                action = row * 7 + column
            theirs.apply_action(action)
            ours = played(ours, seat, move)
        while ours.to_move:
            (seat,) = ours.to_move
            ours = played(ours, seat, "done" if ours.stage == 1 else "agree")
        black, white = area(ours.board, 7)
        assert plain.area_score() == black - white
        assert ours.outcome is not None
        assert (theirs.returns()[0] > 0) == (ours.outcome.ranks == (1, 2))


def test_another_program_reads_the_record() -> None:
    rng, position, log = random.Random(4), go(9, handicap=2), list[tuple[int, str]]()
    options = position.options
    while position.stage == 0 and position.turn < 200:
        (seat,) = position.to_move
        log.append((seat, rng.choice(position.legal_moves(seat))))
        position = played(position, *log[-1])
    kind = get_game("go")
    won = Outcome((2, 1), "white wins by 12.5: black 30, white 42.5")
    text = kind.record(Played(2, options, log, won, {"White": "ann [a]", "Black": "bob"}))
    game = sgf.Sgf_game.from_string(text)
    assert (game.get_size(), game.get_komi(), game.get_handicap()) == (9, 0.5, 2)
    assert game.get_player_name("b") == "ann [a]"
    assert game.get_root().get("RE") == "W+12.5"
    assert max(map(len, text.splitlines())) <= 78
    board, read = boards.Board(9), list[tuple[int, str]]()
    black, _white, _empty = game.get_root().get_setup_stones()
    board.apply_setup(black, [], [])
    for node in game.get_main_sequence()[1:]:
        colour, at = node.get_move()
        if at is not None:
            board.play(*at, colour)
        name = "pass" if at is None else position.geometry.names[at[0] * 9 + at[1]]
        read.append(("bw".index(colour), name))
    assert read == log
    stones = "".join({None: ".", "b": "X", "w": "O"}[board.get(*divmod(n, 9))] for n in range(81))
    assert stones == position.board


def test_atari_go_ends_with_the_first_capture() -> None:
    over = after(begun("atarigo"), "a2 a1 b1")
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((1, 2), "black has captured a stone")


def test_atari_go_to_more_stones() -> None:
    position = after(begun("atarigo", stones=2), "a2 a1 b1")
    assert position.outcome is None
    over = after(position, "j1 j2 e5 h1")
    assert over.outcome is not None
    assert over.outcome.reason == "black has captured 2 stones or more"


def test_atari_go_has_no_pass_and_may_begin_crossed() -> None:
    assert "not a move" in refusal(begun("atarigo"), "pass")
    crossed = begun("atarigo", cross=True)
    assert sorted(crossed.board.replace(".", "")) == ["O", "O", "X", "X"]
    assert crossed.board[3 * 9 + 3] == crossed.board[4 * 9 + 4] == "X"


@pytest.mark.parametrize("game", ["go", "atarigo"])
def test_examples_of_the_help_can_be_played(game: str) -> None:
    left = unplayable_examples(game, 3)
    assert left <= {"dead c3 f7"}


def test_the_example_of_dead_stones_can_be_played() -> None:
    position = go(9, "c3 f7 pass pass")
    assert after(position, "dead c3 f7").to_move == {1}


@pytest.mark.parametrize("said", ["done", "none", "Nothing", "nothing dead", "dead none"])
def test_that_nothing_is_dead_can_be_said_in_words(said: str) -> None:
    named = go(5, ENDED)
    assert named.parse(said, min(named.to_move))[0] == "done"
    assert "Nothing dead? Say done." in named.remark
    assert named.suggest(min(named.to_move)) == "done", "an example that gives no group away"
    shown = named.remark.partition("dead group: ")[2].partition(",")[0]
    assert "a move looks like done" in refusal(named, shown), "nor does what the text shows"


def test_points_have_the_fields_names() -> None:
    for game, size, middle in (("go", 9, "e5"), ("gomoku", 15, "h8"), ("hex", 5, "c3")):
        position = begun(game, size=size)
        for word in ("tengen", "Centre", "center!"):
            assert position.parse(word, 0) == (middle, "")
    assert begun("tictactoe").parse("center", 0) == ("b2", "")
    assert "is not a move" in refusal(go(9), "7-7")
    assert "tengen" in refusal(go(8), "tengen")
