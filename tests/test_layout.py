"""The layout of the source tree: no import circles, no module too long to read at once, and every
page that a comment cites."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.import_graph import find_modules, read_graph

ROOT = Path(__file__).parent.parent
SOURCES = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for folder in ("pbm", "tests", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
PACKAGE = [path for path in SOURCES if path.parts[0] == "pbm"]
FACES = {"__init__", "__main__", "conftest"}
MOST_LINES = 600
NO_VERBS = {
    "A",
    "An",
    "Each",
    "Every",
    "How",
    "The",
    "What",
    "When",
    "Where",
    "Who",
    "Whose",
    "Why",
}
MAY_BE_VERBLESS = re.compile(rf'\) -> [^\n]+:\n +"""({"|".join(NO_VERBS)}|Whether) ')
NOUNS = {"cached_property", "command", "group", "property"}  # what these decorate is a thing
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


def test_no_import_circle_exists_not_even_for_types() -> None:
    assert circle(read_graph(find_modules(["pbm"]))) == []


def test_a_circle_is_noticed() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_module_has_a_private_name() -> None:
    assert [path for path in PACKAGE if path.stem.startswith("_") and path.stem not in FACES] == []


def test_no_module_is_too_long_to_be_one_room() -> None:
    lines = {str(path): SOURCES[path].count("\n") for path in PACKAGE}
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}


def list_verbless(source: str) -> Iterator[str]:
    """Yield the functions whose docstring begins with no verb, as does that of no property, and of
    no question either: "Whether …" for what returns a bool."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = (ast.get_docstring(node) or "Do").split(maxsplit=1)[0]
            called = {re.split(r"\W", ast.unparse(each))[-1] for each in node.decorator_list}
            called |= {
                each.func.attr
                for each in node.decorator_list
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
            }
            is_question = node.returns is not None and ast.unparse(node.returns) == "bool"
            if not called & NOUNS and (
                first in NO_VERBS or (first == "Whether" and not is_question)
            ):
                yield f"{node.name}: {first}"


def test_every_docstring_of_a_function_begins_with_a_verb() -> None:
    found = {
        str(path): list(list_verbless(source))
        for path, source in SOURCES.items()
        if path.parts[0] in ("pbm", "tools") and MAY_BE_VERBLESS.search(source)
    }
    assert {path: names for path, names in found.items() if names} == {}
    assert list(list_verbless('def f() -> int:\n    """The number."""')) == ["f: The"]


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
