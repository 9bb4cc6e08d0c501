"""Plays boards in Debian's Chromium by clicks alone, with JavaScript switched off."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from random import Random
from typing import Any
from urllib.parse import parse_qsl

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from pbm.rules import Position
from tests.harness.packages import find_program, skip_without
from tests.harness.visitor import Club

_BROWSERS = ("chromium-headless-shell", "chromium")
"""Debian's packages; the first is the same browser without windows, and starts pages faster."""
_MOST_MOVES = 3000
_MOST_TRIED = 300
"""Where fewer moves are legal, each is tried for one that ends the game."""
PATIENCE_MS = 180_000
_PLAY = "Play this move"
_READ = """(() => ({
    links: [...document.querySelectorAll("a[href^='?m=']")].map(a => a.getAttribute('href')),
    move: document.querySelector(".compose input[name=move]")?.value ?? '',
    is_done: !!document.querySelector('.done'),
    text: document.querySelector('main').innerText,
}))()"""
_FIND = """(() => {
    const element = %s;
    element.scrollIntoView({block: 'center', inline: 'center'});
    const box = element.getBoundingClientRect();
    const parts = [0.5, 0.3, 0.7, 0.15, 0.85];
    for (const down of parts) for (const right of parts) {
        const [x, y] = [box.x + box.width * right, box.y + box.height * down];
        if (element.contains(document.elementFromPoint(x, y))) return {x, y};
    }
    return null;
})()"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Open a browser without a window."""
    path = next(filter(None, map(find_program, _BROWSERS)), None)
    if path is None:
        skip_without("chromium")
    arguments = ["--no-sandbox", "--in-process-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def open_context(
    browser: Browser, *, width: int = 1000, height: int = 900, dark: bool = False
) -> BrowserContext:
    """Return a window without JavaScript."""
    context = browser.new_context(
        java_script_enabled=False,
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
    )
    context.set_default_timeout(PATIENCE_MS)
    return context


def take_top(page: Page, tallest: int) -> Image.Image:
    """Return the page as it looks, without what is below `tallest` pixels."""
    with Image.open(BytesIO(page.screenshot(full_page=True))) as whole:
        return whole.convert("RGB").crop((0, 0, whole.width, min(whole.height, tallest)))


class Clicker:
    """Composes moves by clicks of the mouse. `clicks` has the number for each move that was played.

    It talks to the browser's debugger, which costs a page half of what Playwright's own clicks do;
    pages themselves run no JavaScript."""

    def __init__(self, page: Page) -> None:
        self.clicks: list[int] = []
        self._page = page
        self._debugger = page.context.new_cdp_session(page)

    def play(self, link: str, position: Position, seat: int, move: str) -> None:
        """Compose a legal move at a seat's page and play it."""
        self._page.goto(link)
        steps, chosen = position.steps(seat, move), list[str]()
        while (now := self._evaluate(_READ))["move"] != move:
            links = self._list_steps(now["links"], len(chosen))
            left = Counter(steps) - Counter(position.compose(seat, chosen).steps)
            step = next((step for step in steps if left[step] and step in links), None)
            assert step is not None, f"{link}: cannot compose {move}: {now['text'][:1500]}"
            self._click(
                f"document.querySelector({json.dumps(f'a[href={json.dumps(links[step])}]')})"
            )
            chosen.append(step)
        buttons = "[...document.querySelectorAll('button')]"
        self._click(f"{buttons}.find(button => button.textContent === '{_PLAY}')")
        now = self._evaluate(_READ)
        assert now["is_done"], now["text"]
        self.clicks.append(len(chosen) + 1)

    def _list_steps(self, links: list[str], chosen: int) -> dict[str, str]:
        """Return the links that add a step to the number of those chosen, by that step."""
        queries = {
            link: [step for _, step in parse_qsl(link[1:].removesuffix("#board"))]
            for link in reversed(links)
        }
        return {steps[-1]: link for link, steps in queries.items() if len(steps) > chosen}

    def _click(self, element: str) -> None:
        """Click on an element where nothing covers it, and wait for the page that it leads to."""
        place = self._evaluate(_FIND % element)
        assert place is not None, f"{element} is covered"
        with self._page.expect_event("load"):
            for kind in ("mousePressed", "mouseReleased"):
                self._debugger.send(
                    "Input.dispatchMouseEvent",
                    {
                        "type": kind,
                        "x": place["x"],
                        "y": place["y"],
                        "button": "left",
                        "clickCount": 1,
                    },
                )

    def _evaluate(self, expression: str) -> Any:
        answer = self._debugger.send(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True}
        )
        assert "exceptionDetails" not in answer, (expression, answer)
        return answer["result"]["value"]


def choose_move(position: Position, seat: int, dice: Random) -> str:
    """Return a random legal move; one that ends the game, or else often one that captures, where
    there is any: not every game ends by random moves."""
    moves = list(position.legal_moves(seat))
    if len(moves) <= _MOST_TRIED:
        ends = [move for move in moves if position.play(seat, move).outcome is not None]
        if ends:
            return dice.choice(ends)
    captures = [move for move in moves if "x" in move]
    return dice.choice(captures if captures and dice.random() < 0.8 else moves)


def play_out(club: Club, clicker: Clicker, board: int, dice: Random) -> int:
    """Play a board to its end. Return the number of moves."""
    links = club.links(board)
    for moves in range(_MOST_MOVES):
        loaded = club.load(board)
        if loaded.state != "running":
            assert loaded.is_over
            return moves
        seat = min(loaded.position.to_move)
        move = choose_move(loaded.position, seat, dice)
        clicker.play(links[seat], loaded.position, seat, move)
    raise AssertionError(f"board {board} does not end")
