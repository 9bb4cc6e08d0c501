"""For mkdocs: the fields that a docstring explains in two columns, as a list."""

from __future__ import annotations

import re
from typing import Any

import griffe

_FIELD = re.compile(r"^([a-z_][\w, ]*?) {2,}(\S.*)$")


class DocstringTables(griffe.Extension):
    """Writes lines such as `name   what it is` as items of a list."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = list_fields(obj.docstring.value)


def list_fields(text: str) -> str:
    """The text with its columns as a list of Markdown."""
    lines: list[str] = []
    for line in text.split("\n"):
        if match := _FIELD.match(line):
            if lines and lines[-1] and not lines[-1].startswith(("- ", "  ")):
                lines.append("")
            lines.append(f"- `{match[1]}`: {match[2]}")
        else:
            lines.append(line)
    return "\n".join(lines)
