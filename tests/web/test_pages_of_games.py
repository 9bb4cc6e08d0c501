"""Every game has pages from its scene and its legal moves alone, within their budget."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from pbm.web.public_pages import split_help
from tests.harness.every_game import list_every_game
from tests.harness.page_room import Room
from tests.harness.visitor import Page

_BUDGET = 60_000 - 2_500
"""Bytes of a page; the style sheet has less than 2,500."""
_PLIES = 6
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
    for record in records.values():
        assert room.visitor.follow(spectator, record).status == 200
    assert room.visitor.get(f"/game/{name}").status == 200


def test_help_flows_but_for_lists_and_drawings() -> None:
    page = "THE AIM\nJoin\nyour sides.\n  > f6\n  > D3\nThen\nswap.\n\n   /\\\n  /  \\ a"
    assert split_help(page) == [
        ("heading", "The aim"),
        ("prose", "Join your sides."),
        ("list", "> f6\n> D3"),
        ("prose", "Then swap."),
        ("drawing", " /\\\n/  \\ a"),
    ]
