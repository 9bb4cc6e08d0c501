"""Games of a whole file of variants."""

from __future__ import annotations

from pbm.rules.chess.variants.reader import read_rules
from pbm.rules.chess.variants.variant_game import VariantGame
from pbm.rules.errors import VariantError


def read_variant_file(text: str) -> tuple[list[VariantGame], list[VariantError]]:
    """Return the games that the sections of a file describe, and the faults of those left out."""
    rules, faults = read_rules(text)
    games = list[VariantGame]()
    for section in rules.values():
        try:
            games.append(VariantGame(section))
        except VariantError as fault:
            faults.append(fault)
    return games, faults
