"""Dark Chess against OpenSpiel: the moves, the results, and what each side sees.

OpenSpiel ends a game by repetition and after 50 moves of each side without a capture or a pawn's
move, of which the sides cannot know; a game is left before. It errs in what the side that is not
on the move sees when its pawn may be taken in passing: it lets an own pawn beside take it too, and
sees the square for that; this is left out."""

import re

import pyspiel

from pbm.games.darkchess import BLOCK, FOG, DarkPosition
from pbm.rules import Position
from tools.oracles import Row
from tools.oracles.spiel import Spiel


class Dark(Spiel):
    """A game of OpenSpiel, for which black is player 0."""

    def __init__(self) -> None:
        Spiel.__init__(self, "dark_chess", theirs)

    def ranks(self) -> tuple[int, ...] | None:
        found = Spiel.ranks(self)
        return None if found is None else found[::-1]


_MOST = 90
_UNCOMPARED = "-"
_last: dict[str, object] = {}


def theirs(state: pyspiel.State, action: int) -> str | None:
    """Return a move, and the board as white and as black see it."""
    boards = [state.observation_string(side).split()[0] for side in (1, 0)]
    _, side, _, passed, *_ = str(state).split()
    if passed != "-":
        boards[side == "w"] = _UNCOMPARED
    said = state.action_to_string(state.current_player(), action)
    return " ".join([said.rstrip("+#"), *boards])


def ours(position: Position, move: str) -> str:
    """Return the same."""
    assert isinstance(position, DarkPosition)
    if _last.get("position") is not position:
        boards = [board(position.visible_to(side)) for side in (0, 1)]
        if position.passed >= 0:
            boards[1 - position.side] = _UNCOMPARED
        _last.update(position=position, boards=" ".join(boards))
    return f"{position.notation(move)} {_last['boards']}"


def board(signs: str) -> str:
    """Return the signs of cells as FEN has them."""
    rows = [signs[at : at + 8].replace(BLOCK, FOG) for at in range(56, -1, -8)]
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


ROWS = [
    Row(
        "darkchess",
        "OpenSpiel",
        Dark,
        within=lambda position: position.turn < _MOST,
        seen=ours,
        slow=4,
    )
]
