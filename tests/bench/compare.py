"""The server beside the yardstick, in one run, and what it costs to grow:

    python -m tests.bench.compare [--rounds 3] [--count 4000] [--boards N --moves N --players N]
                                  [--shim slowsync.so] [--postgresql]

It needs the load harness (folder `bench` in the `shared` folder beside the checkout, or --harness).
Traffic stays on loopback. Tables are printed; nothing is written but temporary folders."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.seed import move_for, seed
from tests.postgresql import Cluster

ROOT = Path(__file__).parents[2]
MATCH = r"regex:^Subject: \[cradle (\d+)\][^\n]*\((\d+)\)"
_CONFIG = """
[server]
address = "pbm@bench.invalid"
[database]
url = "{url}"
[smtp]
listen = "127.0.0.1:{port}"
[relay]
url = "smtp://127.0.0.1:{sink}"
sessions = 2
[workers]
processes = {processes}
[limits]
open_boards = 0
mails_a_day = 0
"""


def write_mails(path: Path, first: int, count: int, size: tuple[int, int, int]) -> None:
    """One move a board by the seat on the move, boards `first` + 1 and on."""
    in_all, moves_in_all, people = size
    ply = moves_in_all // in_all
    with path.open("w") as file:
        for board in range(first + 1, first + count + 1):
            player = (board - 1 + ply % 2) % people
            text = f"cradle move {board} p{player} secret {move_for(board, moves_in_all, in_all)}"
            mail = {
                "from": f"p{player}@bench.invalid",
                "to": "pbm@bench.invalid",
                "subject": text,
                "body": "",
                "expect": 2,
                "key": f"{board}/{ply + 2}",
            }
            file.write(json.dumps(mail) + "\n")


def write_start(path: Path, template: Path, processes: int, preload: str = "") -> None:
    """A script that copies a seeded database into {dir}, configures the server and becomes it."""
    config = _CONFIG.replace("{processes}", str(processes))
    config = config.replace("{url}", "sqlite:///$3/pbm.db")
    lines = [
        "#!/bin/sh",
        f'cp {shlex.quote(str(template))} "$3/pbm.db"',
        f'cat > "$3/pbm.toml" <<X{config.replace("{port}", "$1").replace("{sink}", "$2")}X',
        *([f"export LD_PRELOAD={shlex.quote(preload)} SLOWSYNC_US=2000"] if preload else []),
        f"cd {shlex.quote(str(ROOT))}",
        f'exec {shlex.quote(sys.executable)} -m pbm --config "$3/pbm.toml" serve',
    ]
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o755)


def write_start_pg(path: Path, cluster: Cluster) -> None:
    """The same with two daemons on a copy of the seeded PostgreSQL database."""
    url = cluster.url("bench$1")
    create = (
        "import psycopg,sys; psycopg.connect(sys.argv[1], autocommit=True).execute("
        "f'CREATE DATABASE bench{sys.argv[2]} TEMPLATE pbm1')"
    )
    lines = ["#!/bin/sh", f"cd {shlex.quote(str(ROOT))}"]
    python = shlex.quote(sys.executable)
    lines.append(f'{python} -c "{create}" {shlex.quote(cluster.dsn("postgres"))} $1')
    for name, port in (("one", "$1"), ("two", "$4")):
        config = _CONFIG.format(url=url, port=port, sink="$2", processes=1)
        lines.append(f'cat > "$3/{name}.toml" <<X{config}X')
    run = f'{python} -m pbm --config "$3/%s.toml" serve'
    lines += [run % "two" + " &", "exec " + run % "one"]
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o755)


def phases(count: int) -> dict[str, Any]:
    """Full load and a calm one."""
    return {
        "max": {"count": count, "sessions": 16, "window": 64},
        "calm": {"count": 240, "rate": 40, "sessions": 16},
    }


def spec(
    harness: Path, work: Path, given: argparse.Namespace, cluster: Cluster | None
) -> dict[str, Any]:
    """The yardstick's specification with our servers added."""
    made: dict[str, Any] = json.loads((harness / "ref.json").read_text())
    made["peers"]["ref-core"]["phases"] = phases(given.count)
    for processes in (1, 2):
        write_start(work / f"start{processes}", work / "seed.db", processes)
        made["peers"][f"pbm-{processes}"] = _peer(work, f"start{processes}", given.count)
    if given.shim:
        write_start(work / "slow", work / "seed.db", 2, str(Path(given.shim).resolve()))
        made["peers"]["pbm-2-slow"] = _peer(work, "slow", given.count)
    if cluster is not None:
        made["peers"]["ref-core-pg"]["phases"] = phases(given.count)
        write_start_pg(work / "start-pg", cluster)
        made["peers"]["pbm-pg-2"] = _peer(work, "start-pg", given.count)
    return made


def _peer(work: Path, script: str, count: int) -> dict[str, Any]:
    return {
        "cmd": [str(work / script), "{port}", "{sink}", "{dir}", "{port2}"],
        "ready": "tcp",
        "warmup": 100,
        "load": {"mails": str(work / "mails.jsonl"), "match": MATCH},
        "phases": phases(count),
    }


def side_by_side(harness: Path, given: argparse.Namespace) -> None:
    """Interleaved rounds of the yardstick and of the server with one process and with two."""
    with tempfile.TemporaryDirectory(prefix="pbm-bench-") as folder, _cluster(given) as cluster:
        work = Path(folder)
        count = 100 + 3 * (given.count + 240)
        size = (count, 0, 100)
        seed(f"sqlite:///{work}/seed.db", *size)
        _settle(work / "seed.db")
        write_mails(work / "mails.jsonl", 0, count, size)
        made = spec(harness, work, given, cluster)
        (work / "spec.json").write_text(json.dumps(made))
        names = ["ref-core", "pbm-1", "pbm-2", *(["pbm-2-slow"] if given.shim else [])]
        run = [sys.executable, str(harness / "compare.py"), str(work / "spec.json")]
        run += ["--only", ",".join(names), "--rounds", str(given.rounds), "--work", folder]
        run += ["--out", str(work / "out.json"), "--set", f"base={sys.executable}"]
        run += ["--quiet-wait", str(given.quiet_wait)]
        if cluster is not None:
            seed(cluster.url(cluster.create()), *size)
            url = cluster.url(cluster.create())
            run += ["--set", "pgurl=" + url.replace("postgresql:", "postgresql+psycopg:")]
            run[run.index("--only") + 1] = ",".join([*names, "ref-core-pg", "pbm-pg-2"])
        subprocess.run(run, check=True, stdout=sys.stderr)
        report = [*run[:2], "--report", str(work / "out.json"), "--against", "ref-core"]
        subprocess.run(report, check=True)


@contextlib.contextmanager
def _cluster(given: argparse.Namespace) -> Iterator[Cluster | None]:
    """A PostgreSQL that waits for the disk, when it is asked for."""
    cluster = Cluster(durable=True) if given.postgresql else None
    try:
        yield cluster
    finally:
        if cluster is not None:
            cluster.stop()


def _settle(path: Path) -> None:
    """Put what the write-ahead log holds into the file, so that it can be copied alone."""
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def growth(harness: Path, given: argparse.Namespace) -> None:
    """Throughput with a large database against an almost empty one, in turn."""
    rates: dict[str, list[float]] = {"small": [], "large": []}
    with tempfile.TemporaryDirectory(prefix="pbm-growth-") as folder:
        work = Path(folder)
        needed = (given.count + 100) * given.rounds
        sizes = {
            "small": (needed, 0, 100),
            "large": (given.boards, given.moves, given.players),
        }
        for name, size in sizes.items():
            seed(f"sqlite:///{work}/{name}.db", *size)
        large = (work / "large.db").stat().st_size
        print(f"large: {large / 2**20:.0f} MiB, {large / max(given.moves, 1):.0f} bytes a move")
        for turn in range(given.rounds):
            for name, size in sizes.items():
                rates[name].append(_one(harness, work, name, size, turn, given.count))
    small, big = (statistics.median(rates[name]) for name in ("small", "large"))
    print(f"commands a second: small {small:.0f}, large {big:.0f}, ratio {big / small:.2f}")


def _one(
    harness: Path, work: Path, name: str, size: tuple[int, int, int], turn: int, count: int
) -> float:
    import socket
    import time

    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", 0))
        port, sink = one.getsockname()[1], two.getsockname()[1]
    config = work / f"{name}.toml"
    config.write_text(
        _CONFIG.format(url=f"sqlite:///{work}/{name}.db", port=port, sink=sink, processes=2)
    )
    mails = work / "mails.jsonl"
    write_mails(mails, turn * (count + 100), count + 100, size)
    server = subprocess.Popen(
        [sys.executable, "-m", "pbm", "--config", str(config), "serve"],
        stdout=subprocess.PIPE, cwd=ROOT, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    assert server.stdout.readline().startswith("ready")
    load = [sys.executable, str(harness / "loadgen.py"), "--target", f"127.0.0.1:{port}"]
    load += ["--sink-port", str(sink), "--mails", str(mails), "--match", MATCH]
    load += ["--sessions", "16", "--window", "64"]
    subprocess.run([*load, "--count", "100", "--quiet"], check=True)
    out = work / "out.json"
    subprocess.run(
        [*load, "--skip", "100", "--count", str(count), "--quiet", "--json", str(out)], check=True
    )
    server.terminate()
    server.wait(60)
    time.sleep(0.5)
    return float(json.loads(out.read_text())["completed_per_s"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harness", type=Path, default=ROOT.parent / "shared" / "bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--quiet-wait", type=float, default=20)
    parser.add_argument("--shim", default="")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--boards", type=int, default=0)
    parser.add_argument("--moves", type=int, default=0)
    parser.add_argument("--players", type=int, default=100)
    given = parser.parse_args()
    if not (given.harness / "compare.py").exists():
        parser.error("the load harness is not there: name its folder with --harness")
    os.environ.setdefault("PYTHONPATH", str(ROOT))
    if given.boards:
        growth(given.harness, given)
    else:
        side_by_side(given.harness, given)


if __name__ == "__main__":
    main()
