"""Pictures of boards: rows of characters with roles, from which text, HTML and terminal colours are
made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

PLAIN = "plain"
LABEL = "label"
LAST = "last"
"""Roles of a run of characters; a piece of seat n has the role `seat(n)`."""


@cache
def seat(number: int) -> str:
    """Return the role of what belongs to a seat."""
    return f"seat{number}"


Ink = tuple[int, int, bytearray]
"""Where a text starts and ends on a sheet, and its characters: a bytearray takes them over as they
are, while it would first copy `bytes`."""
Letter = tuple[int, int]
"""Where a single character stands on a sheet, and which one."""


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
    """A page that grows as it is written on; row 0 is the top, column 0 the left.

    Each row stores its characters and, by column, the few roles that are not plain. A row that is
    closed is a text, with roles that a picture may share, until something is written there."""

    __slots__ = ("_chars", "_closed", "_roles")

    def __init__(self, rows: Iterable[str] = (), roles: Iterable[dict[int, str]] = ()) -> None:
        self._closed = dict(enumerate(rows))
        self._chars: list[list[str]] = [[]] * len(self._closed)
        self._roles = [*roles]

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

    def _write(self, row: int, column: int, text: str) -> dict[int, str]:
        """Write characters; returns the roles of their row."""
        if row in self._closed or row >= len(self._chars):
            self._open(row)
        chars, end = self._chars[row], column + len(text)
        if end > len(chars):
            chars.extend(" " * (end - len(chars)))
        chars[column:end] = text
        return self._roles[row]

    def _open(self, row: int) -> None:
        """Make a row ready to be written to, and all rows above it that are not there yet."""
        while len(self._chars) <= row:
            self._chars.append([])
            self._roles.append({})
        if row in self._closed:
            self._chars[row] = [*self._closed.pop(row)]
            self._roles[row] = self._roles[row].copy()

    def colour(self, row: int, column: int, width: int, role: str) -> None:
        """Give a role to what is already written from (row, column) to the right."""
        roles = self._roles[row] = self._roles[row].copy()
        for at in range(column, column + width):
            roles[at] = role

    def line(self, text: str = "", role: str = PLAIN) -> None:
        """Write `text` as a new row at the bottom."""
        self._closed[len(self._chars)] = text
        self._chars.append([])
        self._roles.append(dict.fromkeys(range(len(text)), role) if role != PLAIN else {})

    def copy(self) -> Canvas:
        """Return a copy of the page."""
        page = self.picture()
        return Canvas(page.lines, self._roles)

    def picture(self) -> Picture:
        """Return the finished picture."""
        closed = self._closed
        rows = [
            closed[row] if row in closed else "".join(chars)
            for row, chars in enumerate(self._chars)
        ]
        self._closed = dict(enumerate(rows))
        return Picture(tuple(rows), tuple(self._roles))


class Sheet:
    """A page of printable ASCII on which other pages begin: what they write where it has plain
    characters is written several times as fast as one could `put` it."""

    __slots__ = ("_roles", "_starts", "_text")

    def __init__(self, page: Picture) -> None:
        self._text = "\n".join(page.lines).encode("ascii")
        self._starts = [*accumulate((len(line) + 1 for line in page.lines), initial=0)]
        self._roles = [*map(dict, page.roles)]

    def find(self, row: int, column: int) -> int:
        """Return where the sheet has the character at (row, column)."""
        return self._starts[row] + column

    def ink(self, texts: Iterable[Ink], letters: Iterable[Letter]) -> Canvas:
        """Return the page with these texts, and with these single characters, which are faster
        written."""
        text = bytearray(self._text)
        for start, end, written in texts:
            text[start:end] = written
        for at, letter in letters:
            text[at] = letter
        return Canvas(text.decode("ascii").split("\n"), self._roles)


def split_runs(text: str, roles: Mapping[int, str]) -> tuple[tuple[str, str], ...]:
    """Return a row as (text, role) runs."""
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
