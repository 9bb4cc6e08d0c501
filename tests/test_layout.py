"""The layout of the source tree: no import circles, and every page that a comment cites."""

import re
from collections.abc import Mapping
from pathlib import Path

from tools.check import find_modules, read_graph

ROOT = Path(__file__).parent.parent
SOURCES = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for folder in ("pbm", "tests", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
PACKAGE = [path for path in SOURCES if path.parts[0] == "pbm"]
FACES = {"__init__", "__main__", "conftest"}
CITATION = re.compile(r"\bdocs/[\w/.-]+\.md\b")
QUOTATION = re.compile(r"# \"([^\"]+)\"$", re.MULTILINE)


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """The modules of an import circle, in the order of their imports; empty when there is none."""
    finished: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in finished:
            return []
        for imported in sorted(graph[module]):
            if cycle := visit(imported, [*path, module]):
                return cycle
        finished.add(module)
        return []

    return next((cycle for module in sorted(graph) if (cycle := visit(module, []))), [])


def test_no_import_circle_exists() -> None:
    """Types alone may refer to each other, as a hook's do to what it is called with."""
    assert circle(read_graph(find_modules(["pbm"]), for_types=False)) == []


def test_a_circle_is_noticed() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_module_has_a_private_name() -> None:
    assert [path for path in PACKAGE if path.stem.startswith("_") and path.stem not in FACES] == []


def test_every_page_that_the_code_cites_exists() -> None:
    cited = {page for source in SOURCES.values() for page in CITATION.findall(source)}
    assert len(cited) > 5
    assert sorted(page for page in cited if not (ROOT / page).is_file()) == []


def test_every_rule_that_a_comment_quotes_is_on_the_page_of_its_game() -> None:
    quoted = [
        (path.parts[2], quotation)
        for path in PACKAGE
        if path.parts[1] == "games"
        for quotation in QUOTATION.findall(SOURCES[path])
    ]
    assert len(quoted) > 3
    for game, quotation in quoted:
        page = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
        assert quotation in " ".join(page.split())
