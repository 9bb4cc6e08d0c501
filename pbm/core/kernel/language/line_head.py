"""The head of a line: which game it names, if any, and which verb, misspelt ones included."""

from __future__ import annotations

import re

from pbm.core.kernel.language.command import NotACommand, Sender
from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.language.verbs import find_meant_by, get_verb, map_words_to_verbs
from pbm.core.kernel.language.words import (
    FIRST_WORDS,
    LAST_WORDS,
    TWO_WORDS,
    find_game_name,
    find_similar_game,
    is_typo_of,
    is_userid,
    join_game_title,
    normalize_keyword,
    parse_board_number,
    trim_word,
)
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.game_info import VARIANTS
from pbm.rules.phrases import Listing, phrase

PLY = re.compile(r"#([0-9]{1,6})")
"""A move number that stands alone."""
_VERB_PLY = re.compile(r"([a-z]+)#([0-9]{1,6})")
_NO_GAME = phrase("there is no game with that name")
_SHORTEST_TYPO = 4
_SHORTEST_TYPO_WITH_CONTEXT = 3
"""Shorter words count as misspelt verbs only after a game or before a board number."""


def split_head(words: list[str]) -> tuple[str, str, int, list[str]]:
    """Split a line into (game, verb word, ply, remaining words). Game and verb may stand in either
    order or be missing, and a leading board number means a move."""
    first = normalize_keyword(words[0])
    second = normalize_keyword(words[1]) if len(words) > 1 else ""
    two = _match_two_words(first, second, len(words))
    if two:
        return "", two, 0, words[2:]
    if first == "event" and parse_board_number(second):
        return "", "event show", 0, words[1:]
    if parse_board_number(words[0]):
        if len(words) < 3 or not is_userid(words[1]):
            raise NotACommand
        return "", "move", 0, words
    game = find_game_name(first)
    if game:
        third = normalize_keyword(words[2]) if len(words) > 2 else ""
        if (second, third) in TWO_WORDS and get_verb(f"{second} {third}").game != "no":
            return game, f"{second} {third}", 0, words[3:]
        if parse_board_number(second):
            if len(words) < 3:
                raise Refusal(
                    RefusalCode.MISSING_ARGUMENT, phrase("the command is missing"), "help"
                )
            if _read_ply(third, [])[0] in map_words_to_verbs():
                problem = phrase("{verb} comes before the number", verb=third)
                raise Refusal(RefusalCode.UNKNOWN_COMMAND, problem, "help commands")
            return game, "move", 0, words[1:]
        return game, *_read_ply(second, words[2:])
    word, ply, rest = _read_ply(first, words[1:])
    if word == "games" and rest and normalize_keyword(rest[0]) in VARIANTS:
        return "", word, ply, rest  # its variants; `chess games` are boards
    if any(verb.game == "yes" or verb.name == "rating" for verb in _find_likely_verbs(word)):
        words = join_game_title(rest)
        if words and find_game_name(words[0]):
            return find_game_name(words[0]), *_read_ply(word, words[1:], ply)
    return "", word, ply, rest


def _find_likely_verbs(word: str) -> list[Verb]:
    """Return the verbs that a word names, or those it is a typo of."""
    verbs = map_words_to_verbs()
    words = [word] if word in verbs else [each for each in verbs if is_typo_of(word, each)]
    return [verb for each in words for verb in verbs[each]]


def _match_two_words(first: str, second: str, count: int) -> str:
    """Return the two-word verb at the head of the line, its words in either order; "" for none."""
    if (first, second) in TWO_WORDS:
        return f"{first} {second}"
    if (second, first) in TWO_WORDS and count > 2:
        return f"{second} {first}"
    if first not in FIRST_WORDS and second not in LAST_WORDS:
        return ""
    near = [
        " ".join(two)
        for two in TWO_WORDS
        if (second == two[1] and is_typo_of(first, two[0]))
        or (first == two[0] and is_typo_of(second, two[1]))
    ]
    return f"{first} {second}" if len(near) == 1 and count > 2 else ""


def _read_ply(word: str, rest: list[str], ply: int = 0) -> tuple[str, int, list[str]]:
    """Read the ply in `move#5`, or in `move #5` when a board number follows: (verb word, ply,
    remaining words)."""
    match = _VERB_PLY.fullmatch(word) if "#" in word else None
    if match:
        return match[1], int(match[2]), rest
    is_ply = len(rest) > 1 and rest[0][:1] == "#" and PLY.fullmatch(rest[0])
    if is_ply and parse_board_number(rest[1]):
        return word, int(rest[0][1:]), rest[1:]
    return word, ply, rest


def choose_verb(game: str, word: str, rest: list[str], sender: Sender) -> tuple[Verb, bool]:
    """Return the verb that the word names, and whether it had to be guessed. Verbs that cannot be
    undone or need no password are never guessed, unless they are read-only."""
    matches = _match_verbs(game, word, rest, sender)
    if matches:
        return matches[0], False
    if not game:
        require_game_name([word, *rest])
    is_sure = game or any(map(parse_board_number, rest[:2]))
    shortest = _SHORTEST_TYPO_WITH_CONTEXT if is_sure else _SHORTEST_TYPO
    near = {
        verb.name: verb
        for verb_word in map_words_to_verbs()
        if len(word) >= shortest and is_typo_of(word, verb_word) and not find_meant_by(word)
        for verb in _match_verbs(game, verb_word, rest, sender)[:1]
    }
    if len(near) == 1:
        (verb,) = near.values()
        fits = is_sure or (len(rest) <= 1 if verb.is_read_only else not verb.has_board)
        if fits and (verb.is_read_only or (verb.needs_password and not verb.is_final)):
            return verb, True
    looks_right = game or any(
        is_userid(trim_word(rest[0])) if not verb.has_board else parse_board_number(rest[0])
        for verb in near.values()
        if len(rest) > 1 and not verb.is_read_only
    )
    if not looks_right:
        raise NotACommand
    problem = (
        phrase("{game} has no such command", game=game)
        if game
        else phrase("there is no such command")
    )
    if near:
        meant = Listing(sorted(near), "or")
        raise Refusal(
            RefusalCode.UNKNOWN_COMMAND,
            phrase("{problem}: did you mean {meant}?", problem=problem, meant=meant),
            *(near[each].build_form(game or "GAME") for each in sorted(near)),
        )
    raise Refusal(
        RefusalCode.UNKNOWN_COMMAND,
        problem,
        *(get_verb(each).build_form(game) for each in ("challenge", "move", "show", "help")),
    )


def require_game_name(words: list[str]) -> None:
    """Refuse a line that begins with a misspelt name of a game, with the line to send."""
    for size in (1, 2):
        verb_word = normalize_keyword(words[size]) if len(words) > size else ""
        verbs = [verb for verb in map_words_to_verbs().get(verb_word, ()) if verb.game == "yes"]
        name = find_similar_game("".join(words[:size])) if verbs else ""
        if name:
            words_after = " ".join([name, verb_word, *words[size + 1 :]])
            is_short = verbs[0].needs_password or not words[size + 1 :]
            raise Refusal(
                RefusalCode.NO_SUCH_GAME,
                phrase("{problem}: did you mean {meant}?", problem=_NO_GAME, meant=name),
                verbs[0].build_form(name) if is_short else words_after,
            )


def _match_verbs(game: str, word: str, rest: list[str], sender: Sender) -> list[Verb]:
    """Return the verbs that a word names, likeliest first: a board number or a reply to a board's
    mail favours the verb that takes a board."""
    verbs = map_words_to_verbs().get(word, ())
    if game:
        return [verb for verb in verbs if verb.game != "no"]
    seated = bool(parse_board_number(rest[0])) if rest else bool(sender.board)
    return sorted(verbs, key=lambda verb: verb.has_board is not (seated and len(verbs) > 1))
