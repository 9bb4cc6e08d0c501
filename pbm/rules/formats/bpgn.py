"""Game records of two boards in BPGN, the format of bughouse: PGN in which the number of a move has
the letter of the board behind it, a capital for White."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pbm.rules.errors import MoveError, RecordError
from pbm.rules.formats import pgn
from pbm.rules.game import Position
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import combine, get_text, phrase
from pbm.rules.typed import quoted

FORMAT = "bpgn"
LETTERS = "AaBb"
"""The letter of each seat: White and Black on board A, White and Black on board B."""
_ROUND = 4
_MOVE = re.compile(r"[0-9]*([ABab])\.+(.*)")
PLAYERS = ("WhiteA", "BlackA", "WhiteB", "BlackB")
"""The tags that name the player of each seat."""
_ROSTER = ("Event", "Site", "Date", *PLAYERS)


def write(played: Played, words: Sequence[str], more: Mapping[str, str]) -> str:
    """Return a record of one game: its moves in `words`, and `more` tags."""
    tags = {name: played.headers.get(name, "?") for name in _ROSTER}
    tags |= {"Result": _result(played.outcome), **more}
    return pgn.lay_out(tags, _number(played, words))


def _number(played: Played, words: Sequence[str]) -> Iterator[str]:
    """Yield the moves with their numbers, and the comments."""
    comments = played.comments_by_turn()
    for ply, ((seat, _), word) in enumerate(zip(played.moves, words, strict=True)):
        if ply in comments:
            yield pgn.put_in_braces(comments[ply])
        yield f"{ply // _ROUND + 1}{LETTERS[seat]}. {word}"
    if len(words) in comments:
        yield pgn.put_in_braces(comments[len(words)])


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return pgn.OPEN
    first, second = outcome.ranks[:2]
    return pgn.WON if first < second else pgn.LOST if second < first else pgn.DRAWN


def read(text: str, start: Position) -> Played:
    """Return the game in a record, replayed from its first position. RecordError for a move that
    cannot be played, or a result that contradicts the board."""
    record, position, moves = pgn.read(text), start, list[tuple[int, str]]()
    for letter, word in _pair(record.words):
        place = f"{len(moves) // _ROUND + 1}{letter}. {word}"
        seat = LETTERS.index(letter)
        try:
            move = pgn.parse_word(position, word, seat)
            position = position.play(seat, move)
        except MoveError as error:
            raise RecordError(
                combine("{place}: {reason}", place=quoted(place), reason=get_text(error))
            ) from None
        moves.append((seat, move))
    result = record.tags.get("Result", record.result)
    outcome = position.outcome
    if outcome is None and result in pgn.RESULTS:
        first, second = pgn.RESULTS[result]
        ranks = (1, 1, 1, 1) if first == second else (1, 3, 3, 1) if first == 1 else (3, 1, 1, 3)
        outcome = Outcome(ranks, phrase("as the record says"))
    if outcome is not None and result in pgn.RESULTS and _result(outcome) != result:
        raise pgn.contradict(result, outcome)
    headers = {**record.tags, "Result": _result(outcome)}
    return Played(_ROUND, start.options, moves, outcome, headers)


def _pair(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each move with the letter of its seat."""
    letter = ""
    for word in words:
        match = _MOVE.fullmatch(word)
        if match:
            letter, word = match[1], match[2]
        if not word:
            continue
        if not letter:
            raise RecordError(
                phrase("{word} does not say whose move it is: 1A. e4", word=quoted(word))
            )
        yield letter, word
        letter = ""
