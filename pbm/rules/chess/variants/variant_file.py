"""Games of a whole file of variants."""

from __future__ import annotations

from pbm.rules.chess.variants.reader import read_rules
from pbm.rules.chess.variants.rule_set import VariantRules
from pbm.rules.chess.variants.two_board_game import TwoBoardGame
from pbm.rules.chess.variants.variant_game import Card, VariantGame
from pbm.rules.errors import VariantError


def make_game(rules: VariantRules, card: Card | None = None) -> VariantGame | TwoBoardGame:
    """Return the game that rules describe. Without a card, VariantError if it cannot have a name,
    or is over in its first position."""
    game = TwoBoardGame(rules, card) if rules.two_boards else VariantGame(rules, card)
    if card is None:
        _check_first_position(game)
    return game


def _check_first_position(game: VariantGame | TwoBoardGame) -> None:
    """Refuse a game that has ended before its first move: on two boards both begin alike."""
    single = game.single if isinstance(game, TwoBoardGame) else game
    if over := single.start(2, {}).settle().outcome:
        why = f"the game is over before the first move: {over.reason}"
        raise VariantError(game.section, "startFen", why)


def read_variant_file(text: str) -> tuple[list[VariantGame | TwoBoardGame], list[VariantError]]:
    """Return the games that the sections of a file describe, and the faults of those left out."""
    rules, faults = read_rules(text)
    games = list[VariantGame | TwoBoardGame]()
    for section in rules.values():
        try:
            games.append(make_game(section))
        except VariantError as fault:
            faults.append(fault)
    return games, faults
