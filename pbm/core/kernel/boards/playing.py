"""Plays what players type."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.seat import Seat
from pbm.rules import InvalidMove, MoveError, Position
from pbm.rules.phrases import Phrase, get_text, phrase
from pbm.rules.turn_text import require_no_question
from pbm.rules.typed import quoted
from pbm.rules.typed_moves import require_no_number, respell

_BETWEEN_ORDERS = re.compile("[;,]")
_BULLET = re.compile(r"^\s*(?:[-*>\u2022]+\s+|\d{1,2}[.)]\s*)")
_MOST_ORDERS = 80


def play_text(board: Board, seat: Seat, text: str, comment: str, now: float) -> str:
    """Play the text for a seat, respelled if need be; return "" or why the rest of it was dropped.
    Raise MoveError when nothing was played."""
    require_no_number(board.position, seat.seat, text)
    try:
        problem = board.play_text(seat.seat, text, comment, now)
    except MoveError as error:
        text = respell_move(board, seat.seat, text, error)
        problem = board.play_text(seat.seat, text, comment, now)
    return "" if problem is None else get_text(problem)


def respell_move(board: Board, seat: int, text: str, error: MoveError) -> str:
    """Return a text that the game refused, as the game reads it. Raise MoveError when it cannot be
    read, or not with certainty."""
    has_begun = board.ply > board.turn_ply
    return respell(board.position, seat, text, error, has_begun=has_begun)


def _say_hint_once(reason: str, hints: set[object]) -> str:
    """Return why an order is refused, without the hint that another refusal has given already."""
    hint = reason.values.get("hint") if isinstance(reason, Phrase) else None
    if hint is None:
        return reason
    if hint in hints and isinstance(reason, Phrase):
        fault = reason.values["fault"]
        return fault if isinstance(fault, str) else reason
    hints.add(hint)
    return reason


def read_orders(position: Position, seat: int, lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the orders on these lines as they are recorded, and a sentence on each that is
    refused. A line that ends with a colon is a heading."""
    texts = [
        part.strip()
        for line in lines
        if not line.rstrip().endswith(":")
        for part in _BETWEEN_ORDERS.split(_BULLET.sub("", line))
        if part.strip()
    ]
    moves, refusals, hints = list[str](), list[str](), set[object]()
    for text in texts[:_MOST_ORDERS]:
        try:
            require_no_question(position, seat, text)
            move, rest = position.parse(text, seat)
            if rest:
                raise InvalidMove(phrase("{order} is more than one order", order=quoted(text)))
            moves.append(move)
        except MoveError as error:
            refusals.append(_say_hint_once(get_text(error), hints))
    if len(texts) > _MOST_ORDERS:
        refusals.append(
            phrase("more than {most} orders in one mail: send the others again", most=_MOST_ORDERS)
        )
    return moves, refusals
