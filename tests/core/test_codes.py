"""A one-time code is good once, whoever brings it at the same moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import insert, text

from pbm.core.authenticate import PasswordChecks, authenticate
from pbm.core.command import Sender
from pbm.core.notices import Content, Refused
from pbm.core.parser import read_line
from pbm.features.accounts.notices import AddressList, PasswordChanged, PreferenceList
from pbm.store.engine import Store
from pbm.store.tables import codes
from pbm.store.transaction import Session
from tests.harness.mail_room import NOW, PASSWORD, Room

CODE = "abcd-efgh-2345"


@pytest.fixture(params=["sqlite", "postgresql"])
def daemons(request: pytest.FixtureRequest) -> Iterator[tuple[Room, Room]]:
    """Two servers on one database, with ann and a code of hers for each purpose."""
    url = request.getfixturevalue(f"{request.param}_url")
    rooms = Room(Store(url)), Room(Store(url))
    with rooms[0].kept() as session:
        ann = rooms[0].player(session, "ann")
        for purpose in ("confirm", "reset"):
            session.execute(
                insert(codes).values(
                    player_id=ann,
                    purpose=purpose,
                    address="ann@example.org",
                    created=NOW,
                    expires=NOW + 100,
                    digest=rooms[0].secrets.digest_code(f"{CODE}{purpose}"),
                )
            )
    yield rooms
    for room in rooms:
        room.store.close()


def at_once(daemons: tuple[Room, Room], *lines: str) -> list[type[Content]]:
    """What two daemons answer of which the second begins before the first has committed."""
    first, second = daemons
    commands = []
    for room, line in zip(daemons, lines, strict=True):
        command = read_line(line, Sender("ann@example.org"))
        with room.store.reading() as session:
            commands.append(
                authenticate(
                    session,
                    command,
                    PasswordChecks(room.secrets, room.config),
                    NOW,
                )
            )

    def do(room: Room, session: Session, number: int) -> type[Content]:
        result = room.services.service.submit(session, commands[number], NOW)
        return type(result.notices[0].content)

    def later() -> type[Content]:
        with second.kept() as session:
            return do(second, session, 1)

    with ThreadPoolExecutor(1) as pool:
        with first.kept() as session:
            answer = do(first, session, 0)
            other = pool.submit(later)
            while not session.is_sqlite and not _waits(session) and not other.done():
                time.sleep(0.01)
        return [answer, other.result(60)]


def _waits(session: Session) -> bool:
    """Whether a transaction waits for another's row."""
    asked = session.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted"))
    return bool(asked.scalar_one())


def test_a_code_is_taken_once(daemons: tuple[Room, Room]) -> None:
    line = f"confirm {CODE}confirm"
    assert at_once(daemons, line, line) == [AddressList, Refused]


def test_a_code_for_a_password_sets_one_password(daemons: tuple[Room, Room]) -> None:
    lines = [f"change password ann {CODE}reset Sesame-{word}" for word in ("one", "two")]
    assert at_once(daemons, *lines) == [PasswordChanged, Refused]
    with daemons[1].tried() as session:
        told = daemons[1].says(session, "set ann Sesame-one", "ann@example.org")
        assert isinstance(told[0].content, PreferenceList)


def test_a_password_is_changed_once(daemons: tuple[Room, Room]) -> None:
    lines = [f"change password ann {PASSWORD} Sesame-{word}" for word in ("one", "two")]
    assert at_once(daemons, *lines) == [PasswordChanged, Refused]
