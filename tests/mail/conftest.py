"""What the tests of mails share."""

import pytest

from pbm.store.engine import Store
from tests.mail.room import Room


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    """A server with ann and bob at board 1."""
    room = Room(sqlite_store)
    with room.kept() as session:
        room.player(session, "ann")
        room.player(session, "bob")
        room.says(session, "cradle challenge ann bob", "ann@example.org")
    return room
