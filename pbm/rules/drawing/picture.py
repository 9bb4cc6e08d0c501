"""Pictures of boards: rows of characters with roles, from which text, HTML and terminal colours are
made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import accumulate
from textwrap import wrap
from typing import NamedTuple

from pbm.rules import phrases
from pbm.rules.phrases import Composed, PieceText

PLAIN = "plain"
LABEL = "label"
LAST = "last"
_OF_SEATS = "seat"
"""Roles of a run of characters; a piece of seat n has the role `seat(n)`."""


@cache
def seat(number: int) -> str:
    """Return the role of a seat's pieces and other things."""
    return f"seat{number}"


Ink = tuple[int, int, bytearray]
"""Where a text starts and ends on a sheet, and its characters: as a bytearray, since `bytes` would
be copied first."""
_WIDEST_GAP = 3
"""The most blanks between two texts that follow each other."""
Letter = tuple[int, int]
"""The position of a single character on a sheet, and the character."""


class Writing(NamedTuple):
    """A translatable text at this row and column.

    room    its columns in a table, whose other columns stay in place; 0: the text behind it moves
    height  its rows if it is a paragraph of lines as wide as `room`; else 0
    hang    the further indentation of its later rows
    """

    row: int
    column: int
    text: str
    room: int = 0
    height: int = 0
    hang: int = 0


@dataclass(frozen=True)
class Picture:
    """Rows of characters; for each row the roles that are not plain, by column; its translatable
    texts; and the letters that readers may see in another language (`Position.letters`)."""

    lines: tuple[str, ...]
    roles: tuple[Mapping[int, str], ...]
    texts: tuple[Writing, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()

    @cached_property
    def text(self) -> str:
        """The rows as lines without trailing blanks."""
        text = "\n".join([line.rstrip() for line in self.lines])
        return Composed(text, self._say_text) if self.texts or self.letters else text

    def _say_text(self, say: Callable[[str], str]) -> str:
        return self.say(say).text

    @property
    def rows(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The rows as (text, role) runs."""
        return tuple(map(split_runs, self.lines, self.roles))

    def say(self, say: Callable[[str], str]) -> Picture:
        """Return the picture with its texts translated."""
        if self.letters:
            lines = tuple(map(partial(self._say_pieces, say), self.lines, self.roles))
            return replace(self, lines=lines, letters=()).say(say)
        if not self.texts:
            return self
        texts, skipped = dict[int, list[Writing]](), set[int]()
        for each in self.texts:
            texts.setdefault(each.row, []).append(each)
            skipped.update(range(each.row + 1, each.row + each.height))
        rows = list[tuple[str, Mapping[int, str]]]()
        for number, row in enumerate(zip(self.lines, self.roles, strict=True)):
            if number in texts:
                rows += _say_row(*row, texts[number], say)
            elif number not in skipped:
                rows.append(row)
        lines, roles = zip(*rows, strict=True)
        return Picture(lines, roles)

    def _say_pieces(self, say: Callable[[str], str], line: str, roles: Mapping[int, str]) -> str:
        """Return a row with the letters of its pieces in the reader's language."""
        chars = list(line)
        for at, role in roles.items():
            if role.startswith(_OF_SEATS) and chars[at].isalpha():
                chars[at] = say(PieceText(chars[at], self.letters))
        return "".join(chars)


def _say_row(
    line: str, roles: Mapping[int, str], texts: Sequence[Writing], say: Callable[[str], str]
) -> Iterable[tuple[str, Mapping[int, str]]]:
    """Yield a row with its texts translated, or the rows of a paragraph."""
    said, marks, done = "", dict[int, str](), 0
    for text in sorted(texts):
        done, said = _keep_column(line, done, text.column, said)
        role, spoken = roles.get(text.column, PLAIN), say(text.text)
        marks.update(_move(roles, done, text.column, len(said)))
        said += line[done : text.column]
        if text.height:
            for piece in phrases.wrap(spoken, text.room, later=" " * text.hang):
                said = f"{said:{text.column}}"
                yield said + piece, marks | _colour(text.column, piece, role)
                said, marks = "", {}
            return
        marks.update(_colour(len(said), spoken, role))
        said += f"{spoken:{text.room}}"[: text.room] if text.room else spoken
        done = text.column + max(text.room, len(text.text))
    done, said = _keep_column(line, done, len(line), said)
    marks.update(_move(roles, done, len(line), len(said)))
    yield said + line[done:], marks


def _keep_column(line: str, done: int, end: int, said: str) -> tuple[int, str]:
    """Return the column from which the rest of a row is copied behind a translated text, and the
    text with its padding. Behind a wide gap things stand in columns, which stay in place if
    possible."""
    gap = end - done - len(line[done:end].lstrip(" "))
    if gap <= _WIDEST_GAP:
        return done, said
    said = f"{said:{done}}"
    return done + min(len(said) - done, gap - 1), said


def _colour(column: int, text: str, role: str) -> dict[int, str]:
    """Return the roles of a text that begins at a column."""
    return dict.fromkeys(range(column, column + len(text)), role) if role != PLAIN else {}


def _move(roles: Mapping[int, str], start: int, end: int, column: int) -> dict[int, str]:
    """Return the roles of some columns at their text's new place."""
    return {column + at - start: role for at, role in roles.items() if start <= at < end}


class Canvas:
    """A page that grows as it is written on; row 0 is the top, column 0 the left. Phrases on it can
    be translated.

    Each row stores its characters and, by column, the few roles that are not plain. A row that is
    closed is a text, with roles that a picture may share, until something is written there."""

    __slots__ = ("_chars", "_closed", "_roles", "_texts")

    def __init__(
        self,
        rows: Iterable[str] = (),
        roles: Iterable[dict[int, str]] = (),
        texts: Iterable[Writing] = (),
    ) -> None:
        self._closed = dict(enumerate(rows))
        self._chars: list[list[str]] = [[]] * len(self._closed)
        self._roles = [*roles]
        self._texts = [*texts]

    @property
    def height(self) -> int:
        """The number of rows so far."""
        return len(self._chars)

    def put(self, row: int, column: int, text: str, role: str = PLAIN, room: int = 0) -> None:
        """Write `text` from (row, column) to the right, overwriting what was there. In translations
        what follows it moves, unless it has `room` in a table."""
        if type(text) is not str:
            self._texts.append(Writing(row, column, text, room))
        roles = self._write(row, column, text)
        if role != PLAIN:
            for at in range(column, column + len(text)):
                roles[at] = role
        elif roles:
            for at in range(column, column + len(text)):
                roles.pop(at, None)

    def _write(self, row: int, column: int, text: str) -> dict[int, str]:
        """Write characters. Return the roles of their row."""
        if row in self._closed or row >= len(self._chars):
            self._open(row)
        chars, end = self._chars[row], column + len(text)
        if end > len(chars):
            chars.extend(" " * (end - len(chars)))
        chars[column:end] = text
        return self._roles[row]

    def _open(self, row: int) -> None:
        """Prepare a row for writing, and make missing rows above it."""
        while len(self._chars) <= row:
            self._chars.append([])
            self._roles.append({})
        if row in self._closed:
            self._chars[row] = [*self._closed.pop(row)]
            self._roles[row] = self._roles[row].copy()

    def colour(self, row: int, column: int, width: int, role: str) -> None:
        """Give a role to existing text from (row, column) to the right."""
        roles = self._roles[row] = self._roles[row].copy()
        for at in range(column, column + width):
            roles[at] = role

    def line(self, text: str = "", role: str = PLAIN) -> None:
        """Write `text` as a new row at the bottom."""
        if type(text) is not str:
            self._texts.append(Writing(len(self._chars), 0, text))
        self._closed[len(self._chars)] = text
        self._chars.append([])
        self._roles.append(dict.fromkeys(range(len(text)), role) if role != PLAIN else {})

    def paragraph(
        self,
        text: str,
        role: str = PLAIN,
        *,
        indent: int = 3,
        width: int = 75,
        hang: int = 0,
        hyphens: bool = True,
    ) -> None:
        """Write `text` as new rows at the bottom, with at most `width` columns after `indent`
        blanks; those after the first begin `hang` columns farther in. `hyphens`: words may be
        broken behind them."""
        top = len(self._chars)
        pieces = wrap(text, width, subsequent_indent=" " * hang, break_on_hyphens=hyphens)
        for piece in pieces:
            self.line(f"{' ' * indent}{piece}", role)
        if type(text) is not str and pieces:
            self._texts.append(Writing(top, indent, text, width, len(pieces), hang))

    def copy(self) -> Canvas:
        """Return a copy of the page."""
        page = self.picture()
        return Canvas(page.lines, self._roles, page.texts)

    def picture(self, letters: tuple[tuple[str, str], ...] = ()) -> Picture:
        """Return the finished picture, in which pieces have these letters (`Position.letters`)."""
        closed = self._closed
        rows = [
            closed[row] if row in closed else "".join(chars)
            for row, chars in enumerate(self._chars)
        ]
        self._closed = dict(enumerate(rows))
        return Picture(tuple(rows), tuple(self._roles), tuple(self._texts), letters)


class Sheet:
    """A page of printable ASCII on which other pages begin. Writing on its plain characters is
    several times as fast as `put`."""

    __slots__ = ("_roles", "_starts", "_text")

    def __init__(self, page: Picture) -> None:
        self._text = "\n".join(page.lines).encode("ascii")
        self._starts = [*accumulate((len(line) + 1 for line in page.lines), initial=0)]
        self._roles = [*map(dict, page.roles)]

    def find(self, row: int, column: int) -> int:
        """Return the index of the character at (row, column)."""
        return self._starts[row] + column

    def ink(self, texts: Iterable[Ink], letters: Iterable[Letter]) -> Canvas:
        """Return the page with these texts, and with these single characters, which are written
        faster."""
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
