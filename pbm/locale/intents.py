"""The words by which questions and wishes are understood in each language: one file a language,
`intents.txt`, of what words stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from typing import NamedTuple

from pbm.locale import LANGUAGES, get_language
from pbm.locale.words import fold

ALSO = "also"
"""Words that change nothing."""
_WORD = re.compile(r"[^\W_]+")
_ELIDED = re.compile(r"\b([cdjlmnst]|qu)-(?=[^\W\d_])|-(m|s|t|d|ve|ll|re)\b")
"""What stands before or behind an apostrophe."""
_UMLAUT = re.compile("([aou])e")
_DOUBLED = re.compile(r"(.)\1")
_SHORTEST_SLIP = 5
_SHORTEST_NAME = 2
_SHORTEST_STEM = 5
_CLEAR = 2
"""Words of a language by which a text is known to be in it, and more than in any other."""


class Word(NamedTuple):
    """One way of saying something: words that follow each other, or only stand in one sentence.
    `stems` are those of which any end will do."""

    parts: Sequence[str]
    stems: frozenset[int]
    is_joined: bool

    def find(self, words: Sequence[str], at: int) -> Iterator[frozenset[int]]:
        """Yield where it stands in a sentence, given that its first part may stand there: the
        numbers of its words."""
        count = len(self.parts)
        if self.is_joined:
            is_whole = at + count <= len(words)
            if is_whole and all(self._fits(each, words[at + each]) for each in range(count)):
                yield frozenset(range(at, at + count))
            return
        places = [
            [where for where, word in enumerate(words) if self._fits(number, word)]
            for number in range(1, count)
        ]
        if self._fits(0, words[at]):
            yield from (frozenset({at, *each}) for each in product(*places))

    def _fits(self, number: int, word: str) -> bool:
        part = self.parts[number]
        return word.startswith(part) if number in self.stems else word == part


Vocabulary = Mapping[str, Sequence[Word]]
"""The words of a language by what they stand for."""
_Named = Sequence[tuple[str, Word]]


def split_words(text: str) -> list[str]:
    """Return the words of a text as they are compared: folded, and parted at every mark."""
    return _WORD.findall(fold(text))


def find_stem(word: str) -> str:
    """Return the part of a word that its forms have in common, roughly."""
    return word[: max(_SHORTEST_STEM, len(word) * 2 // 3)]


@cache
def read_vocabulary(language: str) -> Vocabulary:
    """Read the words of a language."""
    text = files("pbm.locale").joinpath(language, "intents.txt").read_text("utf-8")
    lines = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
    return {
        name: tuple(_read(each) for word in words.split(",") for each in _list_spellings(word))
        for name, colon, words in lines
        if colon
    }


def _list_spellings(word: str) -> list[str]:
    """Return a word as it is written, and without its apostrophes: "i-m-beaten", "im-beaten"."""
    plain = _ELIDED.sub(r"\1\2", word)
    return [word] if plain == word or "+" in word else [word, plain]


@cache
def _index(language: str) -> tuple[Mapping[str, _Named], Mapping[str, _Named]]:
    """Return the words of a locale's language by their first part: those of which it is whole, and
    those that begin with a stem."""
    exact: dict[str, list[tuple[str, Word]]] = {}
    stems: dict[str, list[tuple[str, Word]]] = {}
    for name, words in read_vocabulary(get_language(language)).items():
        for word in words if name != ALSO else ():
            by_part = stems if 0 in word.stems else exact
            by_part.setdefault(word.parts[0], []).append((name, word))
    return exact, stems


def find_meanings(words: Sequence[str], language: str) -> dict[str, list[frozenset[int]]]:
    """Return what the words of a sentence stand for in a language, each with the numbers of the
    words, time by time."""
    language = get_language(language)
    exact, stems = _index(language)
    if len(words) > 1:  # one alone may be a command that is misspelt
        words = [_correct(word, language) for word in words]
    found: dict[str, dict[frozenset[int], None]] = {}
    for at, first in enumerate(words):
        fitting = list(exact.get(first, ()))
        for end in range(1, len(first) + 1):
            fitting += stems.get(first[:end], ())
        for name, word in fitting:
            for numbers in word.find(words, at):
                found.setdefault(name, {})[numbers] = None
    return {name: list(places) for name, places in found.items()}


def _correct(word: str, language: str) -> str:
    """Return the word of a language that one is which no language has, but for its slips."""
    if len(word) < _SHORTEST_SLIP or not word.isalpha() or word in _list_all_parts():
        return word
    stems = _index(language)[1]
    for spelled in (word, _UMLAUT.sub(r"\1", word)):
        if any(spelled[:end] in stems for end in range(1, len(spelled) + 1)):
            return spelled
    return _list_slips(language).get(_leave_out_slips(word), word)


@cache
def _list_all_parts() -> frozenset[str]:
    """Return all words that are understood in some language."""
    return frozenset().union(*map(_list_parts, LANGUAGES))


@cache
def _list_slips(language: str) -> Mapping[str, str]:
    """Return the long words of a language by what is left of them without slips."""
    long = (word for word in sorted(_list_parts(language)) if len(word) >= _SHORTEST_SLIP)
    return {_leave_out_slips(word): word for word in long}


def _leave_out_slips(word: str) -> str:
    """Return what stays the same of a word where letters within it are doubled, single or swapped,
    or an umlaut is written with an e."""
    plain = _DOUBLED.sub(r"\1", _UMLAUT.sub(r"\1", word))
    return plain[:1] + "".join(sorted(plain[1:-1])) + plain[-1:]


@cache
def list_also(language: str) -> frozenset[str]:
    """Return the words of a language that change nothing, folded."""
    return frozenset(part for word in read_vocabulary(language)[ALSO] for part in word.parts)


def is_joining(word: str) -> bool:
    """Whether a word only joins others: one of two letters, or one that changes nothing in one of
    the languages."""
    return len(word) <= _SHORTEST_NAME or any(fold(word) in list_also(each) for each in LANGUAGES)


def guess_language(text: str) -> str:
    """Return the language of which a text has by far the most words; "" where that is in doubt."""
    words = set(split_words(text))
    counts = {each: len(words & _list_parts(each)) for each in LANGUAGES}
    first, second = sorted(counts, key=lambda each: counts[each], reverse=True)[:2]
    is_sure = counts[first] >= _CLEAR and counts[first] >= counts[second] + _CLEAR
    return first if is_sure else ""


@cache
def _list_parts(language: str) -> frozenset[str]:
    """Return all words that are understood in a language."""
    words = (word for each in read_vocabulary(language).values() for word in each)
    return frozenset(part for word in words for part in word.parts)


def _read(word: str) -> Word:
    pieces = re.split(r"[-+]", word.strip())
    stems = {at for at, piece in enumerate(pieces) if piece.endswith("*")}
    parts = tuple(fold(piece.rstrip("*")) for piece in pieces)
    return Word(parts, frozenset(stems), "+" not in word)
