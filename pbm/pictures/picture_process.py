"""The process in which a server draws the boards of its mails: resvg lets no other thread run
meanwhile, and its memory is returned when nobody has wanted a picture for a while. It is as nice as
can be, so that mails are executed first.

    {"board": "{...}", "most": 36000, "variants": ["/etc/pbm/variants.ini"]}
    {"png": "iVBORw0KGgo...", "width": 390.0, "words": "...", "moves": [["a1", "a1"]]}
    or {"error": "..."}"""

from __future__ import annotations

import json
import os
import signal
import sys
from base64 import b64encode
from typing import Any

from pbm.config import bring_variants
from pbm.pictures.mailed_board import draw_written_board

_IDLE = 60
"""Seconds without a request after which the process ends."""
_KIND = 19


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the picture, or why there is none."""
    try:
        picture = draw_written_board(request["board"], request["most"])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {
        "png": b64encode(picture.png).decode(),
        "width": picture.width,
        "words": picture.words,
        "moves": picture.moves,
    }


def main() -> None:
    """Answer requests until the server closes the pipe; SIGALRM ends it when there is none for a
    while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.alarm(_IDLE)
    os.nice(_KIND)
    variants: list[str] = []
    for line in sys.stdin:
        signal.alarm(0)
        request = json.loads(line)
        if variants != request["variants"]:
            variants = request["variants"]
            bring_variants(variants)
        sys.stdout.write(json.dumps(answer(request)) + "\n")
        sys.stdout.flush()
        signal.alarm(_IDLE)
