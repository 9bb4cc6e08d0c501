"""CONTRIBUTING is true: its ten steps name what is there."""

from __future__ import annotations

import re
from pathlib import Path

from pbm import rules
from pbm.games import get_game
from pbm.rules import testing

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STEPS = TEXT.partition("## A game in ten steps")[2]
_ELSEWHERE = {"GAMES", "pbm.games", "NAME", "roll", "pick"}
"""What stands in the modules of games, in packages, or is asked of chance."""


def test_there_are_ten_steps() -> None:
    assert re.findall(r"^(\d+)\. ", STEPS, re.MULTILINE) == [str(n) for n in range(1, 11)]


def test_every_part_of_the_interface_that_is_named_is_there() -> None:
    named = set()
    for words in re.findall(r"`([^`]+)`", STEPS):
        found = re.fullmatch(r"([A-Za-z_.]+)(\(.*\))?", words)
        if found and "/" not in words:
            named.add(found[1])
    assert {"Position", "legal_moves", "InvalidMove", "answer", "load"} <= named
    holders = (rules, get_game("cradle"), get_game("cradle").setup())
    for name in named - _ELSEWHERE:
        if name == "pbm.rules.testing.check":
            assert callable(testing.check)
        else:
            assert any(hasattr(holder, name) for holder in holders), name


def test_every_file_and_folder_that_is_named_is_there() -> None:
    for name in re.findall(r"`((?:pbm|tests|tools|migrations|config|\.ci)/[\w./]+)`", TEXT):
        path = name.replace("NAME.py", "hex.py").replace("NAME", "cyclone")
        assert (ROOT / path).exists(), name
    assert "python -m tools.playthroughs NAME 2 1" in TEXT
    assert (ROOT / "tools" / "playthroughs.py").exists()
