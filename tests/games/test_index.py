"""The index of games agrees with the modules, and names games without importing them."""

import subprocess
import sys

from pbm.games.index import INDEX
from tools.games.index import PATH, format_index, rows

_NAMES_ONLY = """
import sys
from pbm.core.words import find_game_name
assert find_game_name("Nine Men's Morris") == find_game_name("mill") == "morris"
assert find_game_name("nosuchgame") == ""
from pbm.games import get_game
assert get_game("checkers").info.name == "draughts"
assert "pbm.games.draughts" in sys.modules
assert "pbm.games.morris" not in sys.modules
"""


def test_the_index_is_what_the_modules_declare() -> None:
    """`python -m tools.games.index` rewrites the index."""
    assert list(INDEX) == rows()
    source = PATH.read_text(encoding="utf-8")
    assert format_index(source) == source


def test_a_game_is_imported_on_first_use() -> None:
    subprocess.run([sys.executable, "-c", _NAMES_ONLY], check=True)
