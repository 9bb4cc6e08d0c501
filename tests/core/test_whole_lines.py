"""A line is a move only as a whole, in every game: nothing is played of what only begins like one,
or has one in it."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator, Sequence

import pytest
from msgspec import structs

from pbm.core.board import Board
from pbm.core.turns import play_text
from pbm.features.plans.commands import may_be_moves
from pbm.games import get_game
from pbm.rules import Game, InvalidMove, MoveError, Position
from pbm.rules.examples import begin
from pbm.rules.turn_text import require_no_question
from pbm.rules.typed import left_of
from tests.core.test_board import NOW, board_of
from tests.rules.nim import Nim, NimPosition
from tools.games.sampling import list_sampled_names

WITH_TWO = ("{0} or {1}", "{0} or {1}?", "{0} / perhaps {1}", "either {0} or {1}")
WITH_ONE = (
    "{0}?",
    "{0} ?",
    "{0}??",
    "{0}!?",
    "?{0}",
    "¿{0}?",
    "is it {0}",
    "{0}, what do you think?",
    "{0}, what do you think",
    "{0} if you agree",
    "{0} unless you mind",
    "{0} - no, wait",
    "{0}; good game",
    "{0} is a trap",
    "not {0}",
    "never {0}",
    "don't {0}",
    "{0} and resign",
)
PAIRS = ("{0} {1}", "{0}, {1}", "{0}; {1}", "{0} and {1}")
ROUNDS = 4
PLIES = 5


def walk(game: Game, dice: random.Random, plies: int = PLIES) -> Iterator[Board]:
    """A board of that game in the positions of a random one."""
    (first, *_) = board_of().seats
    seats = [structs.replace(first, seat=number) for number in range(game.info.players[0])]
    board = dataclasses.replace(board_of(), game=game, position=game.setup(), seats=seats)
    for _ in range(plies):
        board.answer_chance(NOW)
        if board.position.outcome is not None:
            return
        yield board
        seat = min(board.position.to_move)
        moves = board.position.legal_moves(seat)
        board.play_text(seat, moves[dice.randrange(min(len(moves), 3000))], "", NOW)


def is_one_move(position: Position, seat: int, moves: Sequence[str]) -> bool:
    """Whether a turn is one move here, before anything is asked of chance."""
    after = [position.play(seat, move) for move in moves[:200]]
    return all(each.outcome is not None or each.turn != position.turn for each in after)


def letters(text: str) -> str:
    """The letters and digits of a line, without the `pass` that Cyclone ignores at its end."""
    return re.sub(r"\W+|\band\b|\bpass$", "", text.lower())


def play(board: Board, seat: int, text: str) -> list[str]:
    """What the server plays of a line; the board stays as it is."""
    tried = dataclasses.replace(
        board,
        seats=[structs.replace(each) for each in board.seats],
        proposals={},
        entries=[],
        positions_before=[],
        stopped=[],
        lapsed=[],
    )
    try:
        play_text(tried, tried.seats[seat], text, "", NOW)
    except MoveError:
        assert tried.entries == []
    return [entry.move for entry in tried.entries if entry.kind == "move"]


def check_lines(game: Game, seed: str) -> int:
    """Try the lines in random positions; how many."""
    dice, tried = random.Random(seed), 0
    for board in walk(game, dice):
        for seat in sorted(board.position.to_move):
            moves = list(board.position.legal_moves(seat)[:3000])
            one, other = dice.choice(moves), dice.choice(moves)
            for form in dice.sample(WITH_ONE, 8) + dice.sample(WITH_TWO, 3):
                line = form.format(one, other)
                assert play(board, seat, line) == [], line
                tried += 1
            for form in PAIRS if is_one_move(board.position, seat, moves) else ():
                line = form.format(one, other)
                played = "".join(play(board, seat, line))
                assert not played or letters(played) == letters(line), line
    return tried


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list_sampled_names())
def test_nothing_is_played_of_a_line_that_is_not_wholly_a_move(name: str) -> None:
    tried = sum(check_lines(get_game(name), f"{name} {at}") for at in range(ROUNDS))
    assert tried >= 2 * ROUNDS


@pytest.mark.parametrize("name", list_sampled_names())
def test_what_can_be_played_later_can_be_queued_now(name: str) -> None:
    """Also where the notation of a later phase is another; a sentence is none in any phase, and
    where the notation is one, nothing else is a move."""
    dice, game = random.Random(name), get_game(name)
    first = begin(game)
    assert may_be_moves(first, "xq-9/a") is ("sealed" in game.info.features)
    for board in walk(game, dice, plies=30):
        for seat in sorted(board.position.to_move):
            moves = board.position.legal_moves(seat)[:3000]
            words = [move for move in moves if move.isalpha()]
            for move in [*words, *dice.sample(moves, min(len(moves), 5))]:
                assert may_be_moves(first, move), move
                assert not may_be_moves(first, f"{move}?")
        for text in ("hello there", "good luck!", "what do you think?", "d4?"):
            assert not may_be_moves(board.position, text)


class GuessPosition(NimPosition):
    """A position by an author who says that it hides something, and does no more about it."""

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        match = re.match(r"\s*(take-[1-3])(?!\w)", text)
        if match is None:
            raise InvalidMove("write take-1, take-2 or take-3")
        return match[1], left_of(text, match.end())


class AgainPosition(GuessPosition):
    """The same in which whoever takes one stone goes on, as after a hit."""

    def apply(self, seat: int, move: str) -> NimPosition:
        after = super().apply(seat, move)
        goes_on = move == "take-1" and not after.over
        return dataclasses.replace(after, seat=seat, turn=self.turn) if goes_on else after


def build_board(position: type[NimPosition]) -> Board:
    """A board of a game that hides something, with those positions."""
    info = dataclasses.replace(Nim.info, features=frozenset({"hidden"}))
    game: Nim = type("Guess", (Nim,), {"position": position, "info": info})()
    position.game = game
    return dataclasses.replace(board_of(), game=game, position=game.setup())


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_game_of_another_author_cannot_get_it_wrong(seed: int) -> None:
    assert check_lines(build_board(GuessPosition).game, str(seed)) > 0


def test_what_a_move_reveals_is_not_told_by_a_refusal() -> None:
    """Where some moves go on and others do not, the first is played whatever comes of the second;
    what is no notation is refused all the same."""
    board = build_board(AgainPosition)
    assert play(board, 0, "take-1 take-2") == ["take-1", "take-2"]
    assert play(board, 0, "take-2 take-1") == ["take-2"]
    for line in ("take-1 or take-2", "take-2 or take-1", "take-1 take-2?", "take-1 nice day"):
        assert play(board, 0, line) == []


def test_a_question_mark_is_notation_where_a_game_writes_it() -> None:
    class AskPosition(GuessPosition):
        def legal_moves(self, seat: int) -> list[str]:
            return ["take-1?"] if seat in self.to_move else []

    require_no_question(build_board(AskPosition).position, 0, "take-1?")
    with pytest.raises(InvalidMove, match="a line with a question mark is no move"):
        require_no_question(build_board(GuessPosition).position, 0, "take-1?")
