"""Moves among the lines of a comment: they are withheld from the other players.

A line counts as a move by the game's notation alone, legal or not, so that the answer reveals
nothing hidden."""

from __future__ import annotations

from pbm.core.kernel.language.plan_text import split_segments
from pbm.core.kernel.language.verbs import map_words_to_verbs
from pbm.core.kernel.language.words import normalize_keyword, tidy
from pbm.rules import CHANCE_TO_MOVE, InvalidMove, MoveError, Position
from pbm.rules.typed_moves import list_spellings

_MOST_LINES = 20
_LONGEST = 80
_LONGEST_PLAN = 1000
_PLAN_WORDS = ("any", "resign", "propose", "accept")
_MOST_WORDS = 12
"""A line of more words is a sentence and is not read as moves."""


def remove_moves(
    text: str, position: Position, *, plans: bool = False
) -> tuple[str, tuple[str, ...]]:
    """Split a text into (text without moves, the lines that are moves, such as `e5` or `queue e5`,
    and with `plans` what may be meant as a plan). Reads only the beginning of a long text."""
    lines = text.split("\n")
    moves = [
        line
        for line in lines[:_MOST_LINES]
        if is_move(position, line) or (plans and has_moves(line, position))
    ]
    if not moves:
        return text, ()
    kept = [line for at, line in enumerate(lines) if at >= _MOST_LINES or line not in moves]
    return "\n".join(kept).strip(), tuple(map(tidy, moves))


def has_moves(line: str, position: Position) -> bool:
    """Whether a line with `if` or `then` holds moves, or words that stand for them in a plan."""
    segments = split_segments(line[:_LONGEST_PLAN])
    if segments == [tidy(line)] or not position.to_move or position.to_move == CHANCE_TO_MOVE:
        return False
    return any(
        segment.lower().rstrip(".!") in _PLAN_WORDS or _is_notation(position, segment)
        for segment in segments
        if len(segment) <= _LONGEST
    )


def is_move(position: Position, line: str) -> bool:
    """Whether all of the line is written as moves are, legal or not; no line is when nobody is to
    move."""
    if len(line) > _LONGEST or not position.to_move or position.to_move == CHANCE_TO_MOVE:
        return False
    words = tidy(line).split(" ")
    verb_word = normalize_keyword(words[0]).split("#")[0]
    if any(verb.has_moves for verb in map_words_to_verbs().get(verb_word, ())):
        words = words[1:]
    words[-1:] = [word.rstrip(".!") for word in words[-1:]]
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    text, seat = " ".join(words), min(position.to_move)
    return _is_notation(position, text) or any(
        _is_notation(position, spelling) for spelling in list_spellings(position, seat, text)
    )


def _is_notation(position: Position, text: str) -> bool:
    """Whether all of the text is written as moves of this game are."""
    seat, rest = min(position.to_move), text.strip()
    if not rest:
        return False
    for _ in range(_MOST_WORDS):
        move = ""
        try:
            move, rest = position.parse(rest, seat)
            position.play(seat, move)
        except InvalidMove:
            return False
        except MoveError:
            words = text.split(" ")
            if len(words) > 1 and move != text:  # `vote none` is one move
                return all(_is_notation(position, word) for word in words)
        rest = rest.strip()
        is_own = text.lower().endswith(rest.lower())  # a game may add its `end`
        if not rest or rest == text or not is_own:
            return True
    return False
