"""Pages at any size: how SQLite finds what they show. A plan depends on the tables and indexes, not
on how much is in them."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from sqlalchemy import text

from pbm.core import fsck
from pbm.core.house_players import find_waiting
from pbm.store import migrate
from pbm.store.engine import Store
from tests.harness.databases import all_rows, record
from tools.bench.growth import PAGES, build_desk, page_taken
from tools.bench.seed import seed

_SMALL = "ix_(?:players_inactive|boards_private)"
"""Indexes of a few rows."""
_GROWING = "boards|moves|seats|players|addresses|ratings|rating_changes"
_LISTS = (
    "list",
    "cradle games",
    "cradle games all",
    "cradle history",
    "cradle ratings",
    "cradle standings",
)
_BOARDS = 40
Plans = dict[str, list[tuple[str, str]]]


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Plans:
    """For each page the SELECTs it needs, and how SQLite goes about each."""
    folder: Path = tmp_path_factory.mktemp("plans")
    url = f"sqlite:///{folder / 'seeded.db'}"
    seed(url, _BOARDS, 10 * _BOARDS, 9, over=0.5)
    store = Store(url)
    with store.writing() as session:
        session.execute(text("UPDATE ratings SET sigma = 3"))
    sent = record(store)
    found: Plans = defaultdict(list)
    services = build_desk(store)
    with store.engine.connect() as connection:
        for page in PAGES:
            sent.clear()
            page_taken(services, store, page.format(board=1, ended=_BOARDS), page)
            for statement in [each for each in sent if each.startswith("SELECT")]:
                rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
                found[page].append((statement, "\n".join(row.detail for row in rows)))
    store.close()
    return found


@pytest.mark.parametrize("page", PAGES)
def test_no_page_reads_through_a_table_that_grows(page: str, plans: Plans) -> None:
    assert plans[page]
    for statement, plan in plans[page]:
        through = re.findall(
            rf"SCAN (?:{_GROWING})\b(?! USING INDEX {_SMALL}\b).*",
            plan,
        )
        assert through == [], statement


@pytest.mark.parametrize("page", _LISTS)
def test_a_list_of_all_is_read_in_its_order(page: str, plans: Plans) -> None:
    lists = [each for each in plans[page] if re.search(r"FROM (boards|ratings)\b", each[0])]
    assert lists
    for statement, plan in lists:
        assert "TEMP B-TREE" not in plan, statement
        assert "USING INDEX ix_" in plan, statement


def test_boards_that_wait_for_computer_players_are_found_by_these(sqlite_url: str) -> None:
    """A daemon looks several times a second, however many boards there are."""
    store = Store(sqlite_url)
    migrate.upgrade(store)
    sent = record(store)
    with store.reading() as session:
        find_waiting(session, 1)
    with store.engine.connect() as connection:
        plans = [
            "\n".join(
                row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")
            )
            for statement in sent
            if statement.startswith("SELECT")
        ]
    store.close()
    own, standing_in = plans
    assert "SEARCH seats USING INDEX ix_seats_open" in own
    assert "SEARCH boards USING INTEGER PRIMARY KEY" in own
    assert re.findall("SCAN .*", own) == ["SCAN players USING INDEX ix_players_engines"]
    assert "seats USING INDEX ix_seats_standin" in standing_in
    assert "SEARCH boards USING INTEGER PRIMARY KEY" in standing_in


def test_places_and_the_last_changes_have_indexes(plans: Plans) -> None:
    used = "\n".join(plan for _, plan in plans["rating p7"])
    for index in ("ratings_established", "players_inactive", "rating_changes_player_id"):
        assert f"INDEX ix_{index}" in used


def test_what_is_seeded_agrees_with_itself(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'seeded.db'}"
    seed(url, _BOARDS, 10 * _BOARDS, 9, over=0.25)
    store = Store(url)
    with store.reading() as session:
        assert list(fsck.find_differences(session)) == []
        states = all_rows(
            session, text("SELECT state, min(id), max(id) FROM boards GROUP BY state")
        )
        assert sorted(map(tuple, states)) == [("over", 31, 40), ("running", 1, 30)]
    store.close()
