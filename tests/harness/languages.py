"""What the server says in other languages, as far as it is translated: what is not is English, and
no fault of a test but a figure of `pbm check-language`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from gettext import NullTranslations
from string import ascii_letters

import pytest
from babel.messages.catalog import Catalog

import pbm.locale
from pbm.bots import NAMES
from pbm.cli.check_language import count_left, extract
from pbm.core.storing import find_title
from pbm.core.words import list_command_words
from pbm.features.finding.help import list_topics
from pbm.games import list_game_names
from pbm.locale import list_forms, translate
from pbm.locale.words import read_words
from pbm.rules.phrases import phrase

_WORD = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"{\w*}")


@cache
def find_sentences() -> Catalog:
    """Return all sentences of the code, searched for once a process: it takes seconds."""
    return extract()


@cache
def list_messages() -> frozenset[str]:
    """Return every sentence of the catalogues, one and many, with its braces."""
    return frozenset(form for each in find_sentences() for form in list_forms(each.id) if form)


def say(language: str, sentence: str, **values: object) -> str:
    """A sentence of the code as a reader gets it: in English while nobody has translated it."""
    return translate(phrase(sentence, **values), language)


def is_left_in_english(text: str, language: str) -> bool:
    """Whether most words of a text are those of one sentence that nobody has translated into that
    language yet."""
    words = {*_WORD.findall(text)}
    return any(len(words & known) * 2 > len(words) for known in _list_untranslated(language))


@cache
def _list_untranslated(language: str) -> list[frozenset[str]]:
    """The words of each sentence that is not translated, without its values."""
    source = find_sentences()
    left = {*count_left(language, source).untranslated}
    forms = (list_forms(each.id) for each in source)
    return [
        frozenset(_WORD.findall(_VALUE.sub(" ", " ".join(each))))
        for each in forms
        if each[0] in left
    ]


# A language in which each sentence of a catalogue is written in letters of its own: what stands
# in plain letters in a mail to its reader is in no catalogue, or a value.

LANGUAGE = "de"
"""Whose place it takes: lists and dates are written as that language writes them."""
_SMALL, _LARGE = 0x24D0, 0x24B6
_MARKS = str.maketrans(
    {each: chr(ord(each.lower()) - ord("a") + (_SMALL if each.islower() else _LARGE))
     for each in ascii_letters}
)  # fmt: skip
"""Letters in circles, which a line of a mail can have."""
_PART = re.compile(r"{[^}]*}|[^{}]+")
_MARKED_WORD = re.compile(r"(?<![\w@.'/=-])[a-zA-Z]+(?:['-][a-zA-Z]+)*(?![\w@/=-])")
_CLDR = {"und", "oder", "bis", "Uhr", "Mo", "Di", "Mi", "Do", "Fr", "Sa", "So", "März", "Apr"}
_VALUES = {
    *("pbm", "yes", "no", "none", "picture", "text", "words", "names", "news", "new", "off"),
    *("if", "then", "any", "all", "next", "short", "hidden", "easy", "medium", "hard", "opening"),
    *("swiss", "roundrobin", "knockout", "doubleknockout", "league", "ladder", "tour"),
}
"""Words of the command language that are no verbs."""


class Marked(NullTranslations):
    """The catalogue of that language."""

    def gettext(self, message: str) -> str:
        """Return a message in its letters; unchanged where no catalogue can have it."""
        return _mark(message) if message in list_messages() else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return a message about a number in its letters."""
        chosen = msgid1 if n == 1 else msgid2
        return _mark(chosen) if msgid1 in list_messages() else chosen


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have readers of German read that language."""
    monkeypatch.setitem(pbm.locale._loaded, LANGUAGE, Marked())


@cache
def _mark(message: str) -> str:
    parts = _PART.findall(message)
    return "".join(part if part.startswith("{") else part.translate(_MARKS) for part in parts)


def list_plain_words(text: str, values: Iterable[str] = ()) -> Iterator[str]:
    """Yield the words of a mail that stand in plain letters and are no values: neither in a line to
    send, which is indented, nor quoted, nor of the command language."""
    known = {*_list_known_words(), *values}
    for line in text.partition("\n-- \n")[0].split("\n"):
        if line.startswith(("    ", ">")):
            continue
        for word in _MARKED_WORD.findall(line):
            if len(word) > 1 and not word.isupper() and word not in known:
                yield word


@cache
def _list_known_words() -> frozenset[str]:
    own = read_words(LANGUAGE)
    replies = [*own.replies.values(), *own.commands.values(), *own.verbs.values()]
    titles = (translate(find_title(name), LANGUAGE) for name in list_game_names())
    texts = (*titles, *(word for words in replies for word in words), *list_topics())
    known = {word for text in texts for word in _MARKED_WORD.findall(text)}
    return frozenset(
        {
            *known,
            *NAMES,
            *list_command_words(),
            *list_game_names(),
            *pbm.locale.LANGUAGES,
            *_CLDR,
            *_VALUES,
        }
    )
