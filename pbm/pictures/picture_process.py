"""The process in which a server makes PNG: resvg lets no other thread run meanwhile, and its memory
is returned when nobody has wanted a picture for a while.

    {"svg": "<svg ...", "most": 25000}
    {"png": "iVBORw0KGgo..."} or {"error": "..."}"""

from __future__ import annotations

import json
import signal
import sys
from base64 import b64encode
from typing import Any

from pbm.pictures.png import make_png

_IDLE = 60
"""Seconds without a request after which the process ends."""


def answer(request: dict[str, Any]) -> dict[str, str]:
    """The picture, or why there is none."""
    try:
        png = make_png(request["svg"], request["most"])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"png": b64encode(png).decode()}


def main() -> None:
    """Answer requests until the server closes the pipe; SIGALRM ends it when there is none for a
    while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.alarm(_IDLE)
    for line in sys.stdin:
        signal.alarm(0)
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()
        signal.alarm(_IDLE)
