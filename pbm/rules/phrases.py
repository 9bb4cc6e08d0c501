"""Translatable sentences to players: English texts that remember their parts."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

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
    """Return a sentence about a number: `phrase_number("{count} game", "{count} games", 3)`."""
    return Phrase(one, {"count": count, **values}, several)


def make_phrase(text: str) -> Phrase:
    """Return a text of a table, such as the summary of a game, as a phrase; a phrase is returned
    unchanged."""
    return text if isinstance(text, Phrase) else Phrase(text)


def fill_in(text: Phrase, /, **values: object) -> Phrase:
    """Return a phrase that was made without values with some, of which it takes those that it
    names."""
    return Phrase(text.message, values)


class SeatName(Phrase):
    """The name of a seat in a sentence of a game, in place of which the server may put its player.

    seat  which it is
    """

    __slots__ = ("seat",)

    seat: int

    def __new__(cls, name: str, seat: int) -> SeatName:
        """Return the name of that seat."""
        made = cast("SeatName", super().__new__(cls, name))
        made.seat = seat
        return made

    def __reduce__(self) -> tuple[type[Phrase], tuple[object, ...]]:
        return SeatName, (self.message, self.seat)


class LoneName(Phrase):
    """A name that stands by itself, in a list or behind a player, for which a language may have
    another word than within a sentence: French says `ann (Blancs)`, but `le pion blanc`."""

    __slots__ = ()

    def __new__(cls, name: str) -> LoneName:
        """Return the name."""
        return cast("LoneName", super().__new__(cls, name))

    def __reduce__(self) -> tuple[type[Phrase], tuple[object, ...]]:
        return LoneName, (self.message,)


class Sentence(Phrase):
    """A phrase that begins with a capital in every language."""

    __slots__ = ()

    def __new__(cls, text: str) -> Sentence:
        """Return the text with its first letter in upper case."""
        made = str.__new__(cls, capitalize(text))
        made.message, made.plural, made.values = "{text}", "", {"text": text}
        return made

    def __reduce__(self) -> tuple[type[Phrase], tuple[object, ...]]:
        return Sentence, (self.values["text"],)


class EnglishWord(Phrase):
    """A phrase for which English has a word that no catalogue could translate by itself: `Austrian`
    for a unit of Austria, `king` for a crowned man."""

    __slots__ = ()

    def __new__(cls, word: str, meaning: Phrase) -> EnglishWord:
        """Return the word, which is said in other languages as its meaning."""
        made = str.__new__(cls, word)
        made.message, made.plural, made.values = meaning.message, meaning.plural, meaning.values
        return made

    @property
    def meaning(self) -> Phrase:
        """The phrase that other languages say."""
        return Phrase(self.message, self.values, self.plural)

    def __reduce__(self) -> tuple[type[Phrase], tuple[object, ...]]:
        return EnglishWord, (str(self), self.meaning)


GLUED = re.compile(r"(?<=«) | (?=[:;!?»](?:[\s<]|$))")
"""Blanks at which no line is broken, on a page neither: beside the marks that French sets apart."""
_GLUE = "\u00a0"


def wrap(text: str, columns: int, *, first: str = "", later: str = "") -> list[str]:
    """Return a text as lines that fit, the first and the later ones behind an indentation."""
    lines = textwrap.wrap(
        GLUED.sub(_GLUE, text),
        columns,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
    )
    return [line.replace(_GLUE, " ") for line in lines]


def drop_marks(text: str) -> str:
    """Return a move as its game writes it, to be stored or read by programs."""
    return str(text) if isinstance(text, PieceText) else text


def capitalize(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def punctuate(text: str, names: str) -> str:
    """Return the text with a full stop, and a capital unless a userid begins it."""
    first = text.partition(" ")[0].rstrip(",:")
    if text and first not in names.split():
        at = 1 if text[0] in "¿¡" else 0
        text = f"{text[:at]}{text[at : at + 1].upper()}{text[at + 1 :]}"
    return text if text[-1:] in (".", "!", "?") else f"{text}."


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


class PieceText(str):
    """A move as its game writes it, or the letter of a piece on a board, in which letters stand for
    pieces that readers may know by others.

    letters  those of the game, by the names of the pieces
    origin   the same move with the place that it begins on, which can be read in one way only
    rivals   the letters by which it could be read as another move too, if its first were one
    """

    __slots__ = ("letters", "origin", "rivals")

    letters: tuple[tuple[str, str], ...]
    origin: str
    rivals: str

    def __new__(
        cls, text: str, letters: tuple[tuple[str, str], ...], origin: str = "", rivals: str = ""
    ) -> PieceText:
        """Return the text as the game writes it."""
        made = super().__new__(cls, text)
        made.letters, made.origin, made.rivals = letters, origin, rivals
        return made

    def __reduce__(self) -> tuple[type[PieceText], tuple[object, ...]]:
        return PieceText, (str(self), self.letters, self.origin, self.rivals)


class Composed(str):
    """A text in English that is put together of phrases in a way of its own, and so in every
    language: lines that are broken where they are full, a drawing with words beside it.

    compose  returns it with each phrase as the function that it is given says it
    """

    __slots__ = ("compose",)

    compose: Callable[[Callable[[str], str]], str]

    def __new__(cls, text: str, compose: Callable[[Callable[[str], str]], str]) -> Composed:
        """Return the text in English."""
        made = super().__new__(cls, text)
        made.compose = compose
        return made

    def __reduce__(self) -> tuple[type[Composed], tuple[object, ...]]:
        return Composed, (str(self), self.compose)


def tell_turn(names: str) -> Phrase:
    """Return whose turn it is, below a picture."""
    return phrase("{names} to move", names=names)


def tell_end(reason: str) -> Phrase:
    """Return how a game has ended, below a picture."""
    return phrase("the game is over: {reason}", reason=reason)


def tell_roll(colour: SeatName, dice: str) -> Phrase:
    """Return the news that a seat rolls; dice rolled together are one item (`join_roll`). They may
    be a phrase that says what each is for."""
    return phrase("{colour} rolls {dice}", colour=colour, dice=dice)


def join_roll(first: str, second: str) -> Phrase | None:
    """Return two of `tell_roll` as one roll of both dice, `white rolls 5-2`; None where they are
    not rolls of one seat."""
    if not isinstance(first, Phrase) or not isinstance(second, Phrase):
        return None
    one, other = first.values, second.values
    is_roll = first.message == second.message == tell_roll(SeatName("", 0), "").message
    if not is_roll or one["colour"] != other["colour"]:
        return None
    dice, more = one["dice"], other["dice"]
    if isinstance(dice, Phrase) and isinstance(more, Phrase):
        return Phrase(first.message, {**one, "dice": Listing([dice, more])})
    return Phrase(first.message, {**one, "dice": f"{dice}-{more}"})


def phrase_place(place: int) -> Phrase:
    """Return a place among several in words: 1st."""
    if place == 1:
        return phrase("1st")
    if place % 100 // 10 != 1:
        if place % 10 == 1:
            return phrase("{place}st", place=place)
        if place % 10 == 2:
            return phrase("{place}nd", place=place)
        if place % 10 == 3:
            return phrase("{place}rd", place=place)
    return phrase("{place}th", place=place)


def combine(pattern: str, /, **values: object) -> Phrase:
    """Return phrases put together by a pattern without words of its own, which needs no
    translation: `combine("{wrong}; {hint}", wrong=phrase("..."), hint=phrase("..."))`."""
    return Phrase(pattern, values)


def join_phrases(separator: str, texts: Sequence[str]) -> str:
    """Return several phrases as one, with the same marks between them."""
    if len(texts) <= 1:
        return texts[0] if texts else ""
    values = {f"part{number}": text for number, text in enumerate(texts)}
    return Phrase(separator.join(f"{{{name}}}" for name in values), values)


def get_text(error: Exception) -> str:
    """Return the text of an error: a phrase where it was made of one, which `str` would forget."""
    text = error.args[0] if error.args else ""
    return text if isinstance(text, str) else str(error)


def change_values(text: str, change: Callable[[str], str]) -> str:
    """Return a text with its values changed, in phrases within it too; a text that is no phrase is
    changed as a whole."""
    if isinstance(text, Listing):
        return Listing((change_values(item, change) for item in text.items), text.last)
    if not isinstance(text, Phrase):
        return change(text)
    if isinstance(text, EnglishWord):
        return text
    values = {
        name: change_values(value, change) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return Phrase(text.message, values, text.plural)


_MARK = "\x1e"
"""The beginning of a packed text: a sign that no sentence contains."""
_OTHER_FIELD = re.compile(r"\{(?!\w+\})")
"""A brace that does not begin a value: no message has one, and a field may have any width."""


def pack(text: str) -> str:
    """Return a text in stored form, from which a phrase can be restored. A person's text cannot
    pass for a phrase."""
    if isinstance(text, SeatName):
        return _MARK + json.dumps([text.seat, text.message], ensure_ascii=False)
    if isinstance(text, EnglishWord):
        return _MARK + json.dumps([str(text), pack(text.meaning)], ensure_ascii=False)
    if isinstance(text, Phrase):
        values = {
            name: pack(value) if isinstance(value, str) else value
            for name, value in text.values.items()
        }
        return _MARK + json.dumps(
            [text.message, values, text.plural], ensure_ascii=False, default=str
        )
    if isinstance(text, Listing):
        return _MARK + json.dumps([[*map(pack, text.items)], text.last], ensure_ascii=False)
    if isinstance(text, PieceText):
        return _MARK + json.dumps([{str(text): text.letters}, text.origin, text.rivals])
    return str(text).lstrip(_MARK)


def unpack(stored: str) -> str:
    """Return the text that was packed; any other unchanged."""
    if not stored.startswith(_MARK):
        return stored
    try:
        return _restore(*json.loads(stored[1:]))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return stored


def _restore(first: Any, *rest: Any) -> str:
    """Return the text that `pack` stored."""
    if isinstance(first, list):
        return Listing(map(unpack, first), *rest)
    if isinstance(first, dict):
        ((text, letters),) = first.items()
        return PieceText(text, tuple(map(tuple, letters)), *rest)
    if isinstance(first, int):
        (message,) = rest
        return SeatName(message, first)
    if len(rest) == 1:
        (meaning,) = map(unpack, rest)
        if not isinstance(meaning, Phrase):
            raise TypeError
        return EnglishWord(first, meaning)
    values, plural = rest
    if values and (_OTHER_FIELD.search(first) or _OTHER_FIELD.search(plural)):
        raise ValueError(first)
    restored = {
        name: unpack(value) if isinstance(value, str) else value for name, value in values.items()
    }
    return Phrase(first, restored, plural)
