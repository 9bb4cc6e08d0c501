"""Titles of games as pages show them: in each language its own, where a game has one there."""

from __future__ import annotations

from functools import cache, partial

from pbm.games import UnknownGame, get_game
from pbm.locale import Page
from pbm.locale.words import name_game


def find_title(name: str) -> str:
    """Return the title of a game, or its name where the game is gone."""
    try:
        title = get_game(name).info.title
    except UnknownGame:
        return name
    return _build_title(name, title)


@cache
def _build_title(name: str, title: str) -> str:
    return Page(partial(name_game, name, title))
