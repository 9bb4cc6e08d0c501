"""Moves as people type them: each has one reading or is refused, in every game alike."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.games import get_game
from pbm.rules import CHANCE, CHANCE_TO_MOVE, MoveError, Position
from pbm.rules.typed_moves import respell
from tools.games.sampling import list_sampled_names

DECORATIONS: Sequence[Callable[[str], str]] = (
    "{}!".format,
    "{}!!!".format,
    "{} .".format,
    "({})".format,
    "[{}].".format,
    '"{}"'.format,
    "*{}*".format,
    "my move: {}".format,
    "My move is {}.".format,
    "I'll play {}".format,
    "i play {}!".format,
    "Move 12: {}".format,
    "Mein Zug: {}".format,
    "Je joue {}".format,
    "{} :-)".format,
    "{} \U0001f600".format,
    "- {}".format,
    "> {}".format,
    "from {}".format,
)
ARROWS = ("->", "-->", "=>", " > ", " -> ", " to ", " TO ", " - ", "\u2192")


def play_typed(position: Position, seat: int, text: str) -> list[str]:
    """The moves of a text, up to the first chance; MoveError when it cannot be played."""
    turn, moves, rest = position.turn, list[str](), text.strip()
    while rest and position.outcome is None:
        if position.turn != turn:
            raise MoveError("the turn is over")
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
        moves.append(move)
        if position.to_move == CHANCE_TO_MOVE:
            return moves
    return moves


def read_typed(position: Position, seat: int, text: str) -> list[str]:
    """The moves of a text as the server reads it."""
    try:
        return play_typed(position, seat, text)
    except MoveError as error:
        return play_typed(position, seat, respell(position, seat, text, error))


def answer_chance(position: Position, dice: random.Random) -> Position:
    """The position once chance has answered."""
    while position.to_move == CHANCE_TO_MOVE and position.chance is not None:
        position = position.play(CHANCE, dice.choice(position.chance.outcomes))
    return position


def refusal_of(position: Position, text: str) -> str:
    """What the player reads about a text that cannot be played."""
    with pytest.raises(MoveError) as refused:
        read_typed(position, min(position.to_move), text)
    return str(refused.value)


@pytest.mark.parametrize("name", list_sampled_names())
def test_decorated_moves(name: str) -> None:
    """Whatever stands around a move, the move is played; never another one."""
    dice = random.Random(name)
    position = get_game(name).setup()
    for _ in range(6):
        position = answer_chance(position, dice)
        if position.outcome is not None:
            break
        seat = min(position.to_move)
        move = dice.choice(position.legal_moves(seat)[:5000])
        meant = play_typed(position, seat, move)
        for decorate in dice.sample(DECORATIONS, 6):
            typed = decorate(move)
            if typed[0] not in move:
                assert read_typed(position, seat, typed) == meant, typed
        if "-" in move[1:-1]:
            for arrow in dice.sample(ARROWS, 3):
                typed = move.replace("-", arrow)
                assert read_typed(position, seat, typed) == meant, typed
            typed = move.upper().replace("-", "  ")
            if re.fullmatch(r"[A-Z]+[0-9]+  [A-Z]+[0-9]+", typed):
                assert read_typed(position, seat, typed) == meant, typed
                assert read_typed(position, seat, typed.replace(" ", "")) == meant, typed
        position = position.play(seat, move)


def test_a_number_in_front() -> None:
    """It is left out where no move looks like it, and asked about where one does."""
    hexes, kalah, column = (get_game(name).setup() for name in ("hex", "kalah", "fourinarow"))
    for number in ("1. ", "1) ", "#1: ", "12... ", "3: "):
        assert read_typed(hexes, 0, f"{number}d4") == ["d4"]
    for position, typed in ((column, "1. c"), (kalah, "2) f")):
        assert "may be a number" in refusal_of(position, typed)
    assert refusal_of(column, "1. d!").endswith("write d or 1")


def test_commas_may_be_missing_where_nothing_is_guessed() -> None:
    """Between the places of one move, and between orders of which each tells its end, only one
    thing can be meant; elsewhere the refusal says what to write."""
    dice = random.Random(1)
    fighters = get_game("spacefighters").setup()
    for setup in ("setup a11 b11 c11", "setup j1 k1 l1"):
        seat = min(fighters.to_move)
        moves = fighters.legal_moves(seat)
        fighters = answer_chance(fighters.play(seat, setup if setup in moves else moves[0]), dice)
    meant = ["a11-a10", "b11-b10", "end"]
    for typed in (
        "a11-a10 b11-b10 end",
        "(a11 a10; b11->b10 , end)!",
        "1. A11 to a10, b11b10, done.",
        "a11>a10,b11-b10,pass",
    ):
        assert read_typed(fighters, 0, typed) == meant
    cradle = get_game("cradle").setup()
    assert read_typed(cradle, 0, "(b1, c1; d1 d2)!") == ["b1,c1,d1,d2"]
    assert "write d1-d2/d3" in refusal_of(get_game("amazons").setup(), "d1 d2/d3")


def test_passing_in_other_words() -> None:
    """The game's own word is played; where there is none, the refusal says so."""
    go, hexes = get_game("go").setup(), get_game("hex").setup()
    for typed in ("pass!", "Skip.", "I pass", "(skip)"):
        assert read_typed(go, 0, typed) == ["pass"]
    for typed in ("pass", "skip", "I pass."):
        assert refusal_of(hexes, typed) == "there is no passing in Hex"
    assert refusal_of(hexes, "done") == "there is no 'done' in Hex"
    for name in ("fourinarow", "reversi"):
        position = get_game(name).setup()
        title = position.game.info.title
        assert refusal_of(position, "pass") == f"there is no passing in {title}"
        assert refusal_of(position, "end") == f"there is no 'end' in {title}"
    assert "'end'" in refusal_of(go, "end")
    backgammon = answer_chance(get_game("backgammon").setup(), random.Random(1))
    assert "nobody has doubled" in refusal_of(backgammon, "pass")
    assert "'done'" in refusal_of(backgammon, "done")


def test_the_end_of_a_turn_in_other_words() -> None:
    dice = random.Random(4)
    cyclone = answer_chance(get_game("cyclone").setup(), dice)
    seat = min(cyclone.to_move)
    first = next(move for move in cyclone.legal_moves(seat) if move != "pass")
    for word in ("pass", "done", "end", "skip", "End turn."):
        assert read_typed(cyclone, seat, f"{first}, {word}") == [first, "pass"]
    begun = answer_chance(cyclone.play(seat, first), dice)
    error = MoveError("the game's own")
    assert respell(begun, seat, "end", error, has_begun=True) == "pass"
    with pytest.raises(MoveError, match="at least one action"):
        read_typed(cyclone, seat, "skip")


def test_sentences_are_no_moves() -> None:
    """Nothing that a person writes to another is played, and the game's own words refuse it."""
    sentences = (
        "Good luck to you, Dan!",
        "I play chess too",
        "d, good luck",
        "my move is a good one",
        "from a to z",
        "to be or not to be",
        "a - b - c",
        "...",
        "()",
        "move",
    )
    for name in ("fourinarow", "kalah", "chess", "go", "cradle", "tictactoe", "draughts"):
        position = get_game(name).setup()
        for typed in sentences:
            assert refusal_of(position, typed)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_text_is_a_move_or_refused(data: st.DataObject) -> None:
    """Hostile texts end in a legal line or a MoveError, never in another error."""
    position = get_game(data.draw(st.sampled_from(["cradle", "fourinarow", "chess"]))).setup()
    text = data.draw(st.text("ab12 -,>()!.:\u2192\u0130'\"to", max_size=60))
    try:
        moves = read_typed(position, 0, text)
    except MoveError:
        return
    for move in moves:
        assert move in position.legal_moves(0)


@pytest.mark.parametrize(
    "piece", ["a1", "(", "1. ", "my move: ", "->", "a1 ", "e2 to ", "! ", "- "]
)
def test_long_texts_cost_little(piece: str) -> None:
    """No pattern and no search grows faster than the text."""
    for length in (200, 999, 100_000):
        text = (piece * length)[:length]
        for name in ("chess", "draughts", "go"):
            position = get_game(name).setup()
            with pytest.raises(MoveError):
                read_typed(position, 0, text)
