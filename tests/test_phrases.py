"""No sentence of a refusal is written outside of the catalogues: each is a phrase, of one string
that extraction finds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "features", "mail", "web")
OPERATORS = {
    "pbm/features/accounts/signup.py": "who may sign up is the operator's to say, at the terminal",
    "pbm/features/accounts/admin.py": "userids and accounts are the operator's to change",
    "pbm/features/events/admin.py": "acts of the operator alone",
    "pbm/features/events/record.py": "two accounts that the operator is about to make one",
    "pbm/core/retention.py": "acts of the operator alone",
    "pbm/features/records/foreign.py": "files that the operator imports",
    "pbm/features/records/importing.py": "files that the operator imports",
    "pbm/features/records/record.py": "files that the operator imports",
}
"""Modules whose refusals only the operator reads, in English, and why."""
TEXTS = {
    "Refusal": 1,
    "make_refusal": 1,
    "Unplayable": 1,
    "_WrongOption": 0,
    "AmbiguousMove": 0,
    "IllegalMove": 0,
    "InvalidMove": 0,
}
"""The place of the text among the arguments."""
NAMED = {"problem", "brief"}
"""Arguments that are a text wherever they are given by name."""


class Module(NamedTuple):
    """A module, and the functions in it that make a refusal of a text they are given."""

    path: str
    tree: ast.Module
    takers: dict[str, int]


def read(path: str, source: str) -> Module:
    """Return a module, with functions that pass their argument on as the text of a refusal."""
    module = Module(path, ast.parse(source), dict(TEXTS))
    functions = [each for each in ast.walk(module.tree) if isinstance(each, ast.FunctionDef)]
    found = -1
    while found != len(module.takers):
        found = len(module.takers)
        for function in functions:
            names = [each.arg for each in function.args.args if each.arg != "self"]
            for text in list_texts(module, function):
                if isinstance(text, ast.Name) and text.id in names:
                    module.takers.setdefault(function.name, names.index(text.id))
    return module


def list_texts(module: Module, within: ast.AST) -> Iterator[ast.expr]:
    """Yield what is given as the text of a refusal."""
    for node in ast.walk(within):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        place = module.takers.get(name)
        if place is not None and len(node.args) > place:
            yield node.args[place]
        yield from (each.value for each in node.keywords if each.arg in NAMED)


def find_bare(module: Module) -> Iterator[str]:
    """Yield where a text is no phrase: a string, or one that is put together."""
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(node.value)
    for text in list_texts(module, module.tree):
        for line in sorted({each.lineno for each in _list_bare(text, values)}):
            yield f"{module.path}:{line}"


def _list_bare(text: ast.expr, values: Mapping[str, list[ast.expr]]) -> Iterator[ast.expr]:
    if isinstance(text, ast.IfExp):
        yield from _list_bare(text.body, values)
        yield from _list_bare(text.orelse, values)
    elif isinstance(text, ast.BoolOp):
        for part in text.values:
            yield from _list_bare(part, values)
    elif isinstance(text, ast.Name):
        rest = {name: given for name, given in values.items() if name != text.id}
        for value in values.get(text.id, ()):
            yield from _list_bare(value, rest)
    elif isinstance(text, ast.Constant):
        if isinstance(text.value, str) and text.value:
            yield text
    elif isinstance(text, ast.JoinedStr | ast.BinOp) or (
        isinstance(text, ast.Call) and isinstance(text.func, ast.Name) and text.func.id == "str"
    ):
        yield text


def find_unfindable(path: str, source: str) -> Iterator[str]:
    """Yield where a phrase has no string of its own, so that no catalogue can have it."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        count = {"phrase": 1, "phrase_number": 2}.get(node.func.id, 0)
        for text in node.args[:count]:
            if not (isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value):
                yield f"{path}:{node.lineno}"


def list_sources(*folders: str) -> Iterator[tuple[str, str]]:
    """Yield the modules of these folders of the package, with their text."""
    for folder in folders:
        for path in sorted((ROOT / "pbm" / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text("utf-8")


def test_every_refusal_that_a_player_reads_is_a_phrase() -> None:
    sources = dict(list_sources(*FOLDERS))
    modules = [read(path, source) for path, source in sources.items() if path not in OPERATORS]
    assert sum(len([*list_texts(each, each.tree)]) for each in modules) > 300
    assert [place for module in modules for place in find_bare(module)] == []
    for path in OPERATORS:
        assert [*find_bare(read(path, sources[path]))], f"{path} needs no exception any more"


def test_every_phrase_is_one_string_that_a_catalogue_can_have() -> None:
    found = [
        place
        for path, source in list_sources("")
        if path != "pbm/rules/phrases.py"
        for place in find_unfindable(path, source)
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'raise Refusal(CODE, "there is no such board")',
        'raise Refusal(CODE, f"there is no board {board}", "list")',
        'problem = "it is over"\nraise Refusal(CODE, problem if problem else phrase("x"))',
        'raise Refusal(CODE, phrase("there is no board ") + str(board))',
        "raise Refusal(CODE, str(error))",
        'def no(why):\n    return Refusal(CODE, why)\n\nraise no("it is over")',
        'return Act(problem="Nothing was done.")'.replace("return", "x ="),
    ],
)
def test_a_sentence_outside_of_a_phrase_is_found(source: str) -> None:
    assert [*find_bare(read("pbm/core/x.py", source))]


def test_what_is_no_sentence_of_ours_is_left_alone() -> None:
    source = 'raise Refusal(CODE, phrase("there is no board {board}", board=board), "list")'
    assert [*find_bare(read("pbm/core/x.py", source))] == []
    assert [*find_unfindable("pbm/core/x.py", source)] == []
    assert [*find_unfindable("pbm/core/x.py", 'x = phrase(f"no {board}")')]
