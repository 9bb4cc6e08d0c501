"""Reads the repository's Markdown pages: commands, configurations, links and paths in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click

from pbm.cli import cli

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "config" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    """The page's path in the repository."""
    return str(page.relative_to(ROOT))


def read_page(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def without_blocks(text: str) -> str:
    """The text without its fenced blocks."""
    return _FENCE.sub("", text)


def fenced(text: str, kind: str) -> list[str]:
    """The fenced blocks of one kind."""
    return [body for label, body in _FENCE.findall(text) if label == kind]


def typed_lines(text: str) -> list[str]:
    """The lines to type at a shell, or to mail: those indented by four or eight blanks."""
    return re.findall(r"^(?: {4}| {8})(\S.*)$", without_blocks(text), re.MULTILINE)


def quoted(text: str) -> list[str]:
    """What stands between single backticks, on one line."""
    return [" ".join(words.split()) for words in re.findall(r"`([^`]+)`", without_blocks(text))]


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    titles = re.findall(r"^#+ (.*)$", without_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def words_of(line: str) -> list[str]:
    """The words of a shell line, without the remark that stands beside it."""
    return shlex.split(re.split(r"\s{2,}(?=[A-Za-z])", line)[0])


def leaf(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that the words after `pbm` call, and what is left for it."""
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group):
        inner = command.get_command(context, words[0]) if words else None
        if inner is None:
            raise click.UsageError(f"no such command: {words}")
        command, words = inner, words[1:]
    return command, words


def check_command(words: list[str], *, whole: bool) -> None:
    """Parse the words after `pbm` as the program would; click's error when it would refuse them.
    Where they need not be `whole`, arguments may be missing, or placeholders such as CODE."""
    if words[:1] == ["--config"]:
        words = words[2:]
    words = [word for word in words if word not in ("--help", "--version")]
    if not whole and (not words or words == ["admin"]):
        return
    command, rest = leaf(words)
    try:
        command.make_context(command.name, list(rest))
    except click.MissingParameter:
        if whole:
            raise
    except click.BadParameter:
        if whole or not any(word.isupper() for word in rest):
            raise
