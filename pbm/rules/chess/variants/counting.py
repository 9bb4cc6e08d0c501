"""The counting rules of south-east Asia: how long a side may try to mate a king that is nearly
alone."""

from __future__ import annotations

from pbm.rules.chess.variants.men_tables import EMPTY, MenTables
from pbm.rules.chess.variants.state import State

_MAKRUK = (64, 8, 16, 22, 32, 44)
_CAMBODIAN = (63, 7, 15, 21, 31, 43)
"""The moves of a full board's count; with two rooks, one, two silvers, two knights, one silver."""


class Census:
    """How many men of each kind the sides have."""

    def __init__(self, tables: MenTables, board: str) -> None:
        self._letters = tables.letter_of
        self._board = board
        self.total = (
            sum(sign.isupper() for sign in board),
            sum(sign.islower() for sign in board),
        )

    def count(self, side: int, slot: str) -> int:
        """Return how many of a kind a side has."""
        letter = self._letters.get(slot)
        return self._board.count(letter.lower() if side else letter) if letter else 0

    @property
    def pawns(self) -> int:
        """How many pawns both sides have."""
        return self.count(0, "pawn") + self.count(1, "pawn")


def find_limit(rule: str, census: Census, side: int) -> int:
    """Return after how many moves the game is drawn while that side is counted against; 0 for no
    count."""
    own, other = census.total[side], census.total[1 - side]
    rooks, silvers, knights = (
        census.count(1 - side, slot) for slot in ("rook", "silver", "knight")
    )
    if rule == "asean":
        if census.pawns or own > 1:
            return 0
        return 16 if rooks else 44 if silvers else 64 if knights else 0
    if rule == "makruk":
        if census.pawns or other == 1:
            return 0
    elif own > 3 or other == 1:
        return 0
    board, two_rooks, rook, two_silvers, two_knights, silver = (
        _MAKRUK if rule == "makruk" else _CAMBODIAN
    )
    if own > 1:
        return board
    if census.pawns:
        return 0
    if rooks:
        return two_rooks if rooks > 1 else rook
    if silvers > 1:
        return two_silvers
    if knights > 1:
        return two_knights
    return silver if silvers else board


def count_on(
    tables: MenTables, state: State, board: str, taken: str, *, has_promoted: bool
) -> tuple[int, int]:
    """Return the limit and the count after a move from a state, in turns: what it took, and whether
    a pawn was promoted."""
    rule, mover = tables.rules.counting, state.side
    limit, counted = state.limit, state.counted + bool(state.limit)
    census, other = Census(tables, board), 1 - mover
    every = sum(census.total)
    took = taken != EMPTY
    took_pawn = took and tables.men[taken].slot == "pawn"
    is_bare = took_pawn and census.total[mover] == 1 and not census.pawns
    if rule != "asean" and is_bare and (found := find_limit(rule, census, mover)):
        limit, counted = 2 * found, 2 * every - 1
    changes = (took or has_promoted) and census.total[other] == 1
    if not limit or changes:
        found = find_limit(rule, census, other)
        if found:
            limit = 2 * found
            counted = 0 if rule == "asean" or census.total[other] > 1 else 2 * every
    return limit, counted
