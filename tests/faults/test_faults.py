"""The promises hold while the daemon is killed, and the counting itself finds planted faults."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from pbm.store.engine import Store
from pbm.store.tables import inbound, moves, outbound
from tests.harness.databases import Cluster
from tools.faults.count import Figures, count, count_diplomacy_boards
from tools.faults.kill_rig import (
    WORDS,
    Call,
    Failover,
    Kill,
    Restart,
    Rig,
    Strike,
    failover_url,
    require_strace,
)
from tools.faults.population import Population, Relay

_SECOND = select(inbound.c.raw).where(inbound.c.id == 2).scalar_subquery()
"""A mail, which may have come more than once."""


def struck(rig: Rig, strikes: int) -> Figures:
    """The figures of a run in which every promise was kept."""
    figures = asyncio.run(rig.run(strikes))
    assert figures.wrong == []
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.kills >= strikes
    assert figures.moves > 12
    return figures


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'pbm.db'}"


def test_sqlite_and_one_daemon(tmp_path: Path) -> None:
    struck(Rig(tmp_path, sqlite(tmp_path), Kill(), seed_number=11), 5)


@pytest.mark.long
def test_killed_seasons(tmp_path: Path) -> None:
    """Sealed orders of seven: none is lost, doubled or shown before its phase is over; the count
    would find it."""
    kept: list[Any] = []

    class Kept(Rig):
        def _count_all(self, people: Population, relay: Relay) -> None:
            kept.extend([people, relay])
            super()._count_all(people, relay)

    url = sqlite(tmp_path)
    struck(Kept(tmp_path, url, Kill(), seed_number=16, tables=1, diplomacy=True), 3)
    people, relay = kept
    store = Store(url)
    with store.writing() as session:
        session.execute(delete(moves).where(moves.c.number == 1))
    store.close()
    relay.texts = {key: text.replace(b"To: p", b"To: p1") for key, text in relay.texts.items()}
    figures = Figures()
    count_diplomacy_boards(url, people, relay, figures)
    assert any("lost {" in each for each in figures.wrong), figures.wrong
    assert any("in a mail of Spring 1901" in each for each in figures.wrong), figures.wrong


@pytest.mark.long
def test_sqlite_a_worker_process_and_a_clock_that_jumps(tmp_path: Path) -> None:
    """Forward and back by weeks at each start: nobody forfeits, no mail waits for a date."""
    jumps = (0.0, 40.0, -40.0)
    struck(Rig(tmp_path, sqlite(tmp_path), Kill(), processes=2, seed_number=12, jumps=jumps), 3)


@pytest.mark.long
def test_sqlite_and_death_at_a_system_call(tmp_path: Path) -> None:
    """While a page is written or flushed, a client is answered or the relay is spoken to."""
    require_strace()
    calls = [
        ("pwrite64", 30),
        ("fdatasync", 9),
        (WORDS, 25),
        (WORDS, 60),
        ("pwrite64", 47),
        ("fdatasync", 14),
    ]
    figures = struck(Rig(tmp_path, sqlite(tmp_path), Call(calls, 60.0), seed_number=15), 6)
    assert figures.at_calls == 5


@pytest.mark.long
def test_postgresql_and_two_daemons(tmp_path: Path, cluster: Cluster) -> None:
    url = cluster.url(cluster.create())
    struck(Rig(tmp_path, url, Kill(), daemons=2, seed_number=13), 5)


@pytest.mark.long
def test_a_database_server_that_is_killed_and_lost_to_its_standby(tmp_path: Path) -> None:
    """Two daemons go on without a restart: the server recovers, then it is gone, and the
    synchronous standby at the other host of their URL has all that was committed."""
    primary = Cluster()
    try:
        standby = Cluster(following=primary)
        try:
            url = failover_url(primary, standby, primary.create())
            primary.wait_for_standby()
            strikes: list[Strike] = [Restart(primary), Failover(primary, standby).fail]

            async def strike(rig: Rig) -> None:
                await strikes[rig.figures.kills](rig)
                await rig.plays(40)

            struck(Rig(tmp_path, url, strike, daemons=2, seed_number=16), 2)
        finally:
            standby.stop()
    finally:
        primary.stop()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Population, Relay]:
    """A run without faults, and what its players and its relay know."""
    folder = tmp_path_factory.mktemp("whole")
    kept: list[Any] = []

    class Kept(Rig):
        def _count_all(self, people: Population, relay: Relay) -> None:
            kept.extend([people, relay])
            super()._count_all(people, relay)

    figures = asyncio.run(Kept(folder, sqlite(folder), Kill(), tables=4, people=4).run(0))
    assert figures.wrong == []
    return sqlite(folder), kept[0], kept[1]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (delete(moves).where(moves.c.board_id == 1, moves.c.number == 1), "board 1"),
        (update(inbound).where(inbound.c.id == 1).values(state="aside"), "is aside"),
        (delete(inbound).where(inbound.c.raw == _SECOND), "accepted and is gone"),
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


def test_a_result_that_is_sent_twice_without_a_kill_is_found(
    whole: tuple[str, Population, Relay],
) -> None:
    url, people, relay = whole
    key = next(key for key in relay.taken if key not in relay.unsure)
    relay.taken[key].append(relay.taken[key][-1] + 20.0)
    killed = relay.taken[key][0] + 10.0
    try:
        figures = Figures()
        count(url, people, relay, figures)
        assert figures.doubled == 1
        assert "arrived twice" in figures.wrong[0]
        figures = Figures(strikes=[(killed, killed + 0.1)])
        count(url, people, relay, figures)
        assert (figures.wrong, figures.most_repeated_by_a_kill) == ([], 1)
    finally:
        relay.taken[key].pop()


@pytest.mark.long
def test_two_results_of_one_move_are_found(
    whole: tuple[str, Population, Relay], tmp_path: Path
) -> None:
    url, people, relay = whole
    copy = tmp_path / "copy.db"
    copy.write_bytes(Path(url.removeprefix("sqlite:///")).read_bytes())
    store = Store(f"sqlite:///{copy}")
    with store.writing() as session:
        row = dict(session.execute(select(outbound).limit(1)).mappings().one())
        session.execute(insert(outbound).values({**row, "id": None}))
    store.close()
    figures = Figures()
    count(f"sqlite:///{copy}", people, relay, figures)
    assert figures.doubled == 2, figures.wrong
