"""The description of a chess-like game: a row of data from which the tables are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece.

    name     in words
    moves    how it moves, in Betza's notation; forward is up for side 0
    becomes  the kinds that it may become in the promotion zone
    shown    how it is written, when not by its letter: +P
    bare     the kind that it is in hand after it was taken, when another
    zone     the cells that it may stand on, `#` in rows from the top, for side 0; () for all
    royal_attack  how it also attacks a royal piece, in the same notation
    single   whether none is dropped on a column where the side has one already
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
    exposed      whether it may be left attacked; then it is taken like any other piece
    zone         so many rows at the far end promote
    optional     whether pieces need not, and may when they leave the zone too
    marked_rows   the rows, from the own side and from 0, where moves marked `i` are allowed
    in_passing   the kind that may be taken in passing when it went two rows, by its like; or ""
    castling     columns of king and rook after castling to the left and to the right; or ()
    onward       the kinds whose moves are progress, as it is to take something
    drops        the sign between piece and cell where taken pieces change sides; or ""
    no_mate      the kind that may not mate by being dropped; or ""
    columns      their names from the left; "" for a, b, c and so on
    rows         their names from the bottom; "" for 1, 2, 3 and so on
    stalemate    what it is for who is on the move: "draw", "loss" or "win"
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
        """The first board as positions keep it: row by row from the bottom."""
        return "".join(reversed(self.setup))
