"""Every refusal has a code, and nothing reads its sentence back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbm
from pbm.core.feature import list_refusal_codes
from pbm.core.refusal import RefusalCode, get_move_code
from pbm.rules import AmbiguousMove, IllegalMove, InvalidMove, MoveError

SOURCES = sorted(Path(pbm.__file__).parent.rglob("*.py"))
WORDED = ("text", "reason")
"""Names under which the sentence of a refusal travels."""


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        if "refusal" in text.lower():
            yield from ((path, node) for node in ast.walk(ast.parse(text)))


def test_no_refusal_is_built_without_a_code() -> None:
    built = [
        (path, node)
        for path, node in nodes()
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] in ("Refusal", "Unplayable", "make_refusal")
    ]
    assert len(built) > 100
    bare = [
        f"{path}:{node.lineno}"
        for path, node in built
        if not any(word in ast.unparse(node.args[0]) for word in ("RefusalCode.", "code"))
    ]
    assert not bare


def test_each_code_is_that_of_a_refusal() -> None:
    used = {
        node.attr
        for path, node in nodes()
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id.endswith("RefusalCode")
    }
    codes = list_refusal_codes()
    assert used == {code.name for code in codes}
    assert all(code.value == code.name.lower() for code in codes)


def test_no_sentence_is_compared() -> None:
    """What happened is told apart by its code."""
    compared = [
        f"{path}:{node.lineno}"
        for path, node in nodes()
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Attribute)
        and isinstance(side.value, ast.Name)
        and "refus" in side.value.id
        and side.attr in WORDED
    ]
    assert not compared


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidMove("z9"), RefusalCode.NOT_A_MOVE),
        (IllegalMove("e5"), RefusalCode.ILLEGAL_MOVE),
        (AmbiguousMove("nd2"), RefusalCode.AMBIGUOUS_MOVE),
        (MoveError("of a plugin"), RefusalCode.ILLEGAL_MOVE),
    ],
)
def test_a_move_that_the_game_refuses_has_a_code(error: MoveError, code: RefusalCode) -> None:
    assert get_move_code(error) is code
