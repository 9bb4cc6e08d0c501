"""Migrations: they make exactly the tables of the code, whole or not at all, and only forwards."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import delete, event, insert, inspect, select, text

from pbm.core.kernel.plans.tree import build_queued, decode_plan
from pbm.store import migrate, tables
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.queues import outbound_queue
from tests.store.statements import all_rows


@pytest.fixture
def empty(empty_url: str) -> Iterator[Store]:
    store = Store(empty_url)
    yield store
    store.close()


def test_the_migrations_make_the_tables_of_the_code(empty: Store) -> None:
    migrate.upgrade(empty)
    with empty.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "compare_server_default": not empty.is_sqlite},
        )
        assert compare_metadata(context, tables.metadata) == []


def test_the_conditions_of_partial_indexes_are_those_of_the_code(empty: Store) -> None:
    """The comparison above ignores them."""
    migrate.upgrade(empty)
    if empty.is_sqlite:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%WHERE%'"
    else:
        query = "SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%WHERE%'"
    with empty.engine.connect() as connection:
        rows = connection.execute(text(query)).all()
    stored = {name: _condition(sql.partition(" WHERE ")[2]) for name, sql in rows}
    indexes = [index for table in tables.metadata.tables.values() for index in table.indexes]
    noted = {
        str(index.name): _condition(
            index.info["where"].compile(
                empty.engine, compile_kwargs={"literal_binds": True, "include_table": False}
            )
        )
        for index in indexes
        if "where" in index.info
    }
    assert len(noted) > 5
    assert stored == noted


def _condition(sql: object) -> str:
    """A condition without what only one of the databases writes."""
    plain = re.sub(r"::(double precision|\w+)|[() ]", "", str(sql))
    return plain.lower().replace("<>", "!=")


def test_an_empty_database_has_no_schema(empty: Store) -> None:
    assert migrate.read_revision(empty) is None
    with pytest.raises(migrate.SchemaError, match=r"schema none.*pbm admin db upgrade"):
        migrate.require(empty)


def test_upgrading_twice_changes_nothing(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("INSERT INTO settings (name, value) VALUES ('a', 'b')"))
    migrate.upgrade(store)
    migrate.require(store)
    assert migrate.read_revision(store) == migrate.find_head()
    with store.reading() as session:
        assert session.execute(text("SELECT value FROM settings")).scalars().all() == ["b"]


def test_four_daemons_may_upgrade_at_once(empty_url: str) -> None:
    stores = [Store(empty_url) for _ in range(4)]
    errors: list[BaseException] = []
    gate = threading.Barrier(len(stores))

    def upgrade(store: Store) -> None:
        gate.wait()
        try:
            migrate.upgrade(store)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=upgrade, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [migrate.read_revision(store) for store in stores] == [migrate.find_head()] * 4
    with stores[0].reading() as session:
        rows = session.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    assert rows == [migrate.find_head()]
    for store in stores:
        store.close()


@pytest.mark.parametrize("act", [migrate.upgrade, migrate.require])
def test_a_newer_schema_is_refused_and_left_alone(
    store: Store, act: Callable[[Store], object]
) -> None:
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(migrate.SchemaError, match=r"schema 9999.*install the newer pbm"):
        act(store)
    assert migrate.read_revision(store) == "9999"


def test_a_migration_that_fails_leaves_nothing(empty: Store) -> None:
    """A table of ours is in the way: the upgrade fails, and no other table is there after it."""
    with empty.writing() as session:
        session.execute(text("CREATE TABLE watchers (odd INTEGER)"))
    with pytest.raises(Exception, match="watchers"):
        migrate.upgrade(empty)
    assert inspect(empty.engine).get_table_names() == ["watchers"]


def test_a_writer_touches_no_other_schema(store: Store) -> None:
    writer = Writer(store, migrate.check_revision)
    writer.start()
    job = insert(tables.settings).values(name="a", value="b")
    writer.submit(lambda session: session.execute(delete(tables.settings)) and None).result(30)
    with store.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(migrate.SchemaError):
        writer.submit(lambda session: session.execute(job) and None).result(30)
    writer.stop()
    with store.reading() as session:
        assert all_rows(session, select(tables.settings)) == []


def _upgrade_to(store: Store, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrate.find_folder()))
    with store.writing() as session:
        config.attributes["connection"] = session.connection
        command.upgrade(config, revision)


_OLD_ROWS = {
    "players": "INSERT INTO players (id, userid, name, password, state, created, seen) "
    "VALUES (:player, :name, :name, '', 'active', 0, 0)",
    "ratings": "INSERT INTO ratings VALUES (:player, 'cradle', 25, 5, 3, 0)",
    "boards": "INSERT INTO boards (id, game, version, options, players, state, position, to_move, "
    "number, ply, turn_ply, asked, undos, rated, secret, commitment, created, moved) "
    "VALUES (:board, 'cradle', 1, '{}', 3, 'over', '', '', 0, 0, 0, 0, 0, true, '', '', 0, 0)",
    "seats": "INSERT INTO seats (board_id, seat, player_id, accepted, rank) "
    "VALUES (:board, :seat, :player, true, :rank)",
    "rating_changes": "INSERT INTO rating_changes (board_id, seat, player_id, game, chance, "
    "mu_before, sigma_before, mu, sigma, at) "
    "VALUES (:board, :seat, :player, 'cradle', 0, 0, 0, 0, 0, 0)",
}


def test_what_was_won_and_lost_is_counted_from_the_boards(empty: Store) -> None:
    """Three seats: a board that one won, one whose first place is shared, and one that the third
    lost on time without a move, which did not rate that seat."""
    _upgrade_to(empty, "0003")
    ranks = {1: (1, 2, 2), 2: (1, 1, 3), 3: (2, 1, 3)}
    people = [{"player": number, "name": f"p{number}"} for number in (1, 2, 3)]
    seated = [
        {"board": board, "seat": seat, "player": seat + 1, "rank": rank}
        for board, found in ranks.items()
        for seat, rank in enumerate(found)
    ]
    rows = {
        "players": people,
        "ratings": people,
        "boards": [{"board": board} for board in ranks],
        "seats": seated,
        "rating_changes": seated[:-1],
    }
    with empty.writing() as session:
        for name, statement in _OLD_ROWS.items():
            session.execute(text(statement), rows[name])
    migrate.upgrade(empty)
    with empty.reading() as session:
        found = all_rows(session, select(tables.ratings).order_by(tables.ratings.c.player_id))
        assert [(row.won, row.lost) for row in found] == [(1, 1), (1, 1), (0, 2)]


def test_outcomes_that_were_sentences_become_codes(empty: Store) -> None:
    _upgrade_to(empty, "0007")
    machine = "a machine is not told of errors: List-Id"
    expected = {
        ("done", "done: list"): ("executed", "", ""),
        ("done", "done: list; refused: cradle move ...: no"): ("partly_executed", "", ""),
        ("done", f"refused: cradle show ...: no; no answer: {machine}"): (
            "refused",
            "List-Id",
            "machine",
        ),
        (
            "done",
            "no command; no answer: no more help today to this address: [limits] help_a_day",
        ): (
            "no_command",
            "",
            "help_spent",
        ),
        ("done", "a copy of mail 17"): ("duplicate", "17", ""),
        ("done", "a machine: Auto-Submitted"): ("machine", "Auto-Submitted", ""),
        ("done", "bounce: ann@example.org failed"): ("bounce", "", ""),
        ("done", "banned"): ("banned", "", ""),
        ("done", "removed"): ("", "", ""),
        ("aside", "too costly: its header"): ("unreadable", "", ""),
        ("aside", "the mail has more than 9 bytes"): ("unreadable", "", ""),
        ("aside", "failed: TookTooLong"): ("timed_out", "", ""),
        ("aside", "failed: KeyError"): ("fault", "", ""),
        ("waiting", ""): ("", "", ""),
    }
    old = text(
        "INSERT INTO inbound (received, via, recipient, raw, state, outcome) "
        "VALUES (0, 'smtp', '', '', :state, :outcome)"
    )
    with empty.writing() as session:
        for state, outcome in expected:
            session.execute(old, {"state": state, "outcome": outcome})
    migrate.upgrade(empty)
    with empty.reading() as session:
        rows = all_rows(session, select(tables.inbound).order_by(tables.inbound.c.id))
    assert [(row.code, row.about, row.no_answer) for row in rows] == list(expected.values())


def test_codes_of_refusals_get_a_column(empty: Store) -> None:
    _upgrade_to(empty, "0009")
    expected = {
        ("refused", "wrong_turn bad_option", ""): ("", "wrong_turn bad_option"),
        ("partly_executed", "stale", ""): ("", "stale"),
        ("refused", "List-Id", "machine"): ("List-Id", ""),
        ("duplicate", "17", ""): ("17", ""),
    }
    old = text(
        "INSERT INTO inbound (received, via, recipient, raw, state, code, about, no_answer) "
        "VALUES (0, 'smtp', '', '', 'done', :code, :about, :no_answer)"
    )
    with empty.writing() as session:
        for code, about, no_answer in expected:
            session.execute(old, {"code": code, "about": about, "no_answer": no_answer})
    migrate.upgrade(empty)
    with empty.reading() as session:
        rows = all_rows(session, select(tables.inbound).order_by(tables.inbound.c.id))
    assert [(row.about, row.refusals) for row in rows] == list(expected.values())


def test_mails_survive_that_their_columns_are_ordered_anew(empty: Store) -> None:
    """The number of a mail that was removed is not used again."""
    _upgrade_to(empty, "0022")
    old = text(
        "INSERT INTO outbound (board_id, envelope_from, recipient, message, state, created, "
        "next_attempt, content) VALUES (17, 'a', :name, :message, 'waiting', 1.5, 2.5, 'chat')"
    )
    names = ("ann@example.org", "bob@example.org", "cleo@example.org")
    with empty.writing() as session:
        for name in names:
            session.execute(old, {"name": name, "message": b"\x00" * 9000 + name.encode()})
        session.execute(text("DELETE FROM outbound WHERE id = 3"))
    migrate.upgrade(empty)
    with empty.writing() as session:
        assert outbound_queue.reserve_numbers(session, 1) == [4]
        rows = outbound_queue.find_due(session, 3.0, 10)
    assert [row.recipient for row in rows] == [*names[:2]]
    row = rows[1]
    assert (row.id, row.board_id, row.player_id, row.content, row.attempts) == (
        2,
        17,
        None,
        "chat",
        0,
    )
    assert (row.created, row.next_attempt, row.finished, row.why) == (1.5, 2.5, None, "")
    assert row.message == b"\x00" * 9000 + names[1].encode()


def _killed_at(url: str, number: int) -> int:
    """Upgrade in a process that is killed when it has sent so many statements; its status."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    store = Store(url)
    sent = 0

    @event.listens_for(store.engine, "after_cursor_execute")
    def execute(*_: object) -> None:
        nonlocal sent
        sent += 1
        if sent == number:
            os.kill(os.getpid(), signal.SIGKILL)

    migrate.upgrade(store)
    os._exit(0)


def _upgraded(url: str, old: str | None, steps: Iterable[int]) -> None:
    """Upgrade, killed at one step after another, until it gets through."""
    for number in steps:
        status = _killed_at(url, number)
        store = Store(url)
        found = migrate.read_revision(store)
        store.close()
        assert found == (old if status else migrate.find_head())
        if not status:
            return
    raise AssertionError("it never got through")


def test_a_migration_killed_at_any_step_leaves_the_old_or_the_new(empty_url: str) -> None:
    """From nothing at every 37th statement, from the first schema at every 17th."""
    _upgraded(empty_url, None, range(2, 1000, 37))
    store = Store(empty_url)
    with store.engine.begin() as connection:
        tables.metadata.drop_all(connection)
        connection.execute(text("DROP TABLE alembic_version"))
    _upgrade_to(store, "0001")
    store.close()
    _upgraded(empty_url, "0001", range(2, 1000, 17))


def test_what_was_queued_becomes_a_plan(empty: Store) -> None:
    """And so does what an act that can be taken back had discarded."""
    _upgrade_to(empty, "0011")
    with empty.writing() as session:
        session.execute(
            text(
                "INSERT INTO players (id, userid, name, password, state, created, seen)"
                " VALUES (1, 'ann', 'ann', '', 'active', 0, 0)"
            )
        )
        session.execute(
            text(
                "INSERT INTO boards (id, game, version, options, players, state, position, to_move,"
                " number, ply, turn_ply, asked, undos, rated, secret, commitment, created, moved,"
                " kept) VALUES (1, 'hex', 1, '{}', 2, 'running', '', '1', 7, 7, 7, 0, 0, true,"
                " :secret, '', 0, 0, :kept)"
            ),
            {"secret": b"s", "kept": '{"seats": [[0, null, 0, "[\\"e5\\", \\"\\", 0]", null]]}'},
        )
        session.execute(
            text(
                "INSERT INTO seats (board_id, seat, player_id, accepted, queued)"
                " VALUES (1, 0, 1, true, :queued)"
            ),
            {"queued": '["d4", "Hello!", 9]'},
        )
    migrate.upgrade(empty)
    with empty.reading() as session:
        plan = session.execute(text("SELECT plan FROM seats")).scalar_one()
        kept = session.execute(text("SELECT kept FROM boards")).scalar_one()
    assert decode_plan(plan) == build_queued("d4", "Hello!", 9, 7)
    assert decode_plan(json.loads(kept)["seats"][0][3]) == build_queued("e5", "", 0, 7)
