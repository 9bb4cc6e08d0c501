"""Who may import whom, and what is not imported at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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


_SERVICE = "pbm/core/submit.py"
_WAYS_ROUND = {
    "pbm.core.submit": {"execute", "show", "refuse"},
    "pbm.mail.compose": {"Composer", "build_outbound_row"},
    "pbm.store.inbound_queue": {"finish"},
    "pbm.store.outbound_queue": {"enqueue"},
}
"""What executes, composes, enqueues and marks done, by module."""
_OF_THE_POSTBOX = {"enqueue", "address_notices"}
_OUTGOING = ("pbm/mail/compose.py", "pbm/mail/compose.py")


def ways_round(source: str) -> Iterator[str]:
    """The functions in this source that `submit` alone may use."""
    modules: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                if alias.name in _WAYS_ROUND.get(node.module, ()):
                    yield f"{node.module}.{alias.name}"
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Attribute):
            module = modules.get(node.value.id, "") if isinstance(node.value, ast.Name) else ""
            if node.attr in _WAYS_ROUND.get(module, ()):
                yield f"{module}.{node.attr}"
            elif node.attr in _OF_THE_POSTBOX:
                yield node.attr


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from pbm.core.submit import execute, MustWrite", ["execute"]),
        (
            "from pbm.store import inbound_queue as q\ndef f(s):\n    q.finish(s, 1)",
            ["finish"],
        ),
        ("from pbm.mail import compose\ncompose.Composer", ["Composer"]),
        ("def f(box):\n    box.address_notices()", ["address_notices"]),
        ("from pbm.mail.compose import build_outbound_row", ["build_outbound_row"]),
        ("from pbm.store import inbound_queue\ninbound_queue.claim", []),
    ],
)
def test_a_way_round_is_found(source: str, names: list[str]) -> None:
    assert [name.rpartition(".")[2] for name in ways_round(source)] == names


def test_there_is_one_way_in() -> None:
    """Nobody but `submit` executes a command, enqueues its mails or marks a mail done."""
    for path in ROOT.joinpath("pbm").rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if name in (_SERVICE, *_OUTGOING):
            continue
        assert list(ways_round(path.read_text(encoding="utf-8"))) == [], name
