"""A year at once: `python -m tools.year [--days 365] [--players 40] [--seed 1]
[--plans | --no-plans] [--url URL]`."""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))

from pbm.store import migrate
from pbm.store.engine import Store
from tools.year.audit import audit
from tools.year.world import World


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.year", description=__doc__)
    parser.add_argument("--days", type=float, default=365)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    plans = parser.add_mutually_exclusive_group()
    plans.add_argument("--plans", action="store_true", help="players foresee each other and plan")
    plans.add_argument("--no-plans", action="store_true", help="the same players without plans")
    parser.add_argument("--url", default="", help="a fresh database; SQLite in a folder if none")
    parser.add_argument("--every", type=int, default=60, help="days of a season of the league")
    parser.add_argument("--mails", type=Path, help="a file for the mails about events")
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pbm-year-") as folder:
        url = given.url or f"sqlite:///{folder}/pbm.db"
        foresee = True if given.plans else False if given.no_plans else None
        world = World(
            url,
            players=given.players,
            days=given.days,
            seed=given.seed,
            plans=foresee,
            every=given.every,
        )
        world.live()
        world.falls_silent(300)
        second = Store(f"sqlite:///{folder}/second.db")
        migrate.create(second)
        figures = audit(world, second)
        second.close()
        world.server.close()
    if given.mails:
        pages = [
            f"To {mail.who}: {mail.subject}\n\n{mail.text}"
            for mail in world.post
            if mail.subject.startswith("[event ") or '[Event "' in mail.text
        ]
        given.mails.write_text("\n=====\n".join(pages), encoding="utf-8")
    figures.seconds = round(time.monotonic() - began, 1)
    print(json.dumps(asdict(figures), indent=1))
    sys.exit(bool(figures.wrong))


main()
