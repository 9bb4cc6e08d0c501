"""Positions that come again: a game keeps fingerprints of those that were there and can recur.

It knows no game and decides nothing."""

from __future__ import annotations

from pbm.rules.boards.stone_groups import fingerprint

History = tuple[int, ...]
"""The fingerprints since the last move that cannot be undone, the present position last."""


def record_position(history: History, position: str, *, final: bool = False) -> History:
    """The history with one more position; `final` when none before it can come again."""
    mark = fingerprint(position)
    return (mark,) if final else (*history, mark)


def count_repetitions(history: History) -> int:
    """How often the present position has been there, now included."""
    return history.count(history[-1])
