"""The process in which bots think: a line of JSON in, a line of JSON out, until the input ends. It
knows games and bots only: no database, no mail.

    {"name": "mcts", "game": "cradle", "position": "...", "seat": 0, "seconds": 2.0, "claim": false}
    {"text": "b1,c1,d1,d2"}

With "claim" a draw may be claimed, and the text may be `propose`. With "engine" an engine chooses;
when it fails, the bot that is named plays in its place, and "fault" says why. Without a "text" the
memory did not suffice, and the process ends."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from pbm.bots.turns import accepts_draw, choose_turn, turn_text
from pbm.daemon.memory import limit_memory
from pbm.engines.dialogue import EngineError
from pbm.games import get_game

CLAIM = "propose"
_KIND = 19
_MEMORY_MIB = 200
"""What thinking may need, beside what the process has when it begins."""


def choose(request: Mapping[str, Any], dice: random.Random) -> str:
    """The moves of a turn as one text, or `propose`."""
    name, seat = str(request["name"]), int(request["seat"])
    position = get_game(request["game"]).decode(request["position"])
    parts = 2 if request["claim"] else 1
    seconds = float(request["seconds"]) / parts
    if request["claim"] and accepts_draw(position, name, dice, _build_budget(seconds)):
        return CLAIM
    moves = choose_turn(position, seat, name, dice, _build_budget(seconds))
    return turn_text(position, seat, moves)


def _build_budget(seconds: float) -> Callable[[float], bool]:
    """A function that says whether that part of the time is over: processor time, so that a busy
    machine does not weaken the bot, but at most twice as much by the clock."""
    begun, started = time.process_time(), time.monotonic()

    def enough(part: float) -> bool:
        return (
            time.process_time() - begun >= part * seconds
            or time.monotonic() - started >= 2 * part * seconds
        )

    return enough


def answer(request: Mapping[str, Any], dice: random.Random) -> dict[str, str]:
    """What the process answers to a request."""
    if "engine" not in request:
        return {"text": choose(request, dice)}
    from pbm.daemon.engines.engine_turns import choose_engine_turn

    try:
        return {"text": choose_engine_turn(request, CLAIM)}
    except EngineError as error:
        return {"text": choose(request, dice), "fault": str(error)}


def main() -> None:
    """Answer requests until the daemon closes the pipe, at the lowest priority."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_KIND)
    limit_memory(_MEMORY_MIB, for_good=False)
    dice = random.Random()  # noqa: S311 (moves, not secrets)
    for line in sys.stdin:
        try:
            answered = answer(json.loads(line), dice)
        except MemoryError:
            answered = {"fault": "out of memory"}
        sys.stdout.write(json.dumps(answered) + "\n")
        sys.stdout.flush()
        if "text" not in answered:
            break
