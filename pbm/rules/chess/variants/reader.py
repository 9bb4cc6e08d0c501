"""Reads sections of variants into rules. What is not played here is refused, never left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pbm.rules.chess.variants.checks import check_rules
from pbm.rules.chess.variants.keys import BOTH, DISPLAY, KEYS, UNPLAYED, UNPLAYED_GAMES, Key
from pbm.rules.chess.variants.moves_in_betza import read_betza
from pbm.rules.chess.variants.rule_set import KING, VariantRules, row_of_frame
from pbm.rules.chess.variants.sections import Section, split_sections
from pbm.rules.chess.variants.shelf import TEXT
from pbm.rules.chess.variants.slots import SLOTS
from pbm.rules.chess.variants.values import ValueFault, read_value, zone_of
from pbm.rules.errors import VariantError

WAZIR = "wazir"
"""How a king is written that moves as a wazir and uses diagonal lines as one."""
_REGIONS: Mapping[str, tuple[int, str]] = {
    f"mobilityRegion{colour}{slot[0].upper()}{slot[1:]}": (side, slot)
    for side, colour in enumerate(("White", "Black"))
    for slot in SLOTS
}


@cache
def read_shelf() -> Mapping[str, VariantRules]:
    """Return the rules of the variants that come with the server, by section: other files inherit
    from them."""
    rules, faults = read_rules(TEXT, dict)
    if faults:
        raise faults[0]
    return rules


def read_rules(
    text: str, find_base: Callable[[], Mapping[str, VariantRules]] = read_shelf
) -> tuple[dict[str, VariantRules], list[VariantError]]:
    """Return the rules in a file, by section, and the faults of the sections that are left out."""
    sections, faults = split_sections(text)
    found = dict[str, VariantRules]()
    refused = {fault.section: fault for fault in faults}
    later = {section.name for section in sections}
    for section in sections:
        later.discard(section.name)
        try:
            if section.parent in later and section.parent not in find_base():
                why = f"[{section.parent}] stands below it: put what it inherits from before it"
                raise VariantError(section.name, "", why)
            found[section.name] = _read_section(section, found, refused, find_base)
        except VariantError as fault:
            faults.append(fault)
            refused[section.name] = fault
    return found, faults


def _read_section(
    section: Section,
    found: Mapping[str, VariantRules],
    refused: Mapping[str, VariantError],
    find_base: Callable[[], Mapping[str, VariantRules]],
) -> VariantRules:
    if not section.parent:
        rules = VariantRules(section.name)
    elif section.parent in found:
        rules = found[section.parent].inherit(section.name)
    elif section.parent in refused:
        why = f"[{section.parent}], from which it inherits, is faulty"
        raise VariantError(section.name, refused[section.parent].key, why)
    elif section.parent in (base := find_base()):
        rules = base[section.parent].inherit(section.name)
    elif section.parent in UNPLAYED_GAMES:
        why = f"it comes with [{section.parent}] and is not played here"
        raise VariantError(section.name, UNPLAYED_GAMES[section.parent], why)
    else:
        raise VariantError(section.name, "", f"there is no [{section.parent}] to inherit from")
    _check_keys(section)
    _set_sizes(rules, section)
    _set_pieces(rules, section)
    for name, key in KEYS.items():
        if name in section.values and name not in ("maxRank", "maxFile"):
            _set(rules, section, name, key)
    _set_ranks(rules, section)
    rules.said |= section.values.keys()
    rules.sections += (section,)
    check_rules(rules)
    return rules


def _fault(section: Section, key: str, why: str) -> VariantError:
    return VariantError(section.name, key, f"{section.values[key][:60]!r} {why}")


def _check_keys(section: Section) -> None:
    """Refuse keys that are unknown, and those that are not played."""
    for key, value in section.values.items():
        if key in UNPLAYED:
            if value not in UNPLAYED[key]:
                raise _fault(section, key, "is not played here")
        elif not (key in KEYS or key in DISPLAY or key in SLOTS or key in _REGIONS):
            raise _fault(section, key, "is the value of a key that does not exist")


def _read(rules: VariantRules, section: Section, name: str, kind: str) -> Any:
    try:
        return read_value(rules, kind, section.values[name])
    except ValueFault as fault:
        raise _fault(section, name, str(fault)) from None


def _set_sizes(rules: VariantRules, section: Section) -> None:
    for name, attribute, kind in (("maxRank", "rows", "row"), ("maxFile", "columns", "column")):
        if name in section.values:
            setattr(rules, attribute, _read(rules, section, name, kind) + 1)


def _set_pieces(rules: VariantRules, section: Section) -> None:
    """Give slots their letters and moves, and regions to men."""
    for slot in SLOTS:
        value = section.values.get(slot, "")
        if slot in section.values and not value:
            raise _fault(section, slot, "is no letter")
        if value == "-":
            rules.remove_piece(slot)
        elif value:
            letter, colon, moves = value.partition(":")
            _set_piece(rules, section, slot, letter.strip(), moves.strip() if colon else None)
    for key, (side, slot) in _REGIONS.items():
        if key in section.values:
            rules.mobility[side][slot] = _read(rules, section, key, "region")


def _set_piece(
    rules: VariantRules, section: Section, slot: str, letter: str, moves: str | None
) -> None:
    if len(letter) != 1 or not letter.isascii() or not letter.isalpha():
        raise _fault(section, slot, "does not begin with the letter of the piece")
    is_custom = slot.startswith("customPiece")
    if moves is None and is_custom:
        raise _fault(section, slot, "has no moves: write p:W")
    if moves is not None and not (is_custom or slot == KING):
        raise _fault(section, slot, "has moves of its own: use a customPiece")
    if slot == KING and moves == WAZIR:
        moves = ""
        rules.king_is_wazir = True
    elif slot == KING:
        rules.king_is_wazir = False
    if moves:
        try:
            read_betza(moves)
        except ValueError as fault:
            raise _fault(section, slot, f"cannot be read: {fault}") from None
    rules.add_piece(slot, letter.upper())
    if is_custom and moves is not None:
        rules.custom[slot] = moves
        if "e" in moves:
            rules.passing_pieces = [pieces | {slot} for pieces in rules.passing_pieces]
    elif slot == KING:
        rules.king_moves = moves or ""


_SINGLE = {"main_pawn"}
_ALL_ALLOWED = {"extinction_pieces", "connect_pieces", "flag_piece", "must_drop_piece"}


def _set(rules: VariantRules, section: Section, name: str, key: Key) -> None:
    """Set what a key sets."""
    if key.kind in ("zone", "step"):
        return
    value = _read(rules, section, name, key.kind)
    for attribute in key.names:
        if key.kind == "pieces" and attribute not in _ALL_ALLOWED and "*" in value:
            raise _fault(section, name, "cannot be all pieces")
        one = frozenset(value) if key.kind == "pieces" else value
        if attribute in _SINGLE:
            one = value[-1] if value else ""
        if key.kind in ("limits", "promotions"):
            one = {**getattr(rules, attribute), **value}
        if key.sides:
            both = list(getattr(rules, attribute))
            for side in key.sides:
                both[side] = one
            one = both
        setattr(rules, attribute, one)


def _set_ranks(rules: VariantRules, section: Section) -> None:
    """Read the keys of older files that name rows instead of regions, unless the section says it
    in regions too."""
    values = section.values
    if "promotionRank" in values:
        row = _read(rules, section, "promotionRank", "zone")
        for side, key in zip(BOTH, ("promotionRegionWhite", "promotionRegionBlack"), strict=True):
            if key not in values:
                rules.promotion_region[side] = zone_of(rules, row, side)
    if "doubleStepRank" in values or "doubleStepRankMin" in values:
        low = (
            _read(rules, section, "doubleStepRankMin", "step")
            if "doubleStepRankMin" in values
            else 1
        )
        high = _read(rules, section, "doubleStepRank", "step") if "doubleStepRank" in values else 1
        for side, key in zip(BOTH, ("doubleStepRegionWhite", "doubleStepRegionBlack"), strict=True):
            if key not in values:
                rows = range(low, high + 1)
                rules.double_step_region[side] = sum(
                    row_of_frame(rules.rows - 1 - row if side else row) for row in rows
                )
