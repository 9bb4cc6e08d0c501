"""What the server says in other languages, as far as it is translated: what is not is English, and
no fault of a test but a figure of `pbm check-language`."""

from __future__ import annotations

import re
from functools import cache

from pbm.cli.translating.check_language import count_left
from pbm.cli.translating.sentences import extract
from pbm.locale import list_forms, translate
from pbm.rules.phrases import phrase

_WORD = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"{\w*}")


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
    source = extract()
    left = {*count_left(language, source).untranslated}
    forms = (list_forms(each.id) for each in source)
    return [
        frozenset(_WORD.findall(_VALUE.sub(" ", " ".join(each))))
        for each in forms
        if each[0] in left
    ]
