"""Every game has pages from its scene and its legal moves alone, within their budget."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from pbm.games import get_game
from pbm.web.public_pages import split_help
from tests.harness.every_game import list_every_game
from tests.harness.visitor import Page, Room
from tools.games.sampling import list_sampled_names

_BUDGET = 100_000
"""Bytes of a page; with all that it loads it has to stay within three times as many."""
_PLIES = 6
_CLICKS = 24
_STEP = re.compile(r"[?&][mt]=")
_ALWAYS_TRIED = ("backgammon", "chess", "cradle")
"""Games whose explorer is always tried."""
_RECORDS = {"chess": "pgn", "draughts": "pdn", "backgammon": "mat", "hex": "sgf"}
"""What other programs read of some games."""
_VOID = {"meta", "link", "input", "br", "path", "circle", "rect", "use"}


class Balance(HTMLParser):
    """Checks that tags are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Note a tag."""
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last one."""
        if tag not in _VOID:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def room(sqlite_template: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One database for all games."""
    path = tmp_path_factory.mktemp("pages") / "pbm.db"
    path.write_bytes(Path(str(sqlite_template)).read_bytes())
    room = Room(f"sqlite:///{path}")
    yield room
    room.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list_every_game())
def test_pages_of_every_game(room: Room, name: str) -> None:
    board = room.challenge(name)

    def look(page: Page) -> None:
        assert page.status == 200
        Balance(page.text)
        assert len(page.text.encode()) <= _BUDGET

    assert room.play(board, Random(name), _PLIES, look)
    spectator = room.visitor.get(f"/board/{board}")
    look(spectator)
    records = {url.rpartition(".")[2]: url for url in spectator.links if f"/board/{board}." in url}
    assert {"json", _RECORDS.get(name, "json")} <= records.keys()
    records.pop("png", None)
    for record in records.values():
        assert room.visitor.follow(spectator, record).status == 200
    assert room.visitor.get(f"/game/{name}").status == 200


def _may_be_tried(name: str) -> bool:
    """Whether nothing is hidden in a game, nor given as orders."""
    game = get_game(name)
    return not game.info.features & {"hidden", "sealed"} and not game.setup().takes_orders


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in _ALWAYS_TRIED else pytest.mark.long)
        for name in list_sampled_names()
        if _may_be_tried(name)
    ],
)
def test_every_game_is_tried_by_clicks(room: Room, name: str) -> None:
    """Whatever link of the explorer is followed, there is a page, and nothing is played."""
    board, dice = room.challenge(name), Random(name)
    before, tried = room.visitor.get(f"/board/{board}").text, 0
    page = room.visitor.get(f"/board/{board}/try")
    for _ in range(_CLICKS):
        links = sorted(link for link in page.links if _STEP.search(link))
        if not links:
            break
        room.now += 1  # a visitor may ask for so many pages a second
        page = room.visitor.follow(page, dice.choice(links))
        assert page.status == 200
        assert "left out" not in page.says
        Balance(page.text)
        tried += "Nothing yet" not in page.says
    assert tried
    assert room.visitor.get(f"/board/{board}").text == before


@pytest.mark.parametrize(
    ("name", "count", "line"),
    [
        ("dip", "2, 3, 5, 7, 10 or 34 players", "dip challenge USERID OPPONENT ..."),
        ("cyclone", "2 to 4 players", "cyclone challenge USERID OPPONENT"),
        ("hex", "2 players", "hex challenge USERID OPPONENT"),
    ],
)
def test_a_page_says_for_how_many_a_game_is(room: Room, name: str, count: str, line: str) -> None:
    page = room.visitor.get(f"/game/{name}")
    assert count in page.says
    assert f"{line}</code>" in page.text


def test_pages_for_the_curious_are_summed_up_without_their_headings(room: Room) -> None:
    said = room.visitor.get("/curious").says
    for page in (": An event runs", ": What the server reads in a mail", ": Where the server has"):
        assert page in said


def test_help_flows_but_for_lists_and_drawings() -> None:
    page = "THE AIM\nJoin\nyour sides.\n  > f6\n  > D3\nThen\nswap.\n\n   /\\\n  /  \\ a\n\n"
    page += "LANDING.\n- On one it\n  stands.\n- Else it - as\n  a stack - goes."
    assert split_help(page) == [
        ("heading", "The aim"),
        ("prose", "Join your sides."),
        ("list", "> f6\n> D3"),
        ("prose", "Then swap."),
        ("drawing", " /\\\n/  \\ a"),
        ("heading", "Landing"),
        ("items", "On one it stands.\nElse it - as a stack - goes."),
    ]


def test_the_title_of_a_board_has_no_number_that_is_for_programs(room: Room) -> None:
    board = room.challenge("chess")
    title = re.compile("<title>Chess [0-9]+: (.*)</title>")
    for seat, turn in ((0, "your move"), (1, "ann to move")):
        (shown,) = title.findall(room.visitor.get(room.link(board, seat)).text)
        assert shown == turn
    for player in ("ann", "bob"):
        room.submit(f"chess cancel {board} {player}")
    for page in (f"/board/{board}", room.link(board, 0)):
        seen = room.visitor.get(page)
        assert title.findall(seen.text) == ["cancelled"]
        assert "(0)" not in seen.says
