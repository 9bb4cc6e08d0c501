"""The house's frame: who may import whom, and what is not imported at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

_IMPORTED = """
import importlib, pkgutil, sys
before = set(sys.modules)
for package in sys.argv[1].split(","):
    module = importlib.import_module(package)
    for found in pkgutil.walk_packages(module.__path__, package + "."):
        importlib.import_module(found.name)
print("\\n".join(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def child(*arguments: str) -> str:
    """What a fresh interpreter prints."""
    path = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_arrows_between_rooms() -> None:
    """The contracts of pyproject.toml."""
    said = child("-c", "from importlinter.cli import lint_imports_command as run; run()")
    assert "Contracts: " in said
    assert " 0 broken" in said


def test_rules_and_games_import_nothing_but_the_standard_library() -> None:
    loaded = set(child("-S", "-c", _IMPORTED, "pbm.rules,pbm.games").split())
    assert "pbm" in loaded
    assert loaded - {"pbm"} <= sys.stdlib_module_names


def test_help_of_the_command_line_needs_no_database_and_no_mail() -> None:
    program = (
        "import sys\n"
        "from pbm.cli import cli\n"
        "cli(['--help'], standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))\n"
    )
    loaded = child("-c", program).splitlines()[-1].split()
    assert "click" in loaded
    assert not {"sqlalchemy", "alembic", "psycopg", "aiosmtpd", "jinja2", "argon2"} & set(loaded)
