"""Draws the panels of a scene below its board: rows of small pieces with numbers, and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbm.rules.drawing.scene import Entry, Panel, Piece
from pbm.rules.drawing.svg.elements import text, text_width
from pbm.rules.drawing.svg.piece_layer import PieceLayer

_SIZE = 13.0
_LINE = 21.0
_ICON = 8.0
_STYLED = 10.0
"""The size of small pieces, and of those in fields that write on them: shogi and xiangqi."""
_INDENT = 10.0
_SHORT = 2
"""The length of a text that the icon shows, and nothing beside it."""
_WITHOUT_ICON = ("tile",)
_GAP = 9.0
"""Between two entries."""


def draw_panels(
    panels: Iterable[Panel], pieces: PieceLayer, top: float, width: float
) -> tuple[str, float]:
    """Return the panels from `top` down, and where they end."""
    rows = _Rows(pieces, top, width)
    for panel in panels:
        rows.add(panel)
    return rows.finish()


class _Rows:
    """Writes words and small pieces from the left to the right, row after row."""

    def __init__(self, pieces: PieceLayer, top: float, width: float) -> None:
        self._pieces = pieces
        self._end = width - _INDENT
        self._size = _STYLED if pieces.writes_on_men else _ICON
        self._x, self._y = _INDENT, top + 4.0
        self._drawn: list[str] = []

    def add(self, panel: Panel) -> None:
        """Add a panel, beginning on a row of its own."""
        shown = [entry for entry in panel.entries if entry.short != "-"]
        if panel.entries and not shown:
            return
        if panel.seat is not None:
            self._icon(Piece("", "disc", panel.seat))
        if panel.title:
            self._words(panel.title, "words")
            self._x += _GAP
        for entry in shown:
            is_another = entry.seat is not None and entry.seat != panel.seat
            kind = entry.kind or ("disc" if is_another else "")
            self._entry(replace(entry, kind=kind), is_counted=panel.is_counted)
        self._break()

    def finish(self) -> tuple[str, float]:
        """Return the drawing, and its lower end."""
        return "".join(self._drawn), self._y + (0.0 if self._drawn else -8.0)

    def _entry(self, entry: Entry, *, is_counted: bool) -> None:
        has_icon = bool(entry.kind) and entry.kind not in _WITHOUT_ICON
        is_labelled = has_icon and len(entry.text) <= _SHORT
        if is_labelled:
            words = f"\u00d7{entry.count}" if entry.count != 1 else ""
        else:
            words = _write(entry, is_counted=is_counted)
        length = text_width(words, _SIZE) + (2 * self._size + 5 if has_icon else 0)
        if self._x > _INDENT and self._x + length > self._end:
            self._break()
        if has_icon:
            label = entry.text if is_labelled else ""
            self._icon(Piece("", entry.kind, entry.seat, label=label), self._size)
        self._words(words, "label")
        self._x += _GAP

    def _icon(self, piece: Piece, size: float = _ICON) -> None:
        self._drawn.append(self._pieces.use(piece, size, self._x + size, self._y))
        self._x += 2 * size + 5

    def _words(self, words: str, style: str) -> None:
        """Draw words, continued on further rows where they do not fit."""
        line = ""
        for word in words.split():
            longer = f"{line} {word}".lstrip()
            if line and self._x + text_width(longer, _SIZE) > self._end:
                self._write(line, style)
                self._break()
                longer = word
            line = longer
        self._write(line, style)

    def _write(self, line: str, style: str) -> None:
        self._drawn.append(text(line, f"{style} start", _SIZE, self._x, self._y))
        self._x += text_width(line, _SIZE)

    def _break(self) -> None:
        self._x, self._y = _INDENT, self._y + _LINE


def _write(entry: Entry, *, is_counted: bool) -> str:
    """Return the text, and the number where there is one: that of a thing that its panel counts, or
    of a seat's whose text has none."""
    if entry.short:
        return entry.short
    has_number = is_counted or (entry.seat is not None and not entry.text[-1:].isdigit())
    return f"{entry.text} {entry.count}" if has_number else entry.text
