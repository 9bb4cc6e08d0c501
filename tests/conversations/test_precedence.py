"""Mails of strangers wait behind everybody else's, but not for ever."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from pbm.config import Config, Database, Limits
from pbm.config import Server as Address
from pbm.daemon import worker
from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess, Sockets, await_rest

FORGED = 150
MOST = Limits().prompt_mails_an_hour


class TickingClock(Clock):
    """A clock that moves a little each time it is read, so that times have an order."""

    def __init__(self) -> None:
        super().__init__()
        self._ticks = itertools.count(1)

    def __call__(self) -> float:
        return self.now + next(self._ticks) / 1000


@pytest.fixture(params=["sqlite", "postgresql"])
def config(request: pytest.FixtureRequest) -> Config:
    url = request.getfixturevalue(f"{request.param}_url")
    return Config(server=Address(address=SERVER), database=Database(url))


@pytest.fixture
def server(config: Config) -> Iterator[InProcess]:
    made = InProcess(config, Clock())
    yield made
    made.close()


@pytest.fixture
def people(server: InProcess) -> Conversation:
    """A conversation in which nothing is executed until somebody looks."""
    return Conversation(server, server.clock, confirms=True)


def forge_signups(people: Conversation, first: int = 0) -> None:
    """Somebody signs up many others, none of whom has asked for it."""
    for number in range(first, first + FORGED):
        who = f"victim{number}"
        people.mails(who, f"signup {who} {people.password(who)}")


def list_waiting(store: Store) -> list[str]:
    """The senders whose mails wait, in order."""
    query = select(inbound.c.envelope_from).where(inbound.c.state == "waiting")
    with store.reading() as session:
        return [str(each) for each in session.column(query.order_by(inbound.c.id))]


def test_a_player_is_answered_as_if_no_stranger_waited(
    server: InProcess, people: Conversation
) -> None:
    people.signup("ann")
    forge_signups(people)
    assert server.work()
    people.mails("ann", "games")
    assert server.work() == 1
    waiting = list_waiting(server.store)
    assert "ann@example.org" not in waiting
    assert len(waiting) > FORGED - 10
    assert "games" in people.any_mail("ann").subject


def test_a_running_server_answers_players_first(config: Config) -> None:
    """All of it waits when the server starts."""
    clock = TickingClock()
    before = InProcess(config, clock)
    people = Conversation(before, clock, confirms=True)
    people.signup("ann")
    forge_signups(people)
    people.mails("ann", "games")
    before.close()
    server = Sockets(config, clock)
    try:
        await_rest(server.store, clock)
        query = select(inbound.c.envelope_from).order_by(inbound.c.finished.desc())
        with server.store.reading() as session:
            last = session.column(query.limit(FORGED + 1))
        assert last[-1] == "ann@example.org"
    finally:
        server.close()


def test_a_stranger_is_not_starved(
    server: InProcess, people: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a minute strangers have their share of the time although players keep writing."""
    monkeypatch.setattr(worker, "_FIRST_SHARE", 0)
    people.signup("ann")
    for who in ("kim", "lee", "moe"):
        people.mails(who, "help")
    server.clock.advance(seconds=61)
    people.mails("ann", "games")
    assert server.work() == 1
    assert list_waiting(server.store) == ["lee@example.org", "moe@example.org", "ann@example.org"]
    monkeypatch.setattr(worker, "_FIRST_SHARE", 1e6)
    for first in ("lee", "ann", "moe"):
        assert f"{first}@example.org" in list_waiting(server.store)
        assert server.work() == 1
        assert f"{first}@example.org" not in list_waiting(server.store)
    assert "games" in people.any_mail("ann").subject
    for who in ("kim", "lee", "moe"):
        people.receives(who, "[pbm] how to play board games by mail")


def test_whoever_names_a_known_address_delays_it_alone(
    server: InProcess, people: Conversation
) -> None:
    """A forged From is worth some mails an hour; a genuine reply goes before the rest."""
    people.signup("ann", "bob")
    opening = people.challenge("cradle", "ann", "bob")
    server.clock.advance(seconds=3600)
    for _ in range(2 * MOST):
        people.mails("ann", "games")
    people.mails("bob", "games")
    people.replies(opening[0], "b1,c1,d1,d2")
    with server.store.reading() as session:
        waits = select(func.count()).where(inbound.c.state == "waiting")
        assert session.value(waits.where(inbound.c.stranger)) == MOST
    while set(list_waiting(server.store)) != {"ann@example.org"}:
        assert server.work()
    assert len(list_waiting(server.store)) >= MOST
    people.everything()
    server.clock.advance(seconds=3600)
    people.mails("ann", "list")
    with server.store.reading() as session:
        assert not session.value(waits.where(inbound.c.stranger))
    people.everything()


def test_a_known_author_counts_whatever_the_envelope_says(
    server: InProcess, people: Conversation
) -> None:
    """Mail that was forwarded has an envelope of its own."""
    people.signup("ann")
    forge_signups(people)
    people.mails("ann", "games", envelope="srs0=ann=example.org@forwarder.example.com")
    assert server.work() == 1
    assert "games" in people.any_mail("ann").subject
