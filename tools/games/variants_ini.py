"""Reads a file of variants of the field, such as that of Fairy-Stockfish, and says of each section
whether it is played here as there, or which key refuses it.

python -m tools.games.variants_ini FILE.ini [POSITIONS] writes a table in Markdown."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyffish

from pbm.rules.chess.variants.reader import read_rules, read_shelf
from pbm.rules.chess.variants.sections import split_sections
from pbm.rules.errors import VariantError
from tools.games.variant_oracle import Comparison, find_oracle, rename

_PREFIX = "file-"


def load(text: str) -> None:
    """Have the oracle read the file, its own games and those of our shelf as parents."""
    find_oracle("chess")
    sections = {section.name for section in split_sections(text)[0]}
    parents = {section.parent for section in split_sections(text)[0]} - sections
    renamed = rename(text, parents, prefix=_PREFIX)
    for parent in parents & read_shelf().keys():
        renamed = renamed.replace(f":{parent}]", f":{find_oracle(parent)}]")
    pyffish.load_variant_config(renamed)


def compare(text: str, positions: int) -> Iterator[tuple[str, str, str]]:
    """Yield each section with "agrees", "differs" or "refused", and how many positions and endings
    were compared, what differs, or which key refuses it."""
    load(text)
    rules, faults = read_rules(text)
    known = frozenset(pyffish.variants())
    refused = {fault.section: fault for fault in faults}
    for section in split_sections(text)[0]:
        name = section.name
        if name in refused:
            yield name, "refused", explain(refused[name])
        elif _PREFIX + name not in known:
            yield name, "differs", "the oracle does not load it"
        else:
            try:
                found = Comparison(rules[name], _PREFIX + name, 0).run(positions)
            except AssertionError as error:
                yield name, "differs", str(error)
            else:
                yield name, "agrees", f"{found.positions:,} positions, {found.endings} endings"


def explain(fault: VariantError) -> str:
    """Return the key that refuses a section, and why."""
    return f"`{fault.key}`: {fault.why}" if fault.key else fault.why


def main(path: str, positions: int) -> int:
    """Write the table. The status is 1 if anything differs."""
    text = Path(path).read_text(encoding="utf-8")
    print("| section | here | |\n| --- | --- | --- |")
    counts = Counter[str]()
    for name, state, what in compare(text, positions):
        counts[state] += 1
        print(f"| {name} | {state} | {what} |", flush=True)
    total = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
    print(f"\n{sum(counts.values())} sections: {total}.")
    return int(bool(counts["differs"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int((sys.argv[2:] or ["1000"])[0])))
