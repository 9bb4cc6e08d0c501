"""The refusals of a game; people read their texts."""

from __future__ import annotations

from collections.abc import Sequence


class MoveError(ValueError):
    """A move that cannot be played; the player reads its text."""


class InvalidMove(MoveError):
    """The text is not notation of this game."""


class IllegalMove(MoveError):
    """The notation is correct, but the move is not allowed in this position."""


class AmbiguousMove(MoveError):
    """The text could mean several legal moves; the message asks which one. `moves` are these, where
    the game says so."""

    def __init__(self, text: str, moves: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.moves = moves


class RecordError(ValueError):
    """A text that is not a record of the game as it is played here; the message says what is
    wrong. `at` is the index in a file from which another record may follow; -1 where that is not
    known."""

    def __init__(self, text: str, at: int = -1) -> None:
        super().__init__(text)
        self.at = at


class VariantError(ValueError):
    """A section of a file of chess variants that cannot be played as written: `section` and `key`
    give the place, the text the reason."""

    def __init__(self, section: str, key: str, why: str) -> None:
        place = f"[{section}]" if section else "the file"
        super().__init__(f"{place}: {f'{key}: ' if key else ''}{why}")
        self.section = section
        self.key = key
        self.why = why
