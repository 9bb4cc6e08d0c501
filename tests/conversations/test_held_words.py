"""Words that are held wait for a moderator, who passes them on or deletes them."""

from __future__ import annotations

import pytest

from pbm.core.player import find_player
from pbm.core.trust import hold, list_held
from tests.harness.conversation import Conversation


@pytest.mark.postgresql
@pytest.mark.config(house={"moderators": ("ann",)})
def test_a_moderator_passes_held_words_on_or_deletes_them(talk: Conversation) -> None:
    talk.appoint("ann")
    talk.signup("bob", "eve", "dora")
    talk.mails("dora", f"block dora {talk.password('dora')} eve")
    talk.receives("dora", "[pbm] 1 blocked")
    with talk.server.store.writing() as session:
        number = {
            name: player.id
            for name in ("bob", "eve", "dora")
            if (player := find_player(session, name)) is not None
        }
        people = (str(number["bob"]), str(number["dora"]))
        for text in ("Good evening!", "Buy my boat!"):
            hold(session, number["eve"], "message", people, text, talk.clock())
    with talk.server.store.reading() as session:
        first, second = list_held(session)
    assert (first.userid, first.recipients, first.text) == ("eve", ("bob", "dora"), "Good evening!")

    talk.mails("ann", f"moderate ann {talk.password('ann')} deliver {first.id}")
    talk.receives("ann", "[pbm] done: deliver 1")
    talk.receives("bob", "[pbm] eve writes", "Good evening!")
    talk.mails("ann", f"moderate ann {talk.password('ann')} discard {second.id}")
    talk.receives("ann", "[pbm] done: discard 2")
    with talk.server.store.reading() as session:
        assert list_held(session) == []
    talk.mails("ann", f"moderate ann {talk.password('ann')} deliver {first.id}")
    talk.receives("ann", "[pbm] not done: no words wait under the number 1")
