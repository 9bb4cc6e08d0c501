"""Kills parts of a cluster of three nodes while people play through several daemons, and counts:

python -m tools.patroni --kills 100

It needs four packages of Debian: etcd-server, haproxy, patroni and postgresql-15."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tools.faults.kill_rig import Rig
from tools.patroni.nodes import PatroniCluster
from tools.patroni.strikes import NodeStrike


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--daemons", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    cluster = PatroniCluster()
    try:
        cluster.start()
        strike = NodeStrike(cluster)
        with tempfile.TemporaryDirectory(prefix="pbm-patroni-rig-") as folder:
            rig = Rig(
                Path(folder),
                cluster.proxied_url,
                strike,
                daemons=given.daemons,
                seed_number=given.seed,
                tables=40 * given.kills,
                people=10,
                daemon_urls=[cluster.proxied_url, cluster.proxied_url, cluster.direct_url],
                pause=1.0,
            )
            figures = asyncio.run(rig.run(given.kills))
    finally:
        cluster.stop()
    print(figures)
    print(strike.describe())
    sys.exit(bool(figures.wrong))


main()
