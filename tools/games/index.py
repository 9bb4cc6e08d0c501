"""Writes `pbm/games/index.py` anew from the games' modules:

python -m tools.games.index
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pbm import games
from pbm.games.index import GameRow
from pbm.rules import Game

PATH = Path(games.__file__).with_name("index.py")
_COLUMNS = 100
_FIRST, _LAST = "INDEX: tuple[GameRow, ...] = (\n", ")\n"


def rows() -> list[GameRow]:
    """Return the rows that the modules of the package declare, sorted by name."""
    return sorted(
        GameRow(game.info.name, module, game.info.title, game.info.aliases)
        for module, game in _declared()
    )


def _declared() -> Iterator[tuple[str, Game]]:
    for module in pkgutil.iter_modules(games.__path__):
        for game in getattr(import_module(f"pbm.games.{module.name}"), "GAMES", ()):
            yield module.name, game


def format_index(before: str) -> str:
    """Return the source of the module with the current rows, as ruff formats it."""
    head = before.partition(_FIRST)[0]
    return head + _FIRST + "".join(map(_source, rows())) + _LAST


def _source(row: GameRow) -> str:
    aliases = ", ".join(f'"{alias}"' for alias in row.aliases)
    comma = "," if len(row.aliases) == 1 else ""
    fields = [f'"{row.name}"', f'"{row.module}"', f'"{row.title}"', f"({aliases}{comma})"]
    line = f"    GameRow({', '.join(fields)}),\n"
    if len(line) <= _COLUMNS:
        return line
    return "    GameRow(\n" + "".join(f"        {field},\n" for field in fields) + "    ),\n"


if __name__ == "__main__":
    PATH.write_text(format_index(PATH.read_text(encoding="utf-8")), encoding="utf-8")
