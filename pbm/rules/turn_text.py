"""A turn as one text: of several moves, as a player would type it, and read whole before any of it
is played."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbm.rules.chance import CHANCE_TO_MOVE
from pbm.rules.errors import IllegalMove, InvalidMove, MoveError
from pbm.rules.game import Position
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

_SEPARATORS = (" ", ",", ", ", "; ")
_BETWEEN = re.compile(r"[\s,;]+")
_MOST_READ = 200
"""Moves that are read of one text."""
_MOST_ANSWERS = 40
"""Answers of chance after which the rest of a text is read."""


def turn_text(position: Position, seat: int, moves: Sequence[str]) -> str:
    """Return the moves as one text that parses to exactly these moves; only the first if the
    notation cannot join them."""
    for separator in _SEPARATORS:
        text = separator.join(moves)
        if _reads_as(position, seat, text) == list(moves):
            return text
    return moves[0]


def _reads_as(position: Position, seat: int, text: str) -> list[str]:
    """Return the moves that the server would parse one after another; empty if it would refuse."""
    read, rest, turn = [], text, position.turn
    try:
        while rest and is_same_turn(position, seat, turn):
            move, rest = position.parse(rest, seat)
            rest = rest.strip()
            position = position.play(seat, move)
            read.append(move)
    except MoveError:
        return []
    return read if not rest else []


def is_same_turn(position: Position, seat: int, turn: int) -> bool:
    """Whether a seat's turn with that number goes on in a position."""
    return position.outcome is None and position.turn == turn and seat in position.to_move


def require_whole(position: Position, seat: int, text: str) -> None:
    """Refuse a text that is not wholly moves of one turn, such as `b5 or b6` or `b5?`.

    Where a move reveals something, be it hidden or decided by chance, the text behind it need only
    be written as moves are: whether they are legal would tell what the move reveals."""
    require_no_question(position, seat, text)
    hides = bool(position.game.info.features & {"hidden", "sealed"})
    before, turn, rest = position, position.turn, text.strip()
    while rest:
        if not is_same_turn(position, seat, turn):
            if position.to_move == CHANCE_TO_MOVE and position.turn == turn:
                _require_written(_list_readers(before, position, seat), seat, rest)
                return
            if position is not before:
                raise IllegalMove(
                    phrase(
                        "your turn ends before '{rest}': put any text on the next line",
                        rest=rest[:60],
                    )
                )
        try:
            move, left = position.parse(rest, seat)
            left = left.strip()
            if not left and position is before:
                return
            following = position.play(seat, move)
        except InvalidMove:
            raise
        except MoveError:
            if not hides or position is before:
                raise
            _require_written([before, position], seat, rest)
            return
        if left and hides and not _is_known_to_end(position, following, seat):
            _require_written([before, position], seat, left)
            if not is_same_turn(following, seat, turn):
                return
        position, rest = following, left


def require_no_question(position: Position, seat: int, text: str) -> None:
    """Refuse a text with a question mark, unless the game writes moves with one."""
    if "?" in text and not any("?" in move for move in position.legal_moves(seat)):
        raise InvalidMove(phrase("a line with a question mark is no move: write the move alone"))


def _is_known_to_end(position: Position, following: Position, seat: int) -> bool:
    """Whether a move ends the turn as any other would, so that saying so reveals nothing."""
    if is_same_turn(following, seat, position.turn):
        return False
    return not any(
        is_same_turn(position.play(seat, move), seat, position.turn)
        for move in position.legal_moves(seat)
    )


def _list_readers(before: Position, position: Position, seat: int) -> list[Position]:
    """Return positions in which the seat may have to read its text after a question to chance: the
    one before, and those after each answer."""
    question = position.chance
    answers = () if question is None else question.outcomes[:_MOST_ANSWERS]
    after = (position.answer(answer) for answer in answers)
    return [before, *(each for each in after if is_same_turn(each, seat, before.turn))]


def _require_written(positions: Sequence[Position], seat: int, text: str) -> None:
    """Refuse a text with a part that in none of the positions is written as moves are."""
    rest = text
    for _ in range(_MOST_READ):
        if not rest:
            return
        lefts = [left for each in positions if (left := _read_one(each, seat, rest)) is not None]
        if not lefts:
            raise InvalidMove(
                phrase(
                    "{rest} is no move, so nothing was played: put any text on the next line",
                    rest=quoted(rest, 60),
                )
            )
        rest = min(lefts, key=len)
    raise InvalidMove(phrase("this is too long to be one turn"))


def _read_one(position: Position, seat: int, text: str) -> str | None:
    """Return the text behind its first move, which need not be legal; None when it does not begin
    with a move."""
    left = "".join(_BETWEEN.split(text, maxsplit=1)[1:])
    try:
        move, left = position.parse(text, seat)
        position.play(seat, move)
    except InvalidMove:
        return None
    except MoveError:
        pass
    left = left.strip()
    return left if len(left) < len(text) else ""
