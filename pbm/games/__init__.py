"""The shelf: which games there are.

A game is a module of this package with a tuple `GAMES`, or an entry point of the group `pbm.games`
in any installed package that names a `Game` instance. Modules are imported when first asked for."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from pbm.rules import Game


class UnknownGame(LookupError):
    """Nobody registered a game of that name or alias."""


@cache
def _shelf() -> dict[str, Game]:
    """Every game by its name, sorted; a built-in game wins over a plugin of the same name."""
    found: dict[str, Game] = {}
    for entry in entry_points(group="pbm.games"):
        game = entry.load()
        found[game.info.name] = game
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            for game in import_module(f"{__name__}.{module.name}").GAMES:
                found[game.info.name] = game
    return dict(sorted(found.items()))


@cache
def _aliases() -> dict[str, str]:
    return {alias: name for name, game in _shelf().items() for alias in game.info.aliases}


def get_game(name: str) -> Game:
    """The game of that name or alias, in any case. Raises UnknownGame."""
    word = name.lower()
    word = _aliases().get(word, word)
    if word not in _shelf():
        raise UnknownGame(name)
    return _shelf()[word]


def game_names() -> list[str]:
    """The names of all games, sorted."""
    return list(_shelf())
