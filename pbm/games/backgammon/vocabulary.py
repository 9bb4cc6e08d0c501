"""The words of backgammon: its sides, phases, and moves other than plays."""

from __future__ import annotations

from collections.abc import Sequence

COLOURS, SIGNS = ("white", "black"), "XO"
OPENING, CUBE, ROLL, PLAY, DOUBLED = "opening", "cube", "roll", "play", "doubled"
ROLLS, DOUBLE, AUTO, ASK, TAKE, DROP = "roll", "double", "auto", "ask", "take", "drop"
NO_CRAWFORD, CRAWFORD, PAST_CRAWFORD = range(3)
MIDDLE = -1
"""The owner of the cube while nobody has doubled."""


def dice_text(dice: Sequence[int]) -> str:
    """The notation of a roll."""
    return "-".join(map(str, dice))
