"""Whole seasons of events through the server: `python -m tools.events --seasons 1000`.

A fifth of the players fall silent and one in twenty leaves. The server dies at one commit in fifty,
before it or after it; in one season of ten its process is killed by SIGKILL, again and again. What
must hold is in `tools/events/checks.py`. With `--log FILE` a run that was broken off goes on where
it was: the file has a line for each season."""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from msgspec import json

from tools.events.killed_season import play_season
from tools.events.season import Figures, make_club


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.events",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seasons", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="of the first season")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--log", type=Path, help="the results so far, a line each")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    done = _read_log(given.log)
    seeds = [n for n in range(given.seed, given.seed + given.seasons) if n not in done]
    with tempfile.TemporaryDirectory(prefix="pbm-events-") as folder:
        club = make_club(Path(folder))
        with ProcessPoolExecutor(given.processes, get_context("fork")) as pool:
            for seed, figures in pool.map(partial(play_season, club), seeds):
                done[seed] = figures
                if given.log is not None:
                    with given.log.open("ab") as log:
                        log.write(json.encode((seed, figures)) + b"\n")
    total = Figures()
    for each in done.values():
        total.add(each)
    print(json.format(json.encode(total)).decode())
    print(f"{len(seeds)} seasons in {time.monotonic() - began:.0f} s")
    return 1 if total.wrong else 0


def _read_log(path: Path | None) -> dict[int, Figures]:
    """Return the figures of the seasons that have been played, by seed."""
    if path is None or not path.exists():
        return {}
    lines = path.read_bytes().splitlines()
    return dict(json.decode(line, type=tuple[int, Figures]) for line in lines)


sys.exit(main(sys.argv[1:]))
