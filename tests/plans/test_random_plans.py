"""Some random plans in some games; `python -m tools.populations.plans` tries them in all."""

from __future__ import annotations

from pbm.store.engine import Store
from tools.populations.plans import Rig

_GAMES = ("cradle", "hex", "tictactoe", "dotsandboxes", "cyclone", "darkchess")


def test_nothing_is_played_that_was_not_planned(sqlite_store: Store) -> None:
    figures = Rig(sqlite_store, 1).run(40, _GAMES)
    assert figures.wrong == []
    assert figures.trees >= 40
    assert figures.answers > 15
