"""Sentences to players that can be said in another language: an English text that remembers what it
was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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


class Listing(str):
    """Things in a row as English readers see them: `ann, bob and carl`. Other languages join them
    in their own way (CLDR).

    items  the things, which may be phrases
    last   the word before the last of them, `and` or `or`
    """

    __slots__ = ("items", "last")

    items: tuple[str, ...]
    last: str

    def __new__(cls, items: Iterable[str], last: str = "and") -> Listing:
        """Return the things in a row, "" for none."""
        row = tuple(items)
        text = f"{', '.join(row[:-1])} {last} {row[-1]}" if len(row) > 1 else "".join(row)
        made = super().__new__(cls, text)
        made.items, made.last = row, last
        return made

    def __reduce__(self) -> tuple[type[Listing], tuple[object, ...]]:
        return Listing, (self.items, self.last)


def combine(pattern: str, /, **values: object) -> Phrase:
    """Return phrases put together by a pattern without words of its own, which needs no
    translation: `combine("{wrong}; {hint}", wrong=phrase("..."), hint=phrase("..."))`."""
    return Phrase(pattern, values)


def join_phrases(separator: str, texts: Sequence[str]) -> str:
    """Return several phrases as one, with the same marks between them."""
    if len(texts) == 1:
        return texts[0]
    values = {f"part{number}": text for number, text in enumerate(texts)}
    return Phrase(separator.join(f"{{{name}}}" for name in values), values)


def get_text(error: Exception) -> str:
    """Return the text of an error: a phrase where it was made of one, which `str` would forget."""
    text = error.args[0] if error.args else ""
    return text if isinstance(text, str) else str(error)


def change_values(text: str, change: Callable[[str], str]) -> str:
    """Return a text with what is filled in changed, in phrases within it too; one that is no phrase
    is changed as a whole."""
    if isinstance(text, Listing):
        return Listing((change_values(item, change) for item in text.items), text.last)
    if not isinstance(text, Phrase):
        return change(text)
    values = {
        name: change_values(value, change) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return Phrase(text.message, values, text.plural)
