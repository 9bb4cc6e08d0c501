"""Says where a short sentence stands, for translators: of one or two words alone nobody knows what
they mean."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

_FEWEST = 3
"""A sentence of so many words is clear alone."""
_VALUE = re.compile(r"{\w*}")
_WORD = re.compile(r"[^\W\d_]+")
_AROUND = 50
"""Letters of a page that are shown before and behind a sentence."""
_END = re.compile(r"(?<=\.)\s")


def is_short(sentence: str) -> bool:
    """Whether a sentence needs a context: it has one word, or two, besides its values."""
    return len(_WORD.findall(_VALUE.sub(" ", sentence))) < _FEWEST


def describe_place(path: Path, line: int, sentence: str) -> str:
    """Return where a sentence stands: in Python what the function or module is for, in a page the
    text around it."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return f"stands where the program does this: {_find_purpose(text, line)}"
    return f"stands in: {_find_around(text, line, sentence)}"


def _find_around(text: str, line: int, sentence: str) -> str:
    """Return the text around a sentence of a page, on its line."""
    found = text.split("\n")[line - 1]
    at = max(found.find(f'"{sentence}"'), 0)
    part = found[max(at - _AROUND, 0) : at + len(sentence) + _AROUND]
    return " ".join(part.split())


def _find_purpose(text: str, line: int) -> str:
    """Return the first sentence of the docstring of the innermost function or class around a line
    that has one, or else of the module."""
    found = ""
    for first, last, purpose in _list_purposes(text):
        if first <= line <= last:
            found = purpose
    return found


@cache
def _list_purposes(text: str) -> list[tuple[int, int, str]]:
    """Return each function and class with a docstring, outer ones first, by its lines."""
    tree = ast.parse(text)
    purposes = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if purpose := ast.get_docstring(node):
            first, last = 1, len(text)
            if not isinstance(node, ast.Module):
                first, last = node.lineno, node.end_lineno or node.lineno
            purposes.append((first, last, _END.split(" ".join(purpose.split()))[0]))
    return purposes
