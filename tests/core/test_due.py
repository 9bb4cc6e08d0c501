"""The clockwork between daemons: one of them ticks, and what a mail in waiting protects."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import insert, select, text

from pbm.config import Config
from pbm.core import board as board_clocks
from pbm.core import due
from pbm.core.clock import DAY
from pbm.core.due import record_heartbeat
from pbm.core.player import parse_preferences
from pbm.core.secrets import Secrets
from pbm.store import inbound_queue, outbound_queue
from pbm.store.engine import Store
from pbm.store.tables import boards, inbound, outbound, pauses, players, settings
from tests.core.test_board import board_of
from tests.harness.databases import all_rows

NOW = 1772452800.0
SECRETS = Secrets((b"k" * 32,), lambda size: b"e" * size)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A database with the tables, of this test alone."""
    opened = Store(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    opened.close()


def heartbeat(store: Store) -> float:
    """When a daemon ticked last."""
    with store.reading() as session:
        query = select(settings.c.value).where(settings.c.name == "heartbeat")
        return float(session.execute(query).scalar_one())


def downtimes(store: Store) -> list[tuple[float, float]]:
    """The spans in which the server is known to have been down."""
    with store.reading() as session:
        rows = all_rows(session, select(pauses).where(pauses.c.kind == "down"))
        return [(row.begins, row.ends) for row in rows]


def test_only_a_gap_counts_as_downtime(store: Store) -> None:
    for seconds in (0, 60, 120, 290, 350):
        with store.writing() as session:
            assert record_heartbeat(session, NOW + seconds)
    assert downtimes(store) == []
    with store.writing() as session:
        record_heartbeat(session, NOW + 5 * DAY)
    assert downtimes(store) == [(NOW + 350, NOW + 5 * DAY)]
    assert heartbeat(store) == NOW + 5 * DAY


def test_after_a_clock_was_set_back_no_mail_waits_for_the_wrong_date(store: Store) -> None:
    row = {"recipient": "ann@example.org", "envelope_from": "pbm@localhost", "message": b"x"}
    with store.writing() as session:
        record_heartbeat(session, NOW + 40 * DAY)
        wrong = {"created": NOW + 40 * DAY, "next_attempt": NOW + 40 * DAY}
        session.execute(insert(outbound).values(**row, **wrong, state="waiting"))
        mail = {"via": "smtp", "recipient": "pbm@localhost", "raw": b"x"}
        session.execute(insert(inbound).values(**mail, received=NOW + 40 * DAY, state="waiting"))
    with store.writing() as session:
        assert outbound_queue.find_due(session, NOW, 9) == []
        record_heartbeat(session, NOW)
        assert len(outbound_queue.find_due(session, NOW, 9)) == 1
        assert len(inbound_queue.claim_first(session, 9)) == 1


def test_a_clock_that_is_set_back_leaves_no_pause_ahead(store: Store) -> None:
    for now in (NOW, NOW + 900 * DAY, NOW + DAY):
        with store.writing() as session:
            record_heartbeat(session, now)
    assert downtimes(store) == [(NOW, NOW + DAY)]
    assert heartbeat(store) == NOW + DAY


def test_a_pause_of_one_player_is_nobody_elses(store: Store) -> None:
    with store.writing() as session:
        for name in ("ann", "bob"):
            session.execute(
                insert(players).values(
                    userid=name, name=name, password="!", state="active", created=NOW, seen=NOW
                )
            )
        session.execute(
            insert(pauses),
            [
                {
                    "player_id": who,
                    "begins": NOW + at,
                    "ends": NOW + at + DAY,
                    "kind": kind,
                    "created": NOW,
                }
                for who, at, kind in (
                    (1, 0, "vacation"),
                    (2, DAY, "automatic"),
                    (None, 5 * DAY, "down"),
                )
            ],
        )
        board = board_of()
        board.seats[0].preferences = parse_preferences('{"off": "sat,sun"}')
        calendar = board_clocks.read_calendar(session, board, board.seats[0], NOW)
        assert calendar.off == {5, 6}
        assert sorted(calendar.stops) == [
            (NOW, NOW + DAY),
            (NOW + 5 * DAY, NOW + 6 * DAY),
        ]
        assert board_clocks.read_stops(session, 2, NOW + 3 * DAY) == (
            (NOW + 5 * DAY, NOW + 6 * DAY),
        )


def test_two_daemons_do_not_tick_at_once(postgresql_url: str) -> None:
    store = Store(postgresql_url)
    try:
        with store.writing() as session:
            assert record_heartbeat(session, NOW)
        with store.writing() as first:
            assert record_heartbeat(first, NOW + 60)
            with store.writing() as second:
                assert not record_heartbeat(second, NOW + 60)
                assert due.do_due(second, NOW + 60, SECRETS, Config()) == []
        assert heartbeat(store) == NOW + 60
    finally:
        store.close()


def test_boards_of_an_earlier_release_are_looked_at(store: Store) -> None:
    """A running board without a time to look at is one that the migration found."""
    with store.reading() as session:
        assert not due.has_more(session, NOW, Config())
    row = {
        "game": "cradle",
        "version": 1,
        "options": "{}",
        "players": 2,
        "state": "running",
        "position": "",
        "to_move": "0",
        "number": 0,
        "ply": 0,
        "turn_ply": 0,
        "asked": 0,
        "undos": 0,
        "rated": True,
        "secret": b"",
        "commitment": "",
        "created": NOW,
        "moved": NOW,
        "look": NOW,
    }
    with store.writing() as session:
        session.execute(insert(boards).values(row))
        assert due.has_more(session, NOW, Config())
        assert not due.has_more(session, NOW - 1, Config())
        session.execute(text("UPDATE boards SET look = NULL"))
        assert not due.has_more(session, NOW + 1e6, Config())
