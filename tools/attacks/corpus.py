"""The corpus: every attack that was ever found. `seeds` has a file a kind, a seed a line, and
`found.txt`, which says of each finding what tries it again: attacks of this package, seeds of the
other files, or tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

SEEDS = Path(__file__).parent / "seeds"
NOT_TRIED = Path(__file__).parent / "not_tried.md"
"""The end of the page about attacks, which is written by hand."""
_ESCAPED = re.compile(r"\\(?:[nrt\\]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")


class Found(NamedTuple):
    """A finding: its name, what it did, and what tries it again."""

    name: str
    did: str
    tried: tuple[str, ...]


def read_seeds(kind: str) -> list[str]:
    """Return the seeds of a kind; \\n, \\x00 and so on stand for what a line cannot hold."""
    text = (SEEDS / f"{kind}.txt").read_text(encoding="utf-8")
    return [_ESCAPED.sub(_unescape, line) for line in text.split("\n") if line]


def _unescape(found: re.Match[str]) -> str:
    return found[0].encode("ascii").decode("unicode_escape")


def read_octets(kind: str) -> list[bytes]:
    """Return the seeds of a kind whose characters stand for octets."""
    return [seed.encode("latin-1") for seed in read_seeds(kind)]


def list_found() -> list[Found]:
    """Return the findings, in the order of the file."""
    lines = (SEEDS / "found.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if line and line[0] != "#"]
    return [Found(name, did, tuple(tried.split("; "))) for name, did, tried in rows]
