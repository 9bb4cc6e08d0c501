"""Splits a help page into parts, for mails and for the web."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from pbm.features.finding.game_page import is_heading

_BEFORE_NUMBER = re.compile(r"\n(?=\d\. (?!.* \d\. ))")
_NEXT = re.compile(r" {3}\w[^>]*$| {9}")
"""How a line of a numbered item begins that is not its first."""


def split_page(page: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of a help page, each with its kind and lines: "heading", "prose", "items"
    (each after a hyphen), "list" for lines of examples, options or drawings. A numbered item is
    prose."""
    kinds, lines = [""], page.splitlines()
    for line in lines:
        kinds.append(_classify(line, kinds[-1]))
    for kind, pairs in groupby(zip(kinds[1:], lines, strict=True), itemgetter(0)):
        part = [line for _, line in pairs]
        if kind == "numbered":
            for item in _BEFORE_NUMBER.split("\n".join(part)):
                yield "prose", [" ".join(item.split())]
        elif kind:
            yield kind, part


def split_items(lines: list[str]) -> list[str]:
    """Return the items of such a part, without hyphens and line breaks."""
    joined = "\n".join(" " * (line[0] == " ") + line.strip() for line in lines)
    return joined.replace("\n ", " ").removeprefix("- ").split("\n- ")


def _classify(line: str, before: str) -> str:
    """Return the kind of a line, given the kind of the one before."""
    if not line.strip():
        return ""
    if line.startswith("- ") or (line.startswith("  ") and before == "items"):
        return "items"
    is_next = before == "numbered" and _NEXT.match(line)
    if is_next or (before != "prose" and _BEFORE_NUMBER.match(f"\n{line}")):
        return "numbered"
    return "list" if line[0] == " " else "heading" if is_heading(line.rstrip(".")) else "prose"
