"""Pictures of boards: rows of characters with roles, from which text, HTML and terminal colours are
made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

PLAIN = "plain"
LABEL = "label"
LAST = "last"
"""Roles of a run of characters; a piece of seat n has the role `seat(n)`."""


def seat(number: int) -> str:
    """The role of what belongs to a seat."""
    return f"seat{number}"


Ink = tuple[int, int, str]
"""(row, column, text) on a sheet."""


@dataclass(frozen=True)
class Picture:
    """Rows of characters, and for each row the roles that are not plain, by column."""

    lines: tuple[str, ...]
    roles: tuple[Mapping[int, str], ...]

    @cached_property
    def text(self) -> str:
        """The rows as lines without trailing blanks."""
        return "\n".join([line.rstrip() for line in self.lines])

    @property
    def rows(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The rows as (text, role) runs."""
        return tuple(map(split_runs, self.lines, self.roles))


class Canvas:
    """A sheet that grows as it is written on; row 0 is the top, column 0 the left.

    Each row stores its characters and, by column, the few roles that are not plain."""

    __slots__ = ("_chars", "_roles")

    def __init__(self) -> None:
        self._chars: list[list[str]] = []
        self._roles: list[dict[int, str]] = []

    @property
    def height(self) -> int:
        """The number of rows so far."""
        return len(self._chars)

    def put(self, row: int, column: int, text: str, role: str = PLAIN) -> None:
        """Write `text` from (row, column) to the right, overwriting what was there."""
        roles = self._write(row, column, text)
        if role != PLAIN:
            for at in range(column, column + len(text)):
                roles[at] = role
        elif roles:
            for at in range(column, column + len(text)):
                roles.pop(at, None)

    def ink(self, texts: Iterable[Ink]) -> None:
        """Write texts where the sheet has plain characters already, blanks for instance: several
        times as fast as to `put` them."""
        rows = self._chars
        for row, column, text in texts:
            rows[row][column : column + len(text)] = text

    def lay(self, row: int, column: int, chars: Sequence[str], roles: Sequence[str]) -> None:
        """Write characters with a role each from (row, column) to the right, like `put`."""
        kept = self._write(row, column, chars)
        for at, role in enumerate(roles, column):
            if role != PLAIN:
                kept[at] = role
            else:
                kept.pop(at, None)

    def _write(self, row: int, column: int, text: Sequence[str]) -> dict[int, str]:
        """Write characters; returns the roles of their row."""
        while len(self._chars) <= row:
            self._chars.append([])
            self._roles.append({})
        chars = self._chars[row]
        end = column + len(text)
        if end > len(chars):
            chars.extend(" " * (end - len(chars)))
        chars[column:end] = text
        return self._roles[row]

    def line(self, text: str = "", role: str = PLAIN) -> None:
        """Write `text` as a new row at the bottom."""
        self.put(self.height, 0, text, role)

    def copy(self) -> Canvas:
        """A copy of the sheet."""
        sheet = Canvas()
        sheet._chars = [chars[:] for chars in self._chars]
        sheet._roles = [roles.copy() for roles in self._roles]
        return sheet

    def picture(self) -> Picture:
        """The finished picture."""
        return Picture(tuple(map("".join, self._chars)), tuple(map(dict, self._roles)))


def split_runs(text: str, roles: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    """A row as (text, role) runs."""
    if not roles:
        return ((text, PLAIN),) if text else ()
    runs: list[tuple[str, str]] = []
    start = end = 0
    running = PLAIN
    for column in sorted(roles):
        role = roles[column]
        if column != end or role != running:
            if end > start:
                runs.append((text[start:end], running))
            if column > end:
                runs.append((text[end:column], PLAIN))
            start, running = column, role
        end = column + 1
    runs.append((text[start:end], running))
    if end < len(text):
        runs.append((text[end:], PLAIN))
    return tuple(runs)
