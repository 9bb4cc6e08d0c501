"""Single pages: rooms, oracle tables, decisions and glossary have what they promise."""

from __future__ import annotations

import re

from pbm.games import list_game_names
from tests.docs.markdown import ROOT, read_page
from tests.games.classics import CLASSICS, LONG
from tools.oracles import rows
from tools.oracles.__main__ import words

DOCS = ROOT / "docs"


def test_every_room_is_on_the_map() -> None:
    text = read_page(DOCS / "architecture.md")
    rooms = {path.parent.name for path in (ROOT / "pbm").glob("*/__init__.py")}
    for room in rooms:
        assert f"`pbm/{room}`" in text, room


def test_every_module_that_games_are_made_of_is_in_the_table() -> None:
    rules = ROOT / "pbm" / "rules"
    folders = [rules, *(rules / name for name in ("boards", "drawing", "families", "formats"))]
    modules = {
        str(path.relative_to(rules).with_suffix(""))
        for folder in folders
        for path in folder.glob("*.py")
        if path.stem not in ("__init__", "moved")
    }
    rows = re.findall(r"^\| (`.+`) \| .+ \|$", read_page(DOCS / "writing-a-game.md"), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row)} == {
        *modules,
        "chess/variant",
    }


def test_every_program_is_in_the_table() -> None:
    text = read_page(ROOT / "CONTRIBUTING.md")
    programs = [path.parent.name for path in (ROOT / "tools").glob("*/__main__.py")]
    assert len(programs) >= 6
    for name in programs:
        assert f"| `python -m tools.{name}" in text, name


def test_the_tables_of_games_are_those_that_are_compared() -> None:
    """They have each once, with the options and oracles that tools.oracles knows."""
    text = read_page(DOCS / "oracles.md")
    table = re.findall(r"^\| (\w+) \| (.+) \| (.+) \| [\d,]+ \| [\d,]+ \| \d+ \|$", text, re.M)
    assert [name for name, _, _ in table] == CLASSICS + LONG
    assert {*CLASSICS, *LONG} <= set(list_game_names())
    for name, *compared in table:
        assert tuple(compared) == words([row for row in rows() if row.game == name])


def test_every_decision_says_why_and_with_which_figure() -> None:
    folder = DOCS / "decisions"
    index = read_page(folder / "README.md")
    pages = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    assert len(pages) >= 10
    for number, path in enumerate(pages, 1):
        text = read_page(path)
        title = re.match(r"# (\d{4}) (.+)\n", text)
        assert title is not None, path
        assert int(title[1]) == number
        assert path.name.startswith(f"{number:04d}-")
        assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == [
            "Context",
            "Decision",
            "Figure",
            "Consequence",
        ]
        assert f"| [{title[1]}]({path.name}) | {title[2]} |" in index


def test_the_glossary_has_each_word_once_in_one_line() -> None:
    entries = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", read_page(DOCS / "glossary.md"), re.M)
    entries = [(word, text) for word, text in entries if word not in ("word", "---")]
    terms = [word for word, _ in entries]
    assert len(terms) > 60
    assert len(set(terms)) == len(terms)
    assert {"game", "board", "seat", "ply", "notice", "refusal", "inbound", "courier"} <= set(terms)
