"""The engine of the chess family, whose games are rows of data, and variants of it as sections of a
file."""

from __future__ import annotations

from pbm.rules.chess.variants.variant_game import read_variant_file
from pbm.rules.errors import VariantError
from pbm.rules.game import Game

__all__ = ["VariantError", "read_variants"]


def read_variants(text: str) -> list[Game]:
    """Return the games described in the sections of an ini file, in the notation of
    Fairy-Stockfish. VariantError for the first section that is faulty, or uses an unsupported
    rule."""
    games, faults = read_variant_file(text)
    if faults:
        raise faults[0]
    return list(games)
