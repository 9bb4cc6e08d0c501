"""Draws the panels of a scene below its board: rows of small pieces with numbers, and sentences."""

from __future__ import annotations

from collections.abc import Iterable

from pbm.rules.drawing.scene import Entry, Panel, Piece
from pbm.rules.drawing.svg.elements import text, text_width
from pbm.rules.drawing.svg.piece_layer import PieceLayer

_SIZE = 13.0
_LINE = 21.0
_ICON = 8.0
_INDENT = 10.0
_SHORT = 2
"""The length of a text that the icon shows, and nothing beside it."""
_WITHOUT_ICON = ("tile",)
_GAP = 9.0
"""Between two entries."""


def draw_panels(
    panels: Iterable[Panel], pieces: PieceLayer, top: float, width: float
) -> tuple[str, float]:
    """The panels from `top` down, and where they end."""
    rows = _Rows(pieces, top, width)
    for panel in panels:
        rows.add(panel)
    return rows.finish()


class _Rows:
    """Writes words and small pieces from the left to the right, row after row."""

    def __init__(self, pieces: PieceLayer, top: float, width: float) -> None:
        self._pieces = pieces
        self._end = width - _INDENT
        self._x, self._y = _INDENT, top + 4.0
        self._drawn: list[str] = []

    def add(self, panel: Panel) -> None:
        """A panel, beginning on a row of its own."""
        if panel.seat is not None:
            self._icon(Piece("", "disc", panel.seat))
        if panel.title:
            self._words(panel.title, "words")
            self._x += _GAP
        for entry in panel.entries:
            self._entry(entry)
        self._break()

    def finish(self) -> tuple[str, float]:
        """What was drawn, and where it ends."""
        return "".join(self._drawn), self._y + (0.0 if self._drawn else -8.0)

    def _entry(self, entry: Entry) -> None:
        has_icon = bool(entry.kind) and entry.kind not in _WITHOUT_ICON
        words = _words(entry, is_labelled=has_icon and len(entry.text) <= _SHORT)
        length = text_width(words, _SIZE) + (2 * _ICON + 5 if has_icon else 0)
        if self._x > _INDENT and self._x + length > self._end:
            self._break()
        if has_icon:
            label = entry.text if len(entry.text) <= _SHORT else ""
            self._icon(Piece("", entry.kind, entry.seat, label=label))
        self._words(words, "label")
        self._x += _GAP

    def _icon(self, piece: Piece) -> None:
        self._drawn.append(self._pieces.use(piece, _ICON, self._x + _ICON, self._y))
        self._x += 2 * _ICON + 5

    def _words(self, words: str, style: str) -> None:
        """Words, continued on further rows where they do not fit."""
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


def _words(entry: Entry, *, is_labelled: bool) -> str:
    """What is written beside the icon, which shows the text itself if it `is_labelled`."""
    if is_labelled:
        return f"\u00d7{entry.count}" if entry.count != 1 else ""
    is_one = entry.count == 1 and (entry.seat is None or entry.text[-1:].isdigit())
    return entry.text if is_one else f"{entry.text} {entry.count}"
