"""Games of connection: OpenSpiel where it has the game, else the plain second implementation.

OpenSpiel draws Y with its longest row on top; ours stands on it. In its TwixT links of one colour
do not cross either, which is our -strict; it writes a swap as the first move again. Where both
differ from the printed game (links are never chosen nor taken back) they follow the servers."""

from collections.abc import Callable

import pyspiel

from pbm.rules import Value
from tools.oracles import Row
from tools.oracles.plain import Gonnect, Pegs
from tools.oracles.spiel import Spiel


def same_name(state: pyspiel.State, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def hexes(size: int) -> Callable[[], Spiel]:
    return lambda: Spiel(f"hex(board_size={size})", same_name)


def y(side: int) -> Callable[[], Spiel]:
    def upright(state: pyspiel.State, action: int) -> str:
        cell = same_name(state, action)
        return f"{cell[0]}{side + 1 - int(cell[1:])}"

    return lambda: Spiel(f"y(board_size={side})", upright)


def havannah(side: int) -> Callable[[], Spiel]:
    return lambda: Spiel(f"havannah(board_size={side})", same_name)


def strict_pegs(size: int) -> Callable[[], Spiel]:
    def name(state: pyspiel.State, action: int) -> str | None:
        move = same_name(state, action)[1:]
        return None if state.move_number() == 1 and action == state.history()[0] else move

    return lambda: Spiel(f"twixt(board_size={size},ansi_color_output=False)", name)


def row(game: str, start: Callable[[], Spiel], **options: Value) -> Row:
    return Row(game, "OpenSpiel", start, options)


ROWS = (
    row("hex", hexes(11)),
    row("hex", hexes(5), size=5),
    row("gameofy", y(13)),
    row("gameofy", y(5), side=5),
    row("havannah", havannah(8)),
    row("havannah", havannah(4), side=4),
    row("pegs", strict_pegs(24), size=24, strict=True),
    row("pegs", strict_pegs(8), size=8, strict=True),
    Row("pegs", "second", lambda: Pegs(8), {"size": 8}),
    Row("gonnect", "second", lambda: Gonnect(7), {"size": 7}),
    Row("gonnect", "second", lambda: Gonnect(5), {"size": 5}),
)
