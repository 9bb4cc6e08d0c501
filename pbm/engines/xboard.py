"""XBoard's protocol, also called CECP, version 2."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbm.engines.chess_spelling import (
    Spelling,
    find_chess_position,
    spell_fen,
    spell_moves,
    split_line,
)
from pbm.engines.dialogue import (
    Dialogue,
    Effort,
    Engine,
    EngineError,
    PlayedLine,
    Thought,
    find_move,
    share_of_score,
)
from pbm.rules import Position
from pbm.rules.chess.position import ChessLikePosition

_FEATURE = re.compile(r'([a-z0-9]+)=(?:"([^"]*)"|([^\s"]+))')
_THINKING = re.compile(r"\s*[0-9]+[.+&]?\s+([+-]?[0-9]{1,6})\s+[0-9]+\s+[0-9]+\b")
_MOVED = re.compile(r"(?:move|My move is ?:) *(\S+)")
_REFUSALS = ("Error", "Illegal", "resign", "1-0", "0-1", "tellusererror")
_VARIANTS = {
    "minishogi": ("minishogi", "5x5+5_shogi"),
    "xiangqi": ("xiangqi",),
}
_DIGITS = "0123456789"


class _DrawClaim(EngineError):
    """The engine claims a draw in the place of a move."""


@dataclass(frozen=True)
class Xboard(Engine):
    """An engine that speaks XBoard's protocol, in which a level is a depth of search. `features`
    are what it can do, `unsent` what it is told with the first position."""

    games: frozenset[str] = frozenset({"chess", *_VARIANTS})
    features: dict[str, str] = field(default_factory=dict)
    unsent: list[str] = field(default_factory=list)

    def greet(self, first: Position, effort: Effort) -> Dialogue[None]:
        line = yield "xboard\nprotover 2\n"
        while True:
            if line.startswith("feature "):
                self.features.update(_read_features(line))
                if self.features.get("done") == "1":
                    break
            line = yield ""
        if self.features.get("setboard") != "1":
            raise EngineError("it cannot be shown a position")
        text = f"new\n{self._choose_game(first.game.info.name)}force\neasy\npost\n"
        if effort.skill is not None:
            text += f"sd {max(1, effort.skill)}\n"
        yield from self._synchronize(text, 1)

    def _choose_game(self, game: str) -> str:
        if game == "chess":
            return ""
        offered = self.features.get("variants", "").replace(",", " ").split()
        for name in _VARIANTS[game]:
            if name in offered:
                return f"variant {name}\n"
        raise EngineError(f"it does not play {game}")

    def _synchronize(self, text: str, number: int) -> Dialogue[None]:
        """Send commands and wait until they are done. An engine that cannot say so gets them with
        the next that it answers."""
        if self.features.get("ping") != "1":
            self.unsent.append(text)
            return
        line = yield f"{text}ping {number}\n"
        while line.split() != ["pong", str(number)]:
            line = yield ""

    def think(self, line: PlayedLine, effort: Effort) -> Dialogue[Thought]:
        position = find_chess_position(line)
        spelling = _choose_spelling(position.game.info.name)
        shown = split_line(line, spelling)
        try:
            answer, share = yield from self._ask(*shown, effort)
        except _DrawClaim:  # the server decides about draws, not the engine: without the history
            answer, share = yield from self._ask(position, [], effort)
        return Thought((find_move(spell_moves(position, spelling), answer),), share)

    def _ask(
        self, first: ChessLikePosition, moves: Sequence[str], effort: Effort
    ) -> Dialogue[tuple[str, float | None]]:
        """Return the move that the engine chooses after these moves, and what it expects."""
        prefix = "usermove " if self.features.get("usermove") == "1" else ""
        commands = [
            "force",
            f"setboard {spell_fen(first)}",
            *(prefix + move for move in moves),
            f"st {max(1, round(effort.seconds))}",
            "go",
        ]
        text = "".join(self.unsent) + "\n".join([*commands, ""])
        self.unsent.clear()
        share, answer = None, (yield text)
        while not (moved := _MOVED.match(answer)):
            if answer.startswith("1/2-1/2"):
                raise _DrawClaim("it claims a draw")
            if answer.startswith(_REFUSALS):
                raise EngineError(f"no move: {answer[:60]!r}")
            if thinking := _THINKING.match(answer):
                share = share_of_score(int(thinking[1]))
            answer = yield ""
        return moved[1], share


def _choose_spelling(game: str) -> Spelling:
    rows = _DIGITS if game == "xiangqi" else _DIGITS[1:]
    return Spelling("abcdefghi", rows)


def _read_features(line: str) -> Mapping[str, str]:
    return {found[1]: found[2] or found[3] or "" for found in _FEATURE.finditer(line)}
