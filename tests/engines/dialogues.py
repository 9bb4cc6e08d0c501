"""Dialogues with engines that are not there: what is sent, and what comes of given answers."""

from __future__ import annotations

from typing import TypeVar

from pbm.engines.dialogue import Dialogue, PlayedLine, replay
from pbm.games import get_game
from pbm.rules import CHANCE, Value

T = TypeVar("T")


def play(game: str, *moves: str, **options: Value) -> PlayedLine:
    """The line of these moves, as players type them; it begins after what the server draws at
    first."""
    line = replay(get_game(game).setup(2, options), ())
    position, played = line.position, list[tuple[int, str]]()
    for move in moves:
        seat = min(position.to_move)
        canonical = move if seat == CHANCE else position.parse(move, seat)[0]
        played.append((seat, canonical))
        position = position.play(seat, canonical)
    return replay(line.position, played)


def answer(dialogue: Dialogue[T], *lines: str) -> tuple[list[str], T]:
    """The texts that are sent, and what comes of these answers."""
    sent = [next(dialogue)]
    try:
        for line in lines:
            sent.append(dialogue.send(line))
    except StopIteration as end:
        return [text for text in sent if text], end.value
    raise AssertionError(f"the dialogue goes on: {sent}")
