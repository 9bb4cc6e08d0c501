"""Boards in the colours of a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Picture

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
    """Return the text with the picture in it coloured: the pieces of a seat in the colour that the
    seat is named after, and the last move in reverse."""
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
