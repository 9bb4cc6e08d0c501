"""The external player of GNU Backgammon: boards in the form of FIBS, over a socket."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.engines.dialogue import Dialogue, Effort, Engine, EngineError, PlayedLine, Thought
from pbm.games.backgammon.men import BAR, OFF, count_at
from pbm.games.backgammon.state import (
    CRAWFORD,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    MIDDLE,
    NO_CRAWFORD,
    PLAY,
    ROLLS,
    TAKE,
    MatchState,
)
from pbm.rules import MoveError, Position

_ANSWERS = {
    CUBE: {"roll": ROLLS, "double": DOUBLE, "redouble": DOUBLE},
    DOUBLED: {"take": TAKE, "accept": TAKE, "beaver": TAKE, "drop": DROP, "pass": DROP},
}


@dataclass(frozen=True)
class Gnubg(Engine):
    """GNU Backgammon, which plays at the strength that its own settings say."""

    games: frozenset[str] = frozenset({"backgammon", "nackgammon"})
    opens_socket = "set player 0 human\nset player 1 human\nexternal {path}\n"

    def greet(self, first: Position, effort: Effort) -> Dialogue[None]:
        line = yield "version\n"
        while not line.startswith("Software:"):
            if line.startswith("Error"):
                raise EngineError(line[:80])
            line = yield ""

    def think(self, line: PlayedLine, effort: Effort) -> Dialogue[Thought]:
        position = _require_match(line.position)
        answer = (yield f"{spell_match(position)}\n").strip().lower()
        words = _ANSWERS.get(position.phase, {})
        if position.phase in _ANSWERS:
            if words.get(answer, "") not in position.legal_moves(line.seat):
                raise EngineError(f"it answers {answer[:40]!r}")
            return Thought((words[answer],))
        try:
            move, _ = position.parse(answer, line.seat)
        except MoveError as error:
            raise EngineError(f"illegal move {answer[:40]!r}: {error}") from None
        return Thought((move,))


def _require_match(position: Position) -> MatchState:
    if not isinstance(position, MatchState):
        raise TypeError("not a position of backgammon")
    return position


def spell_match(position: MatchState) -> str:
    """Return the position as the seat to move sees it: its own men are positive and go down to
    0."""
    side = min(position.to_move)
    own, other = position.men[side], position.men[1 - side]
    points = [count_at(own, place) - count_at(other, BAR - place) for place in range(BAR + 1)]
    points[0], points[BAR] = -count_at(other, BAR), count_at(own, BAR)
    dice = position.rolled if position.phase == PLAY else (0, 0)
    is_doubled = position.phase == DOUBLED
    is_crawford = position.crawford == CRAWFORD
    fields = [
        "board",
        "own",
        "other",
        position.points,
        position.score[side],
        position.score[1 - side],
        *points,
        1,
        *dice,
        0,
        0,
        position.cube,
        int(position.owner in (MIDDLE, side)),
        int(position.owner in (MIDDLE, 1 - side)),
        int(is_doubled),
        1,
        -1,
        0,
        BAR,
        count_at(own, OFF),
        count_at(other, OFF),
        count_at(own, BAR),
        count_at(other, BAR),
        0,
        0,
        int(is_crawford or position.crawford != NO_CRAWFORD),
        0,
    ]
    return ":".join(map(str, fields))
