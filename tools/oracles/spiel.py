"""Games of OpenSpiel as oracles (`open_spiel` of the extra `oracles`)."""

from collections.abc import Callable, Iterable

import pyspiel


class Spiel:
    """A game of OpenSpiel. `name` makes our move of (state, action); where it makes None the action
    is left out."""

    def __init__(self, game: str, name: Callable[[pyspiel.State, int], str | None]) -> None:
        self._state = _loaded(game).new_initial_state()
        self._name = name
        self._named: dict[str, int] | None = None

    def _actions(self) -> dict[str, int]:
        if self._named is None:
            named = ((self._name(self._state, a), a) for a in self._state.legal_actions())
            self._named = {move: action for move, action in named if move is not None}
        return self._named

    def moves(self) -> Iterable[str]:
        return self._actions()

    def play(self, move: str) -> None:
        self._state.apply_action(self._actions()[move])
        self._named = None

    def ranks(self) -> tuple[int, ...] | None:
        if not self._state.is_terminal():
            return None
        returns = self._state.returns()
        return tuple(1 + sum(other > own for other in returns) for own in returns)


_GAMES: dict[str, pyspiel.Game] = {}


def _loaded(game: str) -> pyspiel.Game:
    if game not in _GAMES:
        _GAMES[game] = pyspiel.load_game(game)
    return _GAMES[game]


def cell_names(width: int, height: int) -> list[str]:
    """Return the names of the cells of a grid, row by row from below."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [f"{letters[column]}{row + 1}" for row in range(height) for column in range(width)]
