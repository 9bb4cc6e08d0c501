"""Passwords are verified before the write lock is taken, a remembered one costs nothing, and
`execute` never commits: its caller does, for several mails at once if it likes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from pbm.config import Config, Database, Players
from pbm.config import Server as Address
from pbm.core.player import BAN, find_ban_kind, prefetch_bans
from pbm.core.secrets import Secrets
from pbm.games import get_game
from pbm.mail.execute import execute_mail
from pbm.mail.read import read_mail
from pbm.mail.verify import claim_mails, prefetch_senders, verify_mail
from pbm.store import inbound_queue, reads
from pbm.store.tables import addresses, bans, inbound, moves, outbound
from pbm.store.transaction import Session
from tests.harness.conversation import SERVER, Clock, Conversation, address_of
from tests.harness.databases import all_rows
from tests.harness.mail_room import prepare
from tests.harness.servers import InProcess

FIRST = get_game("cradle").setup(2, {"size": 3}).legal_moves(0)[0]


@pytest.fixture
def server(sqlite_url: str) -> Iterator[InProcess]:
    """A server in this process without a mail in it."""
    made = InProcess(
        Config(
            server=Address(address=SERVER),
            database=Database(sqlite_url),
            players=Players(confirm_addresses=False),
        ),
        Clock(),
    )
    yield made
    made.close()


@pytest.fixture
def talk(server: InProcess) -> Conversation:
    """Ann and bob, and a board of theirs."""
    made = Conversation(server, Clock(), confirms=False)
    made.signup("ann", "bob")
    made.challenge("cradle", "ann", "bob", options="-size=3")
    return made


def prepared(server: InProcess) -> list[Any]:
    """The mails that wait, ready to be executed."""
    with server.store.reading() as session:
        mails = [
            *inbound_queue.claim_first(session, 64),
            *inbound_queue.claim_last(session, 64),
        ]
        return [prepare(server.services, session, mail) for mail in mails]


def count(session: Session, table: Any) -> int:
    return int(session.execute(select(func.count()).select_from(table)).scalar_one())


def trace(session: Session) -> list[str]:
    """What SQLite is asked to do from now on, as it hears it."""
    said: list[str] = []
    driver: Any = session.driver
    driver.set_trace_callback(said.append)
    return said


def test_ten_moves_of_known_players_cost_no_argon2(server: InProcess, talk: Conversation) -> None:
    for who in ("ann", "bob"):
        talk.mails(who, f"set {who} {talk.password(who)}")
        talk.any_mail(who)
    before = server.secrets.argon2_checks
    position = get_game("cradle").setup(2, {"size": 3})
    for ply in range(10):
        who, seat = ("ann", "bob")[ply % 2], ply % 2
        move = position.legal_moves(seat)[0]
        position = position.play(seat, move)
        talk.mails(who, f"cradle move 1 {who} {talk.password(who)} {move}")
        for reader in ("ann", "bob"):
            assert f"played {move}" in talk.any_mail(reader).subject
    assert server.secrets.argon2_checks == before


def test_a_further_move_of_a_batch_reads_nothing_of_its_own(
    server: InProcess, talk: Conversation
) -> None:
    """What all of them need is read at once: each read sends what was to be written together."""
    for _ in range(3):
        talk.challenge("cradle", "ann", "bob", options="-size=3")
    position = get_game("cradle").setup(2, {"size": 3})
    answer = position.play(0, FIRST).legal_moves(1)[0]

    def count_reads(who: str, move: str, boards: Iterable[int]) -> int:
        for board in boards:
            talk.mails(who, f"cradle move {board} {who} {talk.password(who)} {move}")
        jobs = prepared(server)
        with server.store.writing() as session:
            claim_mails(session, jobs)
            said = trace(session)
            for job in jobs:
                execute_mail(server.services, session, job, 0.0)
        return sum(each.startswith("SELECT") for each in said)

    count_reads("ann", FIRST, range(1, 5))
    assert count_reads("bob", answer, [1]) == count_reads("bob", answer, [2, 3, 4])


def test_the_senders_of_a_batch_are_read_at_once(server: InProcess, talk: Conversation) -> None:
    """Who they are, which players they name, and whether they are banned."""

    def count_reads(*players: str) -> int:
        for who in players:
            talk.mails(who, f"cradle chat 1 {who} {talk.password(who)} Hello")
        with server.store.reading() as session:
            rows = inbound_queue.claim_first(session, 64)
            mails = [read_mail(server.services, row) for row in rows]
            said = trace(session)
            prefetch_senders(session, mails)
            for mail in mails:
                assert verify_mail(server.services, session, mail).proven
            about_senders = [each for each in said if "FROM players" in each or "FROM bans" in each]
        with server.store.writing() as session:
            session.execute(update(inbound).values(state="done"))
        return len(about_senders)

    assert count_reads("ann") == count_reads("ann", "bob", "ann") > 0


@pytest.mark.parametrize("written", ["bans", "addresses"])
def test_what_was_read_of_senders_is_dropped_when_it_changes(
    server: InProcess, talk: Conversation, written: str
) -> None:
    address = address_of("ann")
    with server.store.writing() as session:
        reads.prefetch_owners(session, {address})
        prefetch_bans(session, {address})
        if written == "bans":
            row = {"target": address, "kind": BAN, "at": 0.0, "actor": "", "reason": ""}
            session.execute(insert(bans).values(row))
        else:
            session.execute(delete(addresses).where(addresses.c.address == address))
        assert find_ban_kind(session, address) == (BAN if written == "bans" else "")
        assert bool(reads.find_players_by_address(session, address)) == (written == "bans")


def test_a_changed_password_falls_at_once(server: InProcess, talk: Conversation) -> None:
    old, new = talk.password("ann"), talk.secret("Sesame-afresh")
    talk.mails("ann", f"change password ann {old} {new}")
    talk.receives("ann", "[pbm] your password is changed")
    talk.mails("ann", f"cradle move 1 ann {old} b1,c1,d1,d2")
    assert "wrong userid or password" in talk.any_mail("ann").subject
    talk.mails("ann", f"cradle resign 1 ann {new}")
    talk.receives("ann", "[cradle 1] cancelled (0)")


def test_a_password_that_is_changed_between_proof_and_execution_falls(
    server: InProcess, talk: Conversation
) -> None:
    """The move's password was verified while the old one was right; the change is executed first.
    What counts is the hash under the lock."""
    old = talk.password("ann")
    talk.mails("ann", f"change password ann {old} {talk.secret('Sesame-afresh')}")
    talk.mails("ann", f"cradle resign 1 ann {old}")
    jobs = prepared(server)
    with server.store.writing() as session:
        for job in jobs:
            execute_mail(server.services, session, job, 0.0)
    talk.receives("ann", "[pbm] your password is changed")
    assert "wrong userid or password" in talk.any_mail("ann").subject
    talk.nothing_more()


def test_passwords_are_verified_while_another_holds_the_write_lock(
    server: InProcess, talk: Conversation
) -> None:
    """argon2 takes tens of milliseconds: nobody waits for the lock meanwhile, nor holds it."""
    wrong = talk.secret("Sesame-wrong")
    talk.mails("ann", f"cradle move 1 ann {wrong} b1,c1,d1,d2")
    talk.mails("zoe", f"signup zoe {talk.password('zoe')}")
    before = server.secrets.argon2_checks
    with server.store.writing():
        jobs = prepared(server)
    assert server.secrets.argon2_checks == before + 1
    signup = jobs[1].commands[0]
    assert signup.new_hash.startswith("$argon2id$")
    server.services.service.secrets = Unhurried((b"k",), lambda size: bytes(size))
    with server.store.writing() as session:
        for job in jobs:
            execute_mail(server.services, session, job, 0.0)
    assert "wrong userid or password" in talk.any_mail("ann").subject
    talk.receives("zoe", "[pbm] welcome, zoe")


class Unhurried(Secrets):
    """Secrets that refuse to do anything slow."""

    def hash_password(self, password: str) -> str:
        raise AssertionError("hashed under the lock")

    def check_password(self, player: int, stored: str, password: str) -> bool:
        raise AssertionError("verified under the lock")

    def check_nobody(self, password: str) -> None:
        raise AssertionError("verified under the lock")


def test_several_mails_share_a_commit_and_none_of_them_commits(
    server: InProcess, talk: Conversation
) -> None:
    for number in range(6):
        who = ("ann", "bob")[number % 2]
        talk.mails(who, f"set {who} {talk.password(who)} own=no")
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} b1,c1,d1,d9")
    jobs = prepared(server)
    with server.store.writing() as session:
        said = trace(session)
        for job in jobs:
            assert inbound_queue.claim(session, job.number) is not None
            execute_mail(server.services, session, job, 0.0)
        assert not [one for one in said if one.upper().startswith(("COMMIT", "BEGIN", "END"))]
    assert [one for one in said if one.upper().startswith("COMMIT")] == ["COMMIT"]
    for who in ("ann", "bob") * 3:
        talk.receives(who, f"[pbm] preferences of {who} changed", "own=no")
    assert "not done" in talk.any_mail("ann").subject


class PowerCut(Exception):
    """Something outside of the program."""


def _execute_and_fail(server: InProcess, job: Any) -> None:
    with server.store.writing() as session:
        before = count(session, outbound)
        rows = execute_mail(server.services, session, job, 0.0)
        assert len(rows) == count(session, outbound) - before == 2
        assert count(session, moves) == 1
        raise PowerCut


def test_move_answers_and_done_mark_stand_or_fall_together(
    server: InProcess, talk: Conversation
) -> None:
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} {FIRST}")
    (job,) = prepared(server)
    with server.store.reading() as session:
        before = count(session, outbound)
    with pytest.raises(PowerCut):
        _execute_and_fail(server, job)
    with server.store.reading() as session:
        assert (count(session, outbound), count(session, moves)) == (before, 0)
        waiting = all_rows(session, select(inbound.c.raw).where(inbound.c.state == "waiting"))
    assert len(waiting) == 1
    talk.receives("ann", f"[cradle 1] bob to move (2), you played {FIRST}")
    talk.receives("bob", f"[cradle 1] your move (2), ann played {FIRST}")


def test_what_is_kept_of_a_done_mail_holds_no_password(
    server: InProcess, talk: Conversation
) -> None:
    with server.store.reading() as session:
        kept = [row.raw for row in all_rows(session, select(inbound))]
        outcomes = [row.outcome for row in all_rows(session, select(inbound))]
    assert len(kept) == 3
    assert all(b"Sesame" not in raw and b"Message-ID" in raw for raw in kept)
    assert all(outcome.startswith("done: ") and "Sesame" not in outcome for outcome in outcomes)


def test_a_refused_command_of_a_list_undoes_only_itself(
    server: InProcess, talk: Conversation
) -> None:
    ann = talk.password("ann")
    talk.mails(
        "ann",
        "multiple",
        f"set ann {ann} own=no\ncradle move 1 ann {ann} b1,c1,d1,d9\nset ann {ann} ask=yes",
    )
    talk.receives("ann", "[pbm] 2 of 3 done", "own=no", "ask=yes", "b1 is not on the board")
    talk.mails("ann", f"set ann {ann}")
    talk.receives("ann", "[pbm] preferences of ann", "own=no", "ask=yes")
