"""Random games of every game, played to their end by clicks alone:
`python -m tests.web [--games 5] [--seed 1] [--without-browser] [GAME ...]`.

In Chromium with JavaScript off, or faster through the same pages without a browser. Prints a line a
game and ends at a fault."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median

sys.path.append(str(Path(__file__).parents[1] / "plugin"))

from pbm.games import get_game, load_games
from pbm.store import migrate
from pbm.store.engine import Store
from tests.web.clicker import Clicker, chromium, open_context, play_out
from tests.web.club import Club, options_for
from tests.web.room import Room

_NAMES = ("ann", "bob", "carl", "dora", "emil", "fay")
_MOST_MOVES = 3000


class InBrowser:
    """Plays in Chromium against a server."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        browser = stack.enter_context(chromium())
        self._club = Club(folder)
        stack.callback(self._club.close)
        self._club.signup(*_NAMES)
        self._page = open_context(browser).new_page()

    def play(self, name: str, dice: Random) -> list[int]:
        """Play a board; the clicks of each move."""
        seats = min(get_game(name).info.seats)
        board = self._club.challenge(name, *_NAMES[:seats], options=options_for(name))
        clicker = Clicker(self._page, dice)
        play_out(self._club, clicker, board)
        return clicker.clicks


class WithoutBrowser:
    """Plays through the same pages in this thread."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        store = Store(f"sqlite:///{folder}/pbm.db")
        migrate.upgrade(store)
        store.close()
        self._room = Room(f"sqlite:///{folder}/pbm.db")
        stack.callback(self._room.close)

    def play(self, name: str, dice: Random) -> list[int]:
        """Play a board; the clicks of each move."""
        board = self._room.challenge(name, options_for(name))
        clicks = self._room.play(board, dice, _MOST_MOVES, lambda page: None)
        assert self._room.is_over(board), f"a board of {name} does not end"
        return clicks


def main() -> None:
    """Play them all."""
    parser = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-browser", action="store_true")
    request = parser.parse_args()
    names = request.names or [game.info.name for game in load_games()]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbm-web-")))
        way = WithoutBrowser if request.without_browser else InBrowser
        players = way(folder, stack)
        for name in names:
            began, dice, clicks = time.monotonic(), Random(f"{request.seed} {name}"), list[int]()
            for _ in range(request.games):
                clicks += players.play(name, dice)
            print(
                f"{name:<16}{request.games:>3} games {len(clicks):>6} moves, clicks a move: "
                f"median {median(clicks):g}, most {max(clicks)}  "
                f"{time.monotonic() - began:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
