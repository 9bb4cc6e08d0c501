"""The two queues: a mail is handled once, whoever asks for it, and an outgoing mail once sent stays
sent."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from sqlalchemy import select

from pbm.store import inbound_queue, outbound_queue
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.tables import inbound, outbound
from pbm.store.transaction import Session
from tests.harness.databases import one_row, record

DONE = MailResult(MailOutcome.EXECUTED, "done")


def arrived(number: int, **changes: Any) -> dict[str, Any]:
    """A mail as the door journals it."""
    return {
        "received": 1000.0 + number,
        "via": "smtp",
        "envelope_from": "ann@example.org",
        "recipient": "pbm@example.net",
        "raw": b"Subject: list %d\r\n\r\n\xff\x00" % number,
        "fingerprint": f"print {number}",
        "state": "waiting",
        **changes,
    }


def outgoing(number: int, at: float = 1000.0) -> dict[str, Any]:
    """An outgoing mail."""
    return {
        "id": number,
        "envelope_from": "pbm+d1@example.net",
        "recipient": "ann@example.org",
        "message": b"\x00\xffanything",
        "state": "waiting",
        "created": at,
        "next_attempt": at,
    }


def journal(store: Store, *numbers: int, **changes: Any) -> list[int]:
    with store.writing() as session:
        inbound_queue.journal(session, [arrived(number, **changes) for number in numbers])
    with store.reading() as session:
        return [row.id for row in inbound_queue.claim_first(session, 100)]


def inbound_row(session: Session, number: int) -> Any:
    return one_row(session, select(inbound).where(inbound.c.id == number))


def outbound_row(session: Session, number: int) -> Any:
    return one_row(session, select(outbound).where(outbound.c.id == number))


def test_mails_wait_in_the_order_they_came_and_unchanged(store: Store) -> None:
    journal(store, 3, 1, 2)
    with store.reading() as session:
        rows = inbound_queue.claim_first(session, 2)
    assert [row.raw for row in rows] == [arrived(3)["raw"], arrived(1)["raw"]]
    assert [row.received for row in rows] == [1003.0, 1001.0]


def test_a_finished_mail_is_masked_and_waits_no_more(store: Store) -> None:
    (number,) = journal(store, 1)
    with store.writing() as session:
        assert inbound_queue.claim(session, number) is not None
        inbound_queue.finish(session, number, DONE, 5.0, masked=b"kept", player=7, board=17)
    with store.writing() as session:
        assert inbound_queue.claim_first(session, 10) == []
        assert inbound_queue.claim(session, number) is None
        row = inbound_row(session, number)
    assert (row.state, row.raw, row.outcome, row.finished) == ("done", b"kept", "done", 5.0)
    assert (row.player_id, row.board_id) == (7, 17)


def test_a_claim_ends_with_its_transaction(store: Store) -> None:
    """A daemon that dies in the middle leaves the mail waiting."""
    (number,) = journal(store, 1)
    try:
        with store.writing() as session:
            assert inbound_queue.claim(session, number) is not None
            inbound_queue.finish(session, number, DONE, 5.0, masked=b"", player=None, board=None)
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    with store.writing() as session:
        assert inbound_queue.claim(session, number) is not None
        assert inbound_row(session, number).raw == arrived(1)["raw"]


def test_two_daemons_never_hold_the_same_mail(postgresql_url: str) -> None:
    """The second passes over what the first has claimed, without waiting for it."""
    one, other = Store(postgresql_url), Store(postgresql_url)
    first, second = journal(one, 1, 2)
    with one.writing() as here, other.writing() as there:
        assert inbound_queue.claim(here, first) is not None
        assert inbound_queue.claim(there, first) is None
        assert inbound_queue.claim(there, second) is not None
        assert inbound_queue.claim(here, second) is None
        inbound_queue.finish(here, first, DONE, 5.0, masked=b"", player=None, board=None)
    with other.writing() as there:
        assert inbound_queue.claim(there, first) is None
        assert inbound_queue.claim(there, second) is not None
    one.close()
    other.close()


def test_later_mails_of_a_sender_wait_for_one_that_somebody_has_claimed(
    postgresql_url: str,
) -> None:
    """Whoever claims next passes over them, and has those of others."""
    one, other = Store(postgresql_url), Store(postgresql_url)
    senders = ("ann@example.org", "bob@example.org", "ann@example.org", "cat@example.org")
    first, second, third, fourth = [
        journal(one, number, envelope_from=sender)[-1] for number, sender in enumerate(senders)
    ]
    with one.writing() as here:
        assert [row.id for row in inbound_queue.claim_first(here, 1)] == [first]
        with other.writing() as there:
            assert [row.id for row in inbound_queue.claim_first(there, 9)] == [second, fourth]
        done(here, first)
    with other.writing() as there:
        assert [row.id for row in inbound_queue.claim_first(there, 9)] == [second, third, fourth]
    one.close()
    other.close()


def test_mails_of_strangers_and_those_that_failed_go_last(store: Store) -> None:
    first, failed = journal(store, 1, 2)
    journal(store, 3, stranger=True)
    with store.writing() as session:
        result = MailResult(MailOutcome.FAULT, "failed: OSError")
        inbound_queue.count_failed_attempt(session, failed, result)
    with store.reading() as session:
        assert [row.id for row in inbound_queue.claim_first(session, 9)] == [first]
        assert [row.id for row in inbound_queue.claim_last(session, 9)] == [failed, failed + 1]
        assert [row.id for row in inbound_queue.claim_last(session, 9, 1003.0)] == [failed]


def test_a_mail_that_failed_waits_for_another_try_and_keeps_its_text(store: Store) -> None:
    (number,) = journal(store, 1)
    with store.writing() as session:
        inbound_queue.count_failed_attempt(
            session, number, MailResult(MailOutcome.FAULT, "failed: OSError")
        )
    with store.reading() as session:
        (row,) = inbound_queue.claim_last(session, 10)
    assert (row.attempts, row.outcome, row.raw) == (1, "failed: OSError", arrived(1)["raw"])
    assert row.code == MailOutcome.FAULT


def test_a_mail_set_aside_is_whole_and_out_of_the_way(store: Store) -> None:
    first, second = journal(store, 1, 2)
    with store.writing() as session:
        inbound_queue.set_aside(session, first, MailResult(MailOutcome.CRASHED, "died"), 9.0)
    with store.reading() as session:
        assert [row.id for row in inbound_queue.claim_first(session, 10)] == [second]
        row = inbound_row(session, first)
    assert (row.state, row.attempts, row.raw) == ("aside", 1, arrived(1)["raw"])
    assert row.code == MailOutcome.CRASHED
    with store.writing() as session:
        done(session, second)
        inbound_queue.set_aside(session, second, MailResult(MailOutcome.CRASHED, "died"), 9.0)
    with store.reading() as session:
        assert inbound_row(session, second).state == "done"


def done(session: Session, number: int) -> None:
    inbound_queue.finish(session, number, DONE, 1.0, masked=b"", player=None, board=None)


def test_of_copies_the_first_that_is_executed_counts(store: Store) -> None:
    """Whatever their numbers, and never two of them, nor none."""
    for mail, order in enumerate(((0, 1, 2), (2, 0, 1), (1, 2, 0))):
        numbers = journal(store, mail, mail, mail, 99)[-4:]
        fingerprint = f"print {mail}"
        found = []
        for at in order:
            with store.writing() as session:
                found.append(inbound_queue.find_first_copy(session, fingerprint, numbers[at]))
                done(session, numbers[at])
        first = numbers[order[0]]
        assert found[0] is None
        assert found[1] == first
        assert found[2] is not None
        with store.reading() as session:
            assert inbound_queue.find_first_copy(session, "print 99", numbers[3]) is None


def test_copies_are_executed_one_after_another(postgresql_url: str) -> None:
    """The second daemon waits until the first has committed, and then sees that it is done."""
    stores = [Store(postgresql_url), Store(postgresql_url)]
    late, early = journal(stores[0], 1, 1)
    asked = threading.Event()
    found: list[int | None] = []

    def other() -> None:
        with stores[1].writing() as session:
            asked.set()
            found.append(inbound_queue.find_first_copy(session, "print 1", late))

    thread = threading.Thread(target=other)
    with stores[0].writing() as session:
        assert inbound_queue.find_first_copy(session, "print 1", early) is None
        thread.start()
        asked.wait()
        done(session, early)
        assert found == []
    thread.join()
    assert found == [early]
    for store in stores:
        store.close()


def test_numbers_are_new_and_rising_and_rows_get_them(store: Store) -> None:
    with store.writing() as session:
        given = outbound_queue.reserve_numbers(session, 3)
        outbound_queue.enqueue(session, [outgoing(number) for number in given])
        more = outbound_queue.reserve_numbers(session, 2)
        outbound_queue.enqueue(session, [outgoing(number) for number in more])
    with store.reading() as session:
        rows = outbound_queue.find_due(session, 2000.0, 10)
    assert [row.id for row in rows] == [*given, *more] == sorted({*given, *more})
    assert rows[0].message == b"\x00\xffanything"


def test_a_number_is_never_given_twice_even_when_its_mail_is_gone(store: Store) -> None:
    with store.writing() as session:
        given = outbound_queue.reserve_numbers(session, 2)
        outbound_queue.enqueue(session, [outgoing(number) for number in given])
    with store.writing() as session:
        session.execute(outbound.delete())
    with store.writing() as session:
        assert min(outbound_queue.reserve_numbers(session, 1)) > max(given)


def test_writes_of_a_batch_stay_together_once_the_next_number_is_known(sqlite_url: str) -> None:
    store = Store(sqlite_url)
    sent = record(store)
    with store.writing() as session:
        for _ in range(2):
            (number,) = outbound_queue.reserve_numbers(session, 1)
            outbound_queue.enqueue(session, [outgoing(number)])
            assert not any("INSERT" in statement for statement in sent)
    assert sum("INSERT" in statement for statement in sent) == 2
    store.close()


def test_two_open_transactions_draw_different_numbers(postgresql_url: str) -> None:
    one, other = Store(postgresql_url), Store(postgresql_url)
    with one.writing() as here, other.writing() as there:
        drawn = [outbound_queue.reserve_numbers(session, 3) for session in (here, there, here)]
        for session, numbers in zip((here, there, here), drawn, strict=True):
            outbound_queue.enqueue(session, [outgoing(number) for number in numbers])
    assert len({number for numbers in drawn for number in numbers}) == 9
    with one.reading() as session:
        assert len(outbound_queue.find_due(session, 2000.0, 100)) == 9
    one.close()
    other.close()


def test_outgoing_mails_are_due_when_their_time_has_come(store: Store) -> None:
    with store.writing() as session:
        numbers = outbound_queue.reserve_numbers(session, 3)
        times = (30.0, 10.0, 20.0)
        outbound_queue.enqueue(
            session, [outgoing(number, at) for number, at in zip(numbers, times, strict=True)]
        )
    with store.reading() as session:
        assert [row.next_attempt for row in outbound_queue.find_due(session, 25.0, 10)] == [
            10.0,
            20.0,
        ]
        assert [row.next_attempt for row in outbound_queue.find_due(session, 30.0, 1)] == [10.0]


def test_what_became_of_an_outgoing_mail_is_final(store: Store) -> None:
    with store.writing() as session:
        one, two, three = outbound_queue.reserve_numbers(session, 3)
        outbound_queue.enqueue(session, [outgoing(number) for number in (one, two, three)])
    with store.writing() as session:
        outbound_queue.mark_sent(session, [(one, "250 OK 17")], 1001.0)
        outbound_queue.mark_failed(session, two, "550 no such user", 1002.0)
        outbound_queue.retry_later(session, three, "451 busy", 1090.0)
    with store.writing() as session:
        outbound_queue.mark_failed(session, one, "too late", 1003.0)
        outbound_queue.retry_later(session, two, "too late", 1003.0)
        assert outbound_queue.find_due(session, 1089.0, 10) == []
        assert [row.id for row in outbound_queue.find_due(session, 1090.0, 10)] == [three]
        rows = [outbound_row(session, number) for number in (one, two, three)]
    assert [(row.state, row.why, row.attempts) for row in rows] == [
        ("sent", "250", 1),
        ("failed", "550 no such user", 1),
        ("waiting", "451 busy", 1),
    ]


def test_noting_that_a_mail_was_sent_does_not_write_its_text_again(sqlite_url: str) -> None:
    """Time as a float takes all of its eight bytes; a text of 400 kB takes a hundred pages."""
    store = Store(sqlite_url)
    now = 1_795_442_400.123
    with store.writing() as session:
        (number,) = outbound_queue.reserve_numbers(session, 1)
        mail = {**outgoing(number, now), "message": bytes(range(1, 101)) * 4000}
        outbound_queue.enqueue(session, [mail])
    store.checkpoint()
    with store.writing() as session:
        outbound_queue.mark_sent(session, [(number, "250 OK")], now + 1.5)
    assert 0 < Path(f"{store.url.database}-wal").stat().st_size < 10 * 4096
    with store.reading() as session:
        row = outbound_row(session, number)
    assert (row.state, row.finished, row.message) == ("sent", now + 1.5, mail["message"])
    store.close()
