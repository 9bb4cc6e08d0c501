"""The process in which a server draws the boards of its mails: resvg lets no other thread run
meanwhile, and its memory is returned when nobody has wanted a picture for a while. It is as nice as
can be, so that mails are executed first.

    {"board": "{...}", "most": 36000, "variants": ["/etc/pbm/variants.ini"]}
    {"picture": {"png": "iVBORw0KGgo...", "width": 390.0, "words": "...", "moves": [["a1", "a1"]]}}
    or {"error": "..."}"""

from __future__ import annotations

import os
import signal
import sys

import msgspec

from pbm.config import bring_variants
from pbm.pictures.mailed_board import BoardPicture, draw_written_board

_IDLE = 60
"""Seconds without a request after which the process ends."""
_KIND = 19


class PictureRequest(msgspec.Struct, frozen=True):
    """A board as `write_board` wrote it, to be drawn in at most `most` bytes; the files of the
    server's variants."""

    board: str
    most: int
    variants: list[str]


class PictureAnswer(msgspec.Struct, frozen=True):
    """The picture, or why there is none."""

    picture: BoardPicture | None = None
    error: str = ""


def answer(request: PictureRequest) -> PictureAnswer:
    """Return the picture, or why there is none."""
    try:
        return PictureAnswer(draw_written_board(request.board, request.most))
    except Exception as error:
        return PictureAnswer(error=f"{type(error).__name__}: {error}")


def main() -> None:
    """Answer requests until the server closes the pipe; SIGALRM ends it when there is none for a
    while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.alarm(_IDLE)
    os.nice(_KIND)
    reader = msgspec.json.Decoder(PictureRequest)
    variants: list[str] = []
    for line in sys.stdin.buffer:
        signal.alarm(0)
        request = reader.decode(line)
        if variants != request.variants:
            variants = request.variants
            bring_variants(variants)
        # Moves and words may be phrases, which are text of their own types.
        sys.stdout.buffer.write(msgspec.json.encode(answer(request), enc_hook=str) + b"\n")
        sys.stdout.flush()
        signal.alarm(_IDLE)
