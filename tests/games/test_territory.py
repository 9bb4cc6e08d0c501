"""Both forms of Reversi, Ataxx, Hexxagon, Dots and Boxes, Cephalopod: known move counts, hand-made
positions, endings, accepted notations."""

import random
from dataclasses import replace

import pytest
from sgfmill import sgf

from pbm.games import get_game
from pbm.rules import AmbiguousMove, OptionError, Played
from tests.games.classics import (
    after,
    begun,
    moves,
    on,
    perft,
    refusal,
    unplayable_examples,
)

GAMES = ("modernreversi", "reversi", "ataxx", "hexxagon", "dotsandboxes", "cephalopod")


@pytest.mark.parametrize("game", GAMES)
def test_examples_of_the_help_can_be_played(game: str) -> None:
    assert not unplayable_examples(game)


@pytest.mark.parametrize(
    ("game", "options", "counts"),
    [
        # Othello: the counts that every program is tested by.
        ("modernreversi", {}, [4, 12, 56, 244, 1396, 8200]),
        # Ataxx: those of libataxx for its three starting positions.
        ("ataxx", {}, [16, 256, 6460]),
        ("ataxx", {"gaps": "square"}, [14, 196, 4184]),
        ("ataxx", {"gaps": "diamond"}, [16, 256, 5948]),
    ],
)
def test_published_counts(game: str, options: dict[str, str], counts: list[int]) -> None:
    position = begun(game, **options)
    assert [perft(position, depth + 1) for depth in range(len(counts))] == counts


# Reversi


def test_discs_in_all_directions_are_turned_over() -> None:
    position = on(
        begun("modernreversi", size="6"),
        """X.X.X.
           .OOO..
           XO.OOX
           .OOO..
           X.O.X.
           ..X...""",
    )
    over = after(position, "c3")
    assert over.outcome is not None, "white is gone"
    assert over.board.count("O") == 0
    assert over.outcome.reason == "black 19, white 0"


def test_what_was_turned_over_turns_nothing_over() -> None:
    position = on(
        begun("modernreversi", size="6"),
        """.OX...
           ..O...
           ...O..
           ....X.
           ......
           ......""",
    )
    assert after(position, "a1").board[-6:] == "XXX..."
    assert after(position, "a1").board.count("O") == 2


def test_whoever_cannot_move_is_passed_over() -> None:
    position = on(
        begun("modernreversi", size="6"),
        """.OX...
           ......
           ......
           ......
           ......
           ...OOX""",
    )
    passed = after(position, "a1")
    assert passed.to_move == {0}, "white cannot outflank anything, black can"
    assert passed.news[-1] == "white cannot move and is skipped"


def test_refusals_of_reversi() -> None:
    position = begun("modernreversi")
    assert refusal(position, "d4") == "d4: d4 is not empty"
    assert "outflanks nothing" in refusal(position, "a1")
    assert "not on the board" in refusal(position, "i1")
    assert "not a move" in refusal(position, "pass")
    assert after(position, " D3. ").turn == 1


def test_misere_reversi() -> None:
    board = "XXXXXX XXXXXX XXXXXX XXXXXX XXXXXX XXXOO."
    position = on(begun("modernreversi", size="6", misere=True), board)
    over = after(position, "f6")
    assert over.outcome is not None
    assert over.outcome.ranks == (2, 1)
    assert over.outcome.reason == "black 36, white 0, fewer discs win"


def test_the_free_start() -> None:
    position = begun("reversi")
    assert sorted(moves(position)) == ["d4", "d5", "e4", "e5"]
    assert "middle squares" in refusal(position, "d3")
    filled = after(position, "d4 d5 e4 e5")
    assert [filled.board.count(stone) for stone in "XO"] == [2, 2], "nothing is turned over"
    assert sorted(moves(filled)) == ["c6", "d6", "e6", "f6"]


def test_another_program_reads_the_record_of_reversi() -> None:
    rng, kind = random.Random(1), get_game("othello")
    position, log = begun("othello"), list[tuple[int, str]]()
    while position.to_move:
        (seat,) = position.to_move
        log.append((seat, rng.choice(position.legal_moves(seat))))
        position = after(position, log[-1][1])
    game = sgf.Sgf_game.from_string(kind.record(Played(2, position.options, log, position.outcome)))
    assert game.get_root().get("GM") == 2
    black, white, _ = game.get_root().get_setup_stones()
    assert (len(black), len(white)) == (2, 2)
    read = [node.get_move() for node in game.get_main_sequence()[1:]]
    names = [(colour, f"{'abcdefgh'[column]}{8 - row}") for colour, (row, column) in read]
    assert [("bw".index(colour), name) for colour, name in names] == log


# Ataxx and Hexxagon


def test_a_step_grows_and_a_jump_moves() -> None:
    grown = after(begun("ataxx"), "b6")
    assert grown.board.count("X") == 3
    jumped = after(begun("ataxx"), "a7c5")
    assert jumped.board.count("X") == 2
    assert jumped.board[-7] == "."
    assert after(begun("ataxx"), "a7b6") == grown, "a step may be written like a jump"


def test_neighbours_are_turned_over() -> None:
    position = on(begun("ataxx", size=5), "....O .OO.. ..... .XO.. X....")
    assert after(position, "c3").board.count("X") == 6
    assert after(position, "a1-c3").board.count("X") == 5


def test_refusals_of_ataxx() -> None:
    position = begun("ataxx")
    assert "none of your pieces is next to it" in refusal(position, "d4")
    assert "more than two steps" in refusal(position, "a7-d4")
    assert "white's, not yours" in refusal(position, "a1-a3")
    assert "not empty" in refusal(position, "a7")
    with pytest.raises(OptionError, match="odd size"):
        begun("ataxx", size=6, gaps="diamond")


def test_ataxx_passes_and_ends() -> None:
    # White, in the corner, is shut in.
    position = on(begun("ataxx", size=5), "O#X.. ##X.. XXX.. ..... .....")
    passed = after(position, "d5")
    assert passed.to_move == {0}
    assert passed.news[-1] == "white cannot move and is skipped"
    taken = after(on(begun("ataxx", size=5), "..... ..... ..... X.O.. ....."), "b2")
    assert taken.outcome is not None
    assert taken.outcome.reason == "black 3, white 0"


def test_a_hundred_jumps_are_a_draw() -> None:
    position = begun("ataxx", size=5)
    for _ in range(25):
        position = after(position, "a5-a3 a1-c1 a3-a5 c1-a1")
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 1)


def test_hexxagon_has_three_holes() -> None:
    position = begun("hexxagon")
    assert [position.board.count(sign) for sign in "XO#."] == [3, 3, 3, 52]
    assert len(moves(position)) == 24
    assert begun("hexxagon", full=True).board.count("#") == 0
    assert "not empty" in refusal(position, "f5")


# Dots and boxes


def test_who_closes_a_box_owns_it_and_goes_on() -> None:
    position = after(begun("dotsandboxes"), "a1-b1 a2-b2 a1-a2")
    closed = after(position, "b2b1")
    assert closed.to_move == {1}
    assert closed.turn == position.turn
    assert "boxes: first 0, second 1" in closed.render()


def test_two_boxes_at_once_and_the_end() -> None:
    position = begun("dotsandboxes", columns=2, rows=1)
    position = after(position, "a1-b1 b1-c1 a2-b2 b2-c2 a1-a2 c1-c2")
    over = after(position, "b1-b2")
    assert over.outcome is not None
    assert (over.outcome.ranks, over.outcome.reason) == ((1, 2), "boxes: first 2, second 0")


def test_misere_dots() -> None:
    over = after(begun("dotsandboxes", columns=1, rows=1, misere=True), "a1b1 a2b2 a1a2 b1b2")
    assert over.outcome is not None
    assert over.outcome.ranks == (1, 2), "the second player closed the box"


def test_refusals_of_dots() -> None:
    position = after(begun("dotsandboxes"), "a1-b1")
    assert "already drawn" in refusal(position, "b1-a1")
    assert "next to each other" in refusal(position, "a1-b2")
    assert "not on the board" in refusal(position, "f6-g6")


# Cephalopod


def dice(text: str) -> str:
    """Rows of dice like X1 O2 .. from the top as a board."""
    rows = [row.split() for row in text.strip().splitlines()][::-1]
    signs = {"X": "ABCDEF", "O": "abcdef"}
    return "".join(
        "." if die == ".." else signs[die[0]][int(die[1]) - 1] for row in rows for die in row
    )


CROWDED = """.. .. .. .. ..
             .. .. X2 .. ..
             .. O1 .. X3 ..
             .. .. O6 .. ..
             .. .. .. .. .."""


def test_capture_is_of_any_two_or_more_up_to_six() -> None:
    position = replace(begun("cephalopod"), board=dice(CROWDED))
    captures = {move for move in moves(position) if move.startswith("c3")}
    assert captures == {"c3:b3+d3", "c3:b3+c4", "c3:d3+c4", "c3:b3+d3+c4"}
    assert "c3:" in refusal(position, "c3")
    with pytest.raises(AmbiguousMove, match="several ways"):
        position.parse("c3", 0)
    taken = after(position, "c3:c4+b3+d3")
    assert taken.board[12] == "F"
    assert taken.board.count(".") == 23
    assert "add up to 7" in refusal(position, "c3:b3+c2")
    assert "no die on a1" in refusal(position, "b1:b2+a1")
    assert "not beside" in refusal(position, "c3:a1+b3")


def test_without_a_capture_the_die_shows_one() -> None:
    position = after(begun("cephalopod"), "a1 e5 b2 b1")
    assert position.board[1] == "b", "the only capture goes without saying: it shows two"
    assert position.board[0] == "."


def test_the_majority_wins_a_full_board() -> None:
    full = "X6 O6 X6\nO6 X6 O6\nX6 O6 .."
    position = begun("cephalopod", columns=3, rows=3)
    over = after(replace(position, board=dice(full)), "c1")
    assert over.outcome is not None
    assert over.outcome.reason == "dice: first 5, second 4"
    with pytest.raises(OptionError, match="odd"):
        begun("cephalopod", rows=4)
