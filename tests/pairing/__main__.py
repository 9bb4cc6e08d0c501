"""`python -m tests.pairing --rounds 10000` pairs so many rounds of random Swiss events, and
compares each with an independent engine: the pairs, the colours, the bye and the tables."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from pbm.pairing.record import write_json
from tests.pairing.swiss_rounds import compare_rounds


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pairing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--players", type=int, default=40, help="at the most, in an event")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    compared = impossible = 0
    began, seed = time.monotonic(), options.seed
    with tempfile.TemporaryDirectory() as folder:
        while compared < options.rounds:
            for each in compare_rounds(seed, Path(folder), options.players):
                compared += 1
                impossible += each.ours is None
                if each.ours != each.theirs:
                    sys.stdout.write(
                        f"seed {seed}, round {each.round}\nours   {each.ours}\n"
                        f"theirs {each.theirs}\n{write_json(each.record)}"
                    )
                    return 1
            seed += 1
    sys.stdout.write(
        f"{compared:,} rounds of {seed - options.seed:,} events are equal; in {impossible} of them "
        f"no pairing exists ({time.monotonic() - began:.0f} s)\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
