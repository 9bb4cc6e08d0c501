"""Where pieces in hand may be dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pbm.rules.chess.movement_tables import cells_in
from pbm.rules.chess.variants.arena import Arena
from pbm.rules.chess.variants.men_tables import MenTables
from pbm.rules.chess.variants.royalty import Step
from pbm.rules.chess.variants.rule_set import PAWN, VariantRules
from pbm.rules.chess.variants.state import State

BISHOP = "bishop"


class Place(Protocol):
    """The position in which something is dropped, and what has been found of it."""

    tables: MenTables
    rules: VariantRules
    side: int
    state: State
    arena: Arena


def find_drops(at: Place) -> Iterator[tuple[str, Step]]:
    """Yield the drops that the rules of dropping allow, each with what it does."""
    tables, rules, side = at.tables, at.rules, at.side
    hand = at.state.hands[side]
    for letter in dict.fromkeys(hand):
        slot = tables.slot_of[letter]
        if rules.must_drop and _must_drop_other(at, slot):
            continue
        sign = letter.lower() if side else letter
        cells = find_region(at, sign) & ~at.arena.occupied
        promoted = rules.promoted.get(slot) if rules.drop_promoted else ""
        if promoted:
            other = tables.letter_of[promoted]
            raised = other.lower() if side else other
            yield from _drop(at, f"+{letter}", raised, cells)
        yield from _drop(at, letter, sign, cells)


def _must_drop_other(at: Place, slot: str) -> bool:
    wanted = at.rules.must_drop_piece
    if wanted in ("*", slot):
        return False
    return at.tables.letter_of.get(wanted, " ") in at.state.hands[at.side]


def _drop(at: Place, what: str, sign: str, cells: int) -> Iterator[tuple[str, Step]]:
    tables, rules = at.tables, at.rules
    if rules.immobility_illegal:
        cells &= ~tables.men[sign].stuck
    for cell in cells_in(cells):
        if rules.opposite_bishops and not _keeps_bishops_apart(at, sign, cell):
            continue
        yield tables.drop(what, cell), Step(sign, 0, 1 << cell)


def find_region(at: Place, sign: str) -> int:
    """Return the cells where a piece may come in from the hand, empty or not."""
    tables, rules, side, arena = at.tables, at.rules, at.side, at.arena
    man = tables.men[sign]
    cells, slot = tables.drop_region[side] & man.fits, man.slot
    first = tables.rank[tables.height - 1 if side else 0]
    if slot == PAWN:
        if not rules.zone_pawn_drops:
            cells &= ~tables.zones[side]
        if not rules.first_row_pawn_drops:
            cells &= ~first
    if slot == rules.no_doubled:
        own = arena.mask(side, slot)
        for column in tables.file:
            if (column & own).bit_count() >= rules.no_doubled_count:
                cells &= ~column
    if slot == "rook" and rules.sittuyin_rook_drop:
        cells &= first
    if rules.drop_on_top:
        cells &= (arena.occupied << tables.width) | tables.rank[0]
    return cells


def _keeps_bishops_apart(at: Place, sign: str, cell: int) -> bool:
    """Whether the bishops of a side can still be on cells of both colours."""
    tables, side, arena = at.tables, at.side, at.arena
    bishops = arena.mask(side, BISHOP)
    hand = at.state.hands[side].count(tables.letter_of.get(BISHOP, " "))
    count = bishops.bit_count() + hand
    if tables.slot_of[sign.upper()] == BISHOP:
        same = tables.dark if tables.dark >> cell & 1 else ~tables.dark
        return (same & bishops).bit_count() + 1 <= (count + 1) // 2
    letter = tables.letter_of.get(BISHOP, "")
    region = 0
    if letter:
        region = find_region(at, letter.lower() if side else letter) & ~arena.occupied
    left = (bishops | region & ~(1 << cell)) & tables.full
    dark, light = left & tables.dark, left & ~tables.dark
    return dark.bit_count() >= count // 2 and light.bit_count() >= count // 2
