"""Some weeks of the year; `python -m tools.populations.year` lets all of it pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbm.store import migrate
from pbm.store.engine import Store
from tools.populations.world import World
from tools.populations.year import audit


@pytest.mark.long
def test_some_weeks_end_with_everything_in_order(sqlite_url: str, tmp_path: Path) -> None:
    world = World(sqlite_url, players=6, days=21, seed=5, every=15)
    second = Store(f"sqlite:///{tmp_path / 'second.db'}")
    try:
        world.live()
        world.falls_silent(250, step=2.0)
        migrate.create(second)
        figures = audit(world, second)
    finally:
        second.close()
        world.server.close()
    assert figures.wrong == []
    assert figures.records_replayed > 10
    assert figures.log["move"] > 40
    assert figures.log["forfeit"] > 0
    assert figures.mails_out["reminder to the late"] > 0
    assert figures.did["down"] == 3
    assert figures.events["league over"] > 0
    assert figures.events["prize lists"] >= 6
    assert figures.did["challenge event"] > 0
