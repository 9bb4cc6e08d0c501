"""Everything that was found is in the corpus, and is tried again."""

from __future__ import annotations

from pathlib import Path

from tools.attacks.catalogue import ATTACKS
from tools.attacks.corpus import NOT_TRIED, SEEDS, list_found, read_octets, read_seeds
from tools.attacks.families import FAMILIES

_ROOT = Path(__file__).parents[2]
_OCTETS = ("clear", "ends", "recipients")


def test_every_finding_is_tried_again() -> None:
    names = {each.name for each in ATTACKS}
    kinds = {path.stem for path in SEEDS.glob("*.txt")} - {"found"}
    assert FAMILIES
    tried = set[str]()
    for found in list_found():
        for what in found.tried:
            kind, _, seed = what.partition(":")
            if what.startswith("tests/"):
                assert (_ROOT / what).is_file(), found
            elif seed and kind in kinds:
                lines = (SEEDS / f"{kind}.txt").read_text("utf-8").split("\n")
                assert seed in lines, found
            else:
                assert what in names, found
                tried.add(what)
    assert names - tried == {"mail", "addresses"}, "these vary what others have found"


def test_every_file_of_seeds_is_read() -> None:
    for path in SEEDS.glob("*.txt"):
        if path.stem in _OCTETS:
            assert read_octets(path.stem)
        elif path.stem != "found":
            assert read_seeds(path.stem)


def test_a_seed_holds_what_a_line_cannot() -> None:
    assert b"\r\n\x00.\r\n" in read_octets("ends")
    assert "a\u200bnn" in "".join(read_seeds("senders"))
    assert "x\u2028Bcc: victim@v.example" in read_seeds("texts")


def test_the_page_says_what_was_not_tried() -> None:
    page = (_ROOT / "docs" / "attacks.md").read_text("utf-8")
    assert page.endswith(NOT_TRIED.read_text("utf-8"))
