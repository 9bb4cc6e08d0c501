"""Maps of Diplomacy of an operator's own in a running server: in Debian's Chromium a phase by
clicks, on a map of areas and on one of discs, and a map that comes with a reload; and a computer
player."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbm import games
from pbm.config import load
from tests.games.test_own_maps import STRAIT
from tests.harness.visitor import Club
from tools.games.map_shapes import shape_map
from tools.web.clicker import open_context

_WIDEST = "document.documentElement.scrollWidth"
_PATIENCE = 60.0


@pytest.mark.parametrize("width", [390, 1200])
def test_a_phase_by_clicks_and_a_map_that_comes_with_a_reload(
    tmp_path: Path, browser: Browser, width: int
) -> None:
    discs, areas = tmp_path / "strait.map", tmp_path / "isles.map"
    discs.write_text(STRAIT)
    areas.write_text(STRAIT.replace("Strait", "Isles"))
    shape_map(areas)
    club = Club(tmp_path, web=f"[games]\nvariants = ['{discs}']\n")
    page = open_context(browser, width=width).new_page()
    try:
        club.signup("ann", "bob")
        page.goto(f"{club.url}/game/isles")
        assert "There is no such page" in page.content()

        toml = tmp_path / "pbm.toml"
        toml.write_text(toml.read_text().replace("strait.map'", f"strait.map', '{areas}'"))
        load(str(toml), {})  # the games of this process
        club.reload()
        deadline = time.monotonic() + _PATIENCE
        while not (answer := page.goto(f"{club.url}/game/isles")) or not answer.ok:
            assert time.monotonic() < deadline
            time.sleep(0.2)

        for name, is_map in (("strait", False), ("isles", True)):
            page.goto(f"{club.url}/game/{name}")
            assert page.locator(".board .sea").count() == is_map
            board = club.challenge(name, "ann", "bob")
            red, blue = club.links(board)
            for link, unit, order in ((red, "aaa", "a aaa - bbb"), (blue, "bbb-nc", "f bbb/nc h")):
                page.goto(link)
                page.get_by_text("All units at once").click()
                page.locator(f"#order-{unit}").select_option(order)
                page.locator(f"form:has(#order-{unit}) button").click()
            page.goto(red)
            assert "Fall 1901" in page.locator("main").inner_text()
            assert page.evaluate(_WIDEST) == width
            assert page.get_by_text("Spring 1901, movement: 2 orders").count()
    finally:
        club.close()
        games.reload()
        games.bring_variants({}, {})


def test_a_computer_player_gives_orders_on_such_a_map(tmp_path: Path) -> None:
    path = tmp_path / "strait.map"
    path.write_text(STRAIT)
    club = Club(tmp_path, has_bots=True, web=f"[games]\nvariants = ['{path}']\n")
    try:
        club.signup("ann")
        board = club.challenge("strait", "ann", "level2")
        club.submit(f"strait move {board} ann a aaa h")
        deadline = time.monotonic() + _PATIENCE
        while club.load(board).position.to_move != {0}:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        club.close()
        games.reload()
        games.bring_variants({}, {})
