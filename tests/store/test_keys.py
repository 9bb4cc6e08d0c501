"""The keys of a database are the same for all who work on it."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sqlalchemy import delete

from pbm.daemon.keys import load_secrets
from pbm.store.engine import Store
from pbm.store.tables import settings


def test_who_comes_later_has_the_same_keys(store: Store) -> None:
    assert load_secrets(store).make_player_token(7, "", 0.0) == load_secrets(
        store
    ).make_player_token(7, "", 0.0)


def test_two_daemons_that_make_keys_at_once_have_the_same(postgresql_url: str) -> None:
    """Both find none, and both make some."""
    meet = Barrier(2, timeout=60)
    stores = Store(postgresql_url), Store(postgresql_url)
    with stores[0].writing() as session:
        session.execute(delete(settings))

    def token(store: Store) -> str:
        waits = iter([meet.wait])

        def entropy(count: int) -> bytes:
            for wait in waits:
                wait()
            return os.urandom(count)

        return load_secrets(store, entropy).make_player_token(7, "", 0.0)

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(token, stores)
    assert one == other
    for store in stores:
        store.close()
