"""What games say is stored with what it is made of, and names players by structure."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from pbm.core.log import join_news, split_news
from pbm.core.log_view import join_rolls
from pbm.games import get_game
from pbm.rules.phrases import Phrase, SeatName, pack, phrase, tell_roll, unpack

ROOT = Path(__file__).parents[2] / "pbm"
_ERRORS = {"MoveError", "InvalidMove", "IllegalMove", "AmbiguousMove", "OptionError"}


def test_no_refusal_of_a_game_is_a_bare_string() -> None:
    """Each is a phrase, or made of them by a function."""
    bare = [
        f"{path}:{call.lineno}"
        for room in ("rules", "games")
        for path in sorted((ROOT / room).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in _ERRORS and call.args
        if isinstance(call.args[0], ast.Constant | ast.JoinedStr | ast.BinOp)
    ]
    assert bare == []


def test_news_are_stored_with_what_they_are_made_of() -> None:
    news = (phrase("{colour} cannot move and is skipped", colour=SeatName("white", 1)), "as it was")
    stored = join_news(news)
    assert stored.count("\n") == 1
    skipped, plain = split_news(stored)
    assert (skipped, plain) == news
    assert isinstance(skipped, Phrase)
    colour = skipped.values["colour"]
    assert isinstance(colour, SeatName)
    assert colour.seat == 1
    assert split_news("white is skipped\n") == ("white is skipped",)


@pytest.mark.parametrize("name", ["cradle", "cyclone", "spacecradles", "tictactoe", "chess"])
def test_an_ending_survives_storing(name: str) -> None:
    game = get_game(name)
    position = game.setup(2, {})
    ended = position.resign(min(position.playing))
    assert ended.outcome is not None
    restored = game.decode(ended.encode()).outcome
    assert restored == ended.outcome
    assert restored is not None
    assert isinstance(restored.reason, Phrase)
    old = ended.encode().replace(_escape(pack(ended.outcome.reason)), _escape(ended.outcome.reason))
    was = game.decode(old).outcome
    assert was == ended.outcome


def _escape(text: str) -> str:
    return json.dumps(text)


def test_the_dice_of_one_roll_are_told_as_one() -> None:
    white, black = SeatName("white", 0), SeatName("black", 1)
    rolls = [tell_roll(white, "5"), tell_roll(white, "2"), tell_roll(black, "1")]
    assert join_rolls(rolls) == ["white rolls 5-2", "black rolls 1"]
    assert join_rolls(["white rolls 5", "white rolls 2"]) == ["white rolls 5", "white rolls 2"]
    again = unpack(pack(join_rolls(rolls)[0]))
    assert again == "white rolls 5-2"
    assert isinstance(again, Phrase)
