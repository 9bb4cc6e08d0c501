"""Splits a file of variants into its sections."""

from __future__ import annotations

import re
from typing import NamedTuple

from pbm.rules.errors import VariantError

MOST_CHARACTERS, MOST_SECTIONS, MOST_KEYS, LONGEST_LINE = 1_000_000, 500, 400, 4_000
_HEAD = re.compile(r"\[([^\[\]:]+)(?::([^\[\]:]+))?\]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,39}")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]{0,59}")


class Section(NamedTuple):
    """A section: its name, that of the section it inherits from ("" for none), and the values of
    its keys; of a key that is there twice the last value holds."""

    name: str
    parent: str
    values: dict[str, str]


def split_sections(text: str) -> tuple[list[Section], list[VariantError]]:
    """Return the sections of a file, and the faults of those that cannot be read. VariantError if
    the file as a whole cannot."""
    if len(text) > MOST_CHARACTERS:
        raise VariantError("", "", f"it is longer than {MOST_CHARACTERS:,} characters")
    sections, faults = list[Section](), list[VariantError]()
    current: Section | None = None
    faulty = set[str]()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().lstrip("\ufeff")
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            current = _begin(line, number)
            if len(sections) == MOST_SECTIONS:
                raise VariantError("", "", f"it has more than {MOST_SECTIONS} sections")
            if any(one.name == current.name for one in sections):
                faults.append(VariantError(current.name, "", f"it is there twice, line {number}"))
                current = current._replace(values={})
                continue
            sections.append(current)
        elif current is None:
            raise VariantError("", "", f"line {number} stands before the first [section]")
        elif current.name not in faulty and (fault := _take(current, line)):
            faults.append(fault)
            faulty.add(current.name)
    return [one for one in sections if one.name not in faulty], faults


def _begin(line: str, number: int) -> Section:
    match = _HEAD.fullmatch(line)
    names = [name.strip() for name in match.groups() if name is not None] if match else []
    if not names or not all(_NAME.fullmatch(name) for name in names):
        raise VariantError("", "", f"line {number} is no head of a section: [name:parent]")
    return Section(names[0], names[1] if len(names) > 1 else "", {})


def _take(section: Section, line: str) -> VariantError | None:
    """Store a line of a section, or report its fault."""
    key, sign, value = line.partition("=")
    key, value = key.strip(), value.strip()
    if not sign or not _KEY.fullmatch(key):
        return VariantError(section.name, "", f"{line[:60]!r} is not key = value")
    if len(line) > LONGEST_LINE:
        return VariantError(section.name, key, f"it is longer than {LONGEST_LINE:,} characters")
    if len(section.values) == MOST_KEYS:
        return VariantError(section.name, key, f"there are more than {MOST_KEYS} keys")
    section.values[key] = value
    return None
