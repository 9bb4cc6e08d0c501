"""The sentences of a mail, and which of them are in which language, as an identifier sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from pbm.core.words import list_command_words
from pbm.features.finding.help import list_topics
from pbm.games import get_game, list_game_names
from pbm.locale import LANGUAGES
from tests.harness.mail import Mail

_FEWEST = 4
"""Fewer words tell no language: of three, one is often a day of the week or the value of an option.
That these are not English is held by `tests/mail/test_plain_words.py`, which needs no judgement."""
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|<[^>]*>|\[[^\]]*\]")
_QUOTED = re.compile(r"'[^']*'|`[^`]*`|\"[^\"]*\"|„[^“]*“|«[^»]*»")
_END = re.compile(r"(?<=[.!?:;])\s+")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


def list_sentences(mail: Mail, *values: str) -> Iterator[str]:
    """Yield the sentences of a mail, without what is a value in them: the words given, addresses,
    places and numbers, commands and names of games; and without boards, lines to send and
    quotes."""
    text = mail.text.partition("\n-- \n")[0]
    lines = [line if line[:1] not in (" ", ">", "\t") else "" for line in text.split("\n")]
    for paragraph in re.split(r"\n\s*\n", "\n".join([mail.subject, "", *lines])):
        for sentence in _END.split(" ".join(paragraph.split())):
            if plain := _drop_values(sentence, values):
                yield plain


def _drop_values(sentence: str, values: tuple[str, ...]) -> str:
    """Return the words of a sentence that are no values; "" where there are too few."""
    sentence = _QUOTED.sub(" ", _ADDRESS.sub(" ", sentence))
    dropped = {*values, *_list_commands()}
    for title in _list_titles():
        sentence = sentence.replace(title, " ")
    words = [word for word in sentence.split() if not any(map(str.isdigit, word))]
    kept = [
        word
        for word in _WORD.findall(" ".join(words))
        if word not in dropped and not (word.isupper() and len(word) > 1)
    ]
    whole = {word for word in kept if len(word) > 1}
    return " ".join(kept) if len(whole) >= _FEWEST else ""


@cache
def _list_commands() -> frozenset[str]:
    return list_command_words() | {*list_game_names(), *list_topics()}


@cache
def _list_titles() -> tuple[str, ...]:
    titles = {get_game(name).info.title for name in list_game_names()}
    return tuple(sorted((title for title in titles if len(title) > 2), key=len, reverse=True))


@cache
def _identify() -> Callable[[str], tuple[str, float]]:
    """Return the identifier, for the languages of the server."""
    import py3langid

    py3langid.set_languages([*LANGUAGES])
    found: Callable[[str], tuple[str, float]] = py3langid.classify
    return found


def identify(sentence: str) -> str:
    """Return the language of a sentence."""
    return str(_identify()(sentence)[0])
