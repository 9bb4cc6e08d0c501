"""Words of those who watch a board: among themselves while it lasts, to all after the end."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

pytestmark = pytest.mark.config(trust={"newcomer": 0})


@pytest.fixture
def watched(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob, which carl and dora watch."""
    talk.signup("ann", "bob", "carl", "dora")
    latest = talk.challenge("hex", "ann", "bob", options="-size=3")
    for who in ("carl", "dora"):
        talk.mails(who, f"hex watch 1 {who} {talk.password(who)}")
        talk.receives(who, "[hex 1] you watch this board")
    return latest


def test_watchers_talk_among_themselves(talk: Conversation, watched: list[Mail]) -> None:
    """No player reads a word of it until the end stands; then it is on their pages, and what is
    written from then on is mailed to them, too."""
    talk.mails("carl", f"hex kibitz 1 carl {talk.password('carl')}", "The corner wins, surely.")
    talk.receives("carl", "[hex 1] passed on to dora", "> The corner wins, surely.")
    mail = talk.receives(
        "dora", "[hex 1] carl, who watches, writes", "> The corner wins, surely.", "hex kibitz 1"
    )
    talk.replies(mail, "hex kibitz 1 No, the middle.")
    talk.receives("dora", "[hex 1] passed on to carl")
    talk.receives("carl", "[hex 1] dora, who watches, writes", "> No, the middle.")
    latest = talk.plays(["a1", "b1", "a2", "b2"], "ann", "bob", latest=watched)
    for who in ("carl", "dora"):
        for _ in range(4):
            talk.any_mail(who)
    assert not any("corner" in mail.text for mail in latest)
    talk.replies(latest[0], "a3")
    for who in ("ann", "bob", "carl", "dora"):
        assert "corner" not in talk.any_mail(who).text
    talk.passes(days=0.5)
    talk.mails("carl", f"hex kibitz 1 carl {talk.password('carl')} Well played!")
    talk.receives("carl", "[hex 1] passed on to dora, ann and bob", "> Well played!")
    talk.receives("dora", "[hex 1] carl, who watches, writes")
    talk.receives("ann", "[hex 1] carl, who watches, writes", "> Well played!", "chat")
    talk.receives("bob", "[hex 1] carl, who watches, writes")


def test_who_plays_or_does_not_watch_has_no_place_there(
    talk: Conversation, watched: list[Mail]
) -> None:
    talk.mails("ann", f"hex kibitz 1 ann {talk.password('ann')}", "What do you think?")
    talk.receives("ann", "[hex 1] not done: you play on board 1: write to the others with chat")
    talk.signup("eve")
    talk.mails("eve", f"hex kibitz 1 eve {talk.password('eve')}", "Hello, all.")
    talk.receives(
        "eve",
        "[pbm] not done: to write to those who watch board 1, watch it too",
        "hex watch 1 eve PASSWORD",
    )
    talk.mails("dora", f"block dora {talk.password('dora')} carl")
    talk.any_mail("dora")
    talk.mails("carl", f"hex kibitz 1 carl {talk.password('carl')}", "Anybody?")
    talk.receives("carl", "[hex 1] passed on to nobody else")


@pytest.mark.config(trust={"newcomer": 3})
def test_a_newcomers_words_wait_for_a_moderator(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    talk.challenge("hex", "ann", "bob", options="-size=3")
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.any_mail("carl")
    talk.mails("carl", f"hex kibitz 1 carl {talk.password('carl')}", "Buy my book.")
    talk.receives("carl", "[pbm] not done: nobody else watches board 1 yet")
    talk.mails("dora", f"hex watch 1 dora {talk.password('dora')}")
    talk.any_mail("dora")
    talk.mails("carl", f"hex kibitz 1 carl {talk.password('carl')}", "Buy my book.")
    talk.receives("carl", "[pbm] waits for a moderator: your text to dora", "> Buy my book.")
    talk.nothing_more()
