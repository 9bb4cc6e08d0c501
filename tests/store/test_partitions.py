"""The queues of PostgreSQL in partitions: numbers go on, the oldest are dropped whole, and nobody
waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, insert, inspect, select, text

from pbm.config import Retention
from pbm.core import retention
from pbm.store import partitions
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store
from pbm.store.tables import inbound, metadata, outbound, receipts
from tests.core.test_retention import fill
from tests.harness.shell import MOVES, Shell

NOW = 1772452800.0
KEPT = Retention(mails_days=30, rows_days=365)
SIZE = 1000


@pytest.fixture
def store(postgresql_url: str) -> Iterator[Store]:
    """A database of this test alone, with mails of which one waits."""
    opened = Store(postgresql_url)
    fill(opened, 1500, 400)
    with opened.writing() as session:
        rows = [{"outbound_id": number, "at": NOW - 400 * DAY, "answer": "ok"} for number in (1, 2)]
        session.execute(insert(receipts), rows)
    yield opened
    opened.close()


def count(store: Store) -> list[int]:
    with store.reading() as session:
        return [
            session.execute(select(func.count()).select_from(table)).scalar_one()
            for table in partitions.QUEUES
        ]


def list_ends(store: Store) -> list[list[int]]:
    with store.reading() as session:
        found = [partitions.find_partitions(session, table) for table in partitions.QUEUES]
    return [[each.end for each in parts] for parts in found]


def divide(store: Store) -> bool:
    with store.writing() as session:
        return partitions.divide(session, SIZE)


def tidy(store: Store, now: float) -> None:
    with store.writing() as session:
        retention.clean_up(session, now, KEPT)


def test_mails_go_on_in_partitions_and_old_ones_are_dropped_whole(store: Store) -> None:
    assert divide(store)
    assert not divide(store), "a second time"
    assert count(store) == [1500, 1500, 2]
    assert list_ends(store) == [[2000, 3000, 4000], [2000, 3000, 4000], [1000, 2000, 3000]]
    fill(store, 800, 10)
    with store.reading() as session:
        last = session.execute(select(func.max(outbound.c.id))).scalar_one()
    assert last == 2300, "numbers go on"

    # The first partition has mails that came lately; texts, and what was said of them, go.
    tidy(store, NOW)
    assert count(store) == [2300, 2300, 0]
    tidy(store, NOW + 2 * 3600)
    assert list_ends(store)[1] == [2000, 3000, 4000, 5000]

    # A year later it goes; the rows of the next stay until all of them are old.
    later = NOW + 400 * DAY
    fill(store, 900, -390)
    tidy(store, later)
    assert count(store) == [1201, 1201, 0], "mails 2000 to 3200"
    assert list_ends(store)[0][0] == 3000
    for hours in range(1, 30):
        tidy(store, later + hours * 3600)
    assert count(store) == [1201, 1201, 0]


def test_partitions_are_ready_for_an_hour_of_many_mails(store: Store) -> None:
    divide(store)
    for minutes in (0, 5, 10):
        tidy(store, NOW + 60 * minutes)
        fill(store, 1500, 0)
    assert [ends[-1] for ends in list_ends(store)[:2]] == [7000, 7000]


def test_what_waits_keeps_its_partition_and_nobody_waits_for_a_drop(store: Store) -> None:
    divide(store)
    fill(store, 1000, 380)
    with store.writing() as session:
        session.execute(text("UPDATE outbound SET state = 'waiting' WHERE id = 7"))
    other = Store(store.url.render_as_string(hide_password=False))
    with other.reading() as session:
        assert session.execute(select(inbound.c.id).where(inbound.c.id == 9)).scalar() == 9
        tidy(store, NOW)
        assert [ends[0] for ends in list_ends(store)] == [2000, 2000, 1000], "somebody reads there"
    other.close()
    tidy(store, NOW)
    assert [ends[0] for ends in list_ends(store)] == [3000, 2000, 1000]
    with store.reading() as session:
        assert session.execute(select(outbound.c.id).where(outbound.c.id == 7)).scalar() == 7


def test_a_divided_queue_has_the_indexes_of_the_schema(store: Store) -> None:
    """So that what is asked of it is found, and migrations find them by name."""
    divide(store)
    seen = inspect(store.engine)
    for table in partitions.QUEUES:
        wanted = {str(each.name) for each in metadata.tables[table.name].indexes}
        assert {each["name"] for each in seen.get_indexes(table.name)} == wanted
        assert seen.get_pk_constraint(table.name)["constrained_columns"] == ["id"]
        assert [each["name"] for each in seen.get_columns(table.name)] == [*table.c.keys()]
    with store.reading() as session:
        plan = session.tuples(text("EXPLAIN SELECT * FROM outbound WHERE id = 1700"))
    assert sum("Scan" in line for (line,) in plan) == 1, "one partition is visited"


def test_a_server_with_divided_queues_plays_on(tmp_path: Path, postgresql_url: str) -> None:
    """Its operator divides them between two moves; a second time nothing is done."""
    shell = Shell(tmp_path, postgresql_url)
    shell.signup("ann", "bob")
    shell.ok("challenge", "cradle", "ann", "bob")
    shell.ok("move", "cradle", "1", "ann", MOVES[0], who="ann")
    assert shell.ok("admin", "db", "partition", "--mails", "1000") == "divided\n"
    assert "already" in shell.ok("admin", "db", "partition")
    before = len(shell.json("admin", "mails"))
    shell.ok("move", "cradle", "1", "bob", MOVES[1], who="bob")
    mail = "From: ann@example.org\nMessage-ID: <1@x>\nSubject: list\n\n"
    for _ in range(2):
        shell.ok("receive", "--to", "pbm@games.example", stdin=mail)
    assert len(shell.json("admin", "mails")) > before
    assert shell.ok("admin", "check") == "no difference\n"
    assert shell.json("admin", "board", "1")["ply"] == 2


def test_sqlite_has_no_partitions(tmp_path: Path, sqlite_url: str) -> None:
    refused = Shell(tmp_path, sqlite_url).run("admin", "db", "partition")
    assert (refused.exit_code, "SQLite needs none" in refused.stderr) == (1, True)
