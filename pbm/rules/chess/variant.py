"""The description of a chess-like game: a row of data from which the tables are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece.

    name     the name in words
    moves    its moves in Betza's notation; forward is up for side 0
    becomes  the kinds to which it may promote
    shown    its notation if that is not its letter: +P
    bare     the kind it becomes in hand after it was captured, if another
    zone     the cells where it may stand, `#` in rows from the top, for side 0; () for all
    royal_attack  how it also attacks a royal piece, in the same notation
    single   whether it may not be dropped on a column that already holds one of that side
    """

    name: str
    moves: str
    becomes: str = ""
    shown: str = ""
    bare: str = ""
    zone: tuple[str, ...] = ()
    royal_attack: str = ""
    single: bool = False


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of a game.

    setup        the first board: rows from the top, side 0 in capitals, `.` for empty
    kinds        the kinds of pieces by their letters, which are capitals
    royal        the kind that must not be lost
    exposed      whether it may be left attacked, and is captured like any other piece
    zone         the number of rows at the far end where pieces promote
    optional     whether promotion is optional, and also possible when leaving the zone
    marked_rows  the rows, counted from the own side from 0, where moves marked `i` are allowed
    in_passing   the kind that can be captured en passant by its like after moving two rows; or ""
    castling     columns of king and rook after castling to the left and to the right; or ()
    onward       the kinds whose moves are progress, as captures are
    drops        the sign between piece and cell if captured pieces change sides; or ""
    no_mate      the kind that may not mate when dropped; or ""
    columns      the names of the columns from the left; "" for a, b, c and so on
    rows         the names of the rows from the bottom; "" for 1, 2, 3 and so on
    stalemate    the result for the stalemated side: "draw", "loss" or "win"
    claim, idle  the moves of both sides without progress after which a draw may be claimed, is made
    recurring    the number of occurrences of a position that ends the game
    recalls      whether that depends on the moves, which positions then store
    """

    setup: tuple[str, ...]
    kinds: Mapping[str, Kind]
    royal: str = "K"
    exposed: bool = False
    zone: int = 1
    optional: bool = False
    marked_rows: tuple[int, ...] = (1,)
    in_passing: str = ""
    castling: tuple[tuple[int, int], ...] = ()
    onward: str = ""
    drops: str = ""
    no_mate: str = ""
    columns: str = ""
    rows: str = ""
    stalemate: str = "draw"
    claim: int = 0
    idle: int = 0
    recurring: int = 3
    recalls: bool = False

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.setup[0])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.setup)

    @property
    def board(self) -> str:
        """The first board as positions store it: row by row from the bottom."""
        return "".join(reversed(self.setup))
