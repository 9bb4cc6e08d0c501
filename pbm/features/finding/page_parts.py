"""Splits a help page into parts, for mails and for the web."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from pbm.features.finding.game_page import is_heading


def split_page(page: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of a help page, each with its kind and lines: "heading", "prose", "items"
    (each after a hyphen), "list" for lines of examples, options or drawings."""
    kinds, lines = [""], page.splitlines()
    for line in lines:
        kinds.append(_classify(line, kinds[-1]))
    for kind, pairs in groupby(zip(kinds[1:], lines, strict=True), itemgetter(0)):
        if kind:
            yield kind, [line for _, line in pairs]


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
    return "list" if line[0] == " " else "heading" if is_heading(line.rstrip(".")) else "prose"
