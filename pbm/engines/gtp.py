"""GTP, the Go Text Protocol, version 2."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from pbm.engines.dialogue import Dialogue, Effort, Engine, EngineError, PlayedLine, Thought
from pbm.games.go import DEAD, FIRST, PLAY, Go, komi_of
from pbm.rules import Position
from pbm.rules.boards.stone_groups import find_group
from pbm.rules.families.two_player import EMPTY, STONES

_COLOURS = ("black", "white")
_SCORE = re.compile(r"([BW])\+([0-9]+(?:\.[0-9]+)?)")
_CLEAR_LEAD = 15.0
"""Points of which the hyperbolic tangent makes a clear lead."""


@dataclass(frozen=True)
class Gtp(Engine):
    """An engine that speaks GTP. The groups that it takes for dead are those that it names when
    both players have passed. `commands` are those of its own that are used."""

    games: frozenset[str] = frozenset({"go"})
    commands: set[str] = field(default_factory=set)

    def greet(self, first: Position, effort: Effort) -> Dialogue[None]:
        position = _require_go(first)
        yield from _ask(f"boardsize {position.options['size']}")
        yield from _ask(f"komi {komi_of(position.options):g}")
        for command in ("estimate_score", "level"):
            if (yield from _ask(f"known_command {command}")) == "true":
                self.commands.add(command)
        if effort.skill is not None and "level" in self.commands:
            yield from _ask(f"level {effort.skill}")
        elif effort.skill is None:
            yield from _ask(f"time_settings 0 {max(1, round(effort.seconds))} 1")

    def think(self, line: PlayedLine, effort: Effort) -> Dialogue[Thought]:
        yield from _replay(line)
        position, colour = _require_go(line.position), _COLOURS[line.seat]
        if position.stage != PLAY:
            dead = yield from _ask("final_status_list dead")
            return Thought(_answer_on_dead(position, dead.lower().split()))
        share = None
        if "estimate_score" in self.commands:
            share = _read_share((yield from _ask("estimate_score")), line.seat)
        move = (yield from _ask(f"genmove {colour}")).lower()
        if move not in position.legal_moves(line.seat):
            raise EngineError(f"illegal move {move[:40]!r}")
        return Thought((move,), share)


def _require_go(position: Position) -> Go:
    if not isinstance(position, Go):
        raise TypeError("not a position of go")
    return position


def _ask(command: str) -> Dialogue[str]:
    """Return what the engine answers to a command. EngineError when it refuses."""
    line = yield f"{command}\n"
    while not line.startswith(("=", "?")):
        line = yield ""
    is_refused, lines = line.startswith("?"), [line[1:].strip()]
    while line:
        line = yield ""
        lines.append(line)
    if is_refused:
        raise EngineError(f"it refuses {command[:40]!r}")
    return "\n".join(lines).strip()


def _replay(line: PlayedLine) -> Dialogue[None]:
    """Show the engine the game, the stones of a handicap first."""
    first = _require_go(line.positions[0])
    yield from _ask("clear_board")
    for stone, name in zip(first.board, first.geometry.names, strict=True):
        if stone != EMPTY:
            yield from _ask(f"play {_COLOURS[STONES.index(stone)]} {name}")
    for seat, move in line.moves:
        if move == "pass" or move in first.geometry.number:
            yield from _ask(f"play {_COLOURS[seat]} {move}")


def _answer_on_dead(position: Go, dead: list[str]) -> tuple[str, ...]:
    """Return the rest of a turn in which both sides agree on dead stones, if those points are
    dead."""
    near, number = position.geometry.orthogonal, position.geometry.number
    wanted = {
        min(find_group(position.board, number[name], near))
        for name in dead
        if name in number and position.board[number[name]] != EMPTY
    }
    moves, agreed = list[str](), wanted == {*position.dead}
    if position.stage != FIRST and agreed and not position.changed:
        return ("agree",)
    for group in sorted(wanted ^ {*position.dead}):
        move = f"{DEAD if group in wanted else 'alive'} {position.geometry.names[group]}"
        if move in position.moves():
            moves.append(move)
    allowed = position.moves()
    if not moves and "agree" in allowed:
        return ("agree",) if agreed else ("resume",)
    return (*moves, "done")


def _read_share(estimate: str, seat: int) -> float | None:
    """Return what an estimate of the score is worth to a seat."""
    score = _SCORE.search(estimate)
    if score is None:
        return None
    points = float(score[2]) * (1 if score[1] == "BW"[seat] else -1)
    return 0.5 + math.tanh(points / _CLEAR_LEAD) / 2
