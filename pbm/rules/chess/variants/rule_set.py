"""The rules of a variant as its section and those it inherits from give them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields
from typing import TypeVar

from pbm.rules.chess.variants.sections import Section
from pbm.rules.chess.variants.slots import ORDER, SLOTS

MOST_COLUMNS, MOST_ROWS = 12, 10
Region = int
"""Cells as bits of a frame of 12 columns; the row of White comes first."""
T = TypeVar("T")
ALL = (1 << MOST_COLUMNS * MOST_ROWS) - 1
PAWN, KING, SOLDIER = "pawn", "king", "soldier"
WIN, LOSS, DRAW, NONE = "win", "loss", "draw", "none"
"""The results for the side to move."""
CHESS_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def row_of_frame(row: int) -> Region:
    """Return all cells of a row, counted from 0."""
    return (1 << MOST_COLUMNS) - 1 << row * MOST_COLUMNS


def pair(value: T) -> list[T]:
    """Return the same for both sides."""
    return [copy(value), copy(value)]


def _pawns() -> list[frozenset[str]]:
    return pair(frozenset({PAWN}))


@dataclass(eq=False)
class VariantRules:
    """The rules, in slots and cells of the frame, for White and for Black where they are lists;
    docs/authors/variants.md says what each is.

    said      the keys that the section or one it inherits from sets
    sections  the section as it is written, after those that it inherits from
    """

    name: str
    letters: dict[str, str] = field(default_factory=dict)
    custom: dict[str, str] = field(default_factory=dict)
    rows: int = 8
    columns: int = 8
    start: str = CHESS_FEN
    king_moves: str = ""
    king_is_wazir: bool = False
    mobility: list[dict[str, int]] = field(default_factory=lambda: [{}, {}])
    promotion_region: list[int] = field(default_factory=lambda: [row_of_frame(7), row_of_frame(0)])
    main_pawn: list[str] = field(default_factory=lambda: pair(PAWN))
    promotion_pawns: list[frozenset[str]] = field(default_factory=_pawns)
    promotion_pieces: list[frozenset[str]] = field(default_factory=lambda: pair(frozenset[str]()))
    sittuyin_promotion: bool = False
    promotion_limit: dict[str, int] = field(default_factory=dict)
    promoted: dict[str, str] = field(default_factory=dict)
    promotion_on_capture: bool = False
    mandatory_pawn_promotion: bool = True
    mandatory_piece_promotion: bool = False
    demotion: bool = False
    blast: bool = False
    blast_immune: frozenset[str] = frozenset()
    mutually_immune: frozenset[str] = frozenset()
    double_step: bool = True
    double_step_region: list[int] = field(
        default_factory=lambda: [row_of_frame(1), row_of_frame(6)]
    )
    triple_step_region: list[int] = field(default_factory=lambda: [0, 0])
    passing_region: list[int] = field(default_factory=lambda: [ALL, ALL])
    passing_pieces: list[frozenset[str]] = field(default_factory=_pawns)
    castling: bool = True
    castling_dropped: bool = False
    castling_right_column: int = 6
    castling_left_column: int = 2
    castling_row: int = 0
    castling_king_column: int = 4
    castling_king: list[str] = field(default_factory=lambda: pair(KING))
    castling_rook_right: int = MOST_COLUMNS - 1
    castling_rook_left: int = 0
    castling_rooks: list[frozenset[str]] = field(default_factory=lambda: pair(frozenset({"rook"})))
    checking: bool = True
    drop_checks: bool = True
    must_capture: bool = False
    must_drop: bool = False
    must_drop_piece: str = "*"
    drops: bool = False
    drop_loop: bool = False
    captures_to_hand: bool = False
    two_boards: bool = False
    first_row_pawn_drops: bool = False
    zone_pawn_drops: bool = False
    drop_on_top: bool = False
    drop_region: list[int] = field(default_factory=lambda: [ALL, ALL])
    sittuyin_rook_drop: bool = False
    opposite_bishops: bool = False
    drop_promoted: bool = False
    no_doubled: str = ""
    no_doubled_count: int = 1
    immobility_illegal: bool = False
    gating: bool = False
    seirawan_gating: bool = False
    cambodian: bool = False
    diagonals: Region = 0
    passing_turn: list[bool] = field(default_factory=lambda: [False, False])
    pass_on_stalemate: list[bool] = field(default_factory=lambda: [False, False])
    makpong: bool = False
    flying_general: bool = False
    soldier_row: int = 0
    idle_pieces: list[frozenset[str]] = field(default_factory=_pawns)
    idle_moves: int = 50
    recurring: int = 3
    recurring_value: str = DRAW
    recurring_absolute: bool = False
    perpetual_check: bool = False
    stalemate: str = DRAW
    stalemate_by_count: bool = False
    checkmate: str = LOSS
    no_pawn_drop_mate: bool = False
    facing_kings: bool = False
    extinction: str = NONE
    extinction_claim: bool = False
    pseudo_royal: bool = False
    duple_check: bool = False
    extinction_pieces: frozenset[str] = frozenset()
    extinction_count: int = 0
    extinction_opponent_count: int = 0
    flag_piece: list[str] = field(default_factory=lambda: pair("*"))
    flag_region: list[int] = field(default_factory=lambda: [0, 0])
    flag_count: int = 1
    flag_blocked: bool = False
    flag_move: bool = False
    flag_safe: bool = False
    check_counting: bool = False
    connect: int = 0
    connect_pieces: frozenset[str] = frozenset({"*"})
    connect_rows: bool = True
    connect_columns: bool = True
    connect_diagonals: bool = True
    connect_value: str = WIN
    material: str = NONE
    full_board: bool = False
    counting: str = NONE
    said: frozenset[str] = frozenset()
    sections: tuple[Section, ...] = ()

    def inherit(self, name: str) -> VariantRules:
        """Return a copy for a section that inherits from this one."""
        rules = copy(self)
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, list):
                setattr(rules, one.name, [copy(side) for side in value])
            elif isinstance(value, dict):
                setattr(rules, one.name, dict(value))
        rules.name = name
        return rules

    def add_piece(self, slot: str, letter: str) -> None:
        """Give a slot its letter, which a slot that has it loses."""
        for other, taken in list(self.letters.items()):
            if taken == letter and other != slot:
                self.remove_piece(other)
        self.letters[slot] = letter

    def remove_piece(self, slot: str) -> None:
        """Take a kind of piece out of the game."""
        self.letters.pop(slot, None)
        self.promotion_pieces = [pieces - {slot} for pieces in self.promotion_pieces]

    @property
    def slots(self) -> dict[str, str]:
        """The slot of each letter, in the order of slots."""
        ordered = sorted(self.letters, key=ORDER.__getitem__)
        return {self.letters[slot]: slot for slot in ordered}

    def betza(self, slot: str) -> str:
        """Return the moves of a piece."""
        if slot == KING and self.king_is_wazir:
            return SLOTS["wazir"].moves
        if slot == KING and self.king_moves:
            return self.king_moves
        return self.custom.get(slot) or SLOTS[slot].moves
