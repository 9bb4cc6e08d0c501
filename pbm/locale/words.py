"""The words that players of each language write in a reply, and the names by which they know games:
one file a language, `words.txt`."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from pbm.locale import ENGLISH, LANGUAGES, Page, get_language

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_APOSTROPHES = str.maketrans({"’": "'", "´": "'", "`": "'"})  # noqa: RUF001


class WordList(NamedTuple):
    """The words of a language.

    replies   for each English word those that stand for it; the first is shown to readers
    commands  the same for words within commands: keys and values of `set`, the words of a plan
    verbs     the same for the words that commands begin with, such as `set` and `event enter`
    games     for each name of a game those by which it is known
    """

    replies: Mapping[str, tuple[str, ...]]
    commands: Mapping[str, tuple[str, ...]]
    verbs: Mapping[str, tuple[str, ...]]
    games: Mapping[str, tuple[str, ...]]


@cache
def read_words(language: str) -> WordList:
    """Read the words of a language; none for one without."""
    parts: dict[str, dict[str, tuple[str, ...]]] = {f"[{part}]": {} for part in WordList._fields}
    try:
        text = files("pbm.locale").joinpath(language, "words.txt").read_text("utf-8")
    except FileNotFoundError:
        text = ""
    part = parts["[replies]"]
    for line in text.splitlines():
        part = parts.get(line, part)
        name, colon, words = line.partition(":")
        if colon and not line.startswith("#"):
            part[name] = tuple(word.strip() for word in words.split(","))
    return WordList(*map(MappingProxyType, parts.values()))


def fold(text: str) -> str:
    """Return a text in small letters, without accents, to compare it with others."""
    plain = " ".join(text.casefold().translate(_APOSTROPHES).split())
    if plain.isascii():
        return plain
    letters = unicodedata.normalize("NFKD", plain)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def spell(word: str) -> Iterator[str]:
    """Yield the folded spellings of a word: `zuruck` and `zurueck` for zurück."""
    yield fold(word)
    yield fold(word.casefold().translate(_UMLAUTS))


@cache
def map_replies() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Map each word of a reply, folded, to what it means: English words, with the languages in
    which it means that."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for language in LANGUAGES:
        for meaning, words in read_words(language).replies.items():
            for spelling in {each for word in words for each in spell(word)}:
                meanings = found.setdefault(spelling, {})
                meanings[meaning] = meanings.get(meaning, frozenset()) | {language}
    return found


@cache
def list_english_replies() -> frozenset[str]:
    """Return the English words of a reply that have a translation."""
    return frozenset(each for language in LANGUAGES for each in read_words(language).replies)


@cache
def map_games() -> Mapping[str, str]:
    """Map each name of a game in another language, folded, to ours; without those that several
    games have."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for game, names in read_words(language).games.items():
            for spelling in {each for name in names for each in spell(name)}:
                found.setdefault(spelling, set()).add(game)
    return {spelling: games.pop() for spelling, games in found.items() if len(games) == 1}


@cache
def count_longest_name() -> int:
    """Return how many words the longest name of a game has."""
    return max((name.count(" ") + 1 for name in map_games()), default=0)


def list_meanings(text: str, language: str = "") -> list[str]:
    """Return the English words for which a text stands as a whole, in whatever language; of several
    those of the reader's language, if it has any."""
    meanings, language = map_replies().get(fold(text), {}), get_language(language)
    if len(meanings) > 1 and (own := [each for each in meanings if language in meanings[each]]):
        return own
    return list(meanings)


def reply_word(name: str, language: str) -> str:
    """Return the word with which a reader of a language says `resign` and the like in a reply; the
    English one where there is none."""
    language = get_language(language)
    if language == ENGLISH:
        return name
    return read_words(language).replies.get(name, (name,))[0]


@cache
def map_command_words(part: str = "commands") -> Mapping[str, frozenset[str]]:
    """Map each word within commands, or of `verbs`, folded, to the English ones that it may stand
    for."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for meaning, words in getattr(read_words(language), part).items():
            found.setdefault(meaning, set()).add(meaning)
            for spelling in {each for word in words for each in spell(word)}:
                found.setdefault(spelling, set()).add(meaning)
    return {spelling: frozenset(meanings) for spelling, meanings in found.items()}


def list_verb_words(text: str) -> list[str]:
    """Return the words of English commands for which a text stands, whatever its language."""
    word = fold(text)
    meanings = map_command_words("verbs").get(word, frozenset())
    return [word] if word in meanings else sorted(meanings)


def name_verb(name: str, language: str, *, of_board: bool = False) -> str:
    """Return a command's name, of one word or two, as a reader of a language writes it; behind the
    name of a game, of one about a board, as in a reply."""
    own, (first, *others) = read_words(get_language(language)), name.split() or ("",)
    words = {**own.replies, **own.verbs} if of_board else own.verbs
    if first not in words:
        return name
    return " ".join([words[first][0], *(words.get(each, (each,))[0] for each in others)])


def read_command_word(text: str, among: Container[str]) -> str:
    """Return which of these English words a text stands for in whatever language; itself in small
    letters where it stands for none."""
    word = fold(text)
    meanings = sorted(map_command_words().get(word, ()))
    return next((each for each in (word, *meanings) if each in among), word)


def says_none(text: str) -> bool:
    """Whether a text is the word that clears a plan, a note or a list, in whatever language."""
    return read_command_word(text.rstrip(".!"), ("none",)) == "none"


def say_reply_word(name: str) -> str:
    """Return the word with which each reader says `resign` and the like in a reply."""
    return Page(partial(reply_word, name))


def say_command_word(word: str) -> str:
    """Return a word within commands, which each reader sees as the own language has it."""
    return Page(partial(command_word, word))


def command_word(word: str, language: str) -> str:
    """Return a word within commands, or the name of a help page, as a reader of a language writes
    it."""
    return read_words(get_language(language)).commands.get(word, (word,))[0]


def name_game(name: str, title: str, language: str) -> str:
    """Return the title of a game in a language: the first of its names there, else its title in
    English."""
    language = get_language(language)
    if language == ENGLISH:
        return title
    shown = read_words(language).games.get(name, (title,))[0]
    return f"{shown[:1].upper()}{shown[1:]}"


def is_typo_of(word: str, target: str) -> bool:
    """Whether the words differ by one letter omitted, added or replaced, or two neighbours
    swapped."""
    if word == target or abs(len(word) - len(target)) > 1:
        return False
    start = 0
    while start < min(len(word), len(target)) and word[start] == target[start]:
        start += 1
    a, b = word[start:], target[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[:2][::-1] and a[2:] == b[2:])
