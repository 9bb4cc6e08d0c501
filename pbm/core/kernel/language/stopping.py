"""How people say that they want no more mail: `stop`, `unsubscribe`, `please remove me from your
list`, in the languages of the server.

A line counts only when all of its words are such as people use for that, so that a sentence to an
opponent is never taken for one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from pbm.locale import LANGUAGES
from pbm.locale.words import fold, read_words

_MOST_WORDS = 12
_LONGEST = 120
_MAIL = re.compile(r"\be-mail")
_WORD = re.compile(r"[^\W_]+(?:'t)?")
_ENGLISH: Mapping[str, str] = {
    "end": "stop unsubscribe remove opt_out take_me_off don't_mail do_not_mail don't_email "
    "do_not_email don't_write do_not_write don't_contact do_not_contact",
    "no": "no not never don't didn't haven't nothing",
    "more": "more anymore want wish send",
    "mail": "mail mails mailing email emails emailing list lists mailinglist newsletter message "
    "messages spam writing contacting",
    "joined": "sign signed subscribe subscribed register registered ask asked request requested",
    "also": "please me my myself this that these those it them now all any the from your you i to "
    "how do did can could would have getting sending receiving receive of for up in on us dear "
    "hi hello thanks thank off here again immediately and a",
}
_PARTS = ("end", "no", "more", "mail", "joined", "also")


@cache
def _list_parts() -> Sequence[Mapping[str, frozenset[str]]]:
    """Return the words of each language by their part in such a sentence, without accents."""
    english = {name: frozenset(words.split()) for name, words in _ENGLISH.items()}
    others = [read_words(language).stop for language in LANGUAGES]
    return [english] + [
        {name: frozenset(map(fold, words[name])) for name in _PARTS} for words in others if words
    ]


def asks_to_stop(line: str) -> bool:
    """Whether a line says that its writer wants no more mail, and nothing else."""
    if len(line) > _LONGEST:
        return False
    words = _WORD.findall(_MAIL.sub("email", fold(line)))
    if not 0 < len(words) <= _MOST_WORDS or "@" in line:
        return False
    return any(_is_said(words, parts) for parts in _list_parts())


def _is_said(words: list[str], parts: Mapping[str, frozenset[str]]) -> bool:
    """Whether all words are of these, and among them those that make it a wish for no more mail."""
    rest, ends = list[str](), False
    at = 0
    while at < len(words):
        size = next((n for n in (3, 2, 1) if "_".join(words[at : at + n]) in parts["end"]), 0)
        ends = ends or size > 0
        rest += words[at : at + 1] if not size else []
        at += size or 1
    found = {name: any(word in parts[name] for word in rest) for name in _PARTS}
    known = frozenset().union(*(parts[name] for name in _PARTS))
    if not known.issuperset(rest):
        return False
    if ends:
        return not found["no"]
    return found["no"] and (found["joined"] or (found["more"] and found["mail"]))
