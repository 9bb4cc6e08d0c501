"""Shared helpers of the tests of the classic games: playing lines of moves, hand-made positions,
perft, the examples of help pages."""

import random
import re
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from pbm.games import get_game
from pbm.rules import IllegalMove, MoveError, Position, Value
from pbm.rules.families.two_player import TwoPlayerPosition
from tests.games.turns import played

D = TypeVar("D", bound=TwoPlayerPosition)
P = TypeVar("P", bound=Position)
CLASSICS = re.findall(
    r"\w+",
    """
    amazons atarigo ataxx brandubh breakthrough cephalopod clobber connect6 corridor
    dotsandboxes fanorona fivepairs fourinarow gameofy go gomoku gonnect halma havannah
    hex hexxagon hnefatafl konane linesofaction modernreversi morris pegs qubic reversi
    sumito tictactoe yavalath
    """,
)
"""The games of lines, connection, territory, capture and goal."""
LONG = re.findall(
    r"\w+",
    """
    chess chess960 draughts internationaldraughts kalah minishogi oware russiandraughts
    turkishdraughts xiangqi
    """,
)
"""The games of draughts, mancala and chess."""


def begun(game: str, **options: Value) -> TwoPlayerPosition:
    """The first position."""
    position = get_game(game).setup(2, options)
    assert isinstance(position, TwoPlayerPosition)
    return position


def begun_as(kind: type[D], game: str, **options: Value) -> D:
    """The first position, of that kind."""
    position = get_game(game).setup(2, options)
    assert isinstance(position, kind)
    return position


def after(position: P, text: str) -> P:
    """The position after typed moves of whoever is on the move, one after the other."""
    while text:
        (seat,) = position.to_move
        move, text = position.parse(text, seat)
        position = played(position, seat, move)
    return position


def on(position: D, rows: str, **more: Any) -> D:
    """The same with another board: rows from the top as the picture shows them."""
    return replace(position, board="".join(reversed(rows.split())), **more)


def moves(position: Position) -> list[str]:
    """The legal moves of whoever is on the move."""
    (seat,) = position.to_move
    return list(position.legal_moves(seat))


def refusal(position: Position, text: str) -> str:
    """Why typed moves are refused."""
    try:
        after(position, text)
    except MoveError as error:
        return str(error)
    raise AssertionError(f"{text} is not refused")


def ending(position: TwoPlayerPosition) -> tuple[tuple[int, ...], str]:
    """How a game has ended: ranks and reason; nobody has a move then."""
    assert position.outcome is not None
    assert position.legal_moves(0) == position.legal_moves(1) == ()
    return position.outcome.ranks, position.outcome.reason


def check_resigning(position: TwoPlayerPosition) -> None:
    """Who resigns loses, nobody can after that, and such a position is kept."""
    for seat, ranks in ((0, (2, 1)), (1, (1, 2))):
        left = position.resign(seat)
        assert left.outcome is not None
        assert left.outcome.ranks == ranks
        assert left.game.decode(left.encode()).encode() == left.encode()
        for late in (0, 1):
            with pytest.raises(IllegalMove):
                left.resign(late)


def perft(position: Position, depth: int) -> int:
    """The number of lines of so many moves."""
    if not depth or not position.to_move:
        return 1
    (seat,) = position.to_move
    return sum(perft(position.play(seat, m), depth - 1) for m in position.legal_moves(seat))


def unplayable_examples(game: str, games: int = 60) -> set[str]:
    """The examples of a help page (lines that begin with >) that could not be played anywhere in
    random games."""
    rng, kind = random.Random(7), get_game(game)
    left = set(re.findall(r"^ +> (.+)$", kind.info.help, re.MULTILINE))
    assert left
    for _ in range(games):
        position = kind.setup(2)
        while left and position.to_move and position.turn < 400:
            (seat,) = position.to_move
            for text in sorted(left):
                if is_played(position, text):
                    left.discard(text)
            position = position.play(seat, rng.choice(position.legal_moves(seat)))
    return left


def is_played(position: Position, text: str) -> bool:
    """Whether typed moves are taken."""
    try:
        after(position, text)
    except (MoveError, ValueError):
        return False
    return True
