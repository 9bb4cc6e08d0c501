"""Reversi as it was played in 1883: the first four discs are put on the middle squares by turns."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules.families.outflanking import OPTIONS, PAGE, OutflankingPosition
from pbm.rules.families.two_player import two_player_game


@dataclass(frozen=True, slots=True)
class Reversi(OutflankingPosition):
    """A position of the game with the free start."""


GAMES = (
    two_player_game(
        Reversi,
        "reversi",
        "Reversi",
        ("black", "white"),
        "outflank discs and turn them over, from an empty board",
        PAGE.format(
            title="REVERSI",
            start="; the first four discs, by turns, go on any of the\n"
            "four middle squares and turn nothing over",
            example="d5",
        ),
        *OPTIONS,
        family="territory",
    ),
)
