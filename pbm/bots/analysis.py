"""What the strongest search thinks of each move, for the analysis of boards that are over."""

from __future__ import annotations

from collections.abc import Callable

from pbm.bots.simple import Dice
from pbm.bots.turns import build_search
from pbm.rules import CHANCE_TO_MOVE, NOBODY, Position


def analyse(position: Position, dice: Dice, enough: Callable[[], bool]) -> list[tuple[str, float]]:
    """The moves that were looked at with what the seat to move gets after each, from 0 (loses) to 1
    (wins), best first. ValueError when no seat is on the move."""
    if position.to_move in (NOBODY, CHANCE_TO_MOVE):
        raise ValueError("no seat is on the move")
    search = build_search(position, dice)
    search.run(enough)
    return search.list_values()
