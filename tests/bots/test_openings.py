"""The opening book: legal, small, for the usual board only, and games part."""

from __future__ import annotations

import json
import random
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from pbm.bots import LEVELS
from pbm.bots.analysis.judging import judge
from pbm.bots.analysis.plan import Turn
from pbm.bots.strengths import Strength
from pbm.bots.turns import Book, Line, choose_turn, load_book, parse_book
from pbm.games import get_game
from pbm.rules import Position
from tools.bots import make_book, try_book
from tools.bots.matches import Reader, play

TEXT = files("pbm.bots").joinpath("book.txt").read_text("ascii")
LARGEST = 30_000
SHORT = """[fourinarow]
d 9
 d 1
 c 0
  d 9
c 3
a 0
"""
ILLEGAL = "[fourinarow]\nz 9\n d 9\nd 9\n"


def follow(game: str, *moves: str, **options: int) -> Position:
    """The position after these moves."""
    position = get_game(game).setup(2, options)
    for move in moves:
        position = position.play(min(position.to_move), move)
    return position


def has_no_time(part: float) -> bool:
    """The time of a turn is over."""
    return True


def use(book: str, patch: pytest.MonkeyPatch) -> None:
    """Have bots play from another book."""
    patch.setattr("pbm.bots.turns.load_book", lambda: Book(book))


def test_the_book_is_small_and_written_as_it_is_read() -> None:
    assert len(TEXT) <= LARGEST
    assert make_book.write_book(parse_book(TEXT)) == TEXT
    assert len(load_book().list_games()) >= 5


@pytest.mark.parametrize("name", load_book().list_games())
def test_all_that_is_in_the_book_is_legal_and_played(name: str) -> None:
    book, first = load_book(), follow(name)
    lines = parse_book(TEXT)[name]
    positions: dict[Line, Position] = {(): first}
    for line, weight in lines.items():
        before, move = positions[line[:-1]], line[-1]
        (seat,) = before.to_move
        assert move in before.legal_moves(seat)
        assert 0 <= weight <= make_book.BEST
        assert book.get_replies(before)[move] == weight
        positions[line] = before.play(seat, move)
    liked = {line[0] for line, weight in lines.items() if weight and len(line) == 1}
    for seed in range(4):
        moves = choose_turn(first, 0, "mcts", random.Random(seed), has_no_time)
        assert moves[0] in liked


def test_a_move_is_played_as_often_as_the_book_says() -> None:
    book, dice = Book(SHORT), random.Random(1)
    drawn = Counter(book.choose(follow("fourinarow"), dice) for _ in range(1000))
    assert drawn.keys() == {"c", "d"}
    assert 200 < drawn["c"] < 300


def test_what_it_would_not_play_is_answered_and_the_rest_is_searched() -> None:
    book, dice = Book(SHORT), random.Random(1)
    assert book.choose(follow("fourinarow", "d", "c"), dice) == "d"
    assert book.choose(follow("fourinarow", "a"), dice) == ""
    assert book.choose(follow("fourinarow", "g"), dice) == ""
    assert book.choose(follow("hex"), dice) == ""


def test_positions_are_the_same_whatever_the_order_of_the_moves() -> None:
    """In chess as many moves lead to them; knights that went out and back begin nothing anew."""
    knights = ("g1f3", "g8f6", "b1c3")
    book = Book("[chess]\n" + "".join(f"{' ' * at}{move} 9\n" for at, move in enumerate(knights)))
    assert book.get_replies(follow("chess", "g1f3", "g8f6")) == {"b1c3": 9}
    book = Book("[chess]\ng1f3 9\n g8f6 9\n  b1c3 9\n   b8c6 7\n")
    assert book.get_replies(follow("chess", "b1c3", "g8f6", "g1f3")) == {"b8c6": 7}
    assert book.get_replies(follow("chess", "g1f3", "g8f6", "f3g1", "f6g8")) == {}


@pytest.mark.parametrize(
    ("game", "options"),
    [("hex", {"size": 9}), ("kalah", {"seeds": 5}), ("fourinarow", {"misere": True})],
)
def test_a_board_with_other_options_is_searched(game: str, options: dict[str, int]) -> None:
    assert load_book().get_replies(follow(game))
    assert not load_book().get_replies(follow(game, **options))


def test_an_illegal_move_in_the_book_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a change of the rules; and when all are, the search moves."""
    position = follow("fourinarow")
    assert Book(ILLEGAL).get_replies(position) == {"d": 9}
    use("[fourinarow]\nz 9\n", monkeypatch)
    (move,) = choose_turn(position, 0, "mcts", random.Random(1), has_no_time)
    assert move in position.legal_moves(0)


def test_a_turn_begun_by_the_book_is_finished_by_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In kalah a seed in the store moves again."""
    use("[kalah]\nc 9\n", monkeypatch)
    position = follow("kalah")
    moves = choose_turn(position, 0, "mcts", random.Random(1), has_no_time)
    assert moves[0] == "c"
    assert len(moves) > 1


def test_only_mcts_has_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """The levels are as strong as they were measured, and an analysis judges for itself."""
    use("[fourinarow]\na 9\n", monkeypatch)
    first, dice = follow("fourinarow"), random.Random(1)
    assert choose_turn(first, 0, "mcts", dice, has_no_time) == ["a"]
    played = {choose_turn(first, 0, name, dice, has_no_time)[0] for name in LEVELS * 4}
    assert len(played) > 1
    after = first.play(0, "a")
    spent = iter(range(400))
    found = judge([first, after], [(0, "a")], Turn(0, 1), dice, lambda _: next(spent, None) is None)
    assert found.best != ("a",)


def test_a_book_is_made_from_own_play_and_continued(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "book.jsonl"
    make_book.main(["fourinarow:60:3", "--results", str(results)])
    assert len(results.read_text().splitlines()) == 3
    make_book.main(["fourinarow:60:6", "kalah:60:4", "--results", str(results)])
    lines = results.read_text().splitlines()
    assert len(lines) == 10
    name, line, replies = json.loads(lines[0])
    assert (name, line, max(replies.values())) == ("fourinarow", [], make_book.BEST)
    made = capsys.readouterr().out
    book = Book(made[made.rindex("[fourinarow]") :])
    assert book.list_games() == ["fourinarow", "kalah"]
    assert book.choose(follow("kalah"), random.Random(1))
    make_book.main(["--results", str(results)])
    assert capsys.readouterr().out in made
    again = tmp_path / "again.jsonl"
    make_book.main(["fourinarow:60:6", "--results", str(again)])
    assert again.read_text().splitlines() == lines[:6]


def test_a_reader_plays_a_search(capsys: pytest.CaptureFixture[str]) -> None:
    strength = Strength(20)
    assert play("tictactoe", (Reader(strength), strength), "1")[0] in {0, 0.5, 1}
    try_book.main(["tictactoe", "--work", "10", "--count", "4"])
    assert capsys.readouterr().out.split()[:2] == ["tictactoe", "4"]
