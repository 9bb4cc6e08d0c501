"""The server beside the yardstick, in rounds that alternate:

    python -m tools.bench.compare --harness FOLDER [--rounds 3] [--count 4000] [--only NAME,NAME]
                                  [--before CHECKOUT [--before-processes N]]

pbm is one daemon with SQLite, as it is by default; pbm-0 has a thread in place of worker processes,
pbm-slow a disk that takes 2 ms for each flush; pbm-pg-2 is two daemons with PostgreSQL. ref-core is
the harness's yardstick, ref-built the same with statements that are built once, -pg with
PostgreSQL. before is the server of another checkout, for a table of before and after. Traffic stays
on loopback, files in temporary folders."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.harness.databases import Cluster
from tools.bench.seed import seed
from tools.bench.server import AUTO, CONFIG, MATCH, ROOT, compile_modules, write_games

PEERS = ("ref-core", "ref-built", "pbm", "pbm-slow", "ref-built-pg", "pbm-pg-2")
_PLAYERS = 100
_BOARDS = 400
"""Boards on which games go on at the same time. The harness leaves out as many mails as it has sent
before each phase, and may repeat one: each part of the mails has boards of its own."""
_WARMUP = 6 * _PLAYERS
"""Mails before it is measured: each worker that will get a player's mails has verified the password
then, which takes a tenth of a second and is not what a server does all day."""
_CALM = 240
_SLOW = 2000
"""Microseconds that each flush takes on the slow disk."""


def side_by_side(
    harness: Path,
    work: Path,
    *,
    rounds: int,
    count: int,
    chosen: Sequence[str] = PEERS,
    quiet_wait: float = 20,
    before: Path | None = None,
    before_processes: str = AUTO,
) -> Mapping[str, Any]:
    """Run the chosen servers in turn with `count` mails each and print the medians. Return the
    rounds of each."""
    compile_modules(ROOT)
    parts = [_WARMUP + count, count, count, max(count, 3 * _CALM)]
    size = (len(parts) * _BOARDS, 0, _PLAYERS)
    seed(f"sqlite:///{work}/seed.db", *size)
    _settle(work / "seed.db")
    write_games(work / "mails.jsonl", parts, _BOARDS, _PLAYERS)
    sets = {"base": sys.executable}
    with contextlib.ExitStack() as stack:
        made: dict[str, Any] = json.loads((harness / "ref.json").read_text())
        peers = made["peers"]
        for name in ("ref-core", "ref-built", "ref-core-pg", "ref-built-pg"):
            peers[name] |= {"phases": _phases(count), "warmup": _WARMUP}
        for name, processes in (("pbm", AUTO), ("pbm-0", "0"), ("pbm-2", "2")):
            peers[name] = _peer(work, name, _on_sqlite(work, processes), count)
        if before is not None:
            _seed_elsewhere(before, work / "before.db", size)
            lines = _on_sqlite(work, before_processes, work / "before.db")
            peers["before"] = _peer(work, "before", lines, count, before)
            chosen = [*chosen, "before"]
        if "pbm-slow" in chosen:
            slow = f"export LD_PRELOAD={shlex.quote(str(_shim(harness, work)))}"
            lines = [f"{slow} SLOWSYNC_US={_SLOW}", *_on_sqlite(work, AUTO)]
            peers["pbm-slow"] = _peer(work, "pbm-slow", lines, count)
        if any("-pg" in name for name in chosen):
            cluster = stack.enter_context(_cluster())
            seed(cluster.url(cluster.create()), *size)
            peers["pbm-pg-2"] = _peer(work, "pbm-pg-2", _on_postgresql(cluster), count)
            url = cluster.url(cluster.create())
            sets["pgurl"] = url.replace("postgresql:", "postgresql+psycopg:")
        (work / "spec.json").write_text(json.dumps(made))
        run = [sys.executable, str(harness / "compare.py"), str(work / "spec.json")]
        subprocess.run(
            [
                *run,
                "--rounds",
                str(rounds),
                "--work",
                str(work),
                "--out",
                str(work / "out.json"),
                "--quiet-wait",
                str(quiet_wait),
                "--only",
                ",".join(chosen),
                *(word for name, value in sets.items() for word in ("--set", f"{name}={value}")),
            ],
            check=True,
            stdout=sys.stderr,
        )
        against = "ref-built" if "ref-built" in chosen else chosen[0]
        report = [*run, "--report", str(work / "out.json"), "--against", against]
        subprocess.run(report, check=True)
    return dict(json.loads((work / "out.json").read_text())["results"])


def _seed_elsewhere(checkout: Path, database: Path, size: tuple[int, int, int]) -> None:
    """Seed a database by that checkout's own code, with its own schema."""
    compile_modules(checkout)
    code = f"from tools.bench.seed import seed; seed('sqlite:///{database}', *{size})"
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=checkout, env=environment)
    _settle(database)


def _on_sqlite(work: Path, processes: str, seeded: Path | None = None) -> list[str]:
    """Return shell lines that become a server on a copy of the seeded database in the folder $3."""
    config = CONFIG.format(url="sqlite:///$3/pbm.db", port="$1", sink="$2", processes=processes)
    return [
        f'cp {shlex.quote(str(seeded or work / "seed.db"))} "$3/pbm.db"',
        f'cat > "$3/pbm.toml" <<X{config}X',
        f'exec {shlex.quote(sys.executable)} -m pbm --config "$3/pbm.toml" serve',
    ]


def _on_postgresql(cluster: Cluster) -> list[str]:
    """Return shell lines that become two daemons on a copy of the seeded database."""
    create = (
        "import psycopg,sys; psycopg.connect(sys.argv[1], autocommit=True).execute("
        "f'CREATE DATABASE bench{sys.argv[2]} TEMPLATE pbm1')"
    )
    python = shlex.quote(sys.executable)
    lines = [f'{python} -c "{create}" {shlex.quote(cluster.dsn("postgres"))} $1']
    for name, port in (("one", "$1"), ("two", "$4")):
        config = CONFIG.format(url=cluster.url("bench$1"), port=port, sink="$2", processes=AUTO)
        lines.append(f'cat > "$3/{name}.toml" <<X{config}X')
    run = f'{python} -m pbm --config "$3/%s.toml" serve'
    return [*lines, run % "two" + " &", "exec " + run % "one"]


def _phases(count: int) -> dict[str, Any]:
    """Measure full load and a calm one."""
    return {
        "max": {"count": count, "sessions": 16, "window": 64},
        "calm": {"count": _CALM, "rate": 40, "sessions": 16},
    }


def _peer(
    work: Path, name: str, lines: Sequence[str], count: int, checkout: Path = ROOT
) -> dict[str, Any]:
    """Return what the harness has to know of a server that these shell lines start."""
    script = work / f"start-{name}"
    place = shlex.quote(str(checkout))
    head = ["#!/bin/sh", f"cd {place}", f"export PYTHONPATH={place}"]
    script.write_text("\n".join([*head, *lines]) + "\n")
    script.chmod(0o755)
    return {
        "cmd": [str(script), "{port}", "{sink}", "{dir}", "{port2}"],
        "ready": "tcp",
        "warmup": _WARMUP,
        "load": {"mails": str(work / "mails.jsonl"), "match": MATCH},
        "phases": _phases(count),
    }


def _shim(harness: Path, work: Path) -> Path:
    """Return the harness's library that makes a disk slow, compiled."""
    library, source = work / "slowsync.so", str(harness / "peers" / "slowsync.c")
    options = ["-shared", "-fPIC", "-O2"]
    subprocess.run(["cc", *options, "-o", str(library), source, "-ldl"], check=True)
    return library


@contextlib.contextmanager
def _cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL that waits for the disk."""
    cluster = Cluster(durable=True)
    try:
        yield cluster
    finally:
        cluster.stop()


def _settle(path: Path) -> None:
    """Put what the write-ahead log holds into the file, so that it can be copied alone."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--quiet-wait", type=float, default=20)
    parser.add_argument("--only", default=",".join(PEERS))
    parser.add_argument("--before", type=Path, help="another checkout to compare with")
    parser.add_argument("--before-processes", default=AUTO, help="its [workers] processes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-bench-") as folder:
        side_by_side(
            given.harness,
            Path(folder),
            rounds=given.rounds,
            count=given.count,
            chosen=given.only.split(","),
            quiet_wait=given.quiet_wait,
            before=given.before,
            before_processes=given.before_processes,
        )


if __name__ == "__main__":
    main()
