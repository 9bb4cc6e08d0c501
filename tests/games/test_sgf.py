"""Games exported as SGF are read back by sgfmill, and replayed on its go board where it has one."""

import random

import pytest
from sgfmill.boards import Board
from sgfmill.sgf import Sgf_game

from pbm.games import get_game
from pbm.rules import Played, Position, Value
from pbm.rules.families.two_player import TwoPlayerPosition

NAMES = {"White": "ann [a]", "Black": "bob"}
"""The headers of PGN: White is the first seat."""


def random_game(name: str, options: dict[str, Value]) -> tuple[Position, Played]:
    """The last position of a random game and its record."""
    rng, position = random.Random(name), get_game(name).setup(2, options)
    log: list[tuple[int, str]] = []
    while position.to_move:
        (seat,) = position.to_move
        log.append((seat, rng.choice(position.legal_moves(seat))))
        position = position.play(*log[-1])
    return position, Played(2, position.options, log, position.outcome, NAMES)


@pytest.mark.parametrize(
    ("name", "number"), [("gonnect", 1), ("atarigo", 1), ("amazons", 18), ("linesofaction", 9)]
)
def test_a_record_is_read_back(name: str, number: int) -> None:
    position, played = random_game(name, {})
    text = get_game(name).record(played)
    assert max(map(len, text.splitlines())) <= 78
    game = Sgf_game.from_string(text)
    assert game.get_root().get_raw("GM") == str(number).encode()
    assert game.get_player_name("b") == "ann [a]"
    assert position.outcome is not None
    assert game.get_winner() == "bw"[position.outcome.winners[0]]
    assert len(game.get_main_sequence()) == len(played.moves) + 1


@pytest.mark.parametrize(("name", "options"), [("gonnect", {"noswap": True}), ("atarigo", {})])
def test_a_goban_that_is_not_ours_comes_to_the_same_board(
    name: str, options: dict[str, Value]
) -> None:
    position, played = random_game(name, {"size": 7, **options})
    assert isinstance(position, TwoPlayerPosition)
    board = Board(7)
    for node in Sgf_game.from_string(get_game(name).record(played)).get_main_sequence()[1:]:
        colour, (row, column) = node.get_move()
        board.play(row, column, colour)
    signs = {None: ".", "b": "X", "w": "O"}
    squares = [signs[board.get(row, column)] for row in range(7) for column in range(7)]
    assert "".join(squares) == position.board


def test_amazons_of_the_specification() -> None:
    """The usual start is the one of red-bean.com/sgf/amazons.html, a move is from, to and arrow."""
    played = Played(2, get_game("amazons").setup(2).options, [(0, "d1-d7/g7"), (1, "a7-d10/g7")])
    game = Sgf_game.from_string(get_game("amazons").record(played))
    black, white, _ = game.get_root().get_setup_stones()
    assert black == {(0, 3), (0, 6), (3, 0), (3, 9)}
    assert white == {(9, 3), (9, 6), (6, 0), (6, 9)}
    first, second = game.get_main_sequence()[1:]
    assert (first.get_raw("B"), second.get_raw("W")) == (b"djddgd", b"addagd")


def test_lines_of_action_of_the_specification() -> None:
    """Squares as players write them, a colon where a move captures; the start has a name."""
    options = get_game("loa").setup(2, {"scrambled": True}).options
    game = Sgf_game.from_string(
        get_game("loa").record(Played(2, options, [(0, "d1-d3"), (1, "a2xc2")]))
    )
    assert game.get_root().get_raw("SU") == b"Scrambled-eggs"
    first, second = game.get_main_sequence()[1:]
    assert (first.get_raw("B"), second.get_raw("W")) == (b"d1-d3", b"a2:c2")
