"""How a position appears to one viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from pbm.rules import Position

if TYPE_CHECKING:  # texts need no scene
    from pbm.rules.drawing.scene import Scene


class Appearance(Struct, frozen=True):
    """A position as a seat, or (None) a spectator, may see it, with the moves `last` marked. It is
    described when that is asked for: few mails need it. `is_stopped`: the board has ended, even if
    not by its rules, or has not begun."""

    _position: Position
    viewer: int | None
    last: tuple[str, ...] = ()
    is_stopped: bool = False

    def scene(self) -> Scene:
        """Return what stands where; without places if the game has no scene."""
        return self._position.scene(self.viewer, self.last)

    @property
    def takes_orders(self) -> bool:
        """Whether it is one of orders, which the text lists below what stands where."""
        return self._position.takes_orders

    def words(self) -> str:
        """Return the same in sentences."""
        return self._position.words(self.viewer, self.last, is_stopped=self.is_stopped)

    def describe(self, move: str) -> str:
        """Return a legal move of the viewer's, as players write it."""
        return self._position.describe(self.viewer or 0, move, self.viewer)

    def list_moves(self, most: int) -> tuple[str, ...]:
        """Return the legal moves of a viewer who is to move; none if there are more than `most`."""
        if self.is_stopped or self.viewer is None or self.viewer not in self._position.to_move:
            return ()
        moves = self._position.legal_moves(self.viewer)
        return tuple(moves) if len(moves) <= most else ()

    def encode(self) -> str:
        """Return the position as text, hidden things included."""
        return self._position.encode()

    @property
    def is_turned(self) -> bool:
        """Whether the viewer looks from the other side of the board."""
        return self.viewer == 1 and self._position.turns_board
