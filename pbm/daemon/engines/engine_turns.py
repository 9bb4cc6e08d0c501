"""The turns of engines, taken in the process in which bots think.

An engine that fails costs its turn and never the board: the caller has the house's own search play
in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec.structs import asdict

from pbm.daemon.engines.engine_process import EngineProcess
from pbm.engines.dialogue import Dialogue, Effort, Engine, EngineError, Line, Thought, replay
from pbm.engines.protocols import build_engine
from pbm.engines.setup import EnginePlayer
from pbm.games import get_game
from pbm.rules import MoveError, Position
from pbm.rules.turn_text import turn_text

T = TypeVar("T")
_CLEARLY_AHEAD = 0.75


def describe_engine(player: EnginePlayer, seconds: float) -> dict[str, Any]:
    """Return the part of a request that says which engine is to move; `seconds` is how long it
    thinks where its level does not say."""
    level = asdict(player.level)
    return {
        "protocol": player.setup.protocol,
        "command": player.setup.command,
        "memory_mib": player.setup.memory_mib,
        "limit_seconds": player.setup.limit_seconds,
        "level": {**level, "seconds": level["seconds"] or seconds},
    }


class EngineTalk:
    """A running engine. Every failure is an EngineError."""

    def __init__(self, engine: Engine, process: EngineProcess, spec: Mapping[str, Any]) -> None:
        self._engine = engine
        self._process = process
        self._effort = Effort(**spec["level"])
        self._limit = float(spec["limit_seconds"])

    def greet(self, first: Position) -> None:
        """Make it ready for a game from that position."""
        self._lead(self._engine.greet(first, self._effort), self._limit)

    def think(self, line: Line) -> Thought:
        """Return what it thinks of a position; its moves are legal, and at least one."""
        thought = self._lead(self._engine.think(line, self._effort), self._limit)
        if not thought.moves:
            raise EngineError("it has no move")
        position = line.position
        try:
            for move in thought.moves:
                position = position.play(line.seat, move)
        except MoveError as error:
            raise EngineError(f"illegal move: {error}") from None
        return thought

    def _lead(self, dialogue: Dialogue[T], seconds: float) -> T:
        try:
            return self._process.converse(dialogue, seconds)
        except (ValueError, LookupError, TypeError) as error:
            raise EngineError(f"its answer is not understood: {error}"[:200]) from None


@contextmanager
def open_engine(spec: Mapping[str, Any], first: Position) -> Iterator[EngineTalk]:
    """Start an engine, ready for a game from that position. EngineError."""
    engine = build_engine(spec["protocol"])
    if not engine.plays(first.game):
        games = ", ".join(sorted(engine.games))
        raise EngineError(f"{spec['protocol']} is for {games}, not for {first.game.info.name}")
    seconds = float(spec["limit_seconds"])
    with EngineProcess(
        spec["command"],
        int(spec["memory_mib"]),
        engine.opens_socket,
        seconds,
        engine.write_files(first),
    ) as process:
        talk = EngineTalk(engine, process, spec)
        talk.greet(first)
        yield talk


def read_line(request: Mapping[str, Any]) -> Line:
    """Return the game that a request holds: its first position, and the moves since."""
    first = get_game(request["game"]).decode(request["first"])
    return replay(first, ((int(seat), move) for seat, move in request["moves"]))


def choose_engine_turn(request: Mapping[str, Any], claim: str) -> str:
    """Return the engine's moves as one text, or `claim` where a draw may be claimed and it is not
    clearly ahead. EngineError when it fails."""
    line = read_line(request)
    with open_engine(request["engine"], line.positions[0]) as talk:
        thought = talk.think(line)
    if request["claim"] and (thought.share is None or thought.share < _CLEARLY_AHEAD):
        return claim
    return turn_text(line.position, line.seat, thought.moves)
