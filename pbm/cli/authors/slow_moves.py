"""Positions whose list of moves takes too long, with what takes the time."""

from __future__ import annotations

import cProfile
import pstats
import random
from collections.abc import Callable

from pbm.rules import CHANCE, Game, Position
from pbm.rules.testing import Finding, choose
from pbm.rules.testing.nonconforming import build_finding
from pbm.rules.testing.topics import SPEED

LIMIT = 0.25
"""How many seconds a list of moves may take."""
_TURNS = 40
_SHOWN = 6


def find_slow_moves(game: Game, clock: Callable[[], float], seed: int) -> Finding | None:
    """Return the slowest list of moves in a random game, profiled; None when none takes longer than
    LIMIT. Each position is decoded first, so that nothing in it is cached."""
    rng = random.Random(seed)  # noqa: S311 (not cryptography)
    position, log, slowest = game.setup(), list[tuple[int, str]](), LIMIT
    worst: tuple[Position, int] | None = None
    moves: tuple[tuple[int, str], ...] = ()
    number = 0
    while position.to_move and len(log) < _TURNS:
        for seat in position.to_move - {CHANCE}:
            fresh = game.decode(position.encode())
            began = clock()
            count = len(fresh.legal_moves(seat))
            if clock() - began > slowest:
                slowest, worst, moves, number = clock() - began, (fresh, seat), tuple(log), count
        seat, move = choose(position, rng)
        position = position.play(seat, move)
        log.append((seat, move))
    if worst is None:
        return None
    fresh, seat = game.decode(worst[0].encode()), worst[1]
    profile = cProfile.Profile()
    profile.runcall(fresh.legal_moves, seat)
    what = f"a list of moves takes at most {LIMIT} s; these {number} take {slowest:.2g} s"
    return build_finding(SPEED, what, worst[0], moves, _format_profile(profile))


def _format_profile(profile: cProfile.Profile) -> str:
    """Return the functions that take the most time, each with its calls."""
    stats = pstats.Stats(profile).get_stats_profile()
    rows = sorted(stats.func_profiles.items(), key=lambda row: -row[1].cumtime)
    own = [(name, row) for name, row in rows if row.file_name != "~"][:_SHOWN]
    return "\n".join(
        f"{row.cumtime:8.3f} s {row.ncalls:>9} calls  {name} ({row.file_name}:{row.line_number})"
        for name, row in own
    )
