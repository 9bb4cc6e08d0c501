"""Turns the help pages, which are plain text, into Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

_HEADING = re.compile(r"[A-Z][A-Z' -]+")
_MARKUP = re.compile(r"([\\`*_<>\[\]#|])")
_NUMBERED = re.compile(r"[0-9]+\. ")
_TYPED = re.compile(r" +\w*> ")


def convert_text(text: str) -> str:
    """Return the Markdown of a text: lines in capitals are headings, indented lines stay as they
    are, all others are paragraphs."""
    return "\n\n".join(_convert_block(block) for block in _split_blocks(text)) + "\n"


def _split_blocks(text: str) -> Iterator[list[str]]:
    """Yield headings, paragraphs, items, and runs of indented lines with the empty lines between
    them."""
    block: list[str] = []
    for line in text.rstrip().split("\n"):
        if not _belongs(line, block):
            yield from _finish(block)
            block = []
        block.append(line)
    yield from _finish(block)


def _finish(block: list[str]) -> Iterator[list[str]]:
    while block and not block[-1].strip():
        block.pop()
    if any(line.strip() for line in block):
        yield block


def _belongs(line: str, block: list[str]) -> bool:
    """Whether a line goes on with a block."""
    last = next((each for each in reversed(block) if each.strip()), "")
    if not last:
        return False
    if _is_item(block[0]):
        return bool(line.startswith("  ") or (not line and _is_item(block[0])))
    is_indented = last.startswith(" ")
    if not line.strip():
        return is_indented
    if _HEADING.fullmatch(line) or _HEADING.fullmatch(last) or _is_item(line):
        return False
    return line.startswith(" ") == is_indented


def _is_item(line: str) -> bool:
    return line.startswith("- ") or bool(_NUMBERED.match(line))


def _convert_block(block: list[str]) -> str:
    first = block[0]
    if _HEADING.fullmatch(first):
        return f"## {first.capitalize()}"
    if _is_item(first):
        return _convert_item(block)
    if first.startswith(" "):
        return _fence(block)
    return _escape(" ".join(line.strip() for line in block))


def _convert_item(block: list[str]) -> str:
    """Return an item of a list, in which lines such as `> games` or `bob> games` are commands."""
    mark, _, text = block[0].partition(" ")
    parts = []
    for is_command, run in groupby([text, *block[1:]], key=lambda line: bool(_TYPED.match(line))):
        lines = [line.strip() for line in run]
        parts.append(
            "\n".join(f"    {line}" for line in lines) if is_command else _escape(" ".join(lines))
        )
    first, *more = parts
    rest = [f"\n\n{textwrap.indent(part, '    ')}" for part in more]
    return f"{mark} {first}{''.join(rest)}"


def _fence(lines: list[str]) -> str:
    """Return the lines as they are, without the blanks that begin all of them."""
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(["```text", *(line[least:] for line in lines), "```"])


def _escape(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
