"""Pictures of boards: rows of characters with roles, from which text, HTML and terminal colours
are made. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

PLAIN = "plain"
LABEL = "label"
LAST = "last"
"""Roles of a run of characters; a piece of seat n has the role `seat(n)`."""


def seat(number: int) -> str:
    """The role of what belongs to a seat."""
    return f"seat{number}"


@dataclass(frozen=True, slots=True)
class Picture:
    """Rows of (text, role) runs."""

    rows: tuple[tuple[tuple[str, str], ...], ...]

    @property
    def text(self) -> str:
        """The rows as lines without trailing blanks."""
        return "\n".join("".join(run for run, _ in row).rstrip() for row in self.rows)


class Canvas:
    """A sheet that grows as it is written on; row 0 is the top, column 0 the left."""

    __slots__ = ("_chars", "_roles")

    def __init__(self) -> None:
        self._chars: list[list[str]] = []
        self._roles: list[list[str]] = []

    @property
    def height(self) -> int:
        """The number of rows so far."""
        return len(self._chars)

    def put(self, row: int, column: int, text: str, role: str = PLAIN) -> None:
        """Write `text` from (row, column) to the right; what stood there is overwritten."""
        while len(self._chars) <= row:
            self._chars.append([])
            self._roles.append([])
        chars, roles = self._chars[row], self._roles[row]
        short = column + len(text) - len(chars)
        if short > 0:
            chars.extend(" " * short)
            roles.extend([PLAIN] * short)
        chars[column : column + len(text)] = text
        roles[column : column + len(text)] = [role] * len(text)

    def lay(self, row: int, column: int, chars: Sequence[str], roles: Sequence[str]) -> None:
        """Write characters with a role each from (row, column) to the right, like `put`."""
        self.put(row, column, " " * len(chars))
        self._chars[row][column : column + len(chars)] = chars
        self._roles[row][column : column + len(chars)] = roles

    def line(self, text: str = "", role: str = PLAIN) -> None:
        """Write `text` as a new row at the bottom."""
        self.put(self.height, 0, text, role)

    def copy(self) -> Canvas:
        """A sheet with the same on it, to write on separately."""
        sheet = Canvas()
        sheet._chars = [chars[:] for chars in self._chars]
        sheet._roles = [roles[:] for roles in self._roles]
        return sheet

    def picture(self) -> Picture:
        """What is on the sheet."""
        return Picture(tuple(map(_runs, self._chars, self._roles)))


def _runs(chars: Sequence[str], roles: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if roles and roles.count(roles[0]) == len(roles):
        return (("".join(chars), roles[0]),)
    runs: list[tuple[str, str]] = []
    start = 0
    for role, run in groupby(roles):
        end = start + len(list(run))
        runs.append(("".join(chars[start:end]), role))
        start = end
    return tuple(runs)
