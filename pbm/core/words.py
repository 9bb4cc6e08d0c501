"""Words of a command line: normalizing them, and recognizing games, board numbers and typos.

Nothing here decides what a line does or queries the database."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache

from pbm.core.feature import SEATED, UnnamedLines, Verb, list_verbs
from pbm.games import begins_name, count_longest_title, find_name, list_spellings
from pbm.locale.words import count_longest_name, fold, is_typo_of, map_games, name_verb

SHORTEST_PASSWORD = 4
_SHORTEST_MISSPELT = 5


@cache
def map_words_to_verbs() -> dict[str, tuple[Verb, ...]]:
    """Map each name and alias to its verbs: a word may be one command with a game and another
    without."""
    words: dict[str, tuple[Verb, ...]] = {}
    for verb in list_verbs():
        for word in (verb.name, *verb.aliases):
            words[word] = (*words.get(word, ()), verb)
    return words


def find_verbs(words: Iterable[str]) -> list[Verb]:
    """Return the verbs that any of these words name."""
    return [verb for word in words for verb in map_words_to_verbs().get(word, ())]


def find_verb_for_move(text: str) -> Verb | None:
    """Return the command that a word in the place of a move is, such as `resign`."""
    word = text.rstrip(".!").lower()
    return next((verb for verb in list_verbs() if verb.replaces_move and verb.name == word), None)


def find_meant_by(word: str) -> list[Verb]:
    """Return the verbs that people mean by this word, which is no verb."""
    return [verb for verb in list_verbs() if word in verb.meant_by]


@cache
def list_unnamed() -> tuple[tuple[Verb, UnnamedLines], ...]:
    """Return the verbs with lines that do not name them."""
    return tuple((verb, verb.unnamed) for verb in list_verbs() if verb.unnamed is not None)


def find_unnamed(line: str) -> Verb | None:
    """Return the verb whose line this is, without naming it."""
    return next((verb for verb, lines in list_unnamed() if lines.is_one(line)), None)


@cache
def get_verb(name: str, *, takes_game: bool = True) -> Verb:
    """Return the verb with this name; of two, the one that takes a game, or the other."""
    verbs = [verb for verb in list_verbs() if verb.name == name]
    return next((verb for verb in verbs if (verb.game == "yes") is takes_game), verbs[0])


def say_verb(verb: Verb, language: str) -> str:
    """Return the name of a command as a reader of a language writes it: one about a board, behind
    the name of its game, as in a reply."""
    of_board = verb.has_board and verb.game == "yes"
    names = (verb.name, *verb.aliases)
    said = [name_verb(name, language, of_board=of_board) for name in names]
    return next((own for own, name in zip(said, names, strict=True) if own != name), verb.name)


@cache
def list_command_words() -> frozenset[str]:
    """Return all words in the names and aliases of verbs."""
    return frozenset(word for verb in list_verbs() for word in (*verb.name.split(), *verb.aliases))


@cache
def list_two_words() -> frozenset[tuple[str, str]]:
    """Return the commands of two words, such as `change password`."""
    names = (verb.name.partition(" ") for verb in list_verbs())
    return frozenset((first, last) for first, blank, last in names if blank)


@cache
def list_first_words() -> frozenset[str]:
    """Return the words with which commands of two words begin."""
    return frozenset(first for first, _ in list_two_words())


@cache
def list_last_words() -> frozenset[str]:
    """Return the words with which commands of two words end."""
    return frozenset(last for _, last in list_two_words())


MAX_LINE = 4000
FILTERS = ("all", "active", "inactive", "next")
"""Words that choose among boards."""

_SHORTEST_SIMILAR = 4
_SIMILAR = 0.84
"""How much of a game's name a misspelt one has in common with it, from 0 to 1."""
_NUMBER = re.compile(r"#?([0-9]{1,9})[,.:;]?")
_PLAIN_NUMBER = re.compile(r"#?([0-9]{1,9})")
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,19}")
_DASHES = str.maketrans({dash: "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"})
_WRAPS = (('"', '"'), ("'", "'"), ("<", ">"), ("\u201c", "\u201d"), ("`", "`"), ("*", "*"))
_BEGINS_VALUE = re.compile('-+[A-Za-z][A-Za-z_-]*=["\u201c\u201e]')
_OPENING = frozenset(left for left, _ in _WRAPS)


def tidy(line: str) -> str:
    """Normalize blanks and dashes, and remove quotes and brackets around the line."""
    line = line[:MAX_LINE]
    if not line.isascii():
        line = line.translate(_DASHES)
    line = " ".join(line.split())
    for _ in range(3):
        wrapped, line = line, unwrap(line.lstrip("> "))
        if line == wrapped:
            break
    return line


def unwrap(word: str) -> str:
    """Remove one pair of quotes or brackets around the word."""
    if word[:1] not in _OPENING:
        return word
    for left, right in _WRAPS:
        if len(word) > 2 and word[0] == left and word[-1] == right and left not in word[1:-1]:
            return word[1:-1].strip()
    return word


def trim_word(word: str) -> str:
    """Remove quotes and brackets, and commas, semicolons and full stops at the end."""
    if word.isalnum():
        return word
    return unwrap(word.rstrip(",;.")).rstrip(",;.")


def trim_words(words: Iterable[str]) -> Iterator[str]:
    """Yield the words trimmed, without those that nothing is left of. The value of an option in
    double quotes is one word, with its quotes and all that stands between them."""
    rest = deque(words)
    while rest:
        word = rest.popleft()
        if _BEGINS_VALUE.match(word) and any(map(_ends_value, (word[1:], *rest))):
            while not _ends_value(word[1:]):
                word = f"{word} {rest.popleft()}"
            yield word.rstrip(",;.")
        elif trimmed := trim_word(word):
            yield trimmed


def _ends_value(word: str) -> bool:
    return word.rstrip(",;.").endswith(('"', "\u201d", "\u201c")) and not word.endswith('="')


def normalize_word(word: str) -> str:
    """Return the word trimmed and in lower case, as words other than passwords are compared."""
    return trim_word(word).lower()


def normalize_keyword(word: str) -> str:
    """Normalize a word that may be a verb or game: `Help!`, `cradle:`."""
    if word.isalnum():
        return word.lower()
    return normalize_word(word.rstrip(".!:")) or word


def is_userid(word: str) -> bool:
    """Whether the word has the form of a userid."""
    return _USERID.fullmatch(normalize_word(word)) is not None


def find_game_name(word: str) -> str:
    """Return the name of the game that the word means, installed or missing; "" for none."""
    return find_name(normalize_word(word))


def find_similar_game(word: str) -> str:
    """Return the name of the one game whose name or alias the word nearly is; "" for none or
    several. Only to be suggested, never to be acted on."""
    word = normalize_word(word)
    if len(word) < _SHORTEST_SIMILAR or find_game_name(word):
        return ""
    spellings = list_spellings()
    near = [each for each in spellings if is_typo_of(word, each)]
    near = near or get_close_matches(word, spellings, n=3, cutoff=_SIMILAR)
    names = {find_game_name(each) for each in near}
    return names.pop() if len(names) == 1 else ""


def join_game_title(words: Sequence[str]) -> list[str]:
    """Replace a game's title at the head of the words with its name: `space truckin' move 3` is
    then `spacetruckin move 3`. A number after a game is a board, so `chess 960` stays."""
    start = "".join(words[:2])
    if start.isascii() and start.isalnum() and not begins_name(start):
        return _join_foreign_name(words)
    for end in range(min(len(words), count_longest_title()), 1, -1):
        title = words[:end]
        name = find_game_name(" ".join([*title[:-1], normalize_keyword(title[-1])]))
        if name and not (any(map(parse_board_number, title)) and find_game_name(title[0])):
            return [name, *words[end:]]
    return _join_foreign_name(words)


def find_named_game(title: str) -> str:
    """Return the name of the game with that title in any language; "" for none."""
    return find_game_name(title) or find_game_name(map_games().get(fold(trim_word(title)), ""))


def _join_foreign_name(words: Sequence[str]) -> list[str]:
    """Replace the name of a game in another language than English, where a verb follows it."""
    for end in range(1, min(len(words), count_longest_name() + 1)):
        if not is_verb(normalize_keyword(words[end]).split("#")[0]):
            continue
        name = map_games().get(fold(" ".join(words[:end])), "")
        if name and find_game_name(name) and not is_verb(normalize_keyword(words[0])):
            return [name, *words[end:]]
    return list(words)


def parse_board_number(word: str) -> int:
    """Read a board number (`17`, `#17`, `17,`); 0 for any other word."""
    if word.isalpha():
        return 0
    match = _NUMBER.fullmatch(unwrap(word))
    return int(match[1]) if match else 0


def parse_number(word: str) -> int | None:
    """Read a number as people write it (`3`, `#3`), of at most nine digits, which fits into every
    column; None for any other word."""
    match = _PLAIN_NUMBER.fullmatch(word)
    return int(match[1]) if match else None


def is_verb(word: str) -> bool:
    """Whether the word is a verb, or the first word of one."""
    return word in map_words_to_verbs() or word in list_first_words()


def find_misspelt_verb(line: str) -> Verb | None:
    """Return the verb that a line of one word misspells, if that word alone is a complete reply and
    only one verb is near; None for any other line."""
    word = normalize_keyword(line.strip(" .!"))
    if " " in word or len(word) < _SHORTEST_MISSPELT or is_verb(word):
        return None
    near = {
        verb.name: verb
        for name, verbs in map_words_to_verbs().items()
        if is_typo_of(word, name)
        for verb in verbs
        if verb.has_board and all(slot[-1] in "?*" or slot in SEATED for slot in verb.slots)
    }
    return near.popitem()[1] if len(near) == 1 else None
