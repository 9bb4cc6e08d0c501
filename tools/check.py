"""What a commit must pass, as far as a change may touch it: `python -m tools.check`.

Formats and lints the files that differ from the branch `main`, checks types and import contracts,
and runs the tests whose modules import what has changed, the nearest first, for about a minute.

    python -m tools.check [--base main] [--seconds 45] [--list]

How long a test module takes is known from its last run here. What did not fit is counted: `.ci/run`
runs all."""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

# Who imports whom in this checkout, read from the sources.

ROOT = Path(__file__).parents[1]
Graph = Mapping[str, Collection[str]]
"""For each module those that it imports anywhere: in functions and for types too."""


def find_modules(folders: Iterable[str]) -> dict[str, Path]:
    """Return the modules below these folders of the checkout: their paths by dotted name."""
    return {
        name_module(path): path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def name_module(path: Path) -> str:
    """Return the dotted name under which a source file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def read_graph(modules: Mapping[str, Path], *, for_types: bool = True) -> dict[str, set[str]]:
    """Return which of the modules each of them imports, for types alone too unless told."""
    return {
        module: set(_find_imports(ast.parse(path.read_bytes()), modules, for_types)) - {module}
        for module, path in modules.items()
    }


def _find_imports(tree: ast.AST, modules: Collection[str], for_types: bool) -> Iterator[str]:
    for node in _walk(tree, for_types):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in modules or node.module in modules:
                    yield name if name in modules else node.module


def _walk(tree: ast.AST, for_types: bool) -> Iterator[ast.AST]:
    """Yield all nodes; those under `if TYPE_CHECKING` only for types."""
    for node in ast.iter_child_nodes(tree):
        test = node.test if isinstance(node, ast.If) else None
        if for_types or not (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"):
            yield node
            yield from _walk(node, for_types)


def measure_distances(graph: Graph, changed: Iterable[str]) -> dict[str, int]:
    """Return how far each module is from the changed ones, by the shortest chain of imports: 0 for
    these, 1 for those that import one of them. Modules that import none are left out."""
    importers: dict[str, set[str]] = {}
    for module, imported in graph.items():
        for name in imported:
            importers.setdefault(name, set()).add(module)
    distances = dict.fromkeys((name for name in changed if name in graph), 0)
    frontier = list(distances)
    for module in frontier:  # it grows
        for importer in sorted(importers.get(module, ())):
            if importer not in distances:
                distances[importer] = distances[module] + 1
                frontier.append(importer)
    return distances


FOLDERS = ("pbm", "tests", "tools", "migrations")
_UNKNOWN = 10.0
"""Seconds that a test module takes for which no run is known."""
_SECONDS_FILE = ROOT / ".pytest_cache" / "v" / "pbm" / "seconds"
"""Written by `tests/conftest.py`."""
_GUARDS = ("tests/test_layout.py",)
"""Tests that read all sources, and take a second."""
_BESIDE = {
    ".ci": ("tests/test_distribution.py",),
    "README.md": ("tests/test_readme.py",),
    "CONTRIBUTING.md": ("tests/test_contributing.py", "tests/docs"),
    "config": ("tests/config", "tests/test_config.py"),
    "docs": ("tests/docs",),
    "migrations": ("tests/store/test_migrate.py",),
    "pbm/help": ("tests/core/test_help_pages.py", "tests/docs"),
    "pyproject.toml": ("tests/test_distribution.py", "tests/test_imports.py"),
}
"""Tests of what is not imported, by the beginning of its path."""


def find_changed(base: str) -> list[str]:
    """Return the paths that differ from where this branch left `base`, those that git does not know
    yet included. What was deleted is left out."""
    fork = _read_git("merge-base", base, "HEAD").strip()
    texts = (
        _read_git("diff", "--name-only", "--diff-filter=d", "-z", fork),
        _read_git("ls-files", "--others", "--exclude-standard", "-z"),
    )
    return sorted({path for text in texts for path in text.split("\0") if path})


def _read_git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(words)}: {done.stderr.strip()} (--base names another branch)")
    return done.stdout


@cache
def _read_sources() -> tuple[dict[str, Path], dict[str, set[str]]]:
    """Return the modules of the checkout, and which of them each imports; a test imports every
    conftest above it."""
    modules = find_modules(FOLDERS)
    graph = read_graph(modules)
    for name, path in modules.items():
        if _is_test(path):
            above = (folder for folder in path.parents if ROOT in folder.parents)
            graph[name] |= {f"{name_module(folder)}.conftest" for folder in above} & set(modules)
    return modules, graph


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_")


def find_tests(changed: Iterable[str]) -> list[str]:
    """Return the paths of the tests that a change of these files may touch, the nearest first. A
    file that is no module counts as a change of the modules beside it."""
    modules, graph = _read_sources()
    tests = [name for name, path in modules.items() if _is_test(path)]
    changed = list(changed)
    names = [name for name, path in modules.items() if _is_among(path, changed)]
    distances = measure_distances(graph, names)
    near = sorted(distances.keys() & set(tests), key=lambda name: (distances[name], name))
    beside = [
        test
        for start, tests in _BESIDE.items()
        if any(path == start or path.startswith(f"{start}/") for path in changed)
        for test in tests
    ]
    paths = [str(modules[name].relative_to(ROOT)) for name in near]
    return list(dict.fromkeys([*_GUARDS, *beside, *paths]))


def _is_among(module: Path, changed: Iterable[str]) -> bool:
    """Whether a module has changed, or a file beside it that is none."""
    paths = [ROOT / path for path in changed]
    return module in paths or any(
        path.suffix != ".py" and path.parent == module.parent for path in paths
    )


def find_games(changed: Iterable[str]) -> list[str]:
    """Return the names of the modules of games that have changed."""
    parts = [Path(path).parts for path in changed if path.startswith("pbm/games/")]
    names = {Path(part[2]).stem for part in parts if len(part) > 2}
    return sorted(names - {"__init__", "index"})


def choose(tests: Sequence[str], seconds: Mapping[str, float], budget: float) -> list[str]:
    """Return the tests that fit into the budget, in order; a folder costs what its modules do. The
    first one is always among them."""
    chosen: list[str] = []
    spent = 0.0
    for test in tests:
        known = [took for path, took in seconds.items() if path.startswith(test)]
        cost = sum(known) if known else _UNKNOWN
        if chosen and spent + cost > budget:
            continue
        chosen.append(test)
        spent += cost
    return chosen


def read_seconds() -> dict[str, float]:
    """Return how long each test module took when it last ran here."""
    try:
        seconds: dict[str, float] = json.loads(_SECONDS_FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return seconds


def _run(title: str, program: str, *arguments: str) -> None:
    """Run a program of this environment; end with its exit code when it fails."""
    began = time.monotonic()
    print(f"== {title}", flush=True)
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    done = subprocess.run(command, cwd=ROOT, check=False)
    print(f"   {time.monotonic() - began:.0f} s", flush=True)
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    """Take the steps in order; the first that fails ends the program."""
    parser = argparse.ArgumentParser(prog="python -m tools.check", description=__doc__)
    parser.add_argument("--base", default="main", help="the branch that the change is to go to")
    parser.add_argument("--seconds", type=float, default=45, help="how long tests may take")
    parser.add_argument("--list", action="store_true", help="only print the tests, nearest first")
    given = parser.parse_args()
    changed = find_changed(given.base)
    tests = find_tests(changed)
    if given.list:
        print("\n".join(tests))
        return
    processors = len(os.sched_getaffinity(0))
    sources = [path for path in changed if path.endswith(".py")]
    if sources:
        _run("format", "ruff", "format", "-q", *sources)
        _run("lint", "ruff", "check", "-q", "--fix", *sources)
        _run("types", "mypy")
        _run("import contracts", "lint-imports")
    games = find_games(changed)
    if games:
        every = ("tests/games/test_every_game.py", "-k", " or ".join(games))
        _run(f"conformance of {', '.join(games)}", "pytest", f"-n{processors}", *every)
    chosen = choose(tests, read_seconds(), given.seconds * processors)
    _run(f"{len(chosen)} of {len(tests)} test modules", "pytest", f"-n{processors}", *chosen)
    if len(chosen) < len(tests):
        print(f"{len(tests) - len(chosen)} further test modules import what has changed.")


if __name__ == "__main__":
    main()
