"""Shells: on SQLite, on each kind of database, and with two players and a board, which are made
once and copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, sqlite_url: str) -> Shell:
    """A shell on an empty SQLite database."""
    return Shell(tmp_path, sqlite_url)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_shell(request: pytest.FixtureRequest, tmp_path: Path) -> Shell:
    """A shell on an empty database of each kind."""
    return Shell(tmp_path, request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(scope="session")
def begun(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Ann and bob on board 1 of Cradle, ann to move; a template that nobody plays on."""
    folder = tmp_path_factory.mktemp("begun")
    shutil.copyfile(sqlite_template, folder / "pbm.db")
    shell = Shell(folder, f"sqlite:///{folder / 'pbm.db'}")
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob")
    return shell


@pytest.fixture
def board(tmp_path: Path, begun: Shell) -> Shell:
    """A copy of that board for one test."""
    shutil.copyfile(begun.folder / "pbm.db", tmp_path / "pbm.db")
    shell = Shell(tmp_path, f"sqlite:///{tmp_path / 'pbm.db'}")
    shell.seen, shell.argv = begun.seen, list(begun.argv)
    return shell
