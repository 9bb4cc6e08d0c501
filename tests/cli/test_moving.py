"""Databases and boards that move: copies of either kind into either kind, records, vacuum."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from pbm.daemon import presence
from pbm.store.engine import Store
from pbm.store.tables import metadata
from tests.harness.databases import Cluster, all_rows, do
from tests.harness.shell import MOVES, Shell

_WHY = ("--yes", "--reason", "because")
_KINDS = [("sqlite", "postgresql"), ("postgresql", "sqlite"), ("sqlite", "sqlite")]


def _rows(url: str) -> dict[str, list[Any]]:
    store = Store(url)
    with store.reading() as session:
        found = {
            table.name: sorted(tuple(row) for row in all_rows(session, select(table)))
            for table in metadata.sorted_tables
        }
    store.close()
    return found


def _played(shell: Shell) -> None:
    """A board that is over, one that runs, a mail, and a number that is used and gone."""
    shell.signup("ann", "bob")
    for _ in range(2):
        shell.ok("challenge", "cradle", "ann", "bob")
    for at, move in enumerate(MOVES):
        who = ("ann", "bob")[at % 2]
        shell.ok("move", "cradle", "1", who, move, who=who)
    shell.ok("receive", "--to", "pbm@games.example", stdin="From: a@b.example\n\n\xe4\n")
    shell.ok("admin", "announce", "gone", "--body", "x", "--yes", "--reason", "x")
    do(shell.url, "DELETE FROM audit")


def _empty(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if kind == "sqlite":
        return f"sqlite:///{tmp_path / 'new' / 'copy.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    name = cluster.create()
    request.addfinalizer(_dropping(cluster, name))
    return cluster.url(name)


def _dropping(cluster: Cluster, name: str) -> Callable[[], None]:
    return lambda: cluster.drop(name)


@pytest.mark.parametrize(("kind", "to"), _KINDS)
def test_a_copy_has_every_row_and_goes_on(
    kind: str, to: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    shell = Shell(tmp_path, request.getfixturevalue(f"{kind}_url"))
    _played(shell)
    before, target = _rows(shell.url), _empty(to, request, tmp_path)
    counted = shell.json("admin", "copy", "--to", target)
    assert {row["table"]: row["rows"] for row in counted} == {
        name: len(rows) for name, rows in before.items()
    }
    assert len(before["moves"]) == len(MOVES)
    assert _rows(target) == before == _rows(shell.url)
    refused = shell.run("admin", "copy", "--to", target)
    assert refused.exit_code == 1
    assert "it is not empty" in refused.stderr
    (tmp_path / "other").mkdir()
    other = Shell(tmp_path / "other", target)
    assert other.ok("admin", "check") == "no difference\n"
    other.ok("move", "cradle", "2", "ann", MOVES[0], who="ann")
    other.ok("admin", "cancel", "2", *_WHY)
    other.ok("challenge", "cradle", "ann", "bob")
    assert other.json("admin", "boards")[0]["board"] == 3
    (row,) = other.json("admin", "audit")
    assert row["number"] == 2  # 1 was given before the copy, though its row is gone


def test_a_copy_that_cannot_be_made_leaves_nothing(board: Shell, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'copy.db'}"
    board.ok("admin", "db", "create", PBM_DATABASE_URL=target)
    change = "UPDATE boards SET to_move = '1' WHERE id = NEW.id"
    do(target, f"CREATE TRIGGER spoils AFTER INSERT ON boards BEGIN {change}; END")
    result = board.run("admin", "copy", "--to", target)
    assert result.exit_code == 1
    assert "boards has other rows in the copy" in result.stderr
    do(target, "DROP TRIGGER spoils")
    assert not any(_rows(target).values())
    assert board.run("admin", "copy", "--to", board.url).exit_code == 2
    assert board.run("admin", "copy", "--to", "nonsense").exit_code == 2
    store = Store(board.url)
    with presence.announce(store):
        assert "stop it first" in board.run("admin", "copy", "--to", target).stderr
    store.close()
    shown = board.ok("admin", "copy", PBM_COPY_TO=target)
    assert _rows(target) == _rows(board.url)
    tables = [line.split()[0] for line in shown.splitlines()[1:]]
    assert "boards" in tables  # those with rows, which fit a screen
    assert "bans" not in tables


def test_a_copy_into_what_is_no_database_of_ours(
    board: Shell, cluster: Cluster, tmp_path: Path
) -> None:
    other = f"sqlite:///{tmp_path / 'other.db'}"
    (tmp_path / "other.db").touch()
    do(other, "CREATE TABLE something (x)")
    result = board.run("admin", "copy", "--to", other)
    assert (
        result.exit_code,
        "other.db is not empty: it has a table something" in result.stderr,
    ) == (
        1,
        True,
    )
    gone = board.run("admin", "copy", "--to", cluster.url("nowhere"))
    assert gone.exit_code == 75
    assert gone.stderr.count("\n") == 1


def test_records_go_out_and_come_in(any_shell: Shell, tmp_path: Path) -> None:
    shell = any_shell
    _played(shell)
    shell.ok("admin", "export", "--all", "--to", str(tmp_path / "records"))
    (file,) = (tmp_path / "records").iterdir()
    assert file.name == "cradle-1.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    assert (record["board"], record["state"], len(record["moves"])) == (1, "over", len(MOVES))
    assert json.loads(shell.ok("admin", "export", "1")) == record
    assert json.loads(shell.ok("admin", "export", "2"))["state"] == "running"
    shell.ok("admin", "import", str(file), *_WHY)
    imported = shell.json("admin", "board", "3")
    assert [move["move"] for move in imported["moves"]] == [
        move["move"] for move in shell.json("admin", "board", "1")["moves"]
    ]
    assert shell.ok("admin", "check") == "no difference\n"
    for words in ((), ("1", "--all"), ("1", "2"), ("--all",)):
        assert shell.run("admin", "export", *words).exit_code == 2
    assert shell.run("admin", "export", "99").exit_code == 1


def test_a_record_of_hidden_hands_keeps_them(shell: Shell) -> None:
    shell.signup("ann", "bob", "cat")
    shell.begins("poolside", "ann", "bob", "cat")
    record = json.loads(shell.ok("admin", "export", "1"))
    assert (record["view"], record["secret"], record["final"]) == ("spectator", None, None)


def test_vacuum_gives_room_back(any_shell: Shell) -> None:
    any_shell.signup("ann")
    fill = "INSERT INTO counters (name, day, count) VALUES (:name, 1, 1)"
    store = Store(any_shell.url)
    with store.writing() as session:
        session.execute(text(fill), [{"name": f"{at:0200}"} for at in range(5000)])
        session.execute(text("DELETE FROM counters"))
    store.close()
    (sizes,) = any_shell.json("admin", "vacuum")
    assert sizes["bytes_after"] < sizes["bytes_before"]
    assert any_shell.ok("admin", "check") == "no difference\n"


def test_vacuum_leaves_sqlite_no_counts_that_grow_old(shell: Shell) -> None:
    """Earlier releases counted; what was counted when few mails had come in made SQLite read all
    mails there are to find those that wait."""
    shell.signup("ann", "bob")
    plan = (
        "EXPLAIN QUERY PLAN SELECT * FROM inbound WHERE state = 'waiting' AND stranger = 0"
        " ORDER BY id LIMIT 1"
    )
    store = Store(shell.url)
    with store.writing() as session:
        session.execute(text("UPDATE inbound SET state = 'done'"))
        session.execute(text("ANALYZE"))
        assert session.execute(text("SELECT count(*) FROM sqlite_stat1")).scalar()
    store.close()
    shell.ok("admin", "vacuum")
    store = Store(shell.url)
    with store.reading() as session:
        found = "SELECT count(*) FROM sqlite_master WHERE name LIKE 'sqlite_stat%'"
        assert session.execute(text(found)).scalar() == 0
        (step,) = all_rows(session, text(plan))
        assert step.detail == "SEARCH inbound USING INDEX ix_inbound_waiting (stranger=?)"
    store.close()
