"""`python -m tools.site.reference` writes docs/authors/reference.md, the interface for games, from
the docstrings of pbm.rules."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "authors" / "reference.md"
_PARTS: Sequence[tuple[str, str, Sequence[str]]] = (
    ("Games and positions", "pbm/rules/game.py", ()),
    ("The description of a game", "pbm/rules/game_info.py", ()),
    ("Chance", "pbm/rules/chance.py", ()),
    ("Outcomes and records", "pbm/rules/outcome.py", ()),
    ("Solved games", "pbm/rules/solutions.py", ()),
    ("Refused moves", "pbm/rules/errors.py", ()),
    ("Options", "pbm/rules/options.py", ()),
    ("Pictures", "pbm/rules/drawing/picture.py", ()),
    ("Scenes", "pbm/rules/drawing/scene.py", ()),
    ("Storing positions", "pbm/rules/serialization.py", ()),
    ("Helpers for parsers", "pbm/rules/typed.py", ()),
    ("Tests", "pbm/rules/testing/conformance.py", ("check", "find_faults")),
    ("Playthroughs", "pbm/rules/testing/playthroughs.py", ()),
)
"""The chapters: a module each, with all that is public and documented, or only these names."""
_FIELD = re.compile(r"^([a-z_][\w, ]*?) {2,}(\S.*)$")
_WIDTH = 100


def write_page() -> str:
    """Return the whole page."""
    lines = [
        "# The interface",
        "",
        "What a game provides and may use: the docstrings of `pbm.rules`, which "
        "`python -m tools.site.reference` writes here. In the source it is `pbm/rules/game.py`, to "
        "be read in one sitting.",
        "",
    ]
    for title, path, names in _PARTS:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        module = path.removesuffix(".py").replace("/", ".")
        lines += [f"## {title}", "", f"`{module}`", ""]
        lines += _list_fields(ast.get_docstring(tree) or "")
        for node in _find_documented(tree.body, names):
            lines += _write_object(node)
    return "\n".join(lines).rstrip() + "\n"


Documented = ast.ClassDef | ast.FunctionDef | tuple[ast.stmt, str]


def _find_documented(body: Sequence[ast.stmt], names: Sequence[str]) -> Iterator[Documented]:
    """Yield public classes and functions with a docstring, and values with one below them."""
    for number, node in enumerate(body):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            is_wanted = node.name in names if names else not node.name.startswith("_")
            if is_wanted and ast.get_docstring(node):
                yield node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not names:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            text = _read_text(body[number + 1]) if number + 1 < len(body) else ""
            if isinstance(target, ast.Name) and not target.id.startswith("_") and text:
                yield node, text


def _read_text(node: ast.stmt) -> str:
    """Return the string that stands alone as a statement; "" for other statements."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return inspect.cleandoc(node.value.value) if isinstance(node.value.value, str) else ""
    return ""


def _write_object(node: Documented, owner: str = "") -> list[str]:
    """Write heading, signature and docstring, and those of the members of a class."""
    if isinstance(node, tuple):
        statement, text = node
        return [
            *_write_heading(ast.unparse(statement).partition(" =")[0].split(":")[0], owner),
            *_fence(ast.unparse(statement)),
            *_list_fields(text),
        ]
    text = ast.get_docstring(node) or ""
    lines = [
        *_write_heading(node.name, owner),
        *_fence(_write_signature(node)),
        *_list_fields(text),
    ]
    if isinstance(node, ast.ClassDef):
        for member in _find_documented(node.body, ()):
            lines += _write_object(member, node.name)
    return lines


def _write_heading(name: str, owner: str) -> list[str]:
    return [f"#### `{owner}.{name}`" if owner else f"### `{name}`", ""]


def _write_signature(node: ast.ClassDef | ast.FunctionDef) -> str:
    """Return the lines of the definition, without its body; the fields of a class with their
    types."""
    decorators = [f"@{ast.unparse(each)}" for each in node.decorator_list]
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        fields = [ast.unparse(each) for each in node.body if isinstance(each, ast.AnnAssign)]
        head = f"class {node.name}({bases}):" if bases else f"class {node.name}:"
        return "\n".join([*decorators, head, *(f"    {field}" for field in fields)])
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return "\n".join([*decorators, *_wrap(node.name, ast.unparse(node.args), returns)])


def _wrap(name: str, arguments: str, returns: str) -> list[str]:
    """Return the head of a function, its arguments one a line where they are long."""
    line = f"def {name}({arguments}){returns}"
    if len(line) <= _WIDTH:
        return [line]
    parts, depth, part = [], 0, ""
    for letter in arguments:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    parts.append(part.strip())
    return [f"def {name}(", *(f"    {each}," for each in parts), f"){returns}"]


def _fence(text: str) -> list[str]:
    return ["```python", *text.splitlines(), "```", ""]


def _list_fields(text: str) -> list[str]:
    """Return the lines of a docstring, with what it explains in two columns as a list."""
    lines: list[str] = []
    for line in text.split("\n"):
        if match := _FIELD.match(line):
            if lines and lines[-1] and not lines[-1].startswith(("- ", "  ")):
                lines.append("")
            lines.append(f"- `{match[1]}`: {match[2]}")
        else:
            lines.append(line.strip() if not line.startswith("    ") else f"  {line.strip()}")
    return [*lines, ""]


def main() -> None:
    PAGE.write_text(write_page(), encoding="utf-8")
    print(f"{PAGE}: {len(write_page().splitlines())} lines")


if __name__ == "__main__":
    main()
