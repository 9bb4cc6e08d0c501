"""Wrong passwords of others lock nobody out of a program that sends the right one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbm.config import Limits
from pbm.core.authenticate import PasswordChecks, note_network, unlock
from pbm.core.limits import Limit, Tally, add
from pbm.core.player import find_player
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.transaction import Session
from tests.harness.mail_room import PASSWORD, Room

HOME, AWAY = "192.0.2.1", "198.51.100.7"
MOST = 8


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Ann, whose account takes eight wrong passwords a day."""
    store = Store(f"sqlite:///{tmp_path}/pbm.db")
    migrate.create(store)
    room = Room(store)
    room.config = replace(room.config, limits=Limits(failures_a_day=MOST))
    with room.kept() as session:
        room.player(session, "ann")
    yield room
    store.close()


def tries(room: Room, guesses: Tally, session: Session, password: str, network: str = "") -> bool:
    """Whether a password is taken that a call from that network brings, or a mail, by a process
    that has counted these guesses."""
    checks = PasswordChecks(room.secrets, room.config, guesses, network=network)
    right = checks.find_password(session, find_player(session, "ann"), [password], room.now)
    for limit, who in checks.failures:
        add(session, limit, who, room.now)
    return right is not None


def test_networks_that_brought_the_right_password_keep_their_own_tries(room: Room) -> None:
    guesses = Tally(Limit.FAILURES)
    with room.kept() as session:
        assert tries(room, guesses, session, PASSWORD, HOME)
        player = find_player(session, "ann")
        assert player is not None
        note_network(session, player.id, HOME, room.now)
        for number in range(4 * MOST):
            assert not tries(room, guesses, session, f"wrong-{number}", f"203.0.113.{number}")
        assert not tries(room, guesses, session, PASSWORD, AWAY), "strangers have used up theirs"
        assert tries(room, guesses, session, PASSWORD, HOME)
        assert tries(room, guesses, session, PASSWORD), "a mail is none of them"
        unlock(session, player.id, room.now)
        assert tries(room, guesses, session, PASSWORD, AWAY), "a code allows as many again"
        for number in range(MOST):
            assert not tries(room, guesses, session, f"other-{number}", HOME)
        assert tries(room, guesses, session, PASSWORD, HOME), "by the same code"


def test_one_strange_network_has_a_quarter(room: Room) -> None:
    guesses = Tally(Limit.FAILURES)
    with room.kept() as session:
        for number in range(MOST):
            assert not tries(room, guesses, session, f"wrong-{number}", AWAY)
        assert not tries(room, guesses, session, PASSWORD, AWAY)
        assert tries(room, guesses, session, PASSWORD, HOME)
