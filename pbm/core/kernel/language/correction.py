"""The command that a line most likely means whose words are in another order, or which misspells
the game or leaves out the verb. It is only ever suggested, never done.

It queries no database: which of the sender's words may be repeated is its caller's to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.language.verbs import find_meant_by, get_verb, map_words_to_verbs
from pbm.core.kernel.language.words import (
    TWO_WORDS,
    find_game_name,
    find_similar_game,
    is_typo_of,
    is_userid,
    join_game_title,
    normalize_keyword,
    normalize_word,
    parse_board_number,
    tidy,
)

_MOST_WORDS = 12
_MOST_FREE = 4
"""A line with more words beside game, verb, number and options is a sentence."""
_SHORTEST_TYPO = 4
_FILLING = ("a", "an", "the", "new", "with", "against", "versus", "vs", "of", "for", "me", "please")


class Meant(NamedTuple):
    """A command as it was most likely meant.

    board   0 where the line has no number
    words   the sender's own words: userids, options, moves
    """

    verb: Verb
    game: str
    board: int
    words: tuple[str, ...]

    def build(self, repeat: Callable[[str], str]) -> str:
        """Return the line to send, with {board} and {user} for the sender's own. `repeat` puts a
        word of the sender's right, or gives "" for one that may not be repeated: then it is without
        any."""
        verb = self.verb
        form = verb.build_form(self.game or "GAME")
        if self.board and (number := repeat(str(self.board))):
            form = form.replace("{board}", number)
        words = [repeat(word) for word in self.words]
        if not all(words) or not words:
            return form
        required = [slot for slot in verb.slots if slot[-1] not in "?*"]
        own = [slot for slot in required if slot not in ("board", "user", "password")]
        head = form.split(" ")
        head = head[: len(head) - len(own)]
        return " ".join([*head, *words])


def find_meant(line: str, *, is_free: bool = False) -> Meant | None:
    """Return the command that the words of a line make in the right order; None where they make
    none. In a line that does not begin like a command (`is_free`) every word must have its
    place."""
    words = join_game_title(tidy(line).split(" "))
    if not 0 < len(words) <= _MOST_WORDS:
        return None
    game, words = _take_game(words)
    verb, words = _take_verb(words, has_game=bool(game), is_free=is_free)
    if is_free and verb is None:
        return None
    if not game and (verb is None or verb.game == "yes"):
        game, words = _take_game(words, is_near=True)
    board = next((number for number in map(parse_board_number, words) if number), 0)
    if verb is not None and not (verb.has_board or "board+" in verb.slots):
        board = 0
    words = [word for word in words if not board or parse_board_number(word) != board]
    words = [word for word in words if normalize_word(word) not in _FILLING]
    if verb is None:
        if not game or bool(board) == bool(words):
            return None
        verb = get_verb("show" if board else "challenge")
    free = [word for word in words if not word.startswith("-")]
    is_challenge = verb.name == "challenge"
    is_placed = not free or " " in verb.name or (is_challenge and game)
    if len(free) > _MOST_FREE or (is_free and not is_placed):
        return None
    if is_challenge and not all(map(is_userid, free)):
        return None
    if is_challenge and len(free) == 1:
        words = ["{user}", *words]
    return Meant(verb, game, board, tuple(words) if _takes_own_words(verb) else ())


def _takes_own_words(verb: Verb) -> bool:
    """Whether the sender's own words may follow: where a password does, they may be it."""
    has_secret = verb.needs_password or "new_password" in verb.slots
    return not has_secret and any(slot not in ("board", "board+", "user") for slot in verb.slots)


def _take_game(words: list[str], *, is_near: bool = False) -> tuple[str, list[str]]:
    """Return the game that the words name, nearly or exactly, and the other words."""
    for at in range(len(words)):
        joined = join_game_title(words[at:])
        if is_near:
            joined = _join_near_title(joined)
            name = "" if _names_verb(joined[0]) else find_similar_game(joined[0])
        else:
            name = find_game_name(joined[0])
        if name and not parse_board_number(joined[0]):
            return name, [*words[:at], *joined[1:]]
    return "", words


def _join_near_title(words: list[str]) -> list[str]:
    """Join two words at the head that are nearly a title whose first word is right."""
    joined = "".join(words[:2])
    name = find_similar_game(joined) if len(words) > 1 else ""
    is_title = name.startswith(normalize_word(words[0])) and not _names_verb(words[1])
    return [joined, *words[2:]] if name and is_title else words


def _take_verb(words: list[str], *, has_game: bool, is_free: bool) -> tuple[Verb | None, list[str]]:
    """Return the verb that a word names, exactly, in other words or (unless `is_free`) misspelt,
    and the other words."""
    keys = [normalize_keyword(word).split("#")[0] for word in words]
    for first, second in TWO_WORDS:
        verb = get_verb(f"{first} {second}")
        if first in keys and second in keys and not (has_game and verb.game == "no"):
            left = [
                word for word, key in zip(words, keys, strict=True) if key not in (first, second)
            ]
            return verb, left
    for names in (_find_named, find_meant_by, *(() if is_free else (_find_misspelt,))):
        for at, key in enumerate(keys):
            verbs = [verb for verb in names(key) if not (has_game and verb.game == "no")]
            if verbs:
                return verbs[0], [*words[:at], *words[at + 1 :]]
    return None, words


def _names_verb(word: str) -> bool:
    return normalize_keyword(word) in map_words_to_verbs()


def _find_named(key: str) -> list[Verb]:
    return list(map_words_to_verbs().get(key, ()))


def _find_misspelt(key: str) -> list[Verb]:
    if len(key) < _SHORTEST_TYPO:
        return []
    names = [name for name in map_words_to_verbs() if is_typo_of(key, name)]
    verbs = {verb.name: verb for name in names for verb in _find_named(name)}
    return list(verbs.values()) if len(verbs) == 1 else []
