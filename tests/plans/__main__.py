"""A long run: `python -m tests.plans [--trees 100000] [--seed 1] [--games cradle hex]`."""

import argparse
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "plugin"))

from pbm.store import migrate
from pbm.store.engine import Store
from tests.plans.rig import Rig


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.plans", description=__doc__)
    parser.add_argument("--trees", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="*", default=())
    given = parser.parse_args()
    store = Store("sqlite://")
    migrate.upgrade(store)
    figures = Rig(store, given.seed).run(given.trees, given.games)
    store.close()
    print(json.dumps(vars(figures), indent=1))
    sys.exit(bool(figures.wrong))


main()
