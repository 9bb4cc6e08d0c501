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
    return [focused.getAttribute('href'), focused.id, focused.textContent.trim()];
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
        self._seen = set[str]()

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
            if wanted in self._page.evaluate(_FOCUSED):
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {wanted} on {self._page.url}")


def play_on(club: Club, ann: Reader, board: int, other: str = "") -> None:
    """Ann plays a board of tic-tac-toe to its end, from its page on; `other` plays at a terminal,
    else it is the computer."""
    while (loaded := club.load(board)).state == "running":
        (seat,) = loaded.position.to_move
        move = loaded.position.legal_moves(seat)[0]
        if loaded.seats[seat].userid == "ann":
            go_to_board(ann, f"Tic-Tac-Toe {board}")
            if "Play this move" not in ann.reads():  # as it is where there is no other
                ann.presses(f"?m={move}#board")
            assert "Played." in ann.presses("Play this move")
        elif other:
            club.submit(f"tictactoe move {board} {other} {move}")
        else:
            time.sleep(0.1)


def go_to_board(ann: Reader, board: str) -> str:
    """Ann goes to a board of hers by way of the list of them; what its page says."""
    ann.presses("My boards")
    return ann.presses(board)


def choose_game(ann: Reader, title: str) -> None:
    """Ann goes to the page on which a game begins."""
    ann.presses("Begin")
    ann.chooses("game", title)
    ann.presses("Choose this game")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [_PHONE, _SCREEN])
def test_an_evening_of_a_player_who_never_mails(
    tmp_path: Path, browser: Browser, width: int, dark: bool
) -> None:
    """She joins, and plays a friend, the computer and whoever takes her offer, each to the end;
    tries moves and keeps them, enters an event, writes letters and reads the answer, and finds an
    old board, by the keyboard alone: she types one address, that of the club, and follows one link
    of a mail."""
    club = Club(tmp_path, confirms=True, has_bots=True)
    try:
        ann, kim = Reader(browser, width, dark=dark), Reader(browser)
        ann.opens(f"{club.url}/")
        ann.types("userid", "ann")
        ann.types("address", "ann@example.org")
        assert "Look into your mail" in ann.presses("Join")
        ann.opens(club.mailed_link("ann@example.org", "c"))
        assert "Boards of ann" in ann.presses("Confirm")

        # A friend, who is invited and joins
        ann.presses("Begin")
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
        choose_game(ann, "Tic-Tac-Toe")
        ann.types("challenge-tictactoe-userid", "kim")
        assert "The board is made." in ann.presses("Challenge")
        play_on(club, ann, 2, "kim")
        ann.types("chat-text", "Thank you!")
        assert "Thank you!" in ann.presses("Send")
        choose_game(ann, "Tic-Tac-Toe")
        ann.presses("Play the computer")
        ann.chooses("challenge-computer-tictactoe-userid", "random")
        assert "The board is made." in ann.presses("Challenge")
        play_on(club, ann, 3)
        choose_game(ann, "Tic-Tac-Toe")
        ann.presses("Play whoever takes the offer")
        assert "Your open offers stand below" in ann.presses("Make this offer")
        club.submit("join 1 kim")
        play_on(club, ann, 4, "kim")

        # Moves that are tried, on the board that waits for her
        go_to_board(ann, "Hex 1")
        ann.presses("try moves")
        ann.presses("?m=b2#board")
        assert "Kim" in ann.presses("?t=b2&m=d4#board")
        assert "Your variations are changed." in ann.presses("Keep these variations")
        ann.presses("Back to the board")
        assert "ann: b2 Kim: d4" in " ".join(ann.presses("try moves").split())

        # Letters
        choose_game(ann, "Diplomacy")
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
        assert "Until autumn." in go_to_board(ann, "Diplomacy 5")

        # An event, a preference, and an old board
        club.submit("event new roundrobin tictactoe kim --name=Cup")
        ann.presses("Events")
        ann.presses("1: Cup")
        assert "You take part." in ann.presses("Enter this event")
        ann.presses("Settings")
        ann.chooses("set-own", "do not come")
        assert "Your preferences are changed." in ann.presses("Keep these preferences")
        ann.presses("Find")
        ann.types("players", "kim")
        found = ann.presses("Find")
        assert "Tic-Tac-Toe 2" in found
        assert "Tic-Tac-Toe 3" not in found
        assert "Thank you!" in ann.presses("Tic-Tac-Toe 2")
    finally:
        club.close()
