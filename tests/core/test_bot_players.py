"""Bots' accounts, when several daemons meet a new database at the same time."""

from __future__ import annotations

import threading

from sqlalchemy import select

from pbm.bots import NAMES
from pbm.core.house_players import enrol
from pbm.store.engine import Store
from pbm.store.tables import players
from tests.harness.databases import all_rows


def test_two_daemons_that_start_at_once_open_each_account_once(postgresql_url: str) -> None:
    store = Store(postgresql_url)

    def other() -> None:
        with store.writing() as session:
            enrol(session, 2.0)

    thread = threading.Thread(target=other)
    with store.writing() as session:
        enrol(session, 1.0)
        thread.start()
        thread.join(0.2)  # it waits for this transaction, if it has come that far
    thread.join()
    with store.reading() as session:
        found = all_rows(session, select(players.c.name, players.c.created))
    store.close()
    assert sorted(found) == [(name, 1.0) for name in sorted(NAMES)]
