"""Reads the values of keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pbm.rules.chess.variants.rule_set import (
    ALL,
    MOST_COLUMNS,
    MOST_ROWS,
    VariantRules,
    row_of_frame,
)

_WORDS = {"true": True, "false": False}
_CELL = re.compile(r"([a-l])([0-9]{1,2})")
_MOST = 10_000


class ValueFault(ValueError):
    """A value that is not of the type of its key."""


def read_flag(rules: VariantRules, text: str) -> bool:
    """Read `true` or `false`."""
    if text not in _WORDS:
        raise ValueFault("is not true or false")
    return _WORDS[text]


def read_number(rules: VariantRules, text: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise ValueFault(f"is not a number from 0 to {_MOST - 1}")
    return int(text)


def read_row(rules: VariantRules, text: str) -> int:
    """Return a row, counted from 0."""
    if not re.fullmatch(r"[0-9]{1,2}", text) or not 1 <= int(text) <= MOST_ROWS:
        raise ValueFault(f"is not a row from 1 to {MOST_ROWS}")
    return int(text) - 1


def read_column(rules: VariantRules, text: str) -> int:
    """Return a column, a letter or a number, counted from 0."""
    if re.fullmatch(r"[a-l]", text):
        return ord(text) - ord("a")
    if re.fullmatch(r"[0-9]{1,2}", text) and 1 <= int(text) <= MOST_COLUMNS:
        return int(text) - 1
    raise ValueFault("is not a column from a to l, or 1 to 12")


def read_region(rules: VariantRules, text: str) -> int:
    """Read cells: `e4`, all of a row `*8`, all of a column `d*`; `-` for none."""
    region = 0
    for word in text.split():
        if word == "-":
            break
        if match := re.fullmatch(r"\*([0-9]{1,2})", word):
            region |= row_of_frame(_row(match[1], word))
        elif match := re.fullmatch(r"([a-lA-L])\*", word):
            column = ord(match[1].lower()) - ord("a")
            region |= sum(1 << row * MOST_COLUMNS + column for row in range(MOST_ROWS))
        elif match := _CELL.fullmatch(word.lower()):
            region |= 1 << _row(match[2], word) * MOST_COLUMNS + ord(match[1]) - ord("a")
        else:
            raise ValueFault(f"has {word[:20]}, which is no cell, row (*8) or column (d*)")
    return region


def _row(text: str, word: str) -> int:
    row = int(text) - 1
    if not 0 <= row < MOST_ROWS:
        raise ValueFault(f"has {word[:20]}, and there are {MOST_ROWS} rows at most")
    return row


def read_pieces(rules: VariantRules, text: str) -> list[str]:
    """Return the slots of letters: `nbrq`; `-` for none, `*` for all."""
    slots, found = rules.slots, list[str]()
    for letter in text.replace(" ", ""):
        if letter == "-":
            break
        if letter == "*":
            found.append("*")
        elif letter.upper() in slots:
            found.append(slots[letter.upper()])
        else:
            raise ValueFault(f"has {letter}, which is no piece of this variant")
    return found


def read_piece(rules: VariantRules, text: str) -> str:
    """Return the slot of one letter; "" for `-`."""
    pieces = read_pieces(rules, text)
    if len(pieces) > 1:
        raise ValueFault("is more than one piece")
    return pieces[0] if pieces else ""


def read_pairs(rules: VariantRules, text: str) -> list[tuple[str, str]]:
    """Return the pairs of `q:1 r:2`."""
    pairs = re.findall(r"([A-Za-z])\s*:\s*([A-Za-z]|-|[0-9]+)", text)
    if "".join(f"{one}:{two}" for one, two in pairs) != text.replace(" ", ""):
        raise ValueFault("is not a list of pairs, letter:value")
    return pairs


def read_limits(rules: VariantRules, text: str) -> dict[str, int]:
    """Return how many of a kind promotion allows."""
    limits = {}
    for letter, number in read_pairs(rules, text):
        if not number.isdigit():
            raise ValueFault(f"has {letter}:{number}, which is no number")
        limits[read_piece(rules, letter)] = int(number[:3])
    return limits


def read_promotions(rules: VariantRules, text: str) -> dict[str, str]:
    """Return what kinds of pieces are promoted to."""
    promotions = {}
    for letter, other in read_pairs(rules, text):
        if other.isdigit():
            raise ValueFault(f"has {letter}:{other}, and {other} is no piece")
        promotions[read_piece(rules, letter)] = read_piece(rules, other)
    return promotions


def read_text(rules: VariantRules, text: str) -> str:
    """Return a text as it is."""
    return text


READERS: Mapping[str, Callable[[VariantRules, str], Any]] = {
    "flag": read_flag,
    "number": read_number,
    "row": read_row,
    "column": read_column,
    "region": read_region,
    "pieces": read_pieces,
    "piece": read_piece,
    "limits": read_limits,
    "promotions": read_promotions,
    "text": read_text,
    "zone": read_row,
    "step": read_row,
}
"""How a value of each type is read; other types are the words allowed, with bars between them."""


def read_value(rules: VariantRules, kind: str, text: str) -> Any:
    """Return the value of a key. ValueFault if it is not of its type."""
    if kind in READERS:
        return READERS[kind](rules, text)
    if text not in kind.split("|"):
        raise ValueFault(f"is not one of {', '.join(kind.split('|'))}")
    return text


def zone_of(rules: VariantRules, row: int, side: int) -> int:
    """Return the rows from that one to the far end, as a side counts them."""
    rows = range(row, rules.rows)
    return sum(row_of_frame(rules.rows - 1 - one if side else one) for one in rows) & ALL
