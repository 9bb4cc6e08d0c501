"""A player who never mails, in Debian's Chromium, on a phone and on a wide screen, light and dark,
without JavaScript and by the keyboard alone: from the form of the front page to a board that is
found again. axe-core reads every page."""

from __future__ import annotations

import re
import time
from pathlib import Path
from urllib.parse import urlsplit

import axe_playwright_python
import pytest
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
    each => each.scrollWidth > WIDTH).map(each => each.outerHTML.slice(0, 100))"""
_PHONE, _SCREEN = 390, 1200
_MOST_KEYS = 90


class Reader:
    """Somebody with a keyboard at a screen of some width, and axe-core beside them."""

    def __init__(self, browser: Browser, width: int = _PHONE, *, dark: bool = False) -> None:
        self._page: Page = open_context(browser, width=width, dark=dark).new_page()
        checked = browser.new_context(
            bypass_csp=True,
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": 900},
        )
        checked.set_default_timeout(PATIENCE_MS)
        self._checked = checked.new_page()
        self._widest = _WIDEST.replace("WIDTH", str(width))
        self.home = ""
        self._seen = set[str]()

    @property
    def way(self) -> str:
        """The way from a page of hers to the others, as links have it."""
        return f"../../u/{self.home.rpartition('/')[2]}/"

    def chooses(self, field: str, word: str) -> None:
        """Choose in the list with that id, by typing."""
        self._reach(field)
        self._page.keyboard.type(word)

    def opens(self, url: str) -> None:
        """Follow a link of a mail."""
        self._page.goto(url)
        self._check()

    def _check(self) -> None:
        """Look at a page: nothing is wider than the screen, and axe-core finds nothing; the latter
        once for all pages of a kind."""
        assert self._page.evaluate(self._widest) == [], self._page.url
        kind = re.sub("[a-z2-7]{32}|[0-9]+", "", urlsplit(self._page.url).path)
        if kind in self._seen:
            return
        self._seen.add(kind)
        self._checked.goto(self._page.url)
        self._checked.evaluate(_AXE)
        assert self._checked.evaluate(_RUN_AXE) == [], self._page.url

    def reads(self) -> str:
        """What the page says."""
        return self._page.locator("main").inner_text()

    def types(self, field: str, text: str) -> None:
        """Write into the field with that id."""
        self._reach(field)
        self._page.keyboard.press("ControlOrMeta+A")
        self._page.keyboard.type(text)

    def presses(self, label: str) -> str:
        """Press the button, or follow the link, with that label; what the next page says."""
        self._reach(label)
        if self._page.evaluate("document.activeElement.tagName") == "SUMMARY":
            self._page.keyboard.press("Enter")
        else:
            with self._page.expect_navigation():
                self._page.keyboard.press("Enter")
        self._check()
        return self.reads()

    def _reach(self, wanted: str) -> None:
        for _ in range(_MOST_KEYS):
            if self._page.evaluate(_FOCUSED) == wanted:
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {wanted} on {self._page.url}")


def play_on(club: Club, ann: Reader, board: int, other: str = "") -> None:
    """Ann plays a board of tic-tac-toe to its end on her own pages; `other` plays at a terminal,
    else it is the computer."""
    ann.opens(f"{ann.home}/board/{board}")
    while (loaded := club.load(board)).state == "running":
        (seat,) = loaded.position.to_move
        move = loaded.position.legal_moves(seat)[0]
        if loaded.seats[seat].userid == "ann":
            ann.opens(f"{ann.home}/board/{board}")
            if "Play this move" not in ann.reads():  # as it is where there is no other
                ann.presses(f"?m={move}#board")
            assert "Played." in ann.presses("Play this move")
        elif other:
            club.submit(f"tictactoe move {board} {other} {move}")
        else:
            time.sleep(0.1)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [_PHONE, _SCREEN])
def test_an_evening_of_a_player_who_never_mails(
    tmp_path: Path, browser: Browser, width: int, dark: bool
) -> None:
    """She joins, and plays a friend, the computer and whoever takes her offer, each to the end;
    tries moves and keeps them, enters an event, writes letters and reads the answer, and finds an
    old board, by the keyboard alone."""
    club = Club(tmp_path, confirms=True, has_bots=True)
    try:
        ann, kim = Reader(browser, width, dark=dark), Reader(browser)
        ann.opens(f"{club.url}/")
        ann.types("userid", "ann")
        ann.types("address", "ann@example.org")
        assert "Look into your mail" in ann.presses("Join")
        ann.opens(club.mailed_link("ann@example.org", "c"))
        assert "Boards of ann" in ann.presses("Confirm")
        ann.home = club.mailed_link("ann@example.org", "u")

        # A friend, who is invited and joins
        ann.opens(f"{ann.home}/begin")
        ann.types("invite-address", "kim@far.example hex -size=5")
        assert "What you have sent stands below" in ann.presses("Invite")
        kim.opens(club.mailed_link("kim@far.example", "join"))
        kim.types("userid", "ann")
        assert "this userid is taken" in kim.presses("Join")
        kim.types("userid", "Kim")
        assert "A mail tells you how to go on" in kim.presses("Join")
        kim.opens(club.mailed_link("kim@far.example", "s"))
        kim.presses("?m=c3#board")
        assert "ann" in kim.presses("Play this move")
        assert club.load(1).position.to_move == {1}

        # The friend, the computer, an open offer
        ann.opens(f"{ann.home}/begin?game=tictactoe")
        ann.types("challenge-tictactoe-userid", "kim")
        assert "The board is made." in ann.presses("Challenge")
        play_on(club, ann, 2, "kim")
        ann.types("chat-text", "Thank you!")
        assert "Thank you!" in ann.presses("Send")
        ann.opens(f"{ann.home}/begin?game=tictactoe")
        ann.presses("Play the computer")
        ann.chooses("challenge-computer-tictactoe-userid", "random")
        assert "The board is made." in ann.presses("Challenge")
        play_on(club, ann, 3)
        ann.opens(f"{ann.home}/begin?game=tictactoe")
        ann.presses("Play whoever takes the offer")
        assert "Your offer is open" in ann.presses("Make this offer")
        club.submit("join 1 kim")
        play_on(club, ann, 4, "kim")

        # Moves that are tried, on the board that waits for her
        ann.opens(f"{ann.home}/board/1/try")
        ann.presses("?m=b2#board")
        assert "Kim" in ann.presses("?t=b2&m=d4#board")
        assert "Your variations are changed." in ann.presses("Keep these variations")
        ann.opens(f"{ann.home}/board/1/try")
        assert "ann: b2 Kim: d4" in " ".join(ann.reads().split())

        # Letters
        ann.opens(f"{ann.home}/begin?game=dip")
        ann.types("challenge-dip-userid", "kim")
        ann.presses("Options of the game, the clock and the board")
        ann.chooses("challenge-dip-map", "franceaustria")
        assert "The board is made." in ann.presses("Challenge")
        ann.types("press-reader", "france")
        ann.types("press-text", "Shall we leave Italy alone?")
        assert "Shall we leave Italy alone?" in ann.presses("Send this letter")
        kim.opens(club.links(5)[1])
        assert "Shall we leave Italy alone?" in kim.reads()
        kim.types("press-reader", "austria")
        kim.types("press-text", "Until autumn.")
        kim.presses("Send this letter")
        ann.opens(f"{ann.home}/board/5")
        assert "Until autumn." in ann.reads()

        # An event, a preference, and an old board
        club.submit("event new roundrobin tictactoe kim --name=Cup")
        ann.opens(f"{ann.home}/events")
        ann.presses(f"{ann.way}event/1")
        assert "You take part." in ann.presses("Enter this event")
        ann.opens(f"{ann.home}/settings")
        ann.chooses("set-own", "do not come")
        assert "Your preferences are changed." in ann.presses("Keep these preferences")
        ann.opens(f"{ann.home}/find")
        ann.types("players", "kim")
        found = ann.presses("Find")
        assert "Tic-Tac-Toe 2" in found
        assert "Tic-Tac-Toe 3" not in found
        assert "ann" in ann.presses(f"{ann.way}board/2")
    finally:
        club.close()
