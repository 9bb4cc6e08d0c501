"""The process in which house players think: a line of JSON in, a line of JSON out, until the input
ends. It knows games and bots only: no database, no mail.

    {"name": "mcts", "game": "cradle", "position": "...", "seat": 0, "seconds": 2.0, "claim": false}
    {"text": "b1,c1,d1,d2"}

With "claim" a draw may be claimed, and the text may be `propose`."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pbm.bots import mcts_accepts_draw, mcts_turn, random_turn, turn_text
from pbm.games import get_game

CLAIM = "propose"
_KIND = 19


def found(asked: Mapping[str, Any], dice: random.Random) -> str:
    """The moves of a turn as one text, or `propose`."""
    position = get_game(asked["game"]).decode(asked["position"])
    seat = int(asked["seat"])
    parts = 2 if asked["claim"] else 1
    seconds, is_random = float(asked["seconds"]) / parts, asked["name"] == "random"
    if asked["claim"] and (
        is_random or mcts_accepts_draw(position, dice, partial(_budget(seconds), 1.0))
    ):
        return CLAIM
    if is_random:
        return turn_text(position, seat, random_turn(position, seat, dice))
    moves = mcts_turn(position, seat, dice, _budget(seconds))
    return turn_text(position, seat, moves)


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
