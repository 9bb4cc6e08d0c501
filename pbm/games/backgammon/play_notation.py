"""Parses the words and plays of a turn of backgammon, or says why one is not possible now."""

from __future__ import annotations

import re

from pbm.games.backgammon.match_state import MatchState
from pbm.games.backgammon.play_parser import read_roll, read_ways, resolve_play
from pbm.games.backgammon.vocabulary import (
    ASK,
    AUTO,
    COLOURS,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    PLAY,
    ROLLS,
    TAKE,
    dice_text,
)
from pbm.rules import IllegalMove, InvalidMove
from pbm.rules.typed import left_of, listing, quoted

_WORDS = {
    "roll": ROLLS,
    "r": ROLLS,
    "double": DOUBLE,
    "redouble": DOUBLE,
    "d": DOUBLE,
    "auto": AUTO,
    "ask": ASK,
    "take": TAKE,
    "accept": TAKE,
    "drop": DROP,
    "pass": DROP,
}
_WORD = re.compile(r"\s*([a-z]+)(?![\w/*'\u2019-])")


def parse_turn(position: MatchState, text: str, seat: int) -> tuple[str, str]:
    """The first word or play of a text, and what is left."""
    lower = text[:400].lower()
    word = _WORD.match(lower)
    move = _WORDS.get(word[1]) if word else None
    if word and move:
        if move not in position.legal_moves(seat):
            raise IllegalMove(f"{move}: {_explain_untimely(position, move, seat)}")
        return move, left_of(text, word.end())
    dice, start = read_roll(lower)
    ways, end = read_ways(lower, start)
    if not ways:
        raise InvalidMove(
            f"{quoted(text)} is not a move; "
            + (
                f"a turn looks like {next(iter(position.plays()))}"
                if position.phase == PLAY
                else f"write {listing(position.legal_moves(seat), 'or')}"
            )
        )
    if position.phase != PLAY:
        raise IllegalMove(f"{ways[0].text}: {_explain_untimely(position, '', seat)}")
    if dice and sorted(dice) != sorted(position.dice):
        raise IllegalMove(f"the dice show {dice_text(position.dice)}, not {dice_text(dice)}")
    rest = left_of(text, end)
    exact = lower[start:end].strip(" ,;.")
    if exact in position.plays():
        return exact, rest
    own, other = position.men[position.side], position.men[1 - position.side]
    return resolve_play(ways, own, other, position.rolled, COLOURS[1 - position.side]), rest


def _explain_untimely(position: MatchState, move: str, seat: int) -> str:
    """Why a word (or a play, "") is not possible now."""
    if position.phase == CUBE:
        return f"the dice have not been rolled yet; write {ROLLS}, {AUTO} or {DOUBLE}"
    if position.phase == DOUBLED:
        return f"you are doubled to {2 * position.cube}; write {TAKE} or {DROP}"
    shown = f"the dice show {dice_text(position.dice)}, play them"
    if move == ASK:
        return f"you are already asked whenever you may double; {shown}"
    if move in (TAKE, DROP):
        return f"nobody has doubled; {shown}"
    if move == DOUBLE and not position.may_double(seat):
        return f"you may not double; {shown}"
    return f"it comes before the roll; {shown}"
