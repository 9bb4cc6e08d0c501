"""Backgammon, Nackgammon and Hypergammon: plays, parsing, the cube, matches, records."""

import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbm.games import get_game
from pbm.games.backgammon import Backgammon
from pbm.games.backgammon.men import count_at, pack_men
from pbm.games.backgammon.state import CRAWFORD, CUBE, DOUBLED, OPENING, PLAY, ROLL
from pbm.rules import CHANCE, AmbiguousMove, MoveError, OptionError, Outcome, Played, Value
from tests.games.classics import unplayable_examples
from tests.harness.packages import find_program, require

GAMES = ("backgammon", "nackgammon", "hypergammon")


def begun(game: str = "backgammon", **options: Value) -> Backgammon:
    position = get_game(game).setup(2, options)
    assert isinstance(position, Backgammon)
    return position


def men(text: str) -> int:
    """Men like `bar:1 6:5 off:9`."""
    places = {"bar": 25, "off": 0}
    pairs = (one.split(":") for one in text.split())
    return pack_men(
        {places.get(place) or int(places.get(place, place)): int(n) for place, n in pairs}
    )


def to_play(own: str, other: str, dice: str = "", **more: Any) -> Backgammon:
    """White's turn with these men, each side's counted by itself; `dice` not yet rolled if empty.

    What is rolled goes through the server's answer, so that forced turns are played."""
    options = {name: more.pop(name) for name in ("points", "nocube", "jacoby") if name in more}
    position = replace(begun(**options), phase=ROLL, men=(men(own), men(other)), **more)
    return rolled(position, dice) if dice else position


def rolled(position: Backgammon, dice: str) -> Backgammon:
    for die in dice.split("-"):
        following = position.play(CHANCE, die)
        assert isinstance(following, Backgammon)
        position = following
    return position


def after(position: Backgammon, text: str) -> Backgammon:
    """The position after typed moves and rolls (`3-1`), of whoever is on the move."""
    for word in text.split("; "):
        if re.fullmatch(r"[1-6](-[1-6])*", word):
            position = rolled(position, word)
            continue
        rest = word
        while rest:
            (seat,) = position.to_move
            move, rest = position.parse(rest, seat)
            following = position.play(seat, move)
            assert isinstance(following, Backgammon)
            position = following
    return position


def plays(position: Backgammon) -> list[str]:
    assert position.phase == PLAY
    return list(position.legal_moves(position.side))


def refusal(position: Backgammon, text: str) -> str:
    with pytest.raises(MoveError) as error:
        after(position, text)
    return str(error.value)


@pytest.mark.parametrize("game", GAMES)
def test_examples_of_the_help_can_be_played(game: str) -> None:
    assert not unplayable_examples(game)


# The roll


def test_the_higher_die_begins_and_equal_ones_are_rolled_again() -> None:
    position = begun()
    assert (position.phase, position.to_move) == (OPENING, frozenset({CHANCE}))
    again = after(position, "4-4")
    assert (again.phase, again.dice, again.news) == (OPENING, (), ("both rolled 4 and roll again",))
    white, black = after(again, "5-2"), after(again, "2-5")
    assert (white.side, white.rolled, white.news) == (0, (5, 2), ("white begins",))
    assert (black.side, black.rolled, black.news) == (1, (5, 2), ("black begins",))
    assert white.turn == black.turn == 0


@pytest.mark.parametrize(
    ("game", "pips", "number"),
    [("backgammon", 167, 15), ("nackgammon", 194, 15), ("hypergammon", 69, 3)],
)
def test_the_start(game: str, pips: int, number: int) -> None:
    position = begun(game)
    assert position.render().count(f"pips {pips}") == 2
    assert sum(count_at(position.men[0], place) for place in range(26)) == number


def test_a_turn_is_one_move_and_the_next_roll_is_asked_for() -> None:
    position = after(begun(), "3-1; 8/5 6/5")
    assert (position.side, position.turn, position.to_move) == (1, 1, frozenset({CHANCE}))
    assert position.last == (0, "3-1", "8/5 6/5")


# Plays


def test_a_man_on_the_bar_comes_in_first() -> None:
    position = to_play("bar:1 13:5 6:5", "6:3 4:2 1:2 off:8", "5-2")
    assert all(one.startswith("bar/") for one in plays(position))
    assert "must enter first" in refusal(position, "13/8 13/11")
    two = to_play("bar:2 13:5 6:5", "6:3 4:2 1:2", "5-3")
    # 20 is open, 22 too: both come in, nothing else can be played.
    assert two.last == (0, "5-3", "bar/22 bar/20")


def test_a_dance_passes_the_turn() -> None:
    position = to_play("bar:1 6:5", "6:3 5:2 1:2", "6-5")
    assert position.news == ("white rolled 6-5 and cannot move",)
    assert (position.side, position.phase, position.turn) == (1, ROLL, 1)
    assert count_at(position.men[0], 25) == 1
    held = to_play("24:2 1:3 off:10", "1:2 7:2 5:2 4:2 3:2 2:2", "6-6")
    assert held.news == ("white rolled 6-6 and cannot move",)


def test_a_prime_cannot_be_passed() -> None:
    prime = "8:2 7:2 6:2 5:2 4:2 3:2 1:3"
    position = to_play("23:1 2:2 off:12", prime, "6-1")
    assert position.news == ("white rolled 6-1 and has one play only: 2/1",)


def test_both_dice_must_be_played_where_both_can() -> None:
    # 10/4 would leave no five: 24/19 and 10/5 are blocked.
    position = to_play("24:1 10:1", "6:2 20:2", "6-5")
    assert position.last == (0, "6-5", "24/13")
    choice = to_play("24:1 22:1 10:1", "6:2 20:2 8:2", "6-5")
    assert set(plays(choice)) == {"24/13", "22/11"}
    assert "you must play as many dice as you can" in refusal(choice, "10/4")


def test_the_larger_die_if_either_but_not_both() -> None:
    # After a six or a five the man stands where the other die is blocked.
    position = to_play("14:1", "22:2 24:1", "6-5")
    assert position.last == (0, "6-5", "14/8")


def test_the_smaller_die_if_only_that_can_be_played() -> None:
    position = to_play("14:1", "17:2 22:2 24:1", "6-5")
    assert position.last == (0, "6-5", "14/9")


def test_equal_dice_as_far_as_they_go() -> None:
    # From 24 by threes: 21, 18 and 15 are free, 12 is held.
    position = to_play("24:1 1:2", "13:2 24:2", "3-3")
    assert position.last == (0, "3-3", "24/15")
    four = to_play("24:2 13:2 1:2", "24:2", "3-3")
    assert {"24/21(2) 13/10(2)", "24/12", "13/7(2)", "24/18 13/7"} < set(plays(four))


def test_hits_send_men_to_the_bar() -> None:
    position = to_play("24:1 13:2 6:2", "1:2 7:1 12:1 24:2", "6-5")
    assert set(plays(position)) >= {"24/18*/13*", "24/13*", "13/8 13/7", "24/18* 13/8"}
    both = after(position, "24/18*/13*")
    assert (count_at(both.men[1], 25), count_at(both.men[1], 7), count_at(both.men[1], 12)) == (
        2,
        0,
        0,
    )
    one = after(position, "24/19/13*")
    assert (count_at(one.men[1], 25), count_at(one.men[1], 7)) == (1, 1)
    assert one.last == (0, "6-5", "24/13*")


def test_a_man_hit_twice_is_not_there_twice() -> None:
    position = to_play("13:2 12:2 1:2", "18:1 24:5 6:2", "6-5")
    assert "13/7*" in " ".join(plays(position))
    after_both = after(position, "13/7 12/7")
    assert count_at(after_both.men[1], 25) == 1
    assert after_both.last[2:] == ("13/7* 12/7",)


def test_bearing_off() -> None:
    exact = to_play("6:2 4:2 2:1 off:10", "6:2", "6-4")
    assert set(plays(exact)) == {"6/off 4/off", "6/2 6/off"}
    # A larger die takes the rearmost man only, and none while a man is farther back.
    larger = to_play("4:2 2:2 off:11", "6:2", "6-5")
    assert larger.last == (0, "6-5", "4/off(2)")
    behind = to_play("6:2 3:1 off:12", "6:2", "5-4")
    assert behind.last == (0, "5-4", "6/2 6/1")
    outside = to_play("8:1 6:1 off:13", "24:2", "6-2")
    assert set(plays(outside)) == {"8/2 6/4", "8/off"}
    assert count_at(after(outside, "8/6/off").men[0], 0) == 14


def test_one_play_however_it_is_made() -> None:
    position = to_play("13:1 12:1 6:2", "24:2", "2-1")
    # 13/12 12/10 and 13/11 ... lead to the same as one man's way.
    assert len(plays(position)) == len(set(plays(position)))
    boards = {tuple(result) for result in position.plays().values()}
    assert len(boards) == len(plays(position))
    assert after(position, "13/12 12/10").last == (0, "2-1", "13/10")
    assert after(position, "13/12/10").men == after(position, "13/11/10").men


# What is typed


def test_forms_of_the_same_play() -> None:
    position = to_play("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", "3-3")
    wanted = after(position, "13/10(2) 8/5(2)")
    for text in (
        "13/10 13/10 8/5 8/5",
        "8/5(2),13/10(2)",
        "13-10(2) 8-5 (2)",
        "33: 13/10(2) 8/5(2)",
        "13 / 10 ( 2 ), 8 / 5 8/5",
        "13/10(2) 8/5(2).",
    ):
        assert after(position, text) == wanted, text
    upper = to_play("bar:1 6:2", "24:2 1:1 3:1", "3-1")
    assert after(upper, "BAR/22* 6/5").last == (0, "3-1", "bar/22* 6/5")
    assert after(upper, "b/22 6-5").last == after(upper, "bar/22*, 6/5").last
    off = to_play("6:2 4:2 off:11", "6:2", "6-4")
    assert after(off, "6/off 4/off").last == after(off, "6/o 4/0").last


def test_an_abbreviation_that_one_play_fits() -> None:
    position = after(begun(), "6-5")
    assert position.parse("24/13", 0) == ("24/13", "")
    assert position.parse("24/18/13", 0) == ("24/13", "")
    with pytest.raises(
        AmbiguousMove, match=r"24/18 could be 24/13, 24/18 13/8 or 24/18 8/3: write"
    ):
        position.parse("24/18", 0)
    bar = to_play("bar:1 24:1 3:1", "6:2 24:2", "4-2")
    assert set(plays(bar)) == {"bar/23 24/20", "bar/21 24/22"}
    assert bar.parse("bar/23", 0) == ("bar/23 24/20", "")


def test_a_hit_on_the_way_is_meant_when_it_is_written() -> None:
    position = to_play("24:1 6:2", "7:1 24:2", "6-5")
    assert position.parse("24/13", 0) == ("24/13", "")
    assert position.parse("24/18/13", 0) == ("24/18*/13", "")
    only = to_play("24:1 13:1 6:2", "7:1 6:2 24:2", "6-5")
    assert only.parse("24/13", 0)[0] == "24/18*/13"


def test_what_follows_a_turn_is_left() -> None:
    position = after(begun(), "3-1")
    assert position.parse("8/5 6/5 thanks", 0) == ("8/5 6/5", "thanks")


def test_refusals() -> None:
    position = after(begun(), "3-1")
    assert "you have no man on 14" in refusal(position, "14/10")
    assert "12 is held by black" in refusal(position, "13/12 8/5")
    assert "goes backward" in refusal(position, "8/11 6/5")
    assert "the points are 24 to 1" in refusal(position, "68/65")
    assert "3-1 cannot be played like that" in refusal(position, "13/8 6/5")
    assert "nothing is hit there" in refusal(position, "8/5* 6/5")
    assert "the dice show 3-1, not 6-5" in refusal(position, "65: 24/13")
    assert "is not a move; a turn looks like" in refusal(position, "hello")
    assert "it comes before the roll; the dice show 3-1" in refusal(position, "roll")
    assert "nobody has doubled" in refusal(position, "take")
    assert "you may not double" in refusal(position, "double")
    assert "you are already asked" in refusal(position, "ask")
    for word in ("días", "d'accord", "d\u2019accord"):  # begin with the short form of double
        assert "is not a move" in refusal(position, word)
    with pytest.raises(MoveError, match="is written 8/5 6/5"):
        position.play(0, "6/5 8/5")


# The cube


def cube(position: Backgammon) -> tuple[str, int, int]:
    return position.phase, position.cube, position.owner


def test_a_player_who_may_double_is_asked_before_the_roll() -> None:
    position = after(begun(points=5), "3-1; 8/5 6/5")
    assert (position.phase, position.to_move) == (CUBE, frozenset({1}))
    assert position.legal_moves(1) == ("roll", "auto", "double")
    assert "the dice have not been rolled yet; write roll" in refusal(position, "24/20")
    going = after(position, "roll; 4-2")
    assert (going.phase, going.side, going.turn) == (PLAY, 1, position.turn)


def test_taking_doubles_the_game_and_hands_over_the_cube() -> None:
    position = after(begun(points=5), "3-1; 8/5 6/5; double")
    assert (position.phase, position.to_move, position.turn) == (DOUBLED, frozenset({0}), 2)
    assert position.legal_moves(0) == ("take", "drop")
    assert "you are doubled to 2" in refusal(position, "roll")
    taken = after(position, "take")
    assert (*cube(taken), taken.side, taken.to_move) == (ROLL, 2, 0, 1, frozenset({CHANCE}))
    # Black, who doubled, rolls at once; only white may double next.
    going = after(taken, "6-1; 13/7 8/7")
    assert cube(going) == (CUBE, 2, 0)
    back = after(going, "roll; 2-1; 13/11 6/5")
    assert (back.phase, back.side) == (ROLL, 1)
    assert after(going, "redouble; take; 2-1; 13/11 6/5").cube == 4


def test_dropping_ends_the_game() -> None:
    position = after(begun(points=5), "3-1; 8/5 6/5; double; drop")
    assert (position.score, position.round, position.phase) == ((0, 1), 2, OPENING)
    assert position.news == (
        "white drops the cube: 1 point for black",
        "game 2 of the match to 5 begins at 0 to 1",
    )
    assert position.men == begun().men


def test_auto_rolls_until_asked_again() -> None:
    position = after(begun(points=5), "3-1; 8/5 6/5; auto; 4-2; 8/4 6/4; roll; 6-1")
    position = after(position, "13/7 8/7")
    assert (position.side, position.phase, position.auto) == (1, ROLL, (False, True))
    position = after(position, "5-1")
    assert position.legal_moves(1)[-1] == "ask"
    position = after(position, "ask 13/8 6/5; roll; 4-3; 13/9 13/10")
    assert (position.side, position.phase) == (1, CUBE)


def test_no_cube_where_it_is_dead() -> None:
    assert after(begun(), "3-1; 8/5 6/5").phase == ROLL
    assert after(begun(points=5, nocube=True), "3-1; 8/5 6/5").phase == ROLL
    # Black needs two more and the cube is at two: the game wins the match as it is.
    dead = replace(begun(points=5), score=(0, 3), cube=2, owner=1)
    assert after(dead, "3-1; 8/5 6/5").phase == ROLL
    assert after(replace(dead, score=(0, 2)), "3-1; 8/5 6/5").phase == CUBE


def test_the_crawford_game() -> None:
    first = replace(begun(points=3), score=(1, 0), side=1)
    one = after(first, "3-1; 8/5 6/5; double; drop")
    assert (one.score, one.round, one.crawford) == ((1, 1), 2, 0)
    two = after(one, "3-1; 8/5 6/5; double; drop")
    assert (two.score, two.crawford) == ((1, 2), CRAWFORD)
    assert two.news[-1].endswith("begins at 1 to 2, the Crawford game")
    assert after(two, "1-3; 8/5 6/5").phase == ROLL
    assert "Crawford game" in two.render()
    # White wins it; in the next one doubling is allowed again.
    won = after(replace(two, phase=ROLL, men=(men("1:2 off:13"), men("1:2 off:13"))), "2-1")
    assert (won.score, won.outcome is None) == ((2, 2), True)
    assert after(won, "1-3; 8/5 6/5").phase == ROLL  # white needs one point: its cube is dead
    ahead = replace(two, score=(0, 2))
    won = after(replace(ahead, phase=ROLL, men=(men("1:2 off:13"), men("1:2 off:13"))), "2-1")
    assert after(won, "1-3; 8/5 6/5").phase == CUBE
    without = replace(begun(points=3, nocrawford=True), score=(0, 1))
    assert after(without, "3-1; 8/5 6/5; double; drop; 1-3; 8/5 6/5").phase == CUBE


# Winning


def ending(other: str, **more: Any) -> Backgammon:
    """White bears off its last man."""
    return to_play("1:1 off:14", other, "6-5", **more)


@pytest.mark.parametrize(
    ("other", "more", "score"),
    [
        ("6:14 off:1", {}, 1),
        ("6:15", {}, 2),
        ("7:1 6:14", {}, 2),
        ("18:1 6:14", {}, 2),
        ("19:1 6:14", {}, 3),
        ("bar:1 6:14", {}, 3),
        ("bar:1 6:13 off:1", {}, 1),
        ("6:15", {"cube": 2, "owner": 1}, 4),
        ("19:1 6:14", {"cube": 2, "owner": 0}, 6),
        ("19:1 6:14", {"jacoby": True}, 1),
        ("19:1 6:14", {"jacoby": True, "cube": 2, "owner": 0}, 6),
    ],
)
def test_single_gammon_backgammon(other: str, more: dict[str, Any], score: int) -> None:
    position = ending(other, points=9, **more)
    assert (position.score, position.round) == ((score, 0), 2)
    kind = {1: "", 2: ", a gammon", 3: ", a backgammon"}[score // more.get("cube", 1)]
    plural = "s" * (score > 1)
    assert f"white has borne off all men{kind}: {score} point{plural} for white" in position.news


def test_the_end_of_a_match() -> None:
    over = ending("6:15").outcome
    assert over == Outcome((1, 2), "white has borne off all men, a gammon")
    position = ending("6:15", points=5, score=(4, 3))
    assert position.outcome == Outcome(
        (1, 2), "white has borne off all men, a gammon: the match 6 to 3"
    )
    dropped = after(replace(begun(points=5), score=(3, 3), cube=1), "1-3; 8/5 6/5; double; drop")
    assert dropped.outcome is None
    dropped = after(replace(begun(points=5), score=(1, 2), cube=2, owner=0), "1-3; 8/5 6/5")
    doubled = after(dropped, "double; drop")
    assert doubled.score == (3, 2)


def test_resigning_gives_up_the_match() -> None:
    position = begun(points=5).resign(0)
    assert position.outcome == Outcome((2, 1), "white resigns the match")
    assert begun().resign(1).outcome == Outcome((1, 2), "black resigns")


def test_options_that_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="exclude each other"):
        begun(jacoby=True, nocube=True)


# The picture


def test_each_side_sees_its_own_points() -> None:
    position = after(begun(), "3-1; 8/5 6/5")
    white, black = position.render(0).split("\n"), position.render(1).split("\n")
    assert white[0] == black[0] == "   13 14 15 16 17 18      19 20 21 22 23 24"
    # The last play made white's point 5: below for white, above, on 20, for black.
    assert white[11][26:].startswith(" X [X]")
    assert black[3][26:].startswith(" X [X]")
    assert "(as white counts)" in black[-1]
    assert white[-1] == "  last: white 3-1 8/5 6/5"
    assert position.render() == position.render(0)


def test_the_longest_turn_fits_on_its_line() -> None:
    position = to_play("bar:1 20:1 13:1 10:1 4:5", "1:1 6:1 13:1 16:1 3:5", "1-1")
    position = after(position, "bar/24* 20/19* 13/12* 10/9*")
    for viewer in (0, 1):
        assert "bar/24* 20/19* 13/12* 10/9*" in position.render(viewer)
        assert max(map(len, position.render(viewer).split("\n"))) <= 78


def test_many_men_on_a_point_are_counted() -> None:
    picture = to_play("6:12 5:2 bar:1", "6:11 bar:2 1:2").render(0)
    assert "12" in picture.split("\n")[8]
    assert "11" in picture.split("\n")[6]
    assert "|2O |" in picture
    assert "| X |" in picture


# The record


def read_mat(text: str) -> list[dict[str, Any]]:
    """The games of a .mat file, by a reader of its own: score, turns by seat, winner, points."""
    games: list[dict[str, Any]] = []
    for line in text.splitlines():
        if match := re.fullmatch(r" Game (\d+)", line):
            assert int(match[1]) == len(games) + 1
            games.append({"turns": []})
        elif match := re.fullmatch(r" (\S+) : (\d+) +(\S+) : (\d+)", line):
            games[-1] |= {"names": (match[1], match[3]), "score": (int(match[2]), int(match[4]))}
        elif match := re.fullmatch(r" *(\d+)\) ?(.*)", line):
            left, right = match[2][:35].strip(), match[2][35:].strip()
            turns = [(n, one) for n, one in enumerate((left, right)) if one]
            games[-1]["turns"] += [turn for turn in turns if not turn[1].startswith("Wins ")]
        if match := re.search(r"( +)Wins (\d+) points?( and the match)?$", line.rstrip()):
            games[-1] |= {
                "winner": int(match.start(2) > 25),
                "won": int(match[2]),
                "over": bool(match[3]),
            }
    return games


def play_at_random(seed: int, points: int) -> str:
    """The record of a random match with many doubles, takes and drops."""
    dice = random.Random(seed)
    position, log = begun(points=points), list[tuple[int, str]]()
    while position.to_move:
        (seat,) = position.to_move
        if seat == CHANCE:
            assert position.chance is not None
            moves = position.chance.outcomes
        else:
            moves = tuple(position.legal_moves(seat))
            if "double" in moves and dice.random() < 0.3:
                moves = ("double",)
        log.append((seat, dice.choice(moves)))
        following = position.play(*log[-1])
        assert isinstance(following, Backgammon)
        position = following
    headers = {"White": "ann", "Black": "bob"}
    return get_game("backgammon").record(
        Played(2, position.options, log, position.outcome, headers)
    )


def test_another_program_reads_the_same_scores(tmp_path: Path) -> None:
    """GNU Backgammon writes what it has read: each game with its score and its winner."""
    require("gnubg")
    numbers = range(8)
    script = ""
    for number in numbers:
        (tmp_path / f"{number}.mat").write_text(play_at_random(number, 5))
        script += f"import mat {tmp_path / f'{number}.mat'}\n"
        script += f"export match mat {tmp_path / f'{number}.out'}\n"
    subprocess.run(
        [str(find_program("gnubg")), "-t", "-q"],
        input=script + "quit\ny\n",
        text=True,
        check=True,
        timeout=120,
        capture_output=True,
        env={"HOME": str(tmp_path), "LC_ALL": "C"},
    )
    by_left = 0
    for number in numbers:
        ours = (tmp_path / f"{number}.mat").read_text()
        theirs = (tmp_path / f"{number}.out").read_text()
        by_left += len(re.findall(r"\)  Drops +Wins", ours))
        for_both = [
            [(one["score"], one["winner"], one["won"]) for one in read_mat(text)]
            for text in (ours, theirs)
        ]
        assert for_both[0] == for_both[1]
    assert by_left > 2


def test_a_record_is_a_match_file() -> None:
    line = (
        "1-3; 8/5 6/5; double; take; 6-6; 24/18(2) 13/7(2); double; drop; 5-2; 13/8 24/22; "
        "roll; 4-4; 24/20(2) 13/9(2)"
    )
    log: list[tuple[int, str]] = []
    position = begun(points=7)
    for word in line.split("; "):
        if re.fullmatch(r"[1-6]-[1-6]", word):
            for die in word.split("-"):
                log.append((CHANCE, die))
                position = rolled(position, die)
            continue
        (seat,) = position.to_move
        log.append((seat, position.parse(word, seat)[0]))
        position = after(position, word)
    headers = {"White": "ann", "Black": "bob", "Date": "2026.03.02", "Event": "x by mail"}
    text = get_game("backgammon").record(Played(2, position.options, log, None, headers))
    assert text.startswith('; [Event "x by mail"]\n; [Player 1 "ann"]\n; [Player 2 "bob"]\n')
    assert "\n 7 point match\n" in text
    first, second = read_mat(text)
    assert first == {
        "names": ("ann", "bob"),
        "score": (0, 0),
        "turns": [
            (1, "31: 8/5 6/5"),
            (0, "Doubles => 2"),
            (1, "Takes"),
            (0, "66: 24/18(2) 13/7(2)"),
            (1, "Doubles => 4"),
            (0, "Drops"),
        ],
        "winner": 1,
        "won": 2,
        "over": False,
    }
    assert second["score"] == (0, 2)
    assert second["turns"] == [(0, "52: 24/22 13/8"), (1, "44: 24/20(2) 13/9(2)")]
    assert max(map(len, text.splitlines())) <= 78
