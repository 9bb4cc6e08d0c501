"""The kinds of pieces that a section names: each has a slot with a name, what it is called, and its
moves in Betza's notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbm.rules.phrases import EnglishWord, Phrase, make_phrase, phrase

CUSTOM_PIECES = 25


class Slot(NamedTuple):
    """What a slot holds: the name of the piece in words and its moves; "" for those that a section
    writes itself."""

    title: str
    moves: str


_DRAGON_HORSE = EnglishWord("horse", phrase("dragon horse"))
SLOTS: Mapping[str, Slot] = {
    "pawn": Slot("pawn", "fmWfceF"),
    "knight": Slot("knight", "N"),
    "bishop": Slot("bishop", "B"),
    "rook": Slot("rook", "R"),
    "queen": Slot("queen", "Q"),
    "fers": Slot("fers", "F"),
    "alfil": Slot("alfil", "A"),
    "fersAlfil": Slot("elephant", "FA"),
    "silver": Slot("silver general", "FfW"),
    "aiwok": Slot("aiwok", "RNF"),
    "bers": Slot("dragon", "RF"),
    "archbishop": Slot("archbishop", "BN"),
    "chancellor": Slot("chancellor", "RN"),
    "amazon": Slot("amazon", "QN"),
    "knibis": Slot("archer", "mNcB"),
    "biskni": Slot("lancer bishop", "mBcN"),
    "kniroo": Slot("lancer", "mNcR"),
    "rookni": Slot("charging rook", "mRcN"),
    "shogiPawn": Slot("pawn", "fW"),
    "lance": Slot("lance", "fR"),
    "shogiKnight": Slot("knight", "fN"),
    "gold": Slot("gold general", "WfF"),
    "dragonHorse": Slot(_DRAGON_HORSE, "BW"),
    "clobber": Slot("stone", "cW"),
    "breakthrough": Slot("man", "fmWfF"),
    "immobile": Slot("stone", ""),
    "cannon": Slot("cannon", "mRcpR"),
    "janggiCannon": Slot("cannon", "pR"),
    "soldier": Slot("soldier", "fsW"),
    "horse": Slot("horse", "nN"),
    "elephant": Slot("elephant", "nA"),
    "janggiElephant": Slot("elephant", "nZ"),
    "banner": Slot("banner", "RcpRnN"),
    "wazir": Slot("wazir", "W"),
    "commoner": Slot("commoner", "K"),
    "centaur": Slot("centaur", "KN"),
    **{f"customPiece{number}": Slot("", "") for number in range(1, CUSTOM_PIECES + 1)},
    "king": Slot("king", "K"),
}
"""In the order in which sections are read: of two slots with one letter the later takes it."""
ORDER: Mapping[str, int] = {slot: number for number, slot in enumerate(SLOTS)}


def name_slot(slot: str, letter: str) -> Phrase:
    """Return what a piece of a slot is called: by its letter where a section has made it up."""
    title = SLOTS[slot].title
    return make_phrase(title) if title else phrase("piece {letter}", letter=letter)
