"""Whole games of an engine against random moves, through the process that a server uses."""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from pbm.daemon.engine_process import EngineSpec, open_engine
from pbm.engines.dialogue import Effort, PlayedLine, replay
from pbm.games import get_game
from pbm.rules import CHANCE, Outcome, Value
from tests.harness.packages import find_program, require

_EFFORT = Effort(nodes=300, seconds=0.1)


def find_engine(name: str) -> str:
    """Return the path of an engine; skip the test where it is not installed."""
    require(name)
    return find_program(name) or ""


def spell_failing_engine(protocol: str, fault: str) -> str:
    """The command of an engine that fails in that way when it has to move."""
    program = Path(__file__).with_name("failing_engine.py")
    return shlex.join([sys.executable, "-S", "-E", str(program), protocol, fault])


def build_spec(
    protocol: str,
    command: str,
    *,
    memory_mib: int = 512,
    limit_seconds: float = 20.0,
    effort: Effort = _EFFORT,
) -> EngineSpec:
    """An engine as a request to the bot process describes it."""
    return EngineSpec(protocol, command, memory_mib, limit_seconds, effort)


def play_match(
    spec: EngineSpec,
    game: str,
    engine_seat: int,
    seed: int,
    options: Mapping[str, Value] | None = None,
) -> tuple[PlayedLine, Outcome]:
    """A game to its end: every move of the engine is legal, or EngineError is raised."""
    dice = random.Random(seed)
    line = replay(get_game(game).setup(2, options or {}), ())
    with open_engine(spec, line.position) as talk:
        while line.position.outcome is None:
            position = line.position
            seat = min(position.to_move)
            if seat == CHANCE:
                chance = position.chance
                assert chance is not None
                moves: tuple[str, ...] = (dice.choice(chance.outcomes),)
            elif seat == engine_seat:
                thought = talk.think(line)
                assert thought.share is None or 0 <= thought.share <= 1
                moves = thought.moves
            else:
                moves = (dice.choice(position.legal_moves(seat)),)
            for move in moves:
                after = line.positions[-1].play(seat, move)
                line = PlayedLine([*line.positions, after], [*line.moves, (seat, move)])
    return line, line.position.outcome
