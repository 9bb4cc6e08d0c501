"""What is kept of mails and addresses, and for how long: what the goodbye says is what happens."""

from __future__ import annotations

import pytest
from sqlalchemy import LargeBinary, Text, insert, select

from pbm.core import retention
from pbm.core.refusal import Refusal
from pbm.store.tables import inbound, metadata, outbound
from tests.conversations.test_bans import build_act
from tests.harness.conversation import SERVER, Conversation
from tests.harness.databases import all_rows

ANN = "ann@example.org"


def holding(talk: Conversation, word: str) -> set[str]:
    """The columns of the whole database that hold a word."""
    found = set()
    with talk.server.store.reading() as session:
        for table in metadata.sorted_tables:
            texts = [c for c in table.c if isinstance(c.type, Text | LargeBinary)]
            for row in all_rows(session, select(*texts)) if texts else ():
                for column, value in zip(texts, row, strict=True):
                    text = (
                        value if isinstance(value, str) else bytes(value or b"").decode("latin-1")
                    )
                    if word in text:
                        found.add(f"{table.name}.{column.name}")
    return found


@pytest.mark.postgresql
def test_addresses_are_gone_when_the_goodbye_says_so(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"add ann {talk.password('ann')} ann@office.example")
    talk.any_mail("ann")
    talk.any_mail("ann@office.example")
    with talk.server.store.writing() as session:
        act = build_act(talk, session, f"{ANN} complained")
        act.record("note", player=act.find_player("ann").id)
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] goodbye, ann", "server's log of mails for 30 days")
    kept = {"inbound.raw", "inbound.envelope_from", "outbound.message", "outbound.recipient"}
    assert holding(talk, ANN) - {"counters.name"} == kept
    talk.passes(days=29)
    assert holding(talk, ANN) == kept
    talk.passes(days=1.5)
    assert holding(talk, ANN) == set()
    assert holding(talk, "ann@office.example") == set()
    with talk.server.store.reading() as session:
        rows = all_rows(session, select(inbound))
        assert {row.outcome for row in rows} == {"removed"}
        assert all(row.finished and row.fingerprint for row in rows)
    talk.mails("bob", "games")
    talk.any_mail("bob")


@pytest.mark.config(retention={"mails_days": 0, "rows_days": 0})
def test_a_server_may_keep_everything(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] goodbye, ann", "in the server's log of mails.")
    talk.passes(days=500, step=50 * 86400)
    assert "inbound.raw" in holding(talk, ANN)


@pytest.mark.config(retention={"mails_days": 1, "rows_days": 60})
def test_a_copy_that_comes_late_has_no_second_effect(talk: Conversation) -> None:
    """For as long as the row is kept."""
    talk.signup("ann", "bob")
    raw = (
        f"From: {ANN}\r\nTo: {SERVER}\r\nSubject: message ann {talk.password('ann')} bob\r\n"
        "Message-ID: <1@example.org>\r\n\r\nHello, Bob!\r\n"
    ).encode()
    talk.server.take(ANN, SERVER, raw)
    talk.receives("ann", "[pbm] passed on to bob")
    talk.any_mail("bob")
    talk.passes(days=59, step=86400)
    talk.server.take(ANN, SERVER, raw)
    talk.nothing_more()
    with talk.server.store.reading() as session:
        last = select(inbound.c.outcome).order_by(inbound.c.id.desc()).limit(1)
        assert "a copy of mail" in session.execute(last).scalar_one()
    talk.passes(days=62, step=86400)
    with talk.server.store.reading() as session:
        assert all_rows(session, select(inbound)) == []
        assert all_rows(session, select(outbound)) == []


@pytest.mark.config(retention={"mails_days": 2, "rows_days": 60, "aside_days": 0})
def test_what_was_set_aside_waits_for_the_operator(talk: Conversation) -> None:
    """Once it is dropped it goes as all others do; of one that is gone nothing can be sent."""
    talk.signup("ann")
    row = {
        "received": talk.clock.now,
        "via": "smtp",
        "envelope_from": ANN,
        "recipient": SERVER,
        "raw": b"From: ann@example.org\r\n\r\n",
        "state": "aside",
        "finished": talk.clock.now,
        "outcome": "failed: ValueError",
    }
    with talk.server.store.writing() as session:
        number = int(
            session.execute(insert(inbound).values(row).returning(inbound.c.id)).scalar_one()
        )
    talk.mails("ann", "games")
    talk.any_mail("ann")
    talk.passes(days=70, step=86400)
    with talk.server.store.writing() as session:
        (left,) = all_rows(session, select(inbound))
        assert (left.id, left.raw) == (number, row["raw"])
        retention.drop_mail(build_act(talk, session, "old"), "in", number)
    talk.passes(days=1)
    with talk.server.store.writing() as session:
        assert all_rows(session, select(inbound)) == []
        with pytest.raises(Refusal, match="no outgoing mail 1"):
            retention.retry_mail(build_act(talk, session, "again"), "out", 1)
