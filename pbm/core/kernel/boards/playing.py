"""Plays what players type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbm.config import Config
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


def find_language(config: Config, seat: Seat) -> str:
    """Return the language in which the player of a seat reads mails, and writes pieces."""
    return seat.preferences.get("language") or config.server.language


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


class OrderLine(NamedTuple):
    """A line of a mail with orders: those on it as they are recorded, and a sentence on each part
    that is none."""

    text: str
    moves: Sequence[str]
    refusals: Sequence[str]


def read_orders(position: Position, seat: int, lines: Iterable[str]) -> list[OrderLine]:
    """Return what orders these lines hold, without empty lines. A line that ends with a colon is a
    heading."""
    read, hints, count = list[OrderLine](), set[object](), 0
    for line in filter(str.strip, lines):
        moves, refusals = list[str](), list[str]()
        is_heading = line.rstrip().endswith(":")
        parts = () if is_heading else _BETWEEN_ORDERS.split(_BULLET.sub("", line))
        for text in filter(None, map(str.strip, parts)):
            count += 1
            if count > _MOST_ORDERS:
                break
            try:
                require_no_question(position, seat, text)
                move, rest = position.parse(text, seat)
                if rest:
                    raise InvalidMove(phrase("{order} is more than one order", order=quoted(text)))
                moves.append(move)
            except MoveError as error:
                refusals.append(_say_hint_once(get_text(error), hints))
        if count > _MOST_ORDERS:
            refusals.append(
                phrase(
                    "more than {most} orders in one mail: send the others again", most=_MOST_ORDERS
                )
            )
        read.append(OrderLine(line, moves, refusals))
        if count > _MOST_ORDERS:
            break
    return read
