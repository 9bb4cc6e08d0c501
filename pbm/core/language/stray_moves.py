"""Lines of a comment that are moves: they are not shown to the others, and their writer is told.

A move is known by the game's notation alone, whether it would be legal or not: nothing that is
hidden shows in the answer."""

from __future__ import annotations

from pbm.core.language.verbs import verbs_by_word
from pbm.core.language.words import head, tidy
from pbm.rules import CHANCE_TO_MOVE, InvalidMove, MoveError, Position

_MOST_LINES = 20
_LONGEST = 80
_MOST_WORDS = 6
"""A line of more words is a sentence, and not tried as moves."""


def remove_moves(text: str, position: Position) -> tuple[str, tuple[str, ...]]:
    """The text without its lines that are moves (`e5`, `queue e5`), and these. Only the beginning
    of a long text is looked at."""
    if not position.to_move or position.to_move == CHANCE_TO_MOVE:
        return text, ()
    lines = text.split("\n")
    moves = [line for line in lines[:_MOST_LINES] if _is_move(position, line)]
    if not moves:
        return text, ()
    kept = [line for at, line in enumerate(lines) if at >= _MOST_LINES or line not in moves]
    return "\n".join(kept).strip(), tuple(map(tidy, moves))


def _is_move(position: Position, line: str) -> bool:
    if len(line) > _LONGEST:
        return False
    words = tidy(line).split(" ")
    if any(verb.has_moves for verb in verbs_by_word().get(head(words[0]).split("#")[0], ())):
        words = words[1:]
    words[-1:] = [word.rstrip(".!") for word in words[-1:]]
    return 0 < len(words) <= _MOST_WORDS and _is_notation(position, " ".join(words))


def _is_notation(position: Position, text: str) -> bool:
    """Whether all of the text is written as moves of this game are."""
    seat, rest = min(position.to_move), text.strip()
    if not rest:
        return False
    for _ in range(_MOST_WORDS):
        try:
            typed, rest = position.parse(rest, seat)
            position.play(seat, typed)
        except InvalidMove:
            return False
        except MoveError:
            words = text.split(" ")
            if len(words) > 1:
                return all(_is_notation(position, word) for word in words)
        rest = rest.strip()
        if not rest or rest == text:
            return True
    return False
