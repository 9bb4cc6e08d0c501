"""The one way in: what is submitted is executed, mailed and marked done as its policy says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import insert, select

from pbm.core.command import Command, Sender
from pbm.core.notices import MailKept, Notice
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.submit import (
    Answer,
    PartReply,
    Policy,
    Received,
    Submission,
    Unread,
    send_all,
    send_nothing,
    send_unless_refused,
)
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.rows import Query
from pbm.store.tables import InboundRow, inbound, outbound
from pbm.store.transaction import Session
from tests.harness.mail_room import NOW, SERVER, Room

ANN = Sender("ann@example.org", vouched=True)


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    room = Room(sqlite_store)
    with room.kept() as session:
        room.player(session, "ann")
        room.player(session, "bob")
    return room


def command(line: str) -> Command:
    return read_line(line, ANN)


def recipients(session: Session) -> list[str]:
    return list(session.execute(select(outbound.c.recipient).order_by(outbound.c.id)).scalars())


def test_a_command_is_executed_and_all_whom_it_concerns_are_mailed(room: Room) -> None:
    with room.tried() as session:
        result = room.services.service.submit(session, command("hex challenge ann bob"), NOW)
        assert not result.is_refused
        assert sorted(recipients(session)) == ["ann@example.org", "bob@example.org"]
        assert [mail.address for mail in result.mails] == recipients(session)


@pytest.mark.parametrize(
    ("policy", "line", "mails"),
    [
        (send_all, "hex show 17", 1),
        (send_unless_refused, "hex show 17", 0),
        (send_unless_refused, "hex challenge ann bob", 2),
        (send_nothing, "hex challenge ann bob", 0),
    ],
)
def test_a_policy_decides_what_goes_out(room: Room, policy: Policy, line: str, mails: int) -> None:
    with room.tried() as session:
        submission = Submission((command(line),), NOW, policy)
        result = room.services.service.submit(session, submission, NOW)
        assert result.is_refused == ("17" in line)
        assert len(result.notices) > 0
        assert (len(result.mails), len(recipients(session))) == (mails, mails)


def test_a_refusal_has_its_code_and_leaves_the_other_parts_alone(room: Room) -> None:
    def announce(_session: Session) -> Sequence[Notice]:
        return [Notice(MailKept(), ("bob@example.org",), 2)]

    unread = Unread(ANN, Refusal(RefusalCode.BAD_OPTION, "no such option"))
    parts = (command("hex challenge ann bob"), unread, command("hex show 17"), announce)
    with room.tried() as session:
        result = room.services.service.submit(session, Submission(parts, NOW, send_nothing), NOW)
        assert [reply.is_refused for reply in result.replies] == [False, True, True, True]
        assert result.refusals == [RefusalCode.BAD_OPTION, RefusalCode.NO_SUCH_BOARD]


@pytest.mark.parametrize("is_done", [False, True])
def test_a_mail_is_marked_done_with_its_answers(room: Room, is_done: bool) -> None:
    """As its policy says, which may leave it waiting."""
    executed = MailResult(MailOutcome.EXECUTED, "done: all of it")

    def policy(session: Session, replies: Sequence[PartReply]) -> Answer:
        return Answer(send_all(session, replies).notices, executed if is_done else None)

    row = {"received": NOW, "via": "smtp", "recipient": SERVER, "raw": b"x", "state": "waiting"}
    with room.tried() as session:
        number = session.execute(insert(inbound).values(row).returning(inbound.c.id)).scalar_one()
        mail = Received(number, "<m@example.org>", b"kept")
        parts = (command("hex challenge ann bob"),)
        room.services.service.submit(session, Submission(parts, NOW, policy, mail), NOW)
        stored = session.one(Query(InboundRow, select(inbound).where(inbound.c.id == number)))
        assert (stored.state == "done") == is_done
        if is_done:
            assert (stored.code, stored.raw, stored.board_id) == ("executed", b"kept", 1)
        caused = session.execute(select(outbound.c.inbound_id)).scalars().all()
        assert caused == [number, number]
        answer = session.execute(select(outbound.c.message)).scalars().first()
        assert answer is not None
        assert b"In-Reply-To: <m@example.org>" in answer
