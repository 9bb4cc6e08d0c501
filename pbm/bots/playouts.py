"""What the tree search knows of single games: playouts without positions, many times as fast, moves
that are not worth a look, and when to end a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbm.bots.quick import go_playouts, hex_playouts, peg_playouts, row_playouts
from pbm.bots.simple import Dice
from pbm.rules import Position

PlayOut = Callable[[Position, Dice], tuple[list[tuple[int, str]], tuple[float, ...]] | None]
"""The moves of a playout, each with its seat, and each seat's share; None where it has to be played
move by move."""
PLAY_OUTS: Mapping[str, PlayOut] = {
    "hex": hex_playouts.play_hex,
    "gameofy": hex_playouts.play_y,
    "havannah": hex_playouts.play_havannah,
    "go": go_playouts.play_out,
    "atarigo": go_playouts.play_to_capture,
    "gonnect": go_playouts.play_to_join,
    "pegs": peg_playouts.play_out,
    **{name: rule.play_out for name, rule in row_playouts.RULES.items()},
}

Finish = Callable[[Position, Dice], Sequence[str]]
"""A turn that ends the game or helps to end it; none while there is something to play for."""
FINISHES: Mapping[str, Finish] = {"go": go_playouts.finish_go}
Prune = Callable[[Position, Sequence[str]], Sequence[str]]
"""The moves that are worth a look."""
PRUNINGS: Mapping[str, Prune] = {
    "go": go_playouts.list_useful,
    "pegs": peg_playouts.list_useful,
    **{name: rule.list_useful for name, rule in row_playouts.RULES.items()},
}
