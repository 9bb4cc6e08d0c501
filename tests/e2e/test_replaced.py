"""An upgrade replaces the files of a running server: it has imported what it needs, and no process
of the other version joins it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbm
from pbm.store import migrate
from tests.harness.databases import create_database
from tests.harness.servers import until
from tests.harness.shell import PASSWORDS, Shell


@pytest.fixture
def shell(tmp_path: Path, sqlite_url: str) -> Shell:
    return Shell(tmp_path, sqlite_url)


@pytest.fixture
def site(tmp_path: Path, shell: Shell) -> Path:
    """A copy of the package, of version 0.2.0, and a database with a board of chess."""
    folder = tmp_path / "old"
    shutil.copytree(Path(pbm.__file__).parent, folder / "pbm")
    shutil.copytree(migrate.find_folder(), folder / "migrations", dirs_exist_ok=True)
    (folder / "pbm" / "version.txt").write_text("0.2.0")
    create_database(shell.url)
    shell.signup("ann", "bob")
    shell.ok("challenge", "chess", "ann", "bob")
    with shell.config.open("a", encoding="utf-8") as file:
        file.write("[workers]\nprocesses = 2\n")
    return folder


@pytest.fixture
def server(shell: Shell, site: Path) -> Iterator[subprocess.Popen[str]]:
    """A server with two worker processes that runs from the copy."""
    with (shell.folder / "log").open("w") as log:
        server = shell.start("serve", stderr=log, PYTHONPATH=str(site))
    try:
        assert server.stdout is not None
        port = server.stdout.readline().rpartition(":")[2].strip()
        until(lambda: len(_list_children(server)) >= 2, "a worker has not started")
        until(lambda: all(map(_rests, _list_children(server))), "a worker has not read its modules")
        shell.write(shell.url, f"127.0.0.1:{port}")
        for name in ("ann", "bob"):  # whatever a worker reads when it starts, it has read
            assert "chess 1" in shell.ok("send", "--from", f"{name}@example.org", "chess show 1")
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


@pytest.mark.long
def test_a_server_runs_on_when_its_files_are_gone(
    shell: Shell, site: Path, server: subprocess.Popen[str]
) -> None:
    shutil.rmtree(site)
    for line, says in (
        ("help", "challenge"),
        ("help tutorial", "[pbm] help tutorial"),
        ("games", "xiangqi"),
        (f"chess move 1 ann {PASSWORDS['ann']} e4", "It is bob's turn (2)."),
        (f"message ann {PASSWORDS['ann']} bob", "passed on to bob"),
        (f"set ann {PASSWORDS['ann']} digest=10:00", "digest"),
        ("chess show 1", "1. ann"),
        ("chess export 1", '[White "ann"]'),
        ("chess ratings", "Subject: [pbm]"),
        (f"chess resign 1 ann {PASSWORDS['ann']}", "bob won"),
    ):
        assert says in shell.ok("send", "--from", "ann@example.org", "--body", "hello", line)
    server.send_signal(signal.SIGTERM)
    assert server.wait(60) == 0
    assert " error " not in (shell.folder / "log").read_text()


@pytest.mark.long
def test_no_worker_of_another_version_joins_a_server(
    shell: Shell, site: Path, server: subprocess.Popen[str]
) -> None:
    """Mails wait until the server is restarted, or the files are there as they were."""
    version = site / "pbm" / "version.txt"
    version.write_text("0.3.0")
    for child in _list_children(server):
        os.kill(child, signal.SIGKILL)
    says = "pbm: the server runs 0.2.0, but 0.3.0 is installed: restart the server"
    until(lambda: says in (shell.folder / "log").read_text(), "another version was started")
    version.write_text("0.2.0")
    line = f"chess move 1 ann {PASSWORDS['ann']} e4"
    assert "It is bob's turn (2)." in shell.ok("send", "--from", "ann@example.org", line)


def _list_children(server: subprocess.Popen[str]) -> list[int]:
    tasks = Path(f"/proc/{server.pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _rests(process: int) -> bool:
    """Whether a process sleeps and has done nothing for a while."""
    stat = Path(f"/proc/{process}/stat")
    try:
        before = stat.read_text().rpartition(") ")[2].split()
        time.sleep(0.3)
        after = stat.read_text().rpartition(") ")[2].split()
    except FileNotFoundError:
        return False
    return before[0] == after[0] == "S" and before[11:13] == after[11:13]


_IMPORTED = """
import shutil, sys
from importlib import import_module
from pkgutil import walk_packages
import pbm
from pbm.daemon import app, startup
from pbm.mail import outbox, render
site = sys.argv[1]
names = [
    each.name
    for name in ("core", "features", "mail", "store")
    for each in walk_packages([f"{site}/pbm/{name}"], f"pbm.{name}.")
]
assert pbm.__file__.startswith(site) and len(names) > 100
startup.read_files(startup.FOR_MAILS)
outbox.build_courier("smtp://127.0.0.1")
shutil.rmtree(site)
sys.path[:] = [path for path in sys.path if path != site and "site-packages" not in path]
for name in names:
    if name not in startup.OPTIONAL:
        import_module(name)
for name in render.load_templates():
    render.build_environment().get_template(name)
from flufl.bounce import all_failures
from email_validator import validate_email
validate_email("ann@b\\u00fccher.example", check_deliverability=False)
"""


def test_what_mails_need_is_imported_when_a_server_starts(tmp_path: Path) -> None:
    """Also the dependencies that are imported late."""
    site = tmp_path / "old"
    shutil.copytree(Path(pbm.__file__).parent, site / "pbm")
    subprocess.run(
        [sys.executable, "-c", _IMPORTED, str(site)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=tmp_path,
    )
