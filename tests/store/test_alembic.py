"""What everybody types with Alembic works in a clone, against the database in PBM_DATABASE_URL."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.partitions import divide
from tests.harness.shell import environment

ROOT = Path(__file__).parents[2]


class Clone:
    """A copy of what Alembic needs of a clone, in which it may write."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder / "clone"
        self._given = environment(PBM_DATABASE_URL=url, PYTHONPATH=str(ROOT))
        shutil.copytree(ROOT / "migrations", self._folder / "migrations")
        shutil.copy(ROOT / "pyproject.toml", self._folder)
        self.versions = self._folder / "migrations" / "versions"

    def type(self, line: str) -> tuple[int, str]:
        """Type `alembic` and these words; exit code and output."""
        done = subprocess.run(
            [sys.executable, "-m", "alembic.config", *line.split()],
            cwd=self._folder,
            env=self._given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout


@pytest.mark.long
def test_what_is_typed_with_alembic_works(empty_url: str, tmp_path: Path) -> None:
    clone = Clone(tmp_path, empty_url)
    head = migrate.find_head()
    assert clone.type("current") == (0, "")
    assert clone.type(f"upgrade {migrate.FIRST}") == (0, "")
    assert clone.type("current") == (0, f"{migrate.FIRST}\n")
    code, said = clone.type("check")
    assert code != 0, said
    assert clone.type("upgrade head") == (0, "")
    assert clone.type("current") == (0, f"{head} (head)\n")
    code, said = clone.type("history --indicate-current")
    assert (code, f" -> {head} (head) (current)" in said) == (0, True), said
    store = Store(empty_url)
    migrate.require(store)
    store.close()


def test_a_new_migration_is_generated_only_where_something_differs(
    store: Store, tmp_path: Path
) -> None:
    """On PostgreSQL also where the queues are divided."""
    clone = Clone(tmp_path, store.url.render_as_string(hide_password=False))
    if not store.is_sqlite:
        with store.writing() as session:
            divide(session, 1000)
    before = set(clone.versions.glob("*.py"))
    code, said = clone.type("revision --autogenerate -m nothing")
    assert (code, set(clone.versions.glob("*.py"))) == (0, before), said
    with store.writing() as session:
        session.connection.exec_driver_sql("DROP TABLE watchers")
    code, said = clone.type("revision --autogenerate -m watchers_again")
    (made,) = set(clone.versions.glob("*.py")) - before
    assert code == 0, said
    assert made.name == f"{int(migrate.find_head()) + 1:04}_watchers_again.py"
    text = made.read_text()
    assert "op.create_table('watchers'" in text
    assert f"down_revision = '{migrate.find_head()}'" in text
    assert "drop" not in text, text
    assert clone.type("upgrade head") == (0, "")
    assert clone.type("check")[0] == 0


def test_a_migration_written_by_hand_has_the_next_number(tmp_path: Path) -> None:
    clone = Clone(tmp_path, "")
    code, said = clone.type("revision -m by_hand")
    assert code == 0, said
    made = clone.versions / f"{int(migrate.find_head()) + 1:04}_by_hand.py"
    assert f"down_revision = '{migrate.find_head()}'" in made.read_text()


def test_the_migrations_are_listed_without_a_database(tmp_path: Path) -> None:
    clone = Clone(tmp_path, "")
    head = migrate.find_head()
    code, said = clone.type("history")
    assert (code, f" -> {head} (head)" in said) == (0, True), said
    code, said = clone.type(f"show {head}")
    assert (code, f"Rev: {head} (head)" in said) == (0, True), said
    code, said = clone.type("history --indicate-current")
    assert (code != 0, "which database?" in said) == (True, True), said


@pytest.mark.parametrize("line", ["downgrade 0100", "upgrade head --sql"])
def test_what_cannot_be_done_is_refused_in_a_sentence(
    line: str, sqlite_url: str, tmp_path: Path
) -> None:
    code, said = Clone(tmp_path, sqlite_url).type(line)
    assert code != 0
    assert said.startswith("FAILED: ")
    assert "Traceback" not in said


def test_only_an_upgrade_makes_a_file_that_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "new" / "pbm.db"
    clone = Clone(tmp_path, f"sqlite:///{file}")
    code, said = clone.type("current")
    assert code != 0
    assert "alembic upgrade head makes one" in said
    assert not file.exists()
    assert clone.type("upgrade head") == (0, "")
    assert file.stat().st_mode & 0o077 == 0
    store = Store(f"sqlite:///{file}")
    migrate.require(store)
    store.close()
