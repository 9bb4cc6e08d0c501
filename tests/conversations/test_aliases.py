"""A server that has moved is reached at the addresses that it had before."""

from __future__ import annotations

import pytest

from tests.harness.conversation import SERVER, Conversation

OLD = "games@old.example"


@pytest.mark.sockets
@pytest.mark.config(server={"address": SERVER, "aliases": (OLD,)})
def test_mail_for_an_old_address_comes_in(talk: Conversation) -> None:
    """Signups, replies to mails of before the move, and secrets of it in what players write."""
    talk.mails("ann", "help", to=OLD)
    talk.any_mail("ann")
    talk.signup("ann", "bob")
    ann, bob = talk.challenge("tictactoe", "ann", "bob")
    token = ann.reply_to.partition("+")[2].partition("@")[0]
    before = f"games+{token}@old.example"
    talk.mails(
        "ann",
        f"Re: {ann.subject}",
        "b2",
        to=before,
        In_Reply_To=ann.message_id.replace("example.net", "old.example"),
    )
    for who in ("ann", "bob"):
        assert "b2" in talk.any_mail(who).text
    talk.replies(bob, f"chat Is this yours? {before}")
    said = [talk.any_mail(who).text for who in ("ann", "bob")]
    assert all(token not in text for text in said)
    assert any("(address removed)" in text for text in said)
