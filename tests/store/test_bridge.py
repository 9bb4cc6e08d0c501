"""Databases older than 0.2.0 cross the bridge with all that is in them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, Table, inspect, select, text

from pbm.core.fsck import find_differences
from pbm.core.kernel.plans.tree import build_queued, decode_plan
from pbm.store import migrate, tables
from pbm.store.engine import Store
from pbm.store.queues import outbound_queue
from pbm.store.tables import chats, moves
from tests.harness.shell import Shell, environment
from tests.harness.statements import all_rows
from tests.store.test_migrate import assert_schema, survive
from tools import bridge
from tools.bridge import cross

_ROOT = Path(__file__).parents[2]
_ROWS = Path(__file__).parent / "old_rows"
"""What the program of that schema had in its database when three players had played a little: a
line is a table and the values of a row."""


@pytest.fixture
def empty(empty_url: str) -> Iterator[Store]:
    store = Store(empty_url)
    yield store
    store.close()


def _make(store: Store, revision: str) -> None:
    """Make an empty database as a program of that schema did."""
    with store.writing() as session:
        migrate.run(session.connection, bridge.FOLDER, revision)


def _fill(store: Store, rows: str) -> None:
    """Put in what is noted from the program of some schema, in the columns that are there. Boards
    are rated where there are changes of ratings."""
    lines = [json.loads(line) for line in (_ROWS / f"{rows}.jsonl").read_text("utf-8").splitlines()]
    metadata = MetaData()
    with store.writing() as session:
        metadata.reflect(session.connection)
        is_rated = "rating_changes" in metadata.tables
        for table in metadata.sorted_tables:
            for name, values in lines:
                if name == table.name and (is_rated or name != "ratings"):
                    session.execute(table.insert().values(_fit(table, values)))
        if not is_rated:
            session.execute(text("UPDATE boards SET rated = false"))


def _fit(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    """The values of the columns that the table has."""
    return {name: _decode(value) for name, value in values.items() if name in table.columns}


def _decode(value: Any) -> Any:
    """Bytes are written as text or in hexadecimal digits."""
    if not isinstance(value, dict):
        return value
    return value["text"].encode() if "text" in value else bytes.fromhex(value["hex"])


def _read_all(store: Store) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables, in order."""
    metadata = MetaData()
    with store.engine.connect() as connection:
        metadata.reflect(connection)
        return {
            table.name: [
                dict(row._mapping)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in metadata.sorted_tables
            if table.name != "alembic_version"
        }


_CHANGED = {("boards", "look"), ("boards", "kept"), ("players", "digest_at"), ("seats", "plan")}
"""Columns whose values a migration changes."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("revision", "rows"),
    [("0001", "0004"), ("0004", "0004"), ("0015", "0023"), ("0023", "0023"), ("0033", "0023")],
)
def test_an_old_database_crosses_with_all_that_is_in_it(
    empty: Store, revision: str, rows: str
) -> None:
    _make(empty, revision)
    _fill(empty, rows)
    before = _read_all(empty)
    assert len(before["moves"]) >= 5
    assert len(before["inbound"]) == 2
    assert cross(empty) == revision
    migrate.require(empty)
    assert_schema(empty)
    after = _read_all(empty)
    for name, old in before.items():
        new = after[name]
        assert len(new) == len(old) + (name == "settings" and "reply_form_changed" in str(new))
        for was, now in zip(old, new, strict=False):
            kept = [column for column in was if column in now and (name, column) not in _CHANGED]
            assert name == "settings" or {c: was[c] for c in kept} == {c: now[c] for c in kept}
    assert {row["name"]: row["value"] for row in before["settings"]}.items() <= {
        row["name"]: row["value"] for row in after["settings"]
    }.items()
    with empty.reading() as session:
        assert list(find_differences(session)) == []
        plan = session.execute(text("SELECT plan FROM seats WHERE board_id = 2 AND seat = 0"))
        assert "e5" in str(plan.scalar())


def test_the_operator_is_told_what_to_run(empty_url: str, tmp_path: Path) -> None:
    """Nothing happens unasked; the bridge is crossed once."""
    store = Store(empty_url)
    _make(store, "0023")
    _fill(store, "0023")
    store.close()
    shell = Shell(tmp_path, empty_url)
    for words in (("admin", "db", "upgrade"), ("admin", "check"), ("serve",)):
        said = shell.run(*words)
        assert said.exit_code == (2 if words == ("serve",) else 75)
        assert said.stderr == (
            f"pbm: the database is at schema 0023, pbm at {migrate.find_head()}: "
            "run, in a clone of pbm: python -m tools.bridge DATABASE_URL\n"
        )
    for status, output in (
        (0, f"0023 -> {migrate.find_head()}\n"),
        (75, f"bridge: the database is at schema {migrate.find_head()}: nothing to bridge\n"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "tools.bridge", empty_url],
            cwd=_ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout + done.stderr) == (status, output)
    assert shell.ok("admin", "db", "upgrade") == f"already at schema {migrate.find_head()}\n"
    assert shell.ok("admin", "check") == "no difference\n"


def test_where_there_is_no_database_none_is_made(empty: Store) -> None:
    with pytest.raises(migrate.NoDatabase):
        cross(empty)
    assert inspect(empty.engine).get_table_names() == []


@pytest.mark.long
def test_a_bridge_killed_at_any_step_leaves_the_old_or_the_new(empty_url: str) -> None:
    """At every 17th statement."""
    store = Store(empty_url)
    _make(store, "0001")
    store.close()
    survive(empty_url, cross, range(2, 1000, 17))


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
    _make(empty, "0003")
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
    cross(empty)
    with empty.reading() as session:
        found = all_rows(session, select(tables.ratings).order_by(tables.ratings.c.player_id))
        assert [(row.won, row.lost) for row in found] == [(1, 1), (1, 1), (0, 2)]


def test_outcomes_that_were_sentences_become_codes(empty: Store) -> None:
    _make(empty, "0007")
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
    cross(empty)
    with empty.reading() as session:
        rows = all_rows(session, select(tables.inbound).order_by(tables.inbound.c.id))
    assert [(row.code, row.about, row.no_answer) for row in rows] == list(expected.values())


def test_codes_of_refusals_get_a_column(empty: Store) -> None:
    _make(empty, "0009")
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
    cross(empty)
    with empty.reading() as session:
        rows = all_rows(session, select(tables.inbound).order_by(tables.inbound.c.id))
    assert [(row.about, row.refusals) for row in rows] == list(expected.values())


def test_what_was_written_holds_no_link_afterwards(empty: Store) -> None:
    """Texts of former releases were passed on as they were."""
    _make(empty, "0033")
    _fill(empty, "0023")
    secret = "17-0-ufmps62uoksrckfwflm3d2qr5o5eyyez"
    said = f"look: https://club.example/s/{secret} or pbm+b17-0-3-abcdefgh234567ab@club.example !"
    with empty.writing() as session:
        session.execute(text("UPDATE moves SET comment = :said"), {"said": said})
        session.execute(
            text(
                "INSERT INTO chats (board_id, player_id, at, text) "
                "SELECT min(board_id), min(player_id), 1.5, :said FROM seats"
            ),
            {"said": said},
        )
    cross(empty)
    with empty.reading() as session:
        found = [*session.execute(select(moves.c.comment)).scalars()]
        found += session.execute(select(chats.c.text)).scalars()
    assert len(found) >= 6
    assert {*found} == {"look: (link removed) or (address removed) !"}


def test_mails_survive_that_their_columns_are_ordered_anew(empty: Store) -> None:
    """The number of a mail that was removed is not used again."""
    _make(empty, "0022")
    old = text(
        "INSERT INTO outbound (board_id, envelope_from, recipient, message, state, created, "
        "next_attempt, content) VALUES (17, 'a', :name, :message, 'waiting', 1.5, 2.5, 'chat')"
    )
    names = ("ann@example.org", "bob@example.org", "cleo@example.org")
    with empty.writing() as session:
        for name in names:
            session.execute(old, {"name": name, "message": b"\x00" * 9000 + name.encode()})
        session.execute(text("DELETE FROM outbound WHERE id = 3"))
    cross(empty)
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


def test_what_was_queued_becomes_a_plan(empty: Store) -> None:
    """And so does what an act that can be taken back had discarded."""
    _make(empty, "0011")
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
    cross(empty)
    with empty.reading() as session:
        plan = session.execute(text("SELECT plan FROM seats")).scalar_one()
        kept = session.execute(text("SELECT kept FROM boards")).scalar_one()
    assert decode_plan(plan) == build_queued("d4", "Hello!", 9, 7)
    assert decode_plan(json.loads(kept)["seats"][0][3]) == build_queued("e5", "", 0, 7)
