"""Deferred writes and prefetched rows: whoever reads after them gets what is true."""

from __future__ import annotations

import contextlib

import pytest
from sqlalchemy import Executable, bindparam, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from pbm.store import inbound_queue, outbound_queue, reads
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.tables import MoveRow, inbound, players, settings
from pbm.store.transaction import Session
from tests.harness.databases import all_rows

_SET = insert(settings)
DONE = MailResult(MailOutcome.EXECUTED, "done")


def name_and_value(store: Store) -> dict[str, str]:
    with store.reading() as session:
        rows = all_rows(session, select(settings.c.name, settings.c.value))
        return {row.name: row.value for row in rows if row.name.startswith("test")}


def test_what_is_deferred_is_seen_by_the_next_read_and_committed(store: Store) -> None:
    with store.writing() as session:
        session.defer(_SET, [{"name": "test 1", "value": "a"}])
        assert reads.read_setting(session, "test 1") == "a"
        session.defer(_SET, [{"name": "test 2", "value": "b"}, {"name": "test 3", "value": "c"}])
    assert name_and_value(store) == {"test 1": "a", "test 2": "b", "test 3": "c"}


def test_of_two_updates_of_a_row_the_later_counts(store: Store) -> None:
    """Whatever other rows the same statements update, and in what order these came first."""
    value = update(settings).where(settings.c.name == bindparam("key"))
    first = value.values(value=bindparam("new_value"))
    second = value.values({"value": bindparam("new_value"), "name": bindparam("new_name")})
    with store.writing() as session:
        session.defer(_SET, [{"name": f"test {which}", "value": ""} for which in "ab"])
        session.flush()
        session.defer(second, [{"key": "test a", "new_value": "1", "new_name": "test a"}])
        session.defer(first, [{"key": "test b", "new_value": "2"}])
        session.defer(second, [{"key": "test b", "new_value": "3", "new_name": "test b"}])
        session.defer(first, [{"key": "test a", "new_value": "4"}])
    assert name_and_value(store) == {"test a": "4", "test b": "3"}


@pytest.mark.parametrize("read", ["never", "before", "inside", "both"])
@pytest.mark.parametrize("writes", [False, True])
def test_a_savepoint_discards_what_was_deferred_inside(
    store: Store, read: str, writes: bool
) -> None:
    """And nothing from before it, whenever the database hears of it."""
    with store.writing() as session:
        session.defer(_SET, [{"name": "test before", "value": "a"}])
        if read in ("before", "both"):
            assert reads.read_setting(session, "test before") == "a"

        def fail() -> None:
            with session.savepoint():
                session.defer(_SET, [{"name": "test deferred", "value": "b"}])
                if read in ("inside", "both"):
                    assert reads.read_setting(session, "test deferred") == "b"
                if writes:
                    session.execute(_SET, {"name": "test written", "value": "c"})
                session.defer(_SET, [{"name": "test last", "value": "d"}])
                raise LookupError

        with pytest.raises(LookupError):
            fail()
        with session.savepoint():
            session.defer(_SET, [{"name": "test after", "value": "e"}])
    assert name_and_value(store) == {"test before": "a", "test after": "e"}


@pytest.mark.parametrize("reads_before", [False, True])
@pytest.mark.parametrize("fails", ["neither", "inner", "outer", "outer alone"])
@pytest.mark.parametrize("inner_defers", [False, True])
@pytest.mark.parametrize("outer_defers", [False, True])
def test_a_savepoint_may_be_inside_another(
    store: Store, fails: str, outer_defers: bool, inner_defers: bool, reads_before: bool
) -> None:
    """Each undoes what happened inside of it, also where the inner one is the first to write."""

    def write(session: Session, name: str, defers: bool) -> None:
        if defers:
            session.defer(_SET, [{"name": f"test {name}", "value": "a"}])
        else:
            session.execute(_SET, {"name": f"test {name}", "value": "a"})

    def do_inner(session: Session) -> None:
        with session.savepoint():
            write(session, "inner", inner_defers)
            if fails == "inner":
                raise LookupError

    def do_outer(session: Session) -> None:
        with session.savepoint():
            if fails != "outer alone":
                write(session, "first", outer_defers)
            if reads_before:
                reads.read_setting(session, "test first")
            with contextlib.suppress(LookupError):
                do_inner(session)
            write(session, "last", outer_defers)
            if fails.startswith("outer"):
                raise LookupError

    with store.writing() as session:
        session.defer(_SET, [{"name": "test before", "value": "a"}])
        with contextlib.suppress(LookupError):
            do_outer(session)
        session.defer(_SET, [{"name": "test after", "value": "a"}])
    expected = {"test before": "a", "test after": "a"}
    if not fails.startswith("outer"):
        expected |= {"test first": "a", "test last": "a"}
    if fails == "neither":
        expected["test inner"] = "a"
    assert name_and_value(store) == expected


def test_nothing_that_was_deferred_survives_an_error(store: Store) -> None:
    def fail() -> None:
        with store.writing() as session:
            session.defer(_SET, [{"name": "test 1", "value": "a"}])
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with store.reading() as session:
        session.defer(_SET, [{"name": "test 2", "value": "a"}])
    with store.writing() as session:
        assert reads.read_setting(session, "test 1") is None
    assert name_and_value(store) == {}


def test_a_write_that_fails_when_it_is_flushed_fails_the_transaction(store: Store) -> None:
    def fail() -> None:
        with store.writing() as session:
            session.defer(_SET, [{"name": "test 1", "value": "a"}] * 2)

    with pytest.raises(IntegrityError):
        fail()
    assert name_and_value(store) == {}


def test_prefetched_players_are_dropped_when_one_is_written(store: Store) -> None:
    with store.writing() as session:
        row = {
            "userid": "Ann",
            "name": "ann",
            "password": "!",
            "state": "active",
            "created": 1.0,
            "seen": 1.0,
        }
        session.execute(insert(players), row)
    with store.writing() as session:
        reads.prefetch_players(session, ["ann", "bob"])
        found = reads.find_player_by_name(session, "ann")
        assert found is not None
        assert reads.find_player_by_id(session, found.id) is found
        assert reads.find_player_by_name(session, "bob") is None
        session.execute(insert(players), {**row, "userid": "bob", "name": "bob"})
        assert reads.find_player_by_name(session, "bob") is not None
        reads.prefetch_players(session, ["ann"])
        session.execute(update(players).where(players.c.name == "ann").values(state="closed"))
        again = reads.find_player_by_name(session, "ann")
        assert again is not None
        assert again.state == "closed"


@pytest.mark.parametrize(
    "write",
    [
        text("UPDATE players SET state = 'closed'"),
        text("UPDATE players SET state = 'closed' RETURNING id").columns(players.c.id),
        update(players).values(state="closed"),
    ],
    ids=["raw", "raw with columns", "statement"],
)
def test_no_write_goes_round_what_was_prefetched(store: Store, write: Executable) -> None:
    with store.writing() as session:
        row = {"userid": "Ann", "name": "ann", "password": "!", "state": "active"}
        session.execute(insert(players), {**row, "created": 1.0, "seen": 1.0})
        reads.prefetch_players(session, ["ann"])
        assert session.prefetched is not None
        session.execute(write)
        row_after = reads.find_player_by_name(session, "ann")
        assert row_after is not None
        assert row_after.state == "closed"


def test_a_log_that_was_rolled_back_is_read_again(store: Store) -> None:
    """What a command has written to a board and taken back is not what the next mail sees."""
    entry = MoveRow(
        board_id=1,
        number=1,
        ply=1,
        kind="move",
        seat=0,
        move="a",
        words="",
        news="",
        comment="",
        at=1.0,
        key="",
    )
    with store.writing() as session:
        cache = session.cache
        cache.logs[1], cache.logs[2] = [], []
        with session.savepoint():
            reads.note_board_saved(session, 2, [entry])

        def fail() -> None:
            with session.savepoint():
                reads.note_board_saved(session, 1, [entry])
                assert reads.find_log(session, 1) == [entry]
                raise LookupError

        with pytest.raises(LookupError):
            fail()
        assert list(reads.find_log(session, 1)) == []
        assert reads.find_log(session, 2) == [entry]


def test_reads_and_writes_to_other_tables_leave_what_was_prefetched(store: Store) -> None:
    """Raw reads too that say so: the locks and numbers of PostgreSQL are taken by some."""
    with store.writing() as session:
        reads.prefetch_players(session, ["ann"])
        cache = session.prefetched
        session.execute(_SET, {"name": "test", "value": "a"})
        outbound_queue.reserve_numbers(session, 3)
        inbound_queue.find_first_copy(session, "x", 1)
        inbound_queue.prefetch(session, {1: "x"})
        assert session.prefetched is cache
        session.execute(text("SELECT 1"))
        assert session.prefetched is None


def mails(store: Store, *marks: str) -> list[int]:
    with store.writing() as session:
        for mark in marks:
            session.execute(
                insert(inbound),
                {
                    "received": 1.0,
                    "via": "smtp",
                    "peer": "",
                    "envelope_from": "",
                    "recipient": "",
                    "raw": b"",
                    "fingerprint": mark,
                    "state": "waiting",
                },
            )
    with store.reading() as session:
        return list(session.execute(select(inbound.c.id).order_by(inbound.c.id)).scalars())


def test_of_copies_in_one_batch_the_first_that_is_done_counts(store: Store) -> None:
    one, other, third, alone = mails(store, "x", "x", "x", "y")
    with store.writing() as session:
        inbound_queue.finish(session, third, DONE, 2.0, masked=b"", player=None, board=None)
    with store.writing() as session:
        inbound_queue.prefetch(session, {one: "x", other: "x", third: "x", alone: "y"})
        assert inbound_queue.claim(session, third) is None
        assert inbound_queue.claim(session, alone) is not None
        assert inbound_queue.find_first_copy(session, "x", one) == third
        assert inbound_queue.find_first_copy(session, "y", alone) is None
    first, second = mails(store, "z", "z")[-2:]
    with store.writing() as session:
        inbound_queue.prefetch(session, {first: "z", second: "z"})
        assert inbound_queue.find_first_copy(session, "z", second) is None
        inbound_queue.finish(session, second, DONE, 2.0, masked=b"", player=None, board=None)
        assert inbound_queue.find_first_copy(session, "z", first) == second
