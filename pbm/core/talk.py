"""What people write where a command is expected: greetings, yes and no, questions, and sentences
to the opponent, in the languages of the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache

from pbm.core.feature import list_verbs
from pbm.core.words import list_unnamed, map_words_to_verbs, normalize_keyword, tidy
from pbm.locale import LANGUAGES
from pbm.locale.intents import find_meanings, list_also, split_words
from pbm.locale.words import is_typo_of, list_meanings
from pbm.rules import CHANCE_TO_MOVE, InvalidMove, MoveError, Position
from pbm.rules.typed_moves import list_spellings

_MOST_WORDS = 60
"""A longer line is talk by its length alone."""
_ENOUGH_WORDS = 3
"""The number of ordinary words that make a sentence, in which `a` or `5` is no move."""
_MANY_WORDS = 4
"""The number of words among which a word of letters such as `take` is no move either."""
_EXCLAIMS = re.compile(r"\W*(?:what|such) an? \w{3,}", re.IGNORECASE)
_SHORTEST_OF_PROGRAM = 60
"""A shorter line about a mail that weighs something may be the writer's own."""
_SHORTEST_TYPO = 4
_SHORTEST_WORD = 3
"""A shorter one alone on its line may be two moves run together."""
_WORD = re.compile(r"[^\W_]+")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")
_PLACE = re.compile(r"(?=\w*\d)(?=\w*[a-z])[\w@+:/x*,-]{2,40}", re.IGNORECASE)
_MEASURE = re.compile(r"\d+(?:st|nd|rd|th|am|pm|h|min|km|kg|x|ish)|\d+[-:/.]\d+", re.IGNORECASE)

_MOST_IN_THANKS = 6
_MOST_IN_CONSENT = 8
_MOST_IN_NAME = 2
_MANNERS = ("yes", "no", "please", "thanks", "sorry", "hesitant")


class Question(StrEnum):
    """What a player asks about the board whose mail is answered."""

    HERE = "here"
    RULES = "rules"
    MOVES = "moves"


_ASKED_IN_WORDS = {
    "help": Question.HERE,
    "rules": Question.RULES,
    "moves": Question.MOVES,
}
"""What is asked by one word, in each language of the server."""
_ASKED_VERBS = {"draw": "propose", "rematch": "rematch"}

_ACTS = {
    "resign": "resign",
    "draw": "propose",
    "accept": "accept",
    "undo": "undo",
    "cancel": "cancel",
    "rematch": "rematch",
}
"""The verb of each act that a sentence may mention, by its key words."""


@cache
def _list_strict_words() -> tuple[str, ...]:
    return tuple(
        word for verb in list_verbs() if verb.stands_alone for word in (verb.name, *verb.aliases)
    )


def _plain(line: str) -> str:
    """Return the line in lower case, without marks and smileys around its words."""
    words = (_ENDS.sub("", word) for word in line.lower().replace("\u2019", "'").split())
    return " ".join(filter(None, words))


def _hear(line: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield what words of a line stand for, with their numbers, in each language of the server."""
    words = split_words(line)[:_MOST_WORDS]
    for language in LANGUAGES:
        for concept, places in find_meanings(words, language).items():
            yield from ((concept, found) for found in places)


def _find_said(line: str, *concepts: str) -> set[int]:
    """Return the indices of the words of a line that stand for one of these."""
    return {at for concept, found in _hear(line) if concept in concepts for at in found}


def is_greeting(line: str) -> bool:
    """Whether the line begins as one greets somebody."""
    return leave_out_greeting(line) is not None


def is_only_greeting(line: str) -> bool:
    """Whether the line greets somebody, perhaps by name, and says no more."""
    rest = leave_out_greeting(line)
    return rest is not None and len(split_words(rest)) <= _MOST_IN_NAME


def leave_out_greeting(line: str) -> str | None:
    """Return the text after the greeting at the beginning of a line; None if there is none."""
    said = _find_said(line, "greeting")
    if 0 not in said:
        return None
    size = next(at for at in range(len(said) + 1) if at not in said)
    ends = [match.end() for match in _WORD.finditer(line)]
    return line[ends[min(size, len(ends)) - 1] :]


def is_settled(line: str) -> bool:
    """Whether a line leaves no doubt that a move beside it is meant: it asks nothing, weighs
    nothing, denies nothing, and speaks of nothing that ends or settles the game."""
    is_programs = is_about_mail(line)
    is_denied = bool(_find_said(line, "denies")) and not is_programs
    is_open = is_hesitant(line) and not (is_programs and len(line) >= _SHORTEST_OF_PROGRAM)
    return not is_open and not is_denied and not find_act(line)


def leaves_move_alone(rest: str, *, is_new: bool) -> bool:
    """Whether words behind a move leave no doubt that it is meant: they take nothing back and ask
    nothing about it. A question may begin a sentence of its own (`is_new`), or with `and`."""
    asks = "?" in rest and not is_new and 0 not in _find_said(rest, "and")
    takes_back = _find_said(rest, "denies", "otherwise")
    return not asks and is_settled(rest.replace("?", "")) and not takes_back


def is_hesitant(line: str) -> bool:
    """Whether a line asks or weighs something."""
    return "?" in line or bool(_find_said(line, "hesitant"))


def may_mean_move(line: str) -> bool:
    """Whether a line with a move may say or ask that it be played: it neither denies it nor sets
    another against it, and speaks of nothing that ends or settles the game."""
    doubts = _find_said(line, "denies", "otherwise") - _find_said(line, "agree")  # "why not e4"
    return not doubts and not find_act(line)


def is_about_mail(line: str) -> bool:
    """Whether a line speaks of a mail, and its writer not of himself."""
    return bool(_find_said(line, "mail")) and not _find_said(line, "i", "my")


def is_denied(line: str) -> bool:
    """Whether a line says no, sets something against another thing, or names a place."""
    return bool(_find_said(line, "no", "denies", "otherwise")) or mentions_move(line)


def read_consent(line: str) -> bool | None:
    """Return True when the line says yes and nothing else, False for no, None for anything else."""
    size = len(split_words(line))
    if not 0 < size <= _MOST_IN_CONSENT:
        return None
    for answer, word, beside in ((True, "yes", ()), (False, "no", ("sorry",))):
        said = _find_said(line, word, "please", "thanks", *beside)
        if len(said) == size and 0 in _find_said(line, word):
            return answer
    return None


def is_only_manners(line: str) -> bool:
    """Whether a line greets, thanks, consents or hesitates, and says nothing else."""
    return is_greeting(line) or len(_find_said(line, *_MANNERS)) == len(split_words(line))


def adds_nothing(text: str) -> bool:
    """Whether a text behind a word such as `resign` only says that this game is meant, and now."""
    words = split_words(text)
    for language in LANGUAGES:
        found = find_meanings(words, language)
        beside = (each for name in ("game", "now", *_MANNERS) for each in found.get(name, ()))
        said = frozenset[int]().union(*beside)
        also = () if "you" in found else list_also(language)
        if all(at in said or word in also for at, word in enumerate(words)):
            return True
    return False


def is_courtesy(text: str) -> bool:
    """Whether a text says please or thanks, and nothing else."""
    return len(_find_said(text, "please", "thanks")) == len(split_words(text))


def is_thanks(text: str) -> bool:
    """Whether a text says thanks, with hardly more to it, and asks nothing."""
    is_short = len(split_words(text)) <= _MOST_IN_THANKS
    return is_short and "?" not in text and bool(_find_said(text, "thanks"))


def find_question(line: str) -> Question | None:
    """Return the question about the board that a line of one word asks."""
    return _ASKED_IN_WORDS.get(_find_meaning(line))


def find_verb_asked(line: str) -> str:
    """Return the verb that a line such as `draw?` asks for; "" for none."""
    return _ASKED_VERBS.get(_find_meaning(line), "") if line.rstrip().endswith("?") else ""


def _find_meaning(line: str) -> str:
    """Return the English word of a line in any language; the line itself for any other."""
    plain = _plain(line).removeprefix("a ")
    meanings = list_meanings(plain)
    return meanings[0] if len(meanings) == 1 else plain


def find_act(line: str) -> str:
    """Return the verb of the act that a sentence speaks of, such as `resign` in "I give up"; "" for
    none."""
    acts = ((min(at), _ACTS[concept]) for concept, at in _hear(line) if concept in _ACTS)
    return min(acts, default=(0, ""))[1]


def is_talk(line: str, is_notation: Callable[[str], bool], *, is_over: bool = False) -> bool:
    """Whether a line is written to a person: neither a move nor a command, nor nearly one.
    `is_notation` says whether a word is written as moves are. When the game `is_over`, a sentence
    may speak of moves and of resigning."""
    words = [word for word in (_ENDS.sub("", word) for word in line.split()) if word]
    if not words:
        return any(not mark.isascii() or mark in ":;=<^!?." for mark in line)
    ordinary = [word for word in words[:_MOST_WORDS] if _is_ordinary(word, is_notation)]
    if is_over:
        return bool(ordinary) or any(map(_MEASURE.fullmatch, words))
    is_sentence = len(ordinary) >= _ENOUGH_WORDS or _EXCLAIMS.match(line) is not None
    if find_act(line) or _is_strict_verb(words[0], is_near=not is_sentence):
        return False
    if read_consent(line) is not None:
        return True
    if len(words) == 1 and len(words[0]) < _SHORTEST_WORD and all(map(is_notation, words[0])):
        return False
    others = [word for word in words[:_MOST_WORDS] if word not in ordinary]
    return bool(ordinary) and all(
        (_MEASURE.fullmatch(word) and not is_notation(word))
        or (is_sentence and (len(word) == 1 or word.isdecimal()))
        or (len(ordinary) >= _MANY_WORDS and word.isalpha() and len(word) >= _SHORTEST_WORD)
        for word in others
    )


def is_only_words(line: str, is_notation: Callable[[str], bool]) -> bool:
    """Whether a line is several ordinary words and nothing else."""
    words = [_ENDS.sub("", word) for word in line.split()[:_MOST_WORDS]]
    return len(words) > 1 and all(
        word.isalpha() and _is_ordinary(word, is_notation) for word in words
    )


def mentions_move(line: str) -> bool:
    """Whether a word of the line looks like a place or move of any game."""
    words = (_ENDS.sub("", word) for word in line.split()[:_MOST_WORDS])
    return any(_PLACE.fullmatch(word) and not _MEASURE.fullmatch(word) for word in words)


def _is_ordinary(word: str, is_notation: Callable[[str], bool]) -> bool:
    """Whether a word is one of a language rather than of a game."""
    if _PLACE.fullmatch(word) or not any(map(str.isalpha, word)):
        return False
    if len(word) < 2:
        return not word.isascii()
    return not is_notation(word)


def _is_strict_verb(word: str, *, is_near: bool) -> bool:
    """Whether a word is a command that ends or settles something or, if it `is_near`, one slip away
    from it. A line that begins with another one and is no command is a sentence."""
    word, strict = word.lower(), _list_strict_words()
    may_slip = is_near and len(word) >= _SHORTEST_TYPO
    return word in strict or (may_slip and any(is_typo_of(word, verb) for verb in strict))


# Moves among the lines of a comment: they are withheld from the other players.
#
# A line counts as a move by the game's notation alone, legal or not, so that the answer reveals
# nothing hidden.

_MOST_LINES = 20
LONGEST_MOVE = 80
_MOST_WORDS_OF_A_MOVE = 12
"""A line of more words is a sentence and is not read as moves."""


def remove_moves(
    text: str, position: Position, *, unnamed: bool = False
) -> tuple[str, tuple[str, ...]]:
    """Split a text into (text without moves, the lines that are moves, such as `e5` or `queue e5`,
    and with `unnamed` those with moves that a verb knows as its own). Reads only the beginning of a
    long text."""
    own = list_unnamed() if unnamed else ()
    lines = text.split("\n")
    moves = [
        line
        for line in lines[:_MOST_LINES]
        if is_move(position, line) or any(each.has_moves(line, position) for _, each in own)
    ]
    if not moves:
        return text, ()
    kept = [line for at, line in enumerate(lines) if at >= _MOST_LINES or line not in moves]
    return "\n".join(kept).strip(), tuple(map(tidy, moves))


def is_move(position: Position, line: str) -> bool:
    """Whether all of the line is written as moves are, legal or not; no line is when nobody is to
    move."""
    if len(line) > LONGEST_MOVE or not position.to_move or position.to_move == CHANCE_TO_MOVE:
        return False
    words = tidy(line).split(" ")
    verb_word = normalize_keyword(words[0]).split("#")[0]
    if any(verb.has_moves for verb in map_words_to_verbs().get(verb_word, ())):
        words = words[1:]
    words[-1:] = [word.rstrip(".!") for word in words[-1:]]
    if not 0 < len(words) <= _MOST_WORDS_OF_A_MOVE:
        return False
    text, seat = " ".join(words), min(position.to_move)
    return is_notation(position, text) or any(
        is_notation(position, spelling) for spelling in list_spellings(position, seat, text)
    )


def split_move(position: Position, line: str) -> tuple[str, str]:
    """Return the move that a line begins with, legal or not, and the words behind it: ("", line)
    where it is one as a whole or begins with none, or where another move follows."""
    words = tidy(line).split(" ")
    for size in range(min(len(words) - 1, _MOST_WORDS_OF_A_MOVE), 0, -1):
        move, rest = " ".join(words[:size]).rstrip(",.;:! -"), " ".join(words[size:]).lstrip("-, ")
        if is_move(position, move) and mentions_move(move) and not mentions_move(rest):
            return move, rest
    return "", line


def is_notation(position: Position, text: str) -> bool:
    """Whether all of the text is written as moves of this game are."""
    seat, rest = min(position.to_move), text.strip()
    if not rest:
        return False
    for _ in range(_MOST_WORDS_OF_A_MOVE):
        move = ""
        try:
            move, rest = position.parse(rest, seat)
            position.play(seat, move)
        except InvalidMove:
            return False
        except MoveError:
            words = text.split(" ")
            if len(words) > 1 and move != text:  # `vote none` is one move
                return all(is_notation(position, word) for word in words)
        rest = rest.strip()
        is_own = text.lower().endswith(rest.lower())  # a game may add its `end`
        if not rest or rest == text or not is_own:
            return True
    return False


# How people say that they want no more mail: `stop`, `unsubscribe`, `please remove me from your
# list`, in the languages of the server.
#
# A line counts only when all of its words are such as people use for that, so that a sentence to
# an opponent is never taken for one.

_MOST_WORDS_TO_STOP = 12
_LONGEST_LINE_TO_STOP = 120
_PARTS = ("stop-end", "stop-no", "stop-more", "stop-mail", "stop-joined", "stop-also")


def asks_to_stop(line: str) -> bool:
    """Whether a line says that its writer wants no more mail, and nothing else."""
    words = split_words(line) if len(line) <= _LONGEST_LINE_TO_STOP else []
    if not 0 < len(words) <= _MOST_WORDS_TO_STOP or "@" in line or any(map(str.isdecimal, words)):
        return False
    for language in LANGUAGES:
        found = find_meanings(words, language)
        end, no, *others = (frozenset().union(*found.get(each, ())) for each in _PARTS)
        more, mail, joined, _ = others
        if len(end.union(no, *others)) == len(words):
            return not no - end if end else bool(no and (joined or (more and mail)))
    return False
