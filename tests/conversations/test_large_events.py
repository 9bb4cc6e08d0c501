"""An event of more players than a mail lists."""

from __future__ import annotations

from sqlalchemy import insert, select

from pbm.features.events.views import MOST_LISTED
from pbm.store.tables import entrants, players
from tests.conversations.test_kinds_of_events import make
from tests.harness.conversation import Conversation

_MORE = MOST_LISTED + 20


def test_mails_to_everybody_stay_short(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=1 --silent=99 --forfeit=99 --name=Cup", "ann", "bob")
    enter_more(talk, _MORE)
    talk.passes(days=7)
    mails = [mail for mail in talk.everything() if mail.address == "ann@example.org"]
    (begun,) = [mail for mail in mails if mail.subject == "[event 1] Cup has begun"]
    rest = _MORE + 2 - MOST_LISTED
    assert f"  and {rest} more: event show 1" in begun.lines
    talk.passes(days=130, step=86400.0)
    mails = [mail for mail in talk.everything() if mail.address == "ann@example.org"]
    (over,) = [mail for mail in mails if mail.subject == "[event 1] Cup is over"]
    assert f"     and {rest} more: event standings 1" in over.lines
    assert "You are number " in over.text


def enter_more(talk: Conversation, count: int) -> None:
    """So many more players, made and entered without mails."""
    with talk.server.store.writing() as session:
        model = dict(
            session.execute(select(players).where(players.c.name == "ann")).mappings().one()
        )
        entry = dict(session.execute(select(entrants).limit(1)).mappings().one())
        for number in range(1, count + 1):
            new = {"id": 1000 + number, "userid": f"x{number:03}", "name": f"x{number:03}"}
            session.execute(insert(players).values({**model, **new}))
            entered = {"player_id": 1000 + number, "number": 2 + number}
            session.execute(insert(entrants).values({**entry, **entered}))
