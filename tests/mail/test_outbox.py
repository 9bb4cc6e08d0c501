"""The outbox: what is committed is sent, once, in order, and one dead recipient delays nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text, update
from structlog.testing import capture_logs

from pbm.config import Config, Relay
from pbm.mail.outbox import Deferred, Delivered, Envelope, Failed, Outbox, Result
from pbm.mail.paged_mail import Draw, NotYet
from pbm.pictures.mailed_board import BoardPicture
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import outbound
from tests.harness.databases import all_rows
from tests.harness.mail import draw_nothing
from tests.mail.test_compose import COMPOSER, NOW, board
from tools.bench.seed import seed

ANN, BOB = "ann@example.org", "bob@example.org"


async def comes(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    for _ in range(6000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


class Sink:
    """A courier that keeps what it is given; `says` decides, Delivered when it has no opinion."""

    def __init__(self, says: Callable[[str, bytes], Result | None] | None = None) -> None:
        self.got: list[tuple[str, bytes]] = []
        self.says = says

    async def deliver(
        self, envelope: Envelope, message: bytes, following: Envelope | None = None
    ) -> Result:
        await asyncio.sleep(0)
        result = self.says(envelope.recipient, message) if self.says else None
        if result is None:
            self.got.append((envelope.recipient, message))
        return result or Delivered()

    async def close(self) -> None:
        """Nothing is open."""


class Post:
    """An outgoing queue on a database, and outboxes that send it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.refused: list[str] = []
        self.config = Config()
        self.sign: Callable[[bytes], bytes] | None = None
        self.draw: Draw = draw_nothing
        self.clock: Callable[[], float] = time.time

    def add(self, *mails: tuple[str, bytes, int | None]) -> None:
        store = Store(self.url)
        with store.writing() as session:
            session.execute(
                insert(outbound),
                [
                    {
                        "recipient": recipient,
                        "message": message,
                        "board_id": board,
                        "envelope_from": "pbm@localhost",
                        "state": "waiting",
                        "created": time.time(),
                        "next_attempt": 0.0,
                    }
                    for recipient, message, board in mails
                ],
            )
        store.close()

    def states(self) -> list[str]:
        store = Store(self.url)
        with store.reading() as session:
            found = session.execute(select(outbound.c.state).order_by(outbound.c.id)).scalars()
            states = list(found)
        store.close()
        return states

    async def send(self, *sinks: Sink, until: Callable[[], bool] | None = None) -> None:
        """An outbox on a store of its own for each sink, as daemons have, until nothing waits."""
        stores = [Store(self.url) for _ in sinks]
        writers = [CommitThread(store) for store in stores]
        for writer in writers:
            writer.start()
        boxes = [
            Outbox(
                self.config,
                store,
                writer,
                [sink],
                self.clock,
                lambda _session, recipient, _why, _now: self.refused.append(recipient),
                draw=self.draw,
                sign=self.sign,
            )
            for store, writer, sink in zip(stores, writers, sinks, strict=True)
        ]
        running = [asyncio.create_task(box.run()) for box in boxes]
        await comes(until or (lambda: "waiting" not in self.states()))
        for box in boxes:
            box.stop()
        await asyncio.gather(*running)
        for writer, store in zip(writers, stores, strict=True):
            await asyncio.to_thread(writer.stop)
            store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.getfixturevalue(f"{request.param}_url"))


def mails(count: int) -> list[tuple[str, bytes, int | None]]:
    return [(f"p{n % 7}@example.org", b"mail %d\r\n" % n, None) for n in range(count)]


def test_two_daemons_send_each_mail_once(post: Post) -> None:
    post.add(*mails(250))
    one, other = Sink(), Sink()
    asyncio.run(post.send(one, other))
    assert post.states() == ["sent"] * 250
    assert len(one.got) + len(other.got) == 250
    assert {message for _, message in one.got + other.got} == {text for _, text, _ in mails(250)}


def test_mails_to_one_person_keep_their_order(post: Post) -> None:
    post.add(*mails(100))
    sinks = Sink(), Sink()
    asyncio.run(post.send(*sinks))
    for sink in sinks:
        for person in {recipient for recipient, _ in sink.got}:
            numbers = [int(text.split()[1]) for who, text in sink.got if who == person]
            assert numbers == sorted(numbers)


def test_what_was_delivered_does_not_go_out_again_while_it_cannot_be_noted(
    sqlite_url: str,
) -> None:
    """A full disk, say: reading works, writing does not."""
    post = Post(sqlite_url)
    post.add(*mails(3))
    statement = "CREATE TRIGGER full BEFORE UPDATE ON outbound BEGIN SELECT RAISE(FAIL, 'x'); END"
    _do(post.url, statement)
    sink = Sink()

    async def mended() -> None:
        sending = asyncio.create_task(post.send(sink))
        await comes(lambda: len(sink.got) == 3)
        await asyncio.sleep(0.7)  # past the first attempt to note it again
        assert post.states() == ["waiting"] * 3
        _do(post.url, "DROP TRIGGER full")
        await sending

    asyncio.run(mended())
    assert len(sink.got) == 3
    assert post.states() == ["sent"] * 3


def test_mails_that_go_out_at_once_are_noted_together(postgresql_url: str) -> None:
    post = Post(postgresql_url)
    post.add(*mails(6))
    asyncio.run(post.send(Sink()))
    store = Store(post.url)
    with store.reading() as session:
        notes = session.execute(text("SELECT count(DISTINCT xmin::text) FROM outbound")).scalar()
    store.close()
    assert post.states() == ["sent"] * 6
    assert notes < 6


def test_what_was_delivered_is_noted_before_others_may_claim_it(sqlite_url: str) -> None:
    """An error of our own ends the batch; another daemon would send the mail again."""
    post = Post(sqlite_url)
    sink = Sink()
    signed: list[bytes] = []
    seen: list[list[str]] = []

    def sign(message: bytes) -> bytes:
        signed.append(message)
        if len(signed) == 2:
            raise ValueError
        seen.append(post.states())
        return message

    post.sign = sign
    post.add(*mails(2))
    asyncio.run(post.send(sink))
    assert seen == [["waiting", "waiting"], ["sent", "waiting"]]
    assert [text for _, text in sink.got] == [text for _, text, _ in mails(2)]


def test_a_mail_is_noted_as_sent_while_the_next_one_takes_long(sqlite_url: str) -> None:
    post = Post(sqlite_url)

    class Slow(Sink):
        async def deliver(
            self, envelope: Envelope, message: bytes, following: Envelope | None = None
        ) -> Result:
            if self.got:
                await comes(lambda: post.states()[0] == "sent")
            return await super().deliver(envelope, message, following)

    post.add(*mails(2))
    asyncio.run(post.send(Slow()))
    assert post.states() == ["sent"] * 2


def test_on_postgresql_a_daemon_that_hangs_keeps_others_from_its_recipients_alone(
    postgresql_url: str,
) -> None:
    post = Post(postgresql_url)
    post.add((ANN, b"1", None))
    hangs, goes_on = asyncio.Event(), asyncio.Event()

    class Hanging(Sink):
        async def deliver(
            self, envelope: Envelope, message: bytes, following: Envelope | None = None
        ) -> Result:
            hangs.set()
            await goes_on.wait()
            return await super().deliver(envelope, message, following)

    one, other = Hanging(), Sink()

    async def run() -> None:
        first = asyncio.create_task(post.send(one))
        await hangs.wait()
        post.add((ANN, b"2", None), (BOB, b"3", None))
        second = asyncio.create_task(post.send(other))
        await comes(lambda: bool(other.got))
        post.add((BOB, b"4", None))
        await comes(lambda: len(other.got) == 2)
        goes_on.set()
        await asyncio.gather(first, second)

    asyncio.run(run())
    assert other.got[:2] == [(BOB, b"3"), (BOB, b"4")]
    assert one.got + other.got[2:] == [(ANN, b"1"), (ANN, b"2")]
    assert post.states() == ["sent"] * 4


@pytest.mark.parametrize(
    ("why", "logged"),
    [
        ("550 5.1.1 <ann@example.org> unknown", "550 5.1.1"),
        ("550 no", "550"),
        ("sendmail ended with 67", "sendmail ended with 67"),
        ("no mailbox ann@example.org", "refused"),
    ],
)
def test_a_refusal_is_logged_without_an_address(sqlite_url: str, why: str, logged: str) -> None:
    post = Post(sqlite_url)
    post.add((ANN, b"mail", None))
    with capture_logs() as events:
        asyncio.run(post.send(Sink(lambda _recipient, _message: Failed(why))))
    [event] = events
    assert (event["event"], event["log_level"], event["why"]) == ("mail out", "warning", logged)
    assert (event["out"], event["result"]) == (1, "failed")


def _do(url: str, statement: str) -> None:
    store = Store(url)
    with store.writing() as session:
        session.execute(text(statement))
    store.close()


def test_a_dead_recipient_delays_nobody(sqlite_url: str) -> None:
    post = Post(sqlite_url)
    post.add((ANN, b"one", None), (BOB, b"two", None), (ANN, b"three", None))
    sink = Sink(lambda recipient, _: Failed("550 gone") if recipient == ANN else None)
    asyncio.run(post.send(sink))
    assert sink.got == [(BOB, b"two")]
    assert post.states() == ["failed", "sent", "failed"]
    assert post.refused == [ANN, ANN]


def test_a_deferred_mail_holds_back_the_later_ones_of_its_board_to_that_person(
    tmp_path: Path,
) -> None:
    post = Post(f"sqlite:///{tmp_path / 'pbm.db'}")
    seed(post.url, 2, 0, 2)
    post.add((ANN, b"1", 1), (ANN, b"2", 1), (ANN, b"3", 2), (BOB, b"4", 1))
    sink = Sink(lambda _, message: Deferred("451 later") if message == b"1" else None)
    asyncio.run(
        post.send(sink, until=lambda: post.states() == ["waiting", "waiting"] + 2 * ["sent"])
    )
    assert sorted(sink.got) == [(ANN, b"3"), (BOB, b"4")]
    sink.says = None
    _do(post.url, "UPDATE outbound SET next_attempt = 0")
    asyncio.run(post.send(sink))
    assert sink.got[2:] == [(ANN, b"1"), (ANN, b"2")]


def test_a_backlog_is_drained_when_the_relay_returns(sqlite_url: str) -> None:
    post = Post(sqlite_url)
    post.add(*mails(50))
    asked = 0

    def down_at_first(_recipient: str, _message: bytes) -> Result | None:
        nonlocal asked
        asked += 1
        return Deferred("refused", relay_down=True) if asked < 3 else None

    sink = Sink(down_at_first)
    asyncio.run(post.send(sink))
    assert len(sink.got) == 50


def test_an_error_of_our_own_does_not_end_the_sending(sqlite_url: str) -> None:
    post = Post(sqlite_url)
    post.add((ANN, b"one", None))
    asked = 0

    def broken_at_first(_recipient: str, _message: bytes) -> Result | None:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise ValueError("broken")
        return None

    sink = Sink(broken_at_first)
    asyncio.run(post.send(sink))
    assert sink.got == [(ANN, b"one")]


@pytest.mark.parametrize(
    ("statement", "becomes"),
    [
        ("UPDATE outbound SET created = 0, attempts = 3", "waiting"),
        ("UPDATE outbound SET created = 0, attempts = 12", "failed"),
    ],
)
def test_a_mail_is_given_up_after_days_in_which_it_was_tried(
    sqlite_url: str, statement: str, becomes: str
) -> None:
    """Not because the server was down that long, or its clock was set forward."""
    post = Post(sqlite_url)
    post.add((ANN, b"one", None))
    _do(post.url, statement)
    asked = 0

    def busy(_recipient: str, _message: bytes) -> Result:
        nonlocal asked
        asked += 1
        return Deferred("451 busy")

    asyncio.run(post.send(Sink(busy), until=lambda: asked > 0))
    assert post.states() == [becomes]


async def _sends_beside_a_picture(post: Post) -> None:
    """A mail whose picture is not drawn yet holds back those of its board, and nobody else's."""
    is_drawn = False

    def draw(_board: str, _most: int) -> BoardPicture | None:
        if not is_drawn:
            raise NotYet
        return BoardPicture(b"\x89PNG", 390, "the words")

    post.draw = draw
    pictured = COMPOSER.compose(board(), ANN, 9, NOW)
    post.add((ANN, pictured, 17), (ANN, b"later\r\n", 17), (BOB, b"other\r\n", 17))
    post.add((ANN, b"elsewhere\r\n", 3))
    sink = Sink()
    sending = asyncio.create_task(post.send(sink))
    await comes(lambda: len(sink.got) == 2)
    assert {message for _, message in sink.got} == {b"other\r\n", b"elsewhere\r\n"}
    is_drawn = True
    await sending
    (_, first), (_, second) = sink.got[2:]
    assert b"Content-Type: image/png" in first
    assert b"vnd.pbm" not in first
    assert second == b"later\r\n"


def test_a_mail_that_waits_for_its_picture_holds_up_no_other(post: Post) -> None:
    asyncio.run(_sends_beside_a_picture(post))


def test_a_domain_gets_so_many_mails_a_minute_from_all_daemons_together(post: Post) -> None:
    """What is beyond waits for the next minute, in its precedence; others wait for nothing."""
    minute = 1_000_020.0
    post.config = Config(relay=Relay(rates={"slow.example": 3}))
    post.clock = lambda: minute + 7
    people = [f"{n}@{'Slow' if n % 2 else 'other'}.example" for n in range(20)]
    post.add(*[(who, b"Subject: hello\r\n\r\nhello\r\n", None) for who in people])
    sinks = Sink(), Sink()
    asyncio.run(post.send(*sinks, until=lambda: post.states().count("waiting") == 7))
    store = Store(post.url)
    with store.reading() as session:
        rows = list(all_rows(session, select(outbound).where(outbound.c.state == "waiting")))
    assert {row.recipient.partition("@")[2] for row in rows} == {"Slow.example"}
    assert {row.next_attempt for row in rows} == {minute + 60}
    # A list goes out behind the mails of boards that came after it.
    with store.writing() as session:
        session.execute(update(outbound).where(outbound.c.id < rows[4].id).values(precedence=1))
    store.close()
    post.clock = lambda: minute + 61
    asyncio.run(post.send(Sink(), Sink(), until=lambda: post.states().count("waiting") == 4))
    states = post.states()
    assert [states[row.id - 1] for row in rows] == ["waiting"] * 4 + ["sent"] * 3
