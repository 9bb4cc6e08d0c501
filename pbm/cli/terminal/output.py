"""Output on a terminal: tables, times, JSON, and text without control characters."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default

import click

from pbm.core.command import Command, NotACommand, Sender
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal
from pbm.mail.headers import TooCostly
from pbm.mail.letter import read_letter
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Picture

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


def format_columns(words: Sequence[str]) -> str:
    """Return the words in as many columns as fit, filled row by row."""
    widest = max(map(len, words), default=0) + 2
    a_row = max(1, 78 // widest)
    rows = [words[at : at + a_row] for at in range(0, len(words), a_row)]
    return "".join("".join(word.ljust(widest) for word in row).rstrip() + "\n" for row in rows)


def print_json(value: object) -> None:
    """Print the value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_rows(rows: Sequence[Mapping[str, object]], *, as_json: bool, none: str = "none") -> None:
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


def format_rows(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the lines of a plain table of rows, of which there is at least one."""
    return format_table(*_format_cells(rows))


def _format_cells(rows: Sequence[Mapping[str, object]]) -> tuple[list[str], list[list[str]]]:
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
    """Print the table with rich. Return False if rich is not installed."""
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


# Masks what an operator must not see: tags of reply tokens, secret links, one-time codes,
# passwords in waiting mails, and what only one seat may see.

_TAG = re.compile(r"\b((?:b\d+-\d+-\d+|[cdpu]\d+)-)[a-z2-7]{16}", re.IGNORECASE)
_LINK = re.compile(r"(/(?:s/\d+-\d+|u/u\d+)-)[a-z2-7]{32}", re.IGNORECASE)
_CODE = re.compile(r"\b[a-hjkmnp-z2-9]{4}(?:-[a-hjkmnp-z2-9]{4}){2}\b")
HIDDEN = "(hidden: --reveal --reason TEXT shows it, which is recorded)"


def mask(text: str) -> str:
    """Return the text with token tags, secret links and codes masked."""
    text = _LINK.sub(r"\1****", text)
    return _CODE.sub("****-****-****", _TAG.sub(r"\1****", text))


def mask_in_sql(expression: str) -> str:
    """Return a PostgreSQL expression that masks the text of another. It masks tags and codes even
    in the middle of a word, since stored text may have an escaped line break before them."""
    for pattern, flags, masked in (
        (_LINK.pattern, "gi", r"\1****"),
        (_TAG.pattern, "gi", r"\1****"),
        (_CODE.pattern, "g", "****-****-****"),
    ):
        plain = pattern.replace(r"\b", "")
        expression = f"regexp_replace({expression}, '{plain}', '{masked}', '{flags}')"
    return expression


def describe_waiting(raw: bytes) -> str:
    """Return the command in a waiting mail's subject, without anything that may be a password."""
    try:
        subject = read_letter(raw, envelope_from=None).subject
    except TooCostly as error:
        return f"(too costly: {error})"
    try:
        return summarize(read_line(subject, Sender()))
    except Refusal:
        return "(a command that cannot be parsed)"
    except NotACommand:
        return "(no command in the subject)"


def summarize(command: Command) -> str:
    """Return a command without its arguments: one may be a misplaced password."""
    words = [command.game] if command.game else []
    words.append(command.verb.name)
    words += [str(command.board)] if command.board else []
    return join_lines(" ".join([*words, "..."]))


def find_sender(raw: bytes) -> str:
    """Return the From header of a mail."""
    return _read_field(raw, "From")


def find_subject(raw: bytes) -> str:
    """Return the masked Subject of an outbound mail."""
    return mask(_read_field(raw, "Subject"))


def _read_field(raw: bytes, name: str) -> str:
    mail = message_from_bytes(raw.partition(b"\r\n\r\n")[0][:16384] + b"\r\n\r\n", policy=default)
    try:
        return join_lines(str(mail[name] or ""))
    except (ValueError, LookupError):
        return "(unreadable)"


def is_personal(raw: bytes) -> bool:
    """Whether an outbound mail contains what only its reader may know, such as a plan."""
    return b"\r\nSensitivity: Private\r\n" in raw.partition(b"\r\n\r\n")[0]


def find_body(raw: bytes) -> str:
    """Return the masked text of an outbound mail."""
    part = message_from_bytes(raw, policy=default).get_body(("plain",))
    return mask(clean(str(part.get_content()).replace("\r\n", "\n"))) if part is not None else ""


# Boards in the colours of a terminal.

_NAMED = {
    "white": "bright_white",
    "black": "bright_black",
    "red": "bright_red",
    "blue": "bright_blue",
    "green": "bright_green",
    "yellow": "bright_yellow",
    "purple": "bright_magenta",
}
_PALETTE = ("bright_cyan", "bright_yellow", "bright_green", "bright_magenta", "bright_red", "blue")


def colour_board(text: str, picture: Picture, colours: Sequence[str]) -> str:
    """Return the text with its picture coloured: the pieces of a seat in the colour that names the
    seat, and the last move in reverse."""
    before, board, after = text.partition(picture.text)
    if not board:
        return text
    rows = ("".join(_style(run, role, colours) for run, role in row) for row in picture.rows)
    return before + "\n".join(rows) + after


def _style(run: str, role: str, colours: Sequence[str]) -> str:
    if role == PLAIN:
        return run
    if role == LAST:
        return click.style(run, reverse=True)
    seat = role.removeprefix("seat")
    if role == LABEL or seat == role or not seat.isdecimal():
        return click.style(run, dim=True)
    number = int(seat)
    name = colours[number] if number < len(colours) else ""
    return click.style(run, fg=_NAMED.get(name, _PALETTE[number % len(_PALETTE)]), bold=True)


# Pictures at terminals that show them: those with the protocol of kitty or of iTerm2.

Protocol = Callable[[bytes], str]
"""Bytes to write so that a terminal shows a PNG."""
_CHUNK = 4096


def choose_protocol(environment: Mapping[str, str]) -> Protocol | None:
    """Return the picture protocol of the terminal; None if it shows no pictures, or is seen through
    tmux or screen."""
    terminal, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if "TMUX" in environment or terminal.startswith("screen"):
        return None
    if "KITTY_WINDOW_ID" in environment or terminal in ("xterm-kitty", "xterm-ghostty"):
        return _write_for_kitty
    return _write_for_iterm if program in ("iTerm.app", "WezTerm") else None


def _write_for_kitty(png: bytes) -> str:
    """Write in chunks, each saying whether more follow."""
    data = b64encode(png).decode()
    chunks = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    return "".join(
        f"\x1b_G{'a=T,f=100,' if not number else ''}m={int(number < len(chunks) - 1)};{chunk}\x1b\\"
        for number, chunk in enumerate(chunks)
    )


def _write_for_iterm(png: bytes) -> str:
    data = b64encode(png).decode()
    return f"\x1b]1337;File=inline=1;size={len(png)};preserveAspectRatio=1:{data}\x07"
