"""Who imports whom in this checkout, read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

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
