"""The help pages say what the code does: examples are commands, numbers are the defaults."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from pbm.config import Limits, Players
from pbm.core.clock import TimeControl
from pbm.core.command import Sender
from pbm.core.parser import read_line
from pbm.features.finding.game_page import build_game_page
from pbm.features.finding.help import find_page, list_topics
from pbm.games import get_game
from pbm.rules import CHANCE, Position
from pbm.rules.drawing.surroundings import find_places
from tests.rules.test_typed_moves import read_typed
from tools.games.sampling import list_sampled_names

_SHOWN = re.compile(r"^ {2,}(?:> |bob> )?((?:cradle|hex|set|vacation|rating|all|list) .*)$")
_SHORT = {"cradle 17 b1,c1,d1,d2", "hex 18 d4"}
"""Short lines of a list of moves, which need its head (help multiple)."""


def examples(topic: str) -> list[str]:
    """The commands of a page that are written with the words of an example."""
    found = [_SHOWN.match(line) for line in find_page(topic)[1].splitlines()]
    texts = [re.split(r"\s{3,}", match[1])[0] for match in found if match]
    return [text for text in texts if text not in _SHORT]


@pytest.mark.parametrize("topic", ["", *(topic for topic in list_topics() if topic != "commands")])
def test_every_example_is_a_command(topic: str) -> None:
    for text in examples(topic):
        command = read_line(text, Sender("ann@example.org"))
        assert not command.guessed, text


def test_the_examples_are_found() -> None:
    assert sum(len(examples(topic)) for topic in ("", *list_topics())) > 30
    assert {"cradle", "hex"} <= set(list_sampled_names())


def _numbers(topic: str, pattern: str) -> list[int]:
    return [int(number) for number in re.findall(pattern, " ".join(find_page(topic)[1].split()))]


def test_the_numbers_are_the_defaults() -> None:
    times = TimeControl()
    assert _numbers("options", r"without a move \((\d+)\)") == [times.nag]
    assert _numbers("options", r"after this many days \((\d+)\)") == [times.forfeit]
    assert _numbers("time", r"--nag=(\d+)") == _numbers("time", r"reminder after (\d+)")
    assert _numbers("time", r"--forfeit=(\d+) ") == [times.forfeit]
    assert _numbers("time", r"You have (\d+) days a year") == [Players().vacation_days]
    assert _numbers("multiple", r"At most (\d+) commands") == [Limits().commands_a_mail]


def _openings(name: str) -> Iterator[Position]:
    """First positions of a game in which a seat is to move, after various rolls."""
    rng = random.Random(0)
    for _ in range(200):
        position: Position = get_game(name).setup()
        while position.chance is not None:
            position = position.play(CHANCE, rng.choice(position.chance.outcomes))
        yield position


_FIRST = ("AIM", "BOARD")
_LAST = ("THE END", "WRITING MOVES", "COMMANDS", "OPTIONS", "WITHOUT THE DRAWING")
_AT_THE_END = {"KNOWN", "NOTES", "DECIDED HERE"}


@pytest.mark.parametrize("name", list_sampled_names())
def test_all_games_have_their_pages_in_one_order(name: str) -> None:
    game = get_game(name)
    page = build_game_page(game)
    title, *sections = re.split(r"^([A-Z][A-Z' ]+)\n", page, flags=re.MULTILINE)
    texts = dict(zip(sections[::2], sections[1::2], strict=True))
    headings = list(texts)
    assert len(headings) == len(sections) / 2, "each heading once"
    assert title.split(",")[0].split("  ")[0].isupper()
    assert tuple(headings[:2]) == _FIRST
    end = headings.index("THE END")
    assert end > 2, "there is something about a turn"
    after = [each for each in headings[end:] if each not in ("RESIGNING", "AGREEING WHAT IS DEAD")]
    assert tuple(after[:5]) == _LAST
    assert set(after[5:]) <= _AT_THE_END
    assert all(text.strip() for text in texts.values())
    assert re.search(r"^ +(?:\d )?> ", texts["WRITING MOVES"], re.MULTILINE)
    for option in game.info.options:
        lines = re.findall(rf"^ +{re.escape(option.usage)}(?= |$)", page, re.MULTILINE)
        assert len(lines) == 1, "options once"
    for number, line in enumerate(page.split("\n")):
        assert len(line) <= 78
        assert line == line.rstrip()
        assert not number or not re.match(r"[A-Z]{4,}(?: [A-Z]+)*[.,](?: |$)", line), "a heading"


def test_numbered_orders_of_a_turn_stay_a_list() -> None:
    page = build_game_page(get_game("spacefighters"))
    assert re.findall(r"^(\d)\. \w+", page, re.MULTILINE) == ["1", "2", "3", "4"]


@pytest.mark.parametrize("name", ["hex", "backgammon", "battleship", "spacetruckin"])
def test_a_page_shows_the_board_drawn_or_in_words(name: str) -> None:
    drawn, words = (build_game_page(get_game(name), in_words=each) for each in (False, True))
    assert "At the beginning:" in drawn
    assert re.search(r"^ +a( +b)|13 14 15 16", drawn, re.MULTILINE)
    assert not re.search(r"^ +a( +b)|13 14 15 16", words, re.MULTILINE)


@pytest.mark.parametrize("name", list_sampled_names())
def test_the_page_of_a_game_says_how_to_play_without_the_drawing(name: str) -> None:
    text = " ".join(find_page(name)[1].split())
    assert "WITHOUT THE DRAWING The page help words" in text
    if example := re.search(r"typed without marks: ([^.]*) for (\S+)\.", text):
        typed, move = example.groups()
        assert re.fullmatch(r"[a-z0-9 ]+", typed)
        position = next(each for each in _openings(name) if move in each.legal_moves(0))
        assert read_typed(position, 0, typed) == [move]
    if place := re.search(r"on one place: (.*?)(?: USERID PASSWORD)? 17 (.*?)\. ", text):
        assert place[1].split()[1] in ("show", "showas")
        assert find_places(next(_openings(name)).scene(), place[2].split())


def test_most_pages_of_games_have_an_example_of_a_move_without_marks() -> None:
    pages = [find_page(name)[1] for name in list_sampled_names()]
    assert sum("typed without" in " ".join(page.split()) for page in pages) >= 20


def test_help_names_no_misspelling_and_says_what_unwatch_does() -> None:
    assert "Also: board" in find_page("move")[1]
    assert "get no more mails of a board" in find_page("unwatch")[1]
