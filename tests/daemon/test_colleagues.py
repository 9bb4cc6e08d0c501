"""Daemons on one PostgreSQL call each other: here nobody looks for anything by the clock."""

from __future__ import annotations

import asyncio
import smtplib
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbm.config import Bots, Config, Database, Limits, Players, Relay, Smtp
from pbm.daemon.workers import worker
from pbm.daemon.workers.colleagues import (
    Choices,
    Colleagues,
    choose_worker,
    list_workers,
    shorten_name,
)
from pbm.mail.outgoing import outbox
from pbm.store.engine import Store
from tests.harness.running import Running, until

_NEVER = 600.0


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a call makes a daemon look."""
    for module in (worker, outbox):
        monkeypatch.setattr(module, "_IDLE", _NEVER)


@pytest.fixture
def daemons(postgresql_url: str, tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """Two daemons that know of each other; the relay of the first is out of reach."""
    configs = [
        Config(
            database=Database(url=postgresql_url),
            smtp=Smtp(listen=f"127.0.0.{host}:0"),
            relay=Relay(url=relay),
            bots=Bots(enabled=False),
            players=Players(confirm_addresses=False),
            limits=Limits(unproved_a_day=0),
        )
        for host, relay in ((1, "smtp://127.0.0.1:1"), (2, f"maildir:{tmp_path / 'mail'}"))
    ]
    with Running(configs[0]) as one, Running(configs[1]) as other:
        until(lambda: list_others(one) and list_others(other), "they do not find each other")
        yield one, other


def list_others(running: Running) -> tuple[str, ...]:
    assert running.daemon.colleagues is not None
    return running.daemon.colleagues.workers


def find_sender(workers: list[str], name: str) -> str:
    """An address whose mails are left to that worker."""
    return next(
        sender
        for number in count()
        if choose_worker(workers, sender := f"p{number}@example.org") == name
    )


def send_mails(running: Running, senders: list[str]) -> None:
    with smtplib.SMTP("127.0.0.1", running.port("smtp")) as client:
        for number, sender in enumerate(senders):
            text = f"From: {sender}\r\nSubject: games\r\nMessage-ID: <{number}@a>\r\n\r\n"
            client.sendmail(sender, ["pbm@localhost"], text)


def test_what_one_takes_another_sends(daemons: tuple[Running, Running], tmp_path: Path) -> None:
    one, other = daemons
    workers = [*list_others(one), *list_others(other)]
    senders = [find_sender(workers, name) for name in workers] * 2
    send_mails(one, senders)
    rows = one.mails()
    assert [row.state for row in rows] == ["done"] * len(senders)
    assert {row.worker for row in rows} == {*list_others(other)}
    until(lambda: {row.state for row in one.sent()} == {"sent"}, "not everything is sent")
    for sender in senders:
        assert len(list((tmp_path / "mail" / sender / "new").iterdir())) == 2
    assert other.daemon.outbox.counts["delivered"] == len(senders)


def test_a_daemon_that_ends_is_left_out(daemons: tuple[Running, Running]) -> None:
    one, other = daemons
    assert other.daemon.colleagues is not None
    other.loop.call_soon_threadsafe(other.daemon.colleagues.leave)
    until(lambda: not list_others(one), "it is still on the list")


def test_who_is_out_of_hearing_tries_again() -> None:
    """Nobody is at that port; the log says so once."""
    store = Store("postgresql://pbm@127.0.0.1:1/pbm")

    async def listen() -> None:
        alone = Colleagues(store, "a", ["a"], lambda _: None, lambda: None)
        alone.start()
        await asyncio.sleep(0.5)
        assert alone.workers == ()
        assert {thread.name for thread in threading.enumerate()} >= {"colleagues"}
        alone.leave()
        await asyncio.to_thread(alone.join, 60.0)

    with capture_logs() as events:
        asyncio.run(listen())
    store.close()
    assert [event["event"] for event in events].count("colleagues out of hearing") == 1


def test_a_name_fits_into_what_postgresql_keeps() -> None:
    assert shorten_name("mail 0.0.0.0:25") == "mail 0.0.0.0:25"
    long = [shorten_name(f"{'x' * 60}{number}") for number in range(2)]
    assert long[0] != long[1]
    assert {len(f"pbm serve 64 {name}") <= 63 for name in long} == {True}
    assert shorten_name("spïel unix:/é").isascii()


def test_a_worker_keeps_its_senders_when_another_comes_or_goes() -> None:
    senders = [f"p{number}@example.org" for number in range(1000)]
    few, more = ["a-1", "a-2"], ["a-1", "a-2", "b-1"]
    before = {sender: choose_worker(few, sender) for sender in senders}
    after = {sender: choose_worker(more, sender) for sender in senders}
    moved = {sender for sender in senders if before[sender] != after[sender]}
    assert {after[sender] for sender in moved} == {"b-1"}
    for name in more:
        assert 270 < [*after.values()].count(name) < 400


def test_a_sender_is_remembered_for_as_long_as_a_mail_may_wait() -> None:
    now = 0.0
    choices = Choices(lambda: now)
    both = ["a-1", "b-1"]
    assert choices.choose("ann", ["a-1"], both) == "a-1"
    now = 5.0
    assert choices.choose("ann", ["b-1"], both) == "a-1"
    assert choices.choose("bob", ["b-1"], both) == "b-1"
    now = 6.0
    assert choices.choose("ann", ["b-1"], both) == "a-1"
    assert choices.choose("bob", ["a-1"], both) == "b-1"
    assert choices.choose("bob", ["a-1"], ["a-1"]) == "a-1"  # the other worker is gone
    now = 17.0
    assert choices.choose("ann", ["b-1"], both) == "b-1"
    now = 30.0
    assert choices.choose("bob", ["b-1"], both) == "b-1"


def test_a_daemon_without_worker_processes_is_its_own_worker() -> None:
    assert list_workers("a", 2) == ["a-1", "a-2"]
    assert list_workers("a", 0) == ["a"]
