"""Sentences to players that can be said in another language: an English text that remembers what it
was made of."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NOTHING: Mapping[str, object] = MappingProxyType({})


class Phrase(str):
    """A sentence in English. Catalogues know it by its message, which has its values in braces.

    message  the English text with `{name}` for each value
    plural   the same for several, where the count decides; else ""
    values   what stands in the braces; `count` decides between the two
    """

    __slots__ = ("message", "plural", "values")

    message: str
    plural: str
    values: Mapping[str, object]

    def __new__(
        cls, message: str, values: Mapping[str, object] = _NOTHING, plural: str = ""
    ) -> Phrase:
        """Return the sentence with its values filled in."""
        chosen = plural if plural and values["count"] != 1 else message
        made = super().__new__(cls, chosen.format_map(values) if values else chosen)
        made.message, made.plural, made.values = message, plural, values
        return made

    def __reduce__(self) -> tuple[type[Phrase], tuple[object, ...]]:
        return Phrase, (self.message, dict(self.values), self.plural)


def phrase(message: str, /, **values: object) -> Phrase:
    """Return a sentence to a player: `phrase("there is no board {board}", board=17)`."""
    return Phrase(message, values)


def phrase_number(one: str, several: str, /, count: int, **values: object) -> Phrase:
    """Return a sentence about so many: `phrase_number("{count} game", "{count} games", 3)`."""
    return Phrase(one, {"count": count, **values}, several)
