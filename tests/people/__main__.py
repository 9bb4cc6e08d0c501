"""What people write: `python -m tests.people [--games hex,chess]`, see docs/people.md."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.people.games import play_all
from tests.people.replies import REPLIES
from tests.people.report import write_page
from tests.people.table import GAMES, Table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.people", description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES), help="the games to try replies in")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-people-") as folder:
        table = Table(Path(folder))
        outcomes = []
        for game in given.games.split(","):
            outcomes += [table.try_out(reply, game) for reply in REPLIES]
            sys.stderr.write(f"{game}: {len(outcomes)}\n")
        games = play_all(table)
        table.close()
    for line in write_page(outcomes, games):
        sys.stdout.write(f"{line}\n")
    sys.exit(any(each.verdict == "not meant" for each in (*outcomes, *games)))


main()
