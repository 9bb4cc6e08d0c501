"""Keeps what a release showed to authors of games: its examples, and the names that they may
import. `tests/authors` holds later versions against them."""

from __future__ import annotations

import ast
import inspect
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "authors"
NAMES = "names.txt"
_TOOLKIT = (
    "boards",
    "chess",
    "drawing",
    "families",
    "formats",
    "serialization",
    "testing",
    "typed",
)
"""What games import besides `pbm.rules` itself: see docs/authors/versions.md."""


def keep(version: str) -> None:
    """Copy the examples as they are, and write down the names that authors may import."""
    folder = KEPT / version
    for example in sorted((ROOT / "examples").glob("pbm-*")):
        for path in (*example.glob("*.py"), example / "pyproject.toml", example / "rules.md"):
            target = folder / example.name / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    (folder / NAMES).write_text("\n".join(sorted(list_names())) + "\n", encoding="utf-8")


def list_names() -> Iterator[str]:
    """Yield the public names of the interface and its toolkit that stand where they are made, and
    what `pbm.rules` exports."""
    rules = import_module("pbm.rules")
    yield from (f"pbm.rules.{name}" for name in rules.__all__)
    for found in walk_packages(rules.__path__, "pbm.rules."):
        if found.name.split(".")[2] in _TOOLKIT:
            source = inspect.getsource(import_module(found.name))
            made = (name for each in ast.parse(source).body for name in _list_made(each))
            yield from {f"{found.name}.{name}" for name in made if not name.startswith("_")}


def _list_made(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module makes."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    yield from (target.id for target in targets if isinstance(target, ast.Name))


if __name__ == "__main__":
    if subprocess.run(["git", "diff", "--quiet"], cwd=ROOT, check=False).returncode:
        sys.exit("commit first: what is kept is the release")
    keep(sys.argv[1])
