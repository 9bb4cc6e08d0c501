"""Reversi with today's opening: two discs of each colour start crossed in the middle. Othello is a
trademark and so an alias."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules.families.outflanking import OPTIONS, PAGE, OutflankingPosition
from pbm.rules.families.two_player import two_player_game


@dataclass(frozen=True, slots=True)
class ModernReversi(OutflankingPosition):
    """A position of the game with the crossed start."""

    start = "XOOX"

    @property
    def opening(self) -> list[int]:
        return []


GAMES = (
    two_player_game(
        ModernReversi,
        "modernreversi",
        "Modern Reversi",
        ("black", "white"),
        "outflank discs and turn them over (Othello)",
        PAGE.format(
            title="MODERN REVERSI",
            players="2",
            crowd="",
            start="; two discs of each colour stand crossed in the\nmiddle",
            example="d3",
        ),
        *OPTIONS,
        aliases=("othello",),
        family="territory",
    ),
)
