"""Words of a command line and what they may be: games, board numbers, verbs, slips of the hand.

Nothing here decides what a line does, and nothing looks at the database."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbm.core.language.verbs import command_words, verbs_by_word
from pbm.games import MissingGame, UnknownGame, longest_title, name_of, reserve

reserve(command_words())
MAX_LINE = 4000
TWO_WORDS = frozenset({("change", "password"), ("change", "address"), ("all", "show")})

_NUMBER = re.compile(r"#?([0-9]{1,9})[,.:;]?")
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,19}")
_DASHES = str.maketrans({dash: "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"})
_WRAPS = (('"', '"'), ("'", "'"), ("<", ">"), ("\u201c", "\u201d"), ("`", "`"), ("*", "*"))


def tidy(line: str) -> str:
    """The line with plain blanks and dashes, without what people put around a command."""
    line = " ".join(line[:MAX_LINE].translate(_DASHES).split())
    for _ in range(3):
        line = unwrapped(line.lstrip("> "))
    return line


def unwrapped(word: str) -> str:
    """The word without one pair of quotes or brackets around it."""
    for left, right in _WRAPS:
        if len(word) > 2 and word[0] == left and word[-1] == right and left not in word[1:-1]:
            return word[1:-1].strip()
    return word


def bare(word: str) -> str:
    """The word without a comma or full stop behind it and without quotes or brackets."""
    return unwrapped(word.rstrip(",;.")).rstrip(",;.")


def plain(word: str) -> str:
    """A word that is no password, as it is compared: bare and in lower case."""
    return bare(word).lower()


def head(word: str) -> str:
    """The first words of a line as verbs and games are compared: `Help!`, `cradle:`."""
    return plain(word.rstrip(".!:")) or word


def is_userid(word: str) -> bool:
    """Whether the word has the form of a userid."""
    return _USERID.fullmatch(plain(word)) is not None


def game_of(word: str) -> str:
    """The name of the game that the word is, also of one that is missing, or ""."""
    try:
        return name_of(plain(word))
    except MissingGame as missing:
        return missing.name
    except UnknownGame:
        return ""


def with_game(words: Sequence[str]) -> list[str]:
    """The words with those at the head that are a game's title as its name: `space truckin'
    move 3` is `spacetruckin move 3`. A number after a game is a board: `chess 960` stays."""
    for end in range(min(len(words), longest_title()), 1, -1):
        title = words[:end]
        if any(map(board_number, title)) and game_of(title[0]):
            continue
        if name := game_of(" ".join([*title[:-1], head(title[-1])])):
            return [name, *words[end:]]
    return list(words)


def board_number(word: str) -> int:
    """The board number that the word is (`17`, `#17`, `17,`), or 0."""
    found = _NUMBER.fullmatch(unwrapped(word))
    return int(found[1]) if found else 0


def is_verb(word: str) -> bool:
    """Whether the word is a command's, or the first of one."""
    return word in verbs_by_word() or any(word == two[0] for two in TWO_WORDS)


def one_slip(word: str, known: str) -> bool:
    """Whether one letter was left out, added, replaced, or two neighbours swapped."""
    if word == known or abs(len(word) - len(known)) > 1:
        return False
    start = 0
    while start < min(len(word), len(known)) and word[start] == known[start]:
        start += 1
    a, b = word[start:], known[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[:2][::-1] and a[2:] == b[2:])
