"""An upgrade takes a running server's files away: what it needs it copied before it says ready."""

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
from sqlalchemy import select

import pbm
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.tables import outbound
from tests.harness.shell import PASSWORDS, Shell

_LONG = 60.0
"""Seconds that a mail may take on a busy machine."""


@pytest.fixture
def shell(tmp_path: Path, sqlite_url: str) -> Shell:
    return Shell(tmp_path, sqlite_url)


@pytest.fixture
def server(tmp_path: Path, shell: Shell) -> Iterator[subprocess.Popen[str]]:
    """A server with two worker processes, whose package is gone."""
    site = tmp_path / "old"
    shutil.copytree(Path(pbm.__file__).parent, site / "pbm")
    shutil.copytree(migrate.find_folder(), site / "migrations", dirs_exist_ok=True)
    with shell.config.open("a", encoding="utf-8") as file:
        file.write("[workers]\nprocesses = 2\n[bots]\nseconds = 0.1\n")
    server = shell.start("serve", PYTHONPATH=str(site))
    try:
        assert server.stdout is not None
        port = server.stdout.readline().rpartition(":")[2].strip()
        shutil.rmtree(site)
        shell.write(shell.url, f"127.0.0.1:{port}")
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


def test_a_server_runs_on_when_its_files_are_gone(
    shell: Shell, server: subprocess.Popen[str]
) -> None:
    _sign_up(shell)
    for line, says in (
        ("help", "challenge"),
        ("help tutorial", "[pbm] help tutorial"),
        ("games", "xiangqi"),
        (f"set ann {PASSWORDS['ann']} mail=picture", "mail=picture"),
        ("chess challenge ann bob", "[chess 1] ann - bob"),
        (f"chess move 1 ann {PASSWORDS['ann']} e4", "It is bob's turn (2)."),
        (f"message ann {PASSWORDS['ann']} bob", "passed on to bob"),
        (f"set ann {PASSWORDS['ann']} digest=10:00", "digest"),
        ("chess show 1", "1. ann"),
        ("chess export 1", '[White "ann"]'),
        ("chess ratings", "Subject: [pbm]"),
        (f"chess resign 1 ann {PASSWORDS['ann']}", "bob won"),
    ):
        assert says in shell.ok("send", "--from", "ann@example.org", "--body", "hello", line)
    _await_page(shell.folder / "mail" / "ann@example.org" / "new", "[chess 1] ann - bob")
    server.send_signal(signal.SIGTERM)
    events = server.communicate(timeout=60)[1]
    assert server.returncode == 0
    assert " error " not in events


def test_house_players_think_when_its_files_are_gone(
    shell: Shell, server: subprocess.Popen[str]
) -> None:
    _sign_up(shell)
    for number, name in enumerate(("random", "mcts"), 1):
        shell.ok("send", "--from", "ann@example.org", f"tictactoe challenge ann {name}")
        move = f"tictactoe move {number} ann {PASSWORDS['ann']} b2"
        shell.ok("send", "--from", "ann@example.org", move)
        title = f"[tictactoe {number}] ann - {name}"
        assert b"to move" in _sent(shell, "ann@example.org", title, "It is your move (3).")


def test_a_dead_worker_is_replaced_when_its_files_are_gone(
    shell: Shell, server: subprocess.Popen[str]
) -> None:
    for child in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)
    _sign_up(shell)
    assert "[chess 1]" in shell.ok("send", "--from", "ann@example.org", "chess challenge ann bob")


_IMPORTED = """
import pkgutil, shutil, sys
from importlib import import_module
import pbm
from pbm.config import Config, Http, Web
from pbm.daemon import app, startup
from pbm.mail.outgoing import couriers, rendering
site = sys.argv[1]
names = [one.name for one in pkgutil.walk_packages([site + "/pbm"], "pbm.")]
names = [name for name in names if not name.startswith(("pbm._migrations", "pbm.__main__"))]
assert pbm.__file__.startswith(site) and len(names) > 200
startup.read_files(Config(web=Web("127.0.0.1:2580"), http=Http("127.0.0.1:2581")))
couriers.build_courier("smtp://127.0.0.1")
shutil.rmtree(site)
sys.path[:] = [path for path in sys.path if path != site and "site-packages" not in path]
for name in names:  # who signs has what signs from the start
    if not name.startswith(("pbm.cli", "pbm.adapters", "pbm.mail.outgoing.signer")):
        import_module(name)
for name in rendering.load_templates():
    rendering.build_environment().get_template(name)
from flufl.bounce import all_failures
from email_validator import validate_email
validate_email("ann@b\\u00fccher.example", check_deliverability=False)
"""


def test_every_module_comes_from_memory_when_the_files_are_gone(tmp_path: Path) -> None:
    """Also what the clock does, and the dependencies that are imported late."""
    site = tmp_path / "old"
    shutil.copytree(Path(pbm.__file__).parent, site / "pbm")
    subprocess.run(
        [sys.executable, "-c", _IMPORTED, str(site)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=tmp_path,
    )


def _sign_up(shell: Shell) -> None:
    for name in ("ann", "bob"):
        line = f"signup {name} {PASSWORDS[name]}"
        assert "welcome" in shell.ok("send", "--from", f"{name}@example.org", line)


def _sent(shell: Shell, recipient: str, subject: str, words: str = "") -> bytes:
    """The newest mail to somebody whose subject begins so and that has those words, once it is
    there."""
    query = select(outbound.c.message).where(outbound.c.recipient == recipient)
    store, until = Store(shell.url), time.monotonic() + _LONG
    try:
        while time.monotonic() < until:
            with store.reading() as session:
                found = session.execute(query.order_by(outbound.c.id.desc())).scalars()
                for message in found:
                    if f"Subject: {subject}".encode() in message and words.encode() in message:
                        return bytes(message)
            time.sleep(0.2)
    finally:
        store.close()
    raise AssertionError(f"no mail to {recipient}: {subject}")


def _await_page(folder: Path, subject: str) -> None:
    """Wait until a mail with a page is delivered there under that subject."""
    until = time.monotonic() + _LONG
    while time.monotonic() < until:
        for mail in [path.read_bytes() for path in folder.glob("*")]:
            if f"Subject: {subject}".encode() in mail and b"\nContent-Type: text/html" in mail:
                return
        time.sleep(0.2)
    raise AssertionError(f"no mail with a page: {subject}")
