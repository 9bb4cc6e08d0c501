"""The process in which bots think: a line of JSON in, a line of JSON out, until the input ends. It
knows games and bots only: no database, no mail.

    {"name": "mcts", "game": "cradle", "position": "...", "seat": 0, "seconds": 2.0, "claim": false}
    {"text": "b1,c1,d1,d2"}

With "claim" a draw may be claimed, and the text may be `propose`. With "engine" an engine chooses;
when it fails, the bot that is named plays in its place, and "fault" says why. When the
memory does not suffice, the process says so in "fault" and ends.

With "do": "analyse" positions of a game that is over are assessed and turns of it judged
(`pbm.bots.analysis.judging`), each with as much work as takes about so many seconds; when an engine
fails at that, "fault" is the only answer.

    {"do": "analyse", "game": "chess", "first": "...", "acts": [[0, "e2e4"], [1, null]],
     "at": [0], "turns": [[0, 1]], "seconds": 1.0}
    {"shares": [[0.5, 0.5]], "judgements": [[["e2e4"], 0.5, 0.5]]}"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import sys
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from pbm.bots.analysis.judging import assess, count_work, judge_surely
from pbm.bots.analysis.plan import Turn, retrace
from pbm.bots.turns import Enough, accepts_draw, choose_turn
from pbm.daemon.analyst import EngineAnalyst
from pbm.daemon.engine_process import choose_engine_turn
from pbm.daemon.sockets import limit_memory
from pbm.engines.dialogue import EngineError
from pbm.games import get_game
from pbm.rules import Position
from pbm.rules.turn_text import turn_text

CLAIM = "propose"
_KIND = 19
_OVERTIME, _PAUSE = 5.0, 3.0
"""An analysis that is not through after so many times its time, and these seconds, ends all the
same: in processor time, so that it is the game or the machine that is slow, not others that are
busy."""
_MEMORY_MIB = 200
"""What thinking may need, beside what the process has when it begins."""


def choose(request: Mapping[str, Any], dice: random.Random) -> str:
    """Return the moves of a turn as one text, or `propose`."""
    name, seat = str(request["name"]), int(request["seat"])
    position = get_game(request["game"]).decode(request["position"])
    if position.takes_orders:
        return "; ".join(position.advise(seat))
    parts = 2 if request["claim"] else 1
    seconds = float(request["seconds"]) / parts
    if request["claim"] and accepts_draw(position, name, dice, _build_budget(seconds)):
        return CLAIM
    moves = choose_turn(position, seat, name, dice, _build_budget(seconds))
    return turn_text(position, seat, moves)


def _build_budget(seconds: float) -> Enough:
    """Return a function that says whether that part of the time is over: processor time, so that a
    busy machine does not weaken the bot, but at most twice as much by the clock."""
    begun, started = time.process_time(), time.monotonic()

    def enough(part: float) -> bool:
        wanted = part * seconds
        is_used = time.process_time() - begun >= wanted
        return is_used or time.monotonic() - started >= 2 * wanted

    return enough


def _allow_work(position: Position, seconds: float) -> Enough:
    """Return a function that says whether that part of the work of so many seconds is done, which
    it counts by how often it is asked."""
    work, looks, begun = count_work(position, seconds), itertools.count(), time.process_time()
    longest = _OVERTIME * seconds + _PAUSE

    def enough(part: float) -> bool:
        return next(looks) >= part * work or time.process_time() - begun >= part * longest

    return enough


def analyse(request: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return what a search, or the engine of the request, thinks of positions and turns."""
    first = get_game(request["game"]).decode(request["first"])
    acts = [(int(seat), move) for seat, move in request["acts"]]
    positions = retrace(first, acts)
    at, turns = request["at"], [Turn(*turn) for turn in request["turns"]]
    if "engine" in request:
        try:
            with EngineAnalyst.open(request["engine"], positions, acts) as engine:
                shares = [engine.assess(place) for place in at]
                judgements = [engine.judge(turn) for turn in turns]
        except EngineError as error:
            return {"fault": str(error)}
        return {"shares": shares, "judgements": judgements}
    seconds, shares, judgements = float(request["seconds"]), [], []
    for place in at:
        enough = _allow_work(first, seconds)
        shares.append(assess(positions[place], first, dice, partial(enough, 1.0)))
    for turn in turns:
        enough = _allow_work(first, seconds)
        judgements.append(judge_surely(positions, acts, turn, dice, enough))
    return {"shares": shares, "judgements": judgements}


def answer(request: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return what the process answers to a request."""
    if request.get("do") == "analyse":
        return analyse(request, dice)
    if "engine" not in request:
        return {"text": choose(request, dice)}

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
    is_spent = False
    for line in sys.stdin:
        try:
            answered = answer(json.loads(line), dice)
        except MemoryError:
            answered, is_spent = {"fault": "out of memory"}, True
        sys.stdout.write(json.dumps(answered) + "\n")
        sys.stdout.flush()
        if is_spent:
            break
