"""Games of every kind, played to their end by clicks alone:
`python -m tools.web [--games 5] [--seed 1] [--results FILE] [--without-browser] [GAME ...]`.

In Chromium with JavaScript off, or faster through the same pages without a browser. The last board
of each game has its default options, those before it options that make it short. Each finished
board is a line of the results: what they have is not played again, and `--table` prints them as
the table of docs/web.md."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))

from playwright.sync_api import Error as BrowserError

from pbm.games import get_game, list_game_names
from pbm.store import migrate
from pbm.store.engine import Store
from tests.harness.visitor import Club, Room, options_for
from tools.web.clicker import Clicker, chromium, open_context, play_out

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

    def play(self, name: str, options: str, dice: Random) -> list[int]:
        """Play a board; the clicks of each move."""
        seats = min(get_game(name).info.seats)
        board = self._club.challenge(name, *_NAMES[:seats], options=options)
        clicker = Clicker(self._page)
        play_out(self._club, clicker, board, dice)
        return clicker.clicks


class WithoutBrowser:
    """Plays through the same pages in this thread."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        store = Store(f"sqlite:///{folder}/pbm.db")
        migrate.create(store)
        store.close()
        self._room = Room(f"sqlite:///{folder}/pbm.db")
        stack.callback(self._room.close)

    def play(self, name: str, options: str, dice: Random) -> list[int]:
        """Play a board; the clicks of each move."""
        board = self._room.challenge(name, options)
        clicks = self._room.play(board, dice, _MOST_MOVES, lambda page: None)
        assert self._room.is_over(board), f"a board of {name} does not end"
        return clicks


def main() -> None:
    """Play them all, a board of each game after the other; ends with 1 after a fault."""
    parser = argparse.ArgumentParser(prog="python -m tools.web", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--without-browser", action="store_true")
    request = parser.parse_args()
    names = request.names or list_game_names()
    if request.table:
        _print_table(_read(request.results))
        return
    has_fault = False
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbm-web-")))
        way = WithoutBrowser if request.without_browser else InBrowser
        players = way(folder, stack)
        for board, name in ((board, name) for board in range(request.games) for name in names):
            if any(_is_done(line, name, board) for line in _read(request.results)):
                continue
            options = options_for(name) if board < request.games - 1 else ""
            began, dice = time.monotonic(), Random(f"{request.seed} {name} {board}")
            line: dict[str, Any] = {"game": name, "board": board, "options": options}
            try:
                line["clicks"] = players.play(name, options, dice)
            except (AssertionError, BrowserError) as error:
                line["fault"], has_fault = str(error), True
            line["seconds"] = round(time.monotonic() - began, 1)
            _keep(request.results, line)
    sys.exit(1 if has_fault else 0)


def _read(path: Path | None) -> list[dict[str, Any]]:
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _is_done(line: dict[str, Any], name: str, board: int) -> bool:
    return (line["game"], line["board"]) == (name, board) and "fault" not in line


def _keep(path: Path | None, line: dict[str, Any]) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as results:
            results.write(json.dumps(line) + "\n")
    clicks = line.get("clicks", [])
    came = line.get("fault") or f"{len(clicks)} moves, clicks a move: median {median(clicks):g}"
    print(f"{line['game']:<22} {line['options']:<24} {came}, {line['seconds']:g} s", flush=True)


def _print_table(results: Sequence[dict[str, Any]]) -> None:
    print("| game | boards | moves | clicks a move, median | most | faults |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in (*list_game_names(), "all"):
        lines = [line for line in results if name in ("all", line["game"])]
        if not lines:
            continue
        played = [line for line in lines if "clicks" in line]
        clicks = [number for line in played for number in line["clicks"]]
        retried = {(line["game"], line["board"]) for line in played}
        faults = sum((line["game"], line["board"]) not in retried for line in lines)
        print(
            f"| {name} | {len(played)} | {len(clicks)} | {median(clicks or [0]):g} | "
            f"{max(clicks, default=0)} | {faults} |"
        )


if __name__ == "__main__":
    main()
