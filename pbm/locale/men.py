"""The names of a game's men in a language, as its pages and pictures have them: a typed move that
begins with one is read as with the English name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

from pbm.locale import get_language, translate
from pbm.locale.words import fold, spell
from pbm.rules import InvalidMove, MoveError, Position
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.chess.variants.variant_position import VariantPosition
from pbm.rules.phrases import Phrase
from pbm.rules.typed_moves import read_letters

_SHORTEST = 2
"""Shorter words of a name mean nothing alone."""


def read_move(position: Position, seat: int, text: str, language: str) -> str:
    """Return a typed move with the game's own names and letters of men in place of those of the
    player's language; see `read_letters`."""
    if not isinstance(position, ChessLikePosition | VariantPosition):
        return read_letters(position, seat, text, language)
    men = tuple(name for name, _ in position.men)
    names, words = _map_names(men, get_language(language)), text.split(" ")
    for size in range(min(3, len(words)), 0, -1):
        if name := names.get(fold(" ".join(words[:size]))):
            with_name = " ".join([name.replace(" ", ""), *words[size:]])
            try:
                position.parse(with_name, seat)
            except InvalidMove:
                break
            except MoveError:
                pass
            return with_name
    return read_letters(position, seat, text, language)


@cache
def _map_names(men: tuple[str, ...], language: str) -> Mapping[str, str]:
    """Map the names of men in a language, and each word that only one of them has, to the English
    ones."""
    names = {name: translate(Phrase(name), language) for name in men}
    parts = {name: own.replace("'", " ").split() for name, own in names.items()}
    count = Counter(part for each in parts.values() for part in {*each})
    found = dict[str, str]()
    for name, own in names.items():
        alone = (part for part in parts[name] if count[part] == 1 and len(part) >= _SHORTEST)
        for word in (own, *alone):
            found |= dict.fromkeys(spell(word), name)
    return found
