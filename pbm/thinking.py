"""The process in which house players think: a line of JSON in, a line of JSON out, until the input
ends. It knows games and bots only: no database, no mail.

    {"name": "mcts", "game": "cradle", "position": "...", "seat": 0, "seconds": 2.0}
    {"text": "b1,c1,d1,d2"}"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from pbm.bots import mcts_turn, random_turn, typed
from pbm.games import get_game

_KIND = 19


def found(asked: Mapping[str, Any], dice: random.Random) -> str:
    """The moves of a turn as one text."""
    position = get_game(asked["game"]).decode(asked["position"])
    seat = int(asked["seat"])
    if asked["name"] == "random":
        return typed(position, seat, random_turn(position, seat, dice))
    moves = mcts_turn(position, seat, dice, _budget(float(asked["seconds"])))
    return typed(position, seat, moves)


def _budget(seconds: float) -> Callable[[float], bool]:
    """Says when a part of the time is over: time of the processor, so that a busy machine makes no
    weaker player, but never more than twice as much on the wall."""
    begun, started = time.process_time(), time.monotonic()

    def enough(part: float) -> bool:
        return (
            time.process_time() - begun >= part * seconds
            or time.monotonic() - started >= 2 * part * seconds
        )

    return enough


def main() -> None:
    """Answer until the daemon closes the pipe; give way to every other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_KIND)
    dice = random.Random()  # noqa: S311 (moves, not secrets)
    for line in sys.stdin:
        sys.stdout.write(json.dumps({"text": found(json.loads(line), dice)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
