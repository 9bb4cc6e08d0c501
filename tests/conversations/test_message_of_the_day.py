"""The message of the day: once to each player, in a mail that goes out anyway, and on the front
page while it holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from pbm.config import Config, Database, Players
from pbm.config import Server as Address
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal
from pbm.core.submit import Submission, send_all
from pbm.features.message_of_the_day.admin import clear_message, set_message
from pbm.features.message_of_the_day.tables import readings
from pbm.mail.compose import build_service
from tests.conversations.test_answered_at_once import _bot_moves, _enrol
from tests.conversations.test_bans import build_act
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor

NEWS = "The server moves on Sunday."
LINE = f"From the operator: {NEWS}"


def set_to(talk: Conversation, text: str) -> None:
    with talk.server.store.writing() as session:
        set_message(build_act(talk, session, ""), (*text.split(" "),))


def clear(talk: Conversation) -> None:
    with talk.server.store.writing() as session:
        clear_message(build_act(talk, session, ""))


def told(talk: Conversation) -> list[str]:
    """Whom the mails since then tell the message."""
    return sorted(mail.address[:3] for mail in talk.everything() if LINE in mail.lines)


def test_each_player_reads_it_once_and_above_what_programs_read(talk: Conversation) -> None:
    talk.signup("ann", "bob", "cat")
    set_to(talk, NEWS)
    assert not talk.everything()
    talk.proves("ann", "hex challenge ann bob")
    mails = talk.everything()
    for mail in mails:
        end = mail.lines.index("-- ")
        assert LINE in mail.lines[:end]
        assert mail.text.count(NEWS) == 1
    assert len(mails) == 2
    talk.replies(next(mail for mail in mails if mail.address == "ann@example.org"), "c3")
    assert told(talk) == []
    talk.proves("cat", "games")
    talk.proves("cat", "games")
    assert told(talk) == ["cat"]


def test_both_addresses_of_a_player_read_it(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"add ann {talk.password('ann')} ann2@example.org")
    (code,) = [mail for mail in talk.everything() if mail.address == "ann2@example.org"]
    set_to(talk, NEWS)
    talk.replies(code, "yes")
    talk.everything()
    clear(talk)
    set_to(talk, NEWS)
    talk.proves("bob", "hex challenge bob ann")
    assert told(talk) == ["ann", "ann", "bob"]


def test_another_takes_its_place_and_none_ends_it(talk: Conversation) -> None:
    talk.signup("ann")
    set_to(talk, "Old news.")
    set_to(talk, NEWS)
    talk.proves("ann", "games")
    assert told(talk) == ["ann"]
    set_to(talk, "Never read.")
    clear(talk)
    talk.proves("ann", "games")
    assert "Never read." not in talk.any_mail("ann").text
    with pytest.raises(Refusal):
        clear(talk)


@pytest.mark.parametrize("text", ["", " ", "long " * 101, "a\u202eb"])
def test_what_is_no_message_is_refused(talk: Conversation, text: str) -> None:
    with pytest.raises(Refusal):
        set_to(talk, text)


@pytest.fixture(params=["sqlite", "postgresql"])
def alone(request: pytest.FixtureRequest) -> Iterator[Conversation]:
    """A server without the thread that has bots think, on each database."""
    database = Database(request.getfixturevalue(f"{request.param}_url"))
    config = Config(
        server=Address(address=SERVER), database=database, players=Players(pictures=False)
    )
    clock = Clock()
    server = InProcess(config, clock)
    talk = Conversation(server, clock, confirms=True)
    try:
        yield talk
        talk.nothing_more()
    finally:
        server.close()


def test_a_mail_that_is_undone_has_told_nobody(alone: Conversation) -> None:
    """Its transaction ends without a commit after it was composed."""
    talk = alone
    talk.signup("ann")
    set_to(talk, NEWS)

    def speak(act: OperatorAct) -> list[Notice]:
        return [act.notify(act.find_player("ann"), "hello", "Hello")]

    store = talk.server.store

    def compose_and_fail() -> None:
        with store.writing() as session:
            act = build_act(talk, session, "")
            service = build_service(act.config, act.secrets)
            submission = Submission((lambda _session: speak(act),), talk.clock(), send_all)
            rows = service.submit(session, submission, talk.clock()).rows
            assert NEWS.encode() in rows[0]["message"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compose_and_fail()
    with store.reading() as session:
        assert not session.tuples(select(readings))
    talk.proves("ann", "games")
    assert told(talk) == ["ann"]


def test_a_mail_that_waits_for_a_computer_player_keeps_it(alone: Conversation) -> None:
    """The mail with the bot's answer goes out in its place, and repeats it once."""
    talk = alone
    _enrol(talk)
    talk.signup("ann")
    set_to(talk, NEWS)
    talk.proves("ann", "hex challenge level1 ann -size=5")
    talk.clock.advance(seconds=1)
    assert not talk.waiting("ann")
    _bot_moves(talk, "a1")
    mail = talk.any_mail("ann")
    assert mail.text.count(NEWS) == 1
    talk.replies(mail, "b2")
    talk.clock.advance(seconds=1)
    _bot_moves(talk, "c3")
    assert NEWS not in talk.any_mail("ann").text


@pytest.mark.config(web={"url": HOST})
def test_the_front_page_has_it_while_it_holds(talk: Conversation, visitor: Visitor) -> None:
    assert NEWS not in visitor.get(f"{HOST}/").says
    set_to(talk, f"<b>{NEWS}")
    page = visitor.get(f"{HOST}/")
    assert f"From the operator <b>{NEWS}" in page.says
    assert f"&lt;b&gt;{NEWS}" in page.text
    clear(talk)
    assert NEWS not in visitor.get(f"{HOST}/").says
