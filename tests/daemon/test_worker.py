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
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.outgoing import OutgoingMail
from pbm.core.kernel.secrets import Secrets
from pbm.core.kernel.submit import CommandService
from pbm.daemon.keys import load_secrets
from pbm.daemon.monitoring.mail_events import MailEvents
from pbm.daemon.workers import worker
from pbm.daemon.workers.attempts import Slot, build_private_slot
from pbm.daemon.workers.worker import Worker
from pbm.mail.incoming.desk import Desk
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.read_mail import read_mail
from pbm.mail.incoming.verify_mail import verify_mail
from pbm.mail.outgoing.postbox import Postbox
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.tables import InboundRow, addresses, inbound, outbound
from pbm.store.transaction import Session
from tests.harness.statements import all_rows
from tools.bench.seed import move_for, seed

T = TypeVar("T")


class NotingPostbox(Postbox):
    """Notes which mail is executed, and which one's answers are composed; those of a `spoiled` mail
    cannot be."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        super().__init__(config, secrets)
        self.steps: list[tuple[str, int | None]] = []
        self.spoiled = 0

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> list[OutgoingMail]:
        self.steps.append(("execute", inbound))
        return super().address_notices(
            session, notices, now, inbound=inbound, answers=answers, to=to
        )

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        number = mails[0].inbound if mails else None
        self.steps.append(("compose", number))
        if number == self.spoiled:
            raise ValueError
        return super().post(session, mails)


@dataclass
class Room:
    """A seeded database with a worker that is called by hand."""

    store: Store
    writer: Writer
    worker: Worker
    slot: Slot
    postbox: NotingPostbox

    def mail(self, subject: str, player: int, *, waited: float = 0.0) -> None:
        raw = f"From: p{player}@bench.invalid\r\nSubject: {subject}\r\n\r\n".encode()
        with self.store.writing() as session:
            session.execute(
                insert(inbound).values(
                    received=time.time() - waited,
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
    writer = Writer(store)
    writer.start()
    slot, secrets = build_private_slot(), load_secrets(store)
    postbox = NotingPostbox(config, secrets)
    desk = Desk(CommandService(config, secrets, postbox))
    events = MailEvents(config, store, secrets.keys, "", time.time)
    worker = Worker(config, store, writer, desk, slot, "", time.time, events, lambda: None)
    yield Room(store, writer, worker, slot, postbox)
    writer.stop()
    store.close()


def test_a_mail_that_cannot_be_handled_is_set_aside_and_the_next_one_handled(room: Room) -> None:
    room.breaks(1)
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    room.mail("cradle move 2 p1 secret e1,f1,g1,g2", 1)
    room.worker.work()
    assert room.states()[0] == ("waiting", 1)
    for _ in range(3):  # a slow machine takes one mail at a time
        room.worker.work()
    assert room.states() == [("aside", 3), ("done", 0)]
    assert room.worker.work() == 0


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


def test_a_cheap_mail_never_waits_for_more_than_one_costly_mail(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page costs, and so does a password that is verified for the first time."""
    monkeypatch.setattr(worker, "_CHEAP_SHARE", 1e6)
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    room.worker.work()
    for _ in range(3):
        room.mail("help", 1)
    assert room.worker.work() == 1
    assert room.finished() == [1, 2]
    room.mail("show 1 p0 secret", 0)
    room.mail(f"cradle move 1 p1 secret {move_for(1, 1, 2)}", 1)
    room.mail("cradle resign 1 p0 secret", 0)
    assert room.worker.work() == 1
    assert room.finished() == [1, 2, 7]  # 6 has a password that was not verified before
    for done in (3, 4, 5, 6):
        assert room.worker.work() == 1
        assert done in room.finished()
    assert room.worker.work() == 0


def test_a_costly_mail_gets_its_share_while_cheap_ones_keep_coming(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon has many players whose passwords it has not verified yet."""
    monkeypatch.setattr(worker, "_CHEAP_SHARE", 0)
    room.mail(f"cradle move 1 p0 secret {move_for(1, 0, 2)}", 0)
    room.worker.work()
    for _ in range(2):
        room.mail("help", 1)
    done = [1]
    for mail in (4, 2, 3):
        room.mail("cradle resign 1 p0 secret", 0)
        room.worker.work()
        done.append(mail)
        assert room.finished() == sorted(done)


def test_a_mail_that_a_batch_has_no_time_for_is_not_read_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first mail has a password to verify, and is read again when its turn comes."""
    read: list[int] = []
    suspects: list[list[int]] = []

    def note_and_read(desk: Desk, row: InboundRow) -> IncomingMail:
        read.append(row.id)
        suspects.append(room.slot.find_suspects())
        return read_mail(desk, row)

    def verify_slowly(desk: Desk, session: Session, job: IncomingMail) -> IncomingMail:
        time.sleep(0.03)
        return verify_mail(desk, session, job)

    monkeypatch.setattr(worker, "read_mail", note_and_read)
    room.mail("cradle resign 2 p1 secret", 1)
    room.worker.work()
    for _ in range(3):
        room.mail("cradle resign 2 p1 secret", 1)
    monkeypatch.setattr(worker, "verify_mail", verify_slowly)
    assert room.worker.work() == 1
    assert len(read) > len(room.finished())
    while room.worker.work():
        pass
    assert {*read} == {*room.finished()} == {1, 2, 3, 4}
    assert len(read) == len({*read}) + 1
    assert suspects == [[mail] for mail in read]


def test_what_a_batch_sends_is_composed_after_its_last_mail(room: Room) -> None:
    for _ in range(3):  # the first one has its password verified in a batch of its own
        room.mail("cradle chat 2 p1 secret Hello", 1)
        room.worker.work()
    room.postbox.steps.clear()
    for _ in range(2):
        room.mail("cradle chat 2 p1 secret Hello", 1)
    assert room.worker.work() == 2
    assert room.postbox.steps == [("execute", 4), ("execute", 5), ("compose", 4), ("compose", 5)]
    assert room.count_caused() == {number: 2 for number in range(1, 6)}


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


def test_a_worker_is_behind_while_its_mails_have_waited_for_long(room: Room) -> None:
    """A costly one may: another worker would have to verify the password once more."""
    line = "cradle chat 2 p1 secret Hello"
    for waited, is_behind in ((2.0, False), (0.0, False), (2.0, True)):
        room.mail(line, 1, waited=waited)
        room.worker.work()
        assert room.worker.is_behind == is_behind
    assert room.worker.work() == 0
    assert not room.worker.is_behind
