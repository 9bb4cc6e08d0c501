"""Hub, the protocol of draughts programs such as Scan, version 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pbm.engines.dialogue import (
    Dialogue,
    Effort,
    Engine,
    EngineError,
    PlayedLine,
    Thought,
    find_move,
    read_until,
    share_of_score,
)
from pbm.rules import Position
from pbm.rules.families.draughts_family import DraughtsPosition

_SIGNS = str.maketrans("XO#@.", "wbWBe")
"""What stands on a square, side 0 being white."""
_PAIR = re.compile(r'([a-z-]+)=(?:"([^"]*)"|(\S+))')


@dataclass(frozen=True)
class Hub(Engine):
    """An engine that speaks Hub."""

    games: frozenset[str] = frozenset({"internationaldraughts"})

    def greet(self, first: Position, effort: Effort) -> Dialogue[None]:
        yield from read_until(["wait"], "hub\n")
        lines = yield from read_until(
            ["ready", "error"], "set-param name=variant value=normal\ninit\n"
        )
        if lines[-1].startswith("error"):
            raise EngineError(lines[-1][:80])

    def think(self, line: PlayedLine, effort: Effort) -> Dialogue[Thought]:
        first = max(
            (n for n, position in enumerate(line.positions) if not _require(position).idle),
            default=0,
        )
        begin = _require(line.positions[first])
        moves = " ".join(
            _spell_move(_require(line.positions[n]), move)
            for n, (_, move) in list(enumerate(line.moves))[first:]
        )
        shown = f"pos pos={spell_position(begin)}" + (f' moves="{moves}"' if moves else "")
        level = f"nodes={effort.nodes}" if effort.nodes else f"move-time={effort.seconds:g}"
        lines = yield from read_until(["done", "error"], f"{shown}\nlevel {level}\ngo think\n")
        answer = _read_pairs(lines[-1])
        if "move" not in answer:
            raise EngineError(f"no move: {lines[-1][:60]!r}")
        move = find_move(spell_moves(_require(line.position)), _sort_taken(answer["move"]))
        scores = [_read_pairs(each).get("score") for each in lines if each.startswith("info ")]
        last = next((score for score in reversed(scores) if score), None)
        return Thought((move,), None if last is None else share_of_score(100 * float(last)))


def _require(position: Position) -> DraughtsPosition:
    if not isinstance(position, DraughtsPosition):
        raise TypeError("not a position of draughts")
    return position


def spell_position(position: DraughtsPosition) -> str:
    """Return the side to move, then the squares in order of their numbers."""
    squares = "".join(position.board[cell] for cell in _list_squares(position))
    return "WB"[position.side] + squares.translate(_SIGNS)


def _list_squares(position: DraughtsPosition) -> list[int]:
    """Return the cells of the squares in order of their numbers."""
    cells = position.geometry.cell_named
    return [cells[name] for name in sorted(filter(str.isdigit, cells), key=int)]


def spell_moves(position: DraughtsPosition) -> Iterator[tuple[str, str]]:
    """Yield each legal move with its spelling: a capture is from, to and the captured squares."""
    names = position.geometry.square_names
    for move in position.list_moves():
        path, taken = position.chains[move]
        start, end = names[path[0]], names[path[-1]]
        captured = sorted((names[cell] for cell in taken), key=int)
        yield "x".join([start, end, *captured]) if taken else f"{start}-{end}", move


def _spell_move(position: DraughtsPosition, move: str) -> str:
    return next(text for text, legal in spell_moves(position) if legal == move)


def _sort_taken(move: str) -> str:
    start, *rest = move.split("x")
    return "x".join([start, *rest[:1], *sorted(rest[1:], key=int)])


def _read_pairs(line: str) -> dict[str, str]:
    return {found[1]: found[2] or found[3] or "" for found in _PAIR.finditer(line)}
