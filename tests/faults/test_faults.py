"""The promises hold while the daemon is killed, and the counting itself finds planted faults."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from pbm.store.engine import Store
from pbm.store.tables import inbound, moves, outbound
from tests.faults.population import Population
from tests.faults.relay import Relay
from tests.faults.rig import Figures, Rig, count


def test_sqlite_and_one_daemon(tmp_path: Path) -> None:
    rig = Rig(tmp_path, f"sqlite:///{tmp_path / 'pbm.db'}", seed_number=11)
    figures = asyncio.run(rig.run(12))
    assert figures.wrong == []
    assert figures.kills == 12
    assert figures.moves > 12


def test_sqlite_and_a_worker_process(tmp_path: Path) -> None:
    rig = Rig(tmp_path, f"sqlite:///{tmp_path / 'pbm.db'}", processes=2, seed_number=12)
    figures = asyncio.run(rig.run(8))
    assert figures.wrong == []
    assert figures.moves > 12


def test_postgresql_and_two_daemons(tmp_path: Path, cluster: Any) -> None:
    url = cluster.url(cluster.create())
    figures = asyncio.run(Rig(tmp_path, url, daemons=2, seed_number=13).run(10))
    assert figures.wrong == []
    assert figures.moves > 12


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Population, Relay]:
    """A run without kills, and what its players and its relay know."""
    folder = tmp_path_factory.mktemp("whole")
    url = f"sqlite:///{folder / 'pbm.db'}"
    kept: list[Any] = []

    class Kept(Rig):
        def _count_all(self, people: Population, relay: Relay, figures: Figures) -> None:
            kept.extend([people, relay])
            super()._count_all(people, relay, figures)

    figures = asyncio.run(Kept(folder, url, seed_number=14, tables=4, people=4).run(1))
    assert figures.wrong == []
    return url, kept[0], kept[1]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (delete(moves).where(moves.c.board_id == 1, moves.c.number == 1), "board 1"),
        (update(inbound).where(inbound.c.id == 1).values(state="aside"), "is aside"),
        (delete(inbound).where(inbound.c.id == 2), "accepted and is gone"),
        (update(outbound).where(outbound.c.id == 1).values(state="waiting"), "is waiting"),
        (delete(outbound).where(outbound.c.id == 2), "is not known"),
        (
            insert(moves).values(
                board_id=2, number=99, ply=99, kind="move", seat=0, move="a1", at=0
            ),
            "board 2",
        ),
    ],
)
def test_a_planted_fault_is_found(
    whole: tuple[str, Population, Relay], fault: Any, said: str, tmp_path: Path
) -> None:
    url, people, relay = whole
    source = Path(url.removeprefix("sqlite:///"))
    copy = tmp_path / "copy.db"
    copy.write_bytes(source.read_bytes())
    store = Store(f"sqlite:///{copy}")
    with store.writing() as session:
        session.execute(fault)
    store.close()
    figures = Figures()
    count(f"sqlite:///{copy}", people, relay, figures)
    assert any(said in sentence for sentence in figures.wrong), figures.wrong
