"""The bots in `examples`: one plays by mail, one at the terminal, against each other."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.harness.databases import create_database

ROOT = Path(__file__).parents[2]
_PATIENCE = 300.0
_DECLINED = "SELECT 1 FROM boards WHERE id = 2 AND state = 'cancelled'"
_CONFIG = """\
[database]
url = "sqlite:///{folder}/pbm.db"
[smtp]
listen = "127.0.0.1:0"
[relay]
url = "maildir:{folder}/mail"
[players]
confirm_addresses = false
"""


@contextmanager
def running(*words: str, env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A Python process, which is ended at the end."""
    process = subprocess.Popen(
        [sys.executable, *words], env=env, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.long
def test_a_bot_by_mail_and_one_at_the_terminal_play_each_other(tmp_path: Path) -> None:
    config = tmp_path / "pbm.toml"
    config.write_text(_CONFIG.format(folder=tmp_path), encoding="utf-8")
    env = {**os.environ, "PBM_CONFIG": str(config), "PYTHONPATH": str(ROOT)}

    def run(*words: str, password: str = "") -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "pbm", *words, "--json"],
            env={**env, "PBM_PASSWORD": password},
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(done.stdout)

    create_database(f"sqlite:///{tmp_path}/pbm.db")
    with ExitStack() as stack:
        server = stack.enter_context(running("-m", "pbm", "serve", env=env))
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        run("signup", "ann", "ann@example.org", password="secret99")
        run("signup", "bob", "bob@example.org", password="secret88")
        run("hex", "challenge", "ann", "bob", "-size=3")
        run("chess", "challenge", "bob", "ann")
        inbox = str(tmp_path / "mail" / "ann@example.org")
        stack.enter_context(running("examples/mail_bot.py", "ann", inbox, address, env=env))
        own = {**env, "PBM_PASSWORD": "secret88"}
        stack.enter_context(running("examples/terminal_bot.py", "bob", env=own))
        deadline = time.monotonic() + _PATIENCE
        with closing(sqlite3.connect(tmp_path / "pbm.db")) as database:
            while (
                database.execute("SELECT count(*) FROM moves WHERE board_id = 1").fetchone()[0] < 3
            ):
                assert time.monotonic() < deadline
                time.sleep(0.2)
            while database.execute(_DECLINED).fetchone() is None:  # what it does not know
                assert time.monotonic() < deadline
                time.sleep(0.2)
    board = run("admin", "board", "1")
    assert board["moves"][0]["move"] == "b2"  # the middle, by mail
    assert [move["seat"] for move in board["moves"]][:3] == [0, 1, 0]


@pytest.mark.parametrize("name", ["mail_bot.py", "terminal_bot.py"])
def test_a_bot_is_about_forty_lines(name: str) -> None:
    lines = (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 45
