"""Writes the board that a command shows to files: `--svg FILE`, `--png FILE`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import Struct

from pbm.cli import REFUSED, USAGE, Failed
from pbm.core.notices import Notice


class BoardFiles(Struct, frozen=True):
    """Where pictures of the board go, "" for nowhere, and whether they are dark."""

    svg: str
    png: str
    dark: bool

    @property
    def are_wanted(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.svg or self.png)

    def write(self, notices: Sequence[Notice]) -> None:
        """Write the board of the first of these notices that shows one. Failed if none does."""
        from pbm.pictures.board_picture import draw_board
        from pbm.pictures.png import PictureError, make_png

        drawings = (notice.content.drawing for notice in notices if notice.is_answer)
        drawing = next(filter(None, drawings), None)
        if drawing is None:
            raise Failed("there is no board to draw: --svg and --png go with show 17", USAGE)
        is_dark = self.dark or None
        try:
            if self.svg:
                svg = draw_board(drawing, dark=is_dark, described=True)
                Path(self.svg).write_text(_drawn(svg), encoding="utf-8")
            if self.png:
                Path(self.png).write_bytes(make_png(_drawn(draw_board(drawing, dark=self.dark))))
        except PictureError as error:
            raise Failed(str(error), REFUSED) from error
        except OSError as error:
            raise Failed(f"{error.filename}: {error.strerror}", REFUSED) from error


def _drawn(svg: str) -> str:
    if not svg:
        raise Failed("this game has no picture", REFUSED)
    return svg


OPTIONS = (
    click.Option(["--svg"], default="", metavar="FILE", help="write the board as SVG"),
    click.Option(["--png"], default="", metavar="FILE", help="write the board as PNG"),
    click.Option(["--dark"], is_flag=True, help="with --svg or --png: a dark picture"),
)
