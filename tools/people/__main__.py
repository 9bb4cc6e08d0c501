"""What people write: `python -m tools.people [--games hex] [--jobs 4]`, see docs/people.md."""

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tools.people.games import play_all
from tools.people.replies import REPLIES
from tools.people.table import BAD, GAMES, Outcome, Table, write_page


def try_replies(game: str) -> list[Outcome]:
    """Try all replies in one game."""
    with tempfile.TemporaryDirectory(prefix="pbm-people-") as folder:
        table = Table(Path(folder))
        outcomes = [table.try_out(reply, game) for reply in REPLIES]
        table.close()
    sys.stderr.write(f"{game}: {len(outcomes)}\n")
    for each in outcomes:
        if each.verdict in BAD:
            sys.stderr.write(f"  {each.verdict}: {each.reply.text!r}: {each.answer}\n")
    return outcomes


def play() -> list[Outcome]:
    """Play games from signup to rematch."""
    with tempfile.TemporaryDirectory(prefix="pbm-people-") as folder:
        table = Table(Path(folder))
        games = play_all(table)
        table.close()
    return games


def _describe_tree() -> str:
    """Return the day, and the commit that is tried."""
    log = ("git", "log", "-1", "--format=on %cs at commit %h")
    return subprocess.run(log, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.people", description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES), help="the games to try replies in")
    parser.add_argument("--jobs", type=int, default=2, help="so many processes")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        played = pool.submit(play)
        tried = list(pool.map(try_replies, given.games.split(",")))
        games = played.result()
    outcomes = [outcome for each in tried for outcome in each]
    for line in write_page(outcomes, games, _describe_tree()):
        sys.stdout.write(f"{line}\n")
    sys.exit(any(each.verdict == "not meant" for each in (*outcomes, *games)))


if __name__ == "__main__":
    main()
