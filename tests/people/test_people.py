"""A little of `python -m tools.people`: nothing is done that was not meant, and nothing that a
person would have understood is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.people.games import GAMES, play_all
from tools.people.replies import REPLIES, Reading
from tools.people.table import BAD, Table, write_page
from tools.people.table import GAMES as REPLY_GAMES

_SAMPLE = 12


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A server with two players."""
    made = Table(tmp_path)
    yield made
    made.close()


def test_a_sample_of_replies(table: Table) -> None:
    dice = random.Random(7)
    outcomes = [
        table.try_out(reply, dice.choice(REPLY_GAMES)) for reply in dice.sample(REPLIES, _SAMPLE)
    ]
    assert [each for each in outcomes if each.verdict in BAD] == []
    assert {each.read_as for each in outcomes} > {Reading.MOVE, Reading.PASSED_ON, Reading.ASKED}


def test_one_game(table: Table) -> None:
    outcomes = play_all(table, GAMES[1:2])
    assert [each for each in outcomes if each.verdict in BAD] == []
    assert "| cradle | " in "\n".join(write_page([], outcomes))


def test_what_is_not_meant_is_counted(table: Table) -> None:
    """The counting itself: a reply that is read otherwise than expected is found."""
    (move,) = [each for each in REPLIES if each.text == "{move}!"]
    wrong = type(move)(move.when, move.text, Reading.PASSED_ON)
    refused = type(move)(move.when, "xyzzy", Reading.MOVE)
    verdicts = [table.try_out(each, "hex").verdict for each in (move, wrong, refused)]
    assert verdicts == ["as meant", "not meant", "refused"]
