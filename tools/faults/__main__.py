"""A long run:

python -m tools.faults --kills 500
python -m tools.faults --kills 500 --postgresql --daemons 2
python -m tools.faults --kills 100 --clicks
python -m tools.faults --kills 50 --diplomacy
python -m tools.faults --kills 300 --strike call --step 3
python -m tools.faults --kills 50 --strike restart --daemons 2
python -m tools.faults --kills 20 --strike failover --daemons 2"""

import argparse
import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.harness.databases import Cluster
from tools.faults.kill_rig import Call, Failover, Kill, Restart, Rig, Strike, every, failover_url


def arranged(given: argparse.Namespace, folder: Path, stack: ExitStack) -> tuple[str, Strike]:
    """Return the database of a run, and what is done to it."""
    kind = given.strike
    strike: Strike = Call(every(given.step)) if kind == "call" else Kill()
    if not given.postgresql and kind in ("kill", "call"):
        return f"sqlite:///{folder / 'pbm.db'}", strike
    primary = Cluster()
    stack.callback(primary.stop)
    name = primary.create()
    if kind == "failover":
        standby = Cluster(following=primary)
        stack.callback(standby.stop)
        primary.wait_for_standby()
        return failover_url(primary, standby, name), Failover(primary, standby)
    return primary.url(name), Restart(primary) if kind == "restart" else strike


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = ["kill", "call", "restart", "failover"]
    parser.add_argument("--strike", choices=kinds, default="kill")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--daemons", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", type=int, default=1, help="between the system calls of a name")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--clicks", action="store_true", help="half the moves come by web pages")
    parser.add_argument("--diplomacy", action="store_true", help="on boards of Diplomacy")
    parser.add_argument("--jumps", action="store_true", help="each daemon has another wrong time")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbm-faults-")))
        url, strike = arranged(given, folder, stack)
        rig = Rig(
            folder,
            url,
            strike,
            daemons=given.daemons,
            processes=given.processes,
            seed_number=given.seed,
            tables=4 if given.diplomacy else max(20, 4 * given.kills),
            diplomacy=given.diplomacy,
            people=10,
            clicks=given.clicks,
            jumps=(0.0, 40.0, -40.0, 0.1, -0.1) if given.jumps else (),
        )
        figures = asyncio.run(rig.run(given.kills))
    print(figures)
    sys.exit(bool(figures.wrong))


main()
