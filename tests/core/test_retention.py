"""Old mails go a few at a time, by number, on both databases; what else is old goes with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from pbm.config import Retention
from pbm.core import retention
from pbm.features.talk.tables import chats
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store
from pbm.store.tables import boards, codes, counters, inbound, outbound, players
from tests.harness.databases import record

NOW = 1772452800.0
KEPT = Retention(mails_days=30, rows_days=365)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A database with the tables, of this test alone."""
    opened = Store(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    opened.close()


def fill(store: Store, count: int, days: float) -> None:
    """So many mails in and out that came and went so many days ago."""
    then = NOW - days * DAY
    came = {
        "received": then,
        "via": "smtp",
        "peer": "::1",
        "envelope_from": "ann@example.org",
        "recipient": "pbm@localhost",
        "raw": b"x" * 200,
        "fingerprint": "f",
        "state": "done",
        "outcome": "done: list",
        "finished": then,
    }
    went = {
        "envelope_from": "pbm@localhost",
        "recipient": "ann@example.org",
        "message": b"x" * 900,
        "state": "sent",
        "created": then,
        "next_attempt": then,
        "finished": then,
    }
    with store.writing() as session:
        session.execute(insert(inbound), [came] * count)
        session.execute(insert(outbound), [went] * count)


def tidied(store: Store, now: float = NOW, kept: Retention = KEPT) -> list[tuple[int, int]]:
    """After another turn, of each queue: the mails that are left, those of them with a text."""
    with store.writing() as session:
        retention.clean_up(session, now, kept)
    found = []
    with store.reading() as session:
        for table, text in ((inbound, inbound.c.raw), (outbound, outbound.c.message)):
            rows = session.execute(select(func.count()).select_from(table)).scalar_one()
            texts = select(func.count()).select_from(table).where(func.length(text) > 0)
            found.append((rows, session.execute(texts).scalar_one()))
    return found


def has_more(store: Store, now: float) -> bool:
    """Whether the scheduler goes on at once: what is old is not left for the next minute."""
    with store.reading() as session:
        return retention.has_more(session, now, KEPT)


def test_a_turn_takes_a_bounded_number_of_mails(store: Store) -> None:
    fill(store, 2500, 40)
    fill(store, 10, 20)
    assert has_more(store, NOW)
    assert tidied(store) == [(2510, 1510)] * 2
    assert has_more(store, NOW)
    assert tidied(store) == [(2510, 510)] * 2
    assert tidied(store) == tidied(store) == [(2510, 10)] * 2
    assert not has_more(store, NOW)
    assert tidied(store, NOW + 11 * DAY) == [(2510, 0)] * 2
    fill(store, 1, 0)
    later = NOW + 330 * DAY
    for left in (1511, 511, 11):
        assert [rows for rows, _ in tidied(store, later)] == [left] * 2
    assert tidied(store, later) == [(11, 0)] * 2
    assert not has_more(store, later)
    assert tidied(store, later + 40 * DAY) == [(0, 0)] * 2


def test_no_turn_reads_through_a_queue(sqlite_url: str) -> None:
    store = Store(sqlite_url)
    fill(store, 3, 40)
    sent = record(store)
    tidied(store)
    of_queues = [each for each in sent if re.search(r"\b(in|out)bound\b", each)]
    assert len(of_queues) > 8
    with store.engine.connect() as connection:
        for statement in of_queues[:-4]:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}").all()
            scans = [row.detail for row in plan if row.detail.startswith("SCAN")]
            assert scans in ([], ["SCAN inbound USING INDEX ix_inbound_aside"]), statement
    store.close()


def test_old_counters_and_codes_go(store: Store) -> None:
    today = int(NOW // DAY)
    days = (today, today - 13, today - 15)
    code = {"purpose": "confirm", "digest": "x", "address": "ann@example.org"}
    with store.writing() as session:
        made = {"userid": "ann", "name": "ann", "password": "!", "state": "active"}
        ann = session.execute(
            insert(players).values(**made, created=1, seen=1).returning(players.c.id)
        ).scalar_one()
        for name in ("help ann@example.org", "failures 3"):
            session.execute(
                insert(counters), [{"name": name, "day": day, "count": 1} for day in days]
            )
        for ended in (1, 29, 31):
            row = {**code, "player_id": ann, "created": 1.0, "expires": NOW - ended * DAY}
            session.execute(insert(codes).values(row))

    def left(column: Any) -> list[float]:
        with store.reading() as session:
            return sorted(session.execute(select(column)).scalars())

    tidied(store)
    assert left(counters.c.day) == sorted(days[:2] * 2)
    assert left(codes.c.expires) == [NOW - 29 * DAY, NOW - DAY]
    tidied(store, NOW + 1800)
    assert len(left(counters.c.day)) == 4
    tidied(store, NOW + 3 * DAY)
    assert len(left(counters.c.day)) == 2


def test_old_texts_at_boards_go(store: Store) -> None:
    with store.writing() as session:
        made = {"userid": "ann", "name": "ann", "password": "!", "state": "active"}
        ann = session.execute(
            insert(players).values(**made, created=1, seen=1).returning(players.c.id)
        ).scalar_one()
        row = {"game": "hex", "version": 1, "options": "{}", "players": 2, "state": "over"}
        row |= {"position": "", "to_move": "", "number": 0, "ply": 0, "turn_ply": 0, "asked": 0}
        row |= {"undos": 0, "rated": False, "secret": b"", "commitment": ""}
        board = session.execute(
            insert(boards).values(**row, created=1, moved=1).returning(boards.c.id)
        ).scalar_one()
        for text, days in (("old", 31), ("young", 29)):
            at = NOW - days * DAY
            session.execute(insert(chats).values(board_id=board, player_id=ann, text=text, at=at))
    tidied(store)
    with store.reading() as session:
        assert session.execute(select(chats.c.text)).scalars().all() == ["young"]
