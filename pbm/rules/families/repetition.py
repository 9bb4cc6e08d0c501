"""Repetition of positions: a game keeps fingerprints of the positions that can recur."""

from __future__ import annotations

from pbm.rules.boards.stone_groups import fingerprint

History = tuple[int, ...]
"""The fingerprints since the last irreversible move, that of the present position last."""


def record_position(history: History, position: str, *, final: bool = False) -> History:
    """Return the history with one more position; `final` if no earlier position can recur."""
    mark = fingerprint(position)
    return (mark,) if final else (*history, mark)


def count_repetitions(history: History) -> int:
    """Return how often the present position has occurred, now included."""
    return history.count(history[-1])
