"""Joining in Debian's Chromium, on a phone, without JavaScript and by the keyboard alone: the form
of the front page, and an invitation from the mail to the first move. axe-core reads every page."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Browser, Page

from tests.harness.visitor import Club
from tools.web.clicker import PATIENCE_MS, open_context

_AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
_RUN_AXE = "async () => (await axe.run()).violations.map(v => v.id + ': ' + v.nodes[0].html)"
_FOCUSED = """(() => {
    const focused = document.activeElement;
    return focused.getAttribute('href') || focused.id || focused.textContent.trim();
})()"""
_WIDEST = """[document.documentElement, ...document.querySelectorAll('body *')].filter(
    each => each.scrollWidth > 390).map(each => each.outerHTML.slice(0, 100))"""
_PHONE = 390
_MOST_KEYS = 60


class Reader:
    """Somebody at a phone with a keyboard, and axe-core beside them."""

    def __init__(self, browser: Browser) -> None:
        self._page: Page = open_context(browser, width=_PHONE).new_page()
        checked = browser.new_context(bypass_csp=True)
        checked.set_default_timeout(PATIENCE_MS)
        self._checked = checked.new_page()

    def opens(self, url: str) -> None:
        """Follow a link of a mail."""
        self._page.goto(url)
        self._check(url)

    def _check(self, url: str = "") -> None:
        """Look at a page: nothing is wider than the phone, and axe-core finds nothing."""
        assert self._page.evaluate(_WIDEST) == [], self._page.url
        if url:
            self._checked.goto(url)
            self._checked.evaluate(_AXE)
            assert self._checked.evaluate(_RUN_AXE) == [], url
            return
        self._checked.set_content(self._page.content())
        self._checked.evaluate(_AXE)
        assert self._checked.evaluate(_RUN_AXE) == [], self._page.url

    def types(self, field: str, text: str) -> None:
        """Write into the field with that id."""
        self._reach(field)
        self._page.keyboard.press("ControlOrMeta+A")
        self._page.keyboard.type(text)

    def presses(self, label: str) -> str:
        """Press the button, or follow the link, with that label; what the next page says."""
        self._reach(label)
        with self._page.expect_navigation():
            self._page.keyboard.press("Enter")
        self._check()
        return self._page.locator("main").inner_text()

    def _reach(self, wanted: str) -> None:
        for _ in range(_MOST_KEYS):
            if self._page.evaluate(_FOCUSED) == wanted:
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {wanted} on {self._page.url}")


def test_from_the_front_page_to_the_first_move_of_a_friend(
    tmp_path: Path, browser: Browser
) -> None:
    club = Club(tmp_path, confirms=True)
    try:
        ann, kim = Reader(browser), Reader(browser)
        ann.opens(f"{club.url}/")
        ann.types("userid", "ann")
        ann.types("address", "ann@example.org")
        assert "Look into your mail" in ann.presses("Join")
        ann.opens(club.mailed_link("ann@example.org", "c"))
        assert "Confirmed" in ann.presses("Confirm")
        ann.opens(club.mailed_link("ann@example.org", "u"))
        ann.types("invite", "kim@far.example hex -size=5")
        assert "What you have sent stands below" in ann.presses("Invite")
        kim.opens(club.mailed_link("kim@far.example", "join"))
        kim.types("userid", "ann")
        assert "this userid is taken" in kim.presses("Join")
        kim.types("userid", "Kim")
        assert "You have joined" in kim.presses("Join")
        kim.opens(club.mailed_link("kim@far.example", "s"))
        kim.presses("?m=c3")
        assert "ann" in kim.presses("Play this move")
        assert club.load(1).position.to_move == {1}
    finally:
        club.close()
