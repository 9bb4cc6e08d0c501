"""Plays boards in Debian's Chromium by clicks alone, with JavaScript switched off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.e2e.programs import program
from tests.web.club import Club

_MOST_MOVES = 1500
_PATIENCE_MS = 30_000


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    path = program("chromium")
    assert path is not None, "needs the package chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def open_context(browser: Browser, *, width: int = 1000, dark: bool = False) -> BrowserContext:
    """A window without JavaScript."""
    context = browser.new_context(
        java_script_enabled=False,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    )
    context.set_default_timeout(_PATIENCE_MS)
    return context


class Clicker:
    """Composes random moves by clicks. `clicks` has the number for each move that was played."""

    def __init__(self, page: Page, dice: Random) -> None:
        self.page = page
        self.clicks: list[int] = []
        self._dice = dice

    def move(self, link: str) -> bool:
        """Play a random move at a seat's page; False when it offers none."""
        page = self.page
        page.goto(link)
        clicks = 0
        while True:
            buttons = page.get_by_role("button", name="Play this move")
            steps = page.locator("a[href*='?m=']:not([href='?'])")
            urls = [
                url
                for url in steps.evaluate_all("links => links.map(a => a.getAttribute('href'))")
                if url.count("m=") > _chosen(page.url)
            ]
            if buttons.count() and (not urls or self._dice.random() < 0.5):
                buttons.click()
                self.clicks.append(clicks + 1)
                assert page.locator(".done").count() == 1, page.locator("main").inner_text()
                return True
            if not urls:
                return False
            url = self._dice.choice(sorted(set(urls)))
            page.locator(f"a[href='{url}']").first.click(force=True)
            clicks += 1


def _chosen(url: str) -> int:
    return url.count("m=")


def play_out(club: Club, clicker: Clicker, board: int) -> int:
    """Play a board to its end; the number of moves."""
    links = club.links(board)
    for moves in range(_MOST_MOVES):
        state, to_move = club.state(board)
        if state != "running":
            return moves
        assert to_move, f"board {board}: nobody is to move"
        seat = min(to_move)
        assert clicker.move(links[seat]), f"board {board}: no move for seat {seat} at {links[seat]}"
    raise AssertionError(f"board {board} does not end")
