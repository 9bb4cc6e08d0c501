"""A mail whose handling fails is tried three times and set aside; the next mail is handled at
once. A database that fails is nobody's fault."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import insert, select, text, update

from pbm.config import Config, Database, Players
from pbm.core.outgoing import OutgoingMail
from pbm.core.secrets import Secrets
from pbm.core.submit import CommandService
from pbm.daemon.keys import load_secrets
from pbm.daemon.tracing import MailEvents
from pbm.daemon.worker import Worker
from pbm.mail.compose import Postbox
from pbm.mail.services import MailServices
from pbm.store.engine import Store
from pbm.store.tables import addresses, inbound, outbound
from pbm.store.transaction import Session
from tests.harness.databases import all_rows
from tests.harness.servers import build_private_slot
from tools.bench.seed import move_for, seed

T = TypeVar("T")


class SpoiledPostbox(Postbox):
    """The answers of a `spoiled` mail cannot be composed."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        super().__init__(config, secrets)
        self.spoiled = 0

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        number = mails[0].inbound if mails else None
        if number == self.spoiled:
            raise ValueError
        return super().post(session, mails)


@dataclass
class Room:
    """A seeded database with a worker that is called by hand."""

    store: Store
    worker: Worker
    postbox: SpoiledPostbox

    def mail(self, subject: str, player: int) -> None:
        raw = f"From: p{player}@bench.invalid\r\nSubject: {subject}\r\n\r\n".encode()
        with self.store.writing() as session:
            session.execute(
                insert(inbound).values(
                    received=time.time(),
                    via="smtp",
                    envelope_from=f"p{player}@bench.invalid",
                    recipient="pbm@localhost",
                    raw=raw,
                    state="waiting",
                )
            )

    def finished(self) -> list[int]:
        """The numbers of the mails that are done."""
        with self.store.reading() as session:
            query = select(inbound.c.id).where(inbound.c.state == "done").order_by(inbound.c.id)
            return list(session.execute(query).scalars())

    def count_caused(self) -> dict[int, int]:
        """How many mails each mail has caused about a board."""
        with self.store.reading() as session:
            query = select(outbound.c.inbound_id).where(outbound.c.board_id.is_not(None))
            return dict(Counter(session.execute(query).scalars()))

    def breaks(self, board: int) -> None:
        """The database refuses every move on that board from now on."""
        with self.store.writing() as session:
            session.execute(
                text(
                    f"CREATE TRIGGER t BEFORE INSERT ON moves WHEN NEW.board_id = {board}"
                    " BEGIN SELECT RAISE(ABORT, 'no'); END"
                )
            )

    def states(self) -> list[tuple[str, int]]:
        with self.store.reading() as session:
            rows = all_rows(
                session, select(inbound.c.state, inbound.c.attempts).order_by(inbound.c.id)
            )
            return [(row.state, row.attempts) for row in rows]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    url = f"sqlite:///{tmp_path / 'pbm.db'}"
    seed(url, 2, 0, 2)
    config = Config(database=Database(url), players=Players(confirm_addresses=False))
    store = Store(url)
    slot, secrets = build_private_slot(), load_secrets(store)
    postbox = SpoiledPostbox(config, secrets)
    services = MailServices(CommandService(config, secrets, postbox))
    events = MailEvents(config, store, secrets.keys, "", time.time)
    worker = Worker(store, services, slot, time.time, events, lambda: None)
    yield Room(store, worker, postbox)
    store.close()


def test_a_mail_that_cannot_be_handled_is_set_aside_and_the_next_one_handled(room: Room) -> None:
    room.breaks(1)
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    room.mail("cradle move 2 p1 secret e1,f1,g1,g2", 1)
    seen = [room.states()]
    while room.worker.work():
        seen.append(room.states())
    assert seen[-1] == [("aside", 3), ("done", 0)]
    assert [("waiting", 1), ("done", 0)] in seen


def test_nothing_leaves_for_a_mail_that_failed_but_that_it_is_kept(room: Room) -> None:
    room.breaks(1)
    with room.store.writing() as session:
        session.execute(update(addresses).values(stopped=None))
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    for _ in range(3):
        room.worker.work()
    with room.store.reading() as session:
        (row,) = all_rows(session, select(outbound))
    assert (row.recipient, row.board_id) == ("p0@bench.invalid", None)
    assert b"Subject: [pbm] your mail is kept" in row.message


def test_a_mail_that_the_database_refuses_is_set_aside_like_any_other(room: Room) -> None:
    """A row that breaks a rule of the tables would be refused for ever."""
    with room.store.writing() as session:
        session.execute(
            text("CREATE TRIGGER t BEFORE INSERT ON moves BEGIN SELECT RAISE(ABORT, 'no'); END")
        )
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    for _ in range(3):
        room.worker.work()
    assert room.states() == [("aside", 3)]


def test_a_mail_whose_answer_cannot_be_composed_fails_alone(room: Room) -> None:
    room.mail("cradle chat 2 p1 secret Hello", 1)
    room.worker.work()
    room.postbox.spoiled = 3
    for _ in range(3):
        room.mail("cradle chat 2 p1 secret Hello", 1)
    while room.worker.work():
        pass
    assert room.states() == [("done", 0), ("done", 0), ("aside", 3), ("done", 0)]
    assert room.count_caused() == {1: 2, 2: 2, 4: 2}


def test_mails_are_executed_in_the_order_in_which_they_came(room: Room) -> None:
    """A page goes first where it came first; a mail that failed goes last, alone."""
    room.breaks(1)
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    room.worker.work()
    assert room.states() == [("waiting", 1)]
    room.mail("help", 1)
    room.mail("cradle chat 2 p1 secret Hello", 1)
    done = [room.finished()]
    while room.worker.work():
        done.append(room.finished())
    assert [*dict.fromkeys(map(tuple, done))][-1] == (2, 3)
    assert room.states() == [("aside", 3), ("done", 0), ("done", 0)]
    assert done.index([2, 3]) <= 2
