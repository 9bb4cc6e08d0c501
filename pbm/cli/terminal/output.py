"""Output on a terminal: tables, times, JSON, and text without control characters."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import click

_WIDEST = 60
_BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"


def clean(text: str) -> str:
    """Return the text with control characters replaced by question marks."""
    return "".join(
        letter if letter == "\n" or letter.isprintable() else " " if letter == "\t" else "?"
        for letter in text
    )


def join_lines(text: str) -> str:
    """Return the text on one line, without control characters."""
    return clean(" ".join(text.split()))


def format_time(seconds: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC; None for None."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_duration(seconds: float) -> str:
    """Return a duration in its largest unit: 40 s, 3 min, 5 h, 12 d."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def draw_sparkline(values: Sequence[int]) -> str:
    """Return the values as one row of bars."""
    most = max(values, default=0) or 1
    return "".join(_BARS[value * (len(_BARS) - 1) // most] for value in values)


def show(text: str) -> None:
    """Print the text, through a pager if it is longer than the terminal."""
    if sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        os.environ.setdefault("LESS", "FRX")
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=not text.endswith("\n"))


def format_columns(words: Sequence[str], width: int = 78) -> str:
    """Return the words in as many columns as fit, filled row by row."""
    widest = max(map(len, words), default=0) + 2
    a_row = max(1, width // widest)
    rows = [words[at : at + a_row] for at in range(0, len(words), a_row)]
    return "".join("".join(word.ljust(widest) for word in row).rstrip() + "\n" for row in rows)


def print_json(value: object) -> None:
    """Print the value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool, none: str = "none") -> None:
    """Print the rows as a JSON list, or as a table with the keys of the first row as columns."""
    if as_json:
        print_json([dict(row) for row in rows])
        return
    if not rows:
        click.echo(none)
        return
    names, cells = _format_cells(rows)
    if sys.stdout.isatty() and _print_with_rich(names, cells):
        return
    show("\n".join(format_table(names, cells)) + "\n")


def format_rows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the lines of a plain table of rows, of which there is at least one."""
    return format_table(*_format_cells(rows))


def _format_cells(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    names = list(rows[0])
    return names, [[_format_cell(row[name]) for name in names] for row in rows]


def format_table(names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a plain table."""
    widths = [max(len(name), *(len(row[at]) for row in cells), 1) for at, name in enumerate(names)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (names, *cells)
    ]


def _format_cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return join_lines(" ".join(str(each) for each in value))
    text = join_lines(str(value))
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def _print_with_rich(names: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Print the table with rich; False if rich is not installed."""
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        return False
    table = Table(*names, box=None, pad_edge=False, header_style="bold")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    console = Console()
    if len(cells) >= console.size.height:
        os.environ.setdefault("LESS", "FRX")
        with console.pager(styles=True):
            console.print(table)
    else:
        console.print(table)
    return True
