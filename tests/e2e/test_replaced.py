"""An upgrade takes a running server's files away: what it needs is in memory when it says ready."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pbm
from pbm.store import migrate
from tests.cli.shell import PASSWORDS, Shell


def test_a_server_runs_on_when_its_files_are_gone(tmp_path: Path, sqlite_url: str) -> None:
    site = tmp_path / "old"
    shutil.copytree(Path(pbm.__file__).parent, site / "pbm")
    shutil.copytree(migrate.folder(), site / "migrations", dirs_exist_ok=True)
    shell = Shell(tmp_path, sqlite_url)
    server = shell.start("serve", PYTHONPATH=str(site))
    try:
        assert server.stdout is not None
        port = server.stdout.readline().rpartition(":")[2].strip()
        shutil.rmtree(site)
        shell.write(sqlite_url, f"127.0.0.1:{port}")
        for name in ("ann", "bob"):
            line = f"signup {name} {PASSWORDS[name]}"
            assert "welcome" in shell.ok("send", "--from", f"{name}@example.org", line)
        for line, says in (
            ("help", "challenge"),
            ("help tutorial", "[pbm] help tutorial"),
            ("games", "xiangqi"),
            ("chess challenge ann bob", "[chess 1] new board"),
            (f"chess move 1 ann {PASSWORDS['ann']} e4", "[chess 1] bob to move"),
            (f"message ann {PASSWORDS['ann']} bob", "passed on to bob"),
            (f"set ann {PASSWORDS['ann']} digest=10:00", "digest"),
            ("chess show 1", "1 ann"),
            ("chess export 1", '[White "ann"]'),
            ("chess ratings", "Subject: [pbm]"),
        ):
            assert says in shell.ok("send", "--from", "ann@example.org", "--body", "hello", line)
    finally:
        server.send_signal(signal.SIGTERM)
        events = server.communicate(timeout=30)[1]
    assert server.returncode == 0
    assert " error " not in events
