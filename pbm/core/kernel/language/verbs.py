"""The table of commands: parser, help pages, command line and a completeness test are made of it.

Its rows are the features'; the function that does a command is imported when it is first needed."""

from __future__ import annotations

from functools import cache

from pbm.core.kernel.feature import list_verbs
from pbm.core.kernel.language.verb import Group, Verb

VERBS: tuple[Verb, ...] = tuple(sorted(list_verbs(), key=lambda verb: [*Group].index(verb.group)))


@cache
def map_words_to_verbs() -> dict[str, tuple[Verb, ...]]:
    """Map each name and alias to its verbs: a word may be one command with a game and another
    without."""
    words: dict[str, tuple[Verb, ...]] = {}
    for verb in VERBS:
        for word in (verb.name, *verb.aliases):
            words[word] = (*words.get(word, ()), verb)
    return words


def find_verb_for_move(text: str) -> Verb | None:
    """Return the command that a word in the place of a move is, such as `resign`."""
    word = text.rstrip(".!").lower()
    return next((verb for verb in VERBS if verb.replaces_move and verb.name == word), None)


def find_meant_by(word: str) -> list[Verb]:
    """Return the verbs for which people write this word; it is none of theirs."""
    return [verb for verb in VERBS if word in verb.meant_by]


@cache
def get_verb(name: str, *, takes_game: bool = True) -> Verb:
    """Return the verb with this name; of two, the one that takes a game, or the other."""
    verbs = [verb for verb in VERBS if verb.name == name]
    return next((verb for verb in verbs if (verb.game == "yes") is takes_game), verbs[0])


@cache
def list_command_words() -> frozenset[str]:
    """Return all words in the names and aliases of verbs."""
    return frozenset(word for verb in VERBS for word in (*verb.name.split(), *verb.aliases))
