"""Mails that arrive together: one transaction, a number each; nobody pays for another's error."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from pbm.daemon.app import JournalWriter
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.migrate import SchemaError
from pbm.store.tables import inbound
from tests.harness.databases import all_rows
from tests.store.test_queues import arrived


@pytest.fixture
def writer(store: Store) -> Iterator[CommitThread]:
    """The thread that commits."""
    writer = CommitThread(store)
    writer.start()
    yield writer
    writer.stop()


def stored(store: Store) -> list[Any]:
    with store.reading() as session:
        return list(all_rows(session, select(inbound).order_by(inbound.c.id)))


def taken(writer: CommitThread, rows: list[dict[str, Any]]) -> tuple[list[Any], list[int]]:
    """What becomes of mails that arrive at once, and the commits that were told of."""
    told: list[int] = []

    async def arrive() -> list[Any]:
        intake = JournalWriter(writer, lambda: told.append(writer.commits))
        return await asyncio.gather(*map(intake.store, rows), return_exceptions=True)

    return asyncio.run(arrive()), told


def test_mails_that_arrive_together_are_stored_as_they_are(
    store: Store, writer: CommitThread
) -> None:
    odd = ["tab\there", "back\\slash", "line\nline", "\\N", "\x01 \x7f ß 漢 🎲", ""]
    rows = [arrived(number, envelope_from=text) for number, text in enumerate(odd)]
    rows.append(arrived(9, envelope_from=None, raw=bytes(range(256)), fingerprint=None))
    numbers, told = taken(writer, rows)
    assert numbers == sorted(set(numbers))
    assert 0 < len(told) <= writer.commits < len(rows)
    kept = stored(store)
    assert [row.id for row in kept] == numbers
    for row, given in zip(kept, rows, strict=True):
        assert {name: row._mapping[name] for name in given} == given


def test_mails_that_come_while_another_process_writes_are_stored_together(sqlite_url: str) -> None:
    store, other = Store(sqlite_url), Store(sqlite_url)
    writer = CommitThread(store)
    writer.start()

    async def arrive() -> list[int]:
        intake = JournalWriter(writer, lambda: None)
        with other.writing():
            first = asyncio.create_task(intake.store(arrived(1)))
            await asyncio.sleep(0.01)
            second = asyncio.create_task(intake.store(arrived(2)))
            await asyncio.sleep(0.01)
        return [await first, await second]

    assert asyncio.run(arrive()) == [1, 2]
    assert writer.commits == 1
    writer.stop()
    for each in (store, other):
        each.close()


def test_one_mail_that_cannot_be_stored_costs_no_other(store: Store, writer: CommitThread) -> None:
    rows = [arrived(number) for number in range(8)]
    rows[5]["recipient"] = None
    results, told = taken(writer, rows)
    assert isinstance(results.pop(5), IntegrityError)
    assert [row.id for row in stored(store)] == sorted(results)
    assert len(results) == 7
    assert told


def test_when_the_database_is_not_ours_everybody_hears_of_it(store: Store) -> None:
    def guard(session: object) -> None:
        raise SchemaError("another schema")

    writer = CommitThread(store, guard)
    writer.start()
    results, told = taken(writer, [arrived(number) for number in range(5)])
    writer.stop()
    assert [str(result) for result in results] == ["another schema"] * 5
    assert told == []
    assert stored(store) == []


def test_a_sender_who_goes_away_has_sent_the_mail_all_the_same(
    store: Store, writer: CommitThread
) -> None:
    async def leave() -> None:
        intake = JournalWriter(writer, lambda: done.set())
        done = asyncio.Event()
        task = asyncio.create_task(intake.store(arrived(1)))
        await asyncio.sleep(0)
        task.cancel()
        await done.wait()

    asyncio.run(leave())
    assert len(stored(store)) == 1


def test_an_error_in_many_rows_at_once_is_told_like_one_of_a_single_row(store: Store) -> None:
    with pytest.raises(IntegrityError), store.writing() as session:
        session.defer(insert(inbound), [{**arrived(number), "id": 1} for number in range(6)])
    assert stored(store) == []
