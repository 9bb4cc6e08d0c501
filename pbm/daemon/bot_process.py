"""The process in which bots think: a line of JSON in, a line of JSON out, until the input ends. It
knows games and bots only: no database, no mail.

    {"type": "turn", "name": "mcts", "game": "cradle", "seat": 0, "seconds": 2.0,
     "question": {"position": "...", "may_claim": false}}
    {"text": "b1,c1,d1,d2"}

Where a draw may be claimed, the text may be `propose`. With an engine, that chooses; when it fails,
the bot that is named plays in its place, and the fault says why. When the memory does not suffice,
the process says so in its fault and ends.

For an analysis, positions of a game that is over are assessed and turns of it judged
(`pbm.bots.analysis.judging`), each with work for about that many seconds; when an engine fails at
that, its fault is the only answer."""

from __future__ import annotations

import itertools
import os
import random
import signal
import sys
import time
from functools import partial

import msgspec

from pbm.bots.analysis.judging import assess, count_work, judge_surely
from pbm.bots.analysis.plan import Judgement, retrace
from pbm.bots.turns import Enough, accepts_draw, choose_turn
from pbm.config import bring_variants
from pbm.core.house_players import CLAIM
from pbm.daemon.analyst import AnalysisAnswer, AnalysisRequest, EngineAnalyst
from pbm.daemon.engine_process import TurnAnswer, TurnRequest, choose_engine_turn
from pbm.daemon.sockets import limit_memory
from pbm.engines.dialogue import EngineError
from pbm.games import get_game
from pbm.rules import Position
from pbm.rules.turn_text import turn_text

_KIND = 19
_OVERTIME, _PAUSE = 5.0, 3.0
"""An analysis ends after these times its seconds of processor time, and these seconds: then the
game or the machine is slow, not merely busy."""
_MEMORY_MIB = 200
"""Memory for thinking, beyond what the process uses at its start."""


def choose(request: TurnRequest, dice: random.Random) -> str:
    """Return the moves of a turn as one text, or CLAIM."""
    name, seat, may_claim = request.name, request.seat, request.question.may_claim
    position = get_game(request.game).decode(request.question.position)
    if position.takes_orders:
        return "; ".join(position.advise(seat))
    seconds = request.seconds / 2 if may_claim else request.seconds
    if may_claim and accepts_draw(position, name, dice, _build_budget(seconds)):
        return CLAIM
    moves = choose_turn(position, seat, name, dice, _build_budget(seconds))
    return turn_text(position, seat, moves)


def _build_budget(seconds: float) -> Enough:
    """Return a function that says whether that part of the time is over. It measures processor
    time, so that a busy machine does not weaken the bot, but at most twice as much by the clock."""
    begun, started = time.process_time(), time.monotonic()

    def enough(part: float) -> bool:
        wanted = part * seconds
        is_used = time.process_time() - begun >= wanted
        return is_used or time.monotonic() - started >= 2 * wanted

    return enough


def _allow_work(position: Position, seconds: float) -> Enough:
    """Return a function that says whether that part of the work is done; it counts its calls, at a
    usual number for these seconds."""
    work, looks, begun = count_work(position, seconds), itertools.count(), time.process_time()
    longest = _OVERTIME * seconds + _PAUSE

    def enough(part: float) -> bool:
        return next(looks) >= part * work or time.process_time() - begun >= part * longest

    return enough


def analyse(request: AnalysisRequest, dice: random.Random) -> AnalysisAnswer:
    """Return the judgement of positions and turns, by a search or the request's engine."""
    first, acts = get_game(request.game).decode(request.first), request.acts
    positions = retrace(first, acts)
    if request.engine is not None:
        try:
            with EngineAnalyst.open(request.engine, positions, acts) as engine:
                return AnalysisAnswer(
                    [engine.assess(place) for place in request.at],
                    [engine.judge(turn) for turn in request.turns],
                )
        except EngineError as error:
            return AnalysisAnswer(fault=str(error))
    shares, judgements = list[tuple[float, ...]](), list[Judgement]()
    for place in request.at:
        enough = _allow_work(first, request.seconds)
        shares.append(assess(positions[place], first, dice, partial(enough, 1.0)))
    for turn in request.turns:
        enough = _allow_work(first, request.seconds)
        judgements.append(judge_surely(positions, acts, turn, dice, enough))
    return AnalysisAnswer(shares, judgements)


def answer(
    request: TurnRequest | AnalysisRequest, dice: random.Random
) -> TurnAnswer | AnalysisAnswer:
    """Return the answer to a request."""
    if isinstance(request, AnalysisRequest):
        return analyse(request, dice)
    if request.engine is None:
        return TurnAnswer(choose(request, dice))
    try:
        return TurnAnswer(choose_engine_turn(request, request.engine))
    except EngineError as error:
        return TurnAnswer(choose(request, dice), str(error))


def main() -> None:
    """Answer requests until the daemon closes the pipe, at the lowest priority."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_KIND)
    limit_memory(_MEMORY_MIB, for_good=False)
    dice = random.Random()  # noqa: S311 (moves, not secrets)
    reader = msgspec.json.Decoder(TurnRequest | AnalysisRequest)
    is_spent, variants = False, tuple[str, ...]()
    for line in sys.stdin.buffer:
        try:
            request = reader.decode(line)
            if variants != request.variants:
                variants = request.variants
                bring_variants(variants)
            answered = answer(request, dice)
        except MemoryError:
            answered, is_spent = TurnAnswer(fault="out of memory"), True
        sys.stdout.buffer.write(msgspec.json.encode(answered, enc_hook=str) + b"\n")
        sys.stdout.flush()
        if is_spent:
            break
