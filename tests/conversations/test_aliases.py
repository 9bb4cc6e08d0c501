"""A server of several addresses: those that it had before, and those that it writes from too."""

from __future__ import annotations

import pytest

from pbm.config import SendingDomain
from tests.harness.conversation import SERVER, Conversation

OLD = "games@old.example"
SISTER = "play@sister.example"


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


@pytest.mark.postgresql
@pytest.mark.config(
    server={"address": SERVER, "aliases": (OLD, SISTER)},
    dkim={"domain": (SendingDomain("sister.example"),)},
)
def test_mails_come_from_the_domain_that_their_reader_writes_to(talk: Conversation) -> None:
    """Each player has one address of the server, in answers, in mails that others cause and in
    lines to send. An alias without a key of its own is where mail comes in only."""
    talk.senders.add(SISTER)
    secret = talk.password("ann")
    talk.mails("ann", f"signup ann {secret}", to=SISTER)
    code = talk.any_mail("ann")
    assert code.header("From") == f"pbm <{SISTER}>"
    talk.replies(code, "confirm")
    welcome = talk.receives("ann", "[pbm] welcome, ann")
    assert SISTER in welcome.text
    assert SERVER not in welcome.text
    talk.signup("bob")

    def sender(who: str) -> str:
        return talk.any_mail(who).header("From").removeprefix("pbm <").removesuffix(">")

    # Bob writes to the server's own address: Ann's mail comes from hers all the same.
    for board in talk.challenge("tictactoe", "bob", "ann"):
        own = SISTER if board.address == "ann@example.org" else SERVER
        assert board.header("From") == f"pbm <{own}>"

    # Who proves nothing changes nothing; a password, at whichever address, does.
    talk.mails("ann", "show 1", to=SERVER)
    assert sender("ann") == SERVER
    talk.mails("bob", "tictactoe move 1 bob wrong b2", to=SISTER)
    assert sender("bob") == SISTER
    move = f"tictactoe move 1 bob {talk.password('bob')} b2"
    talk.mails("bob", move, to=OLD)
    assert (sender("ann"), sender("bob")) == (SISTER, SERVER)
    talk.mails("ann", f"tictactoe move 1 ann {secret} a1")
    assert (sender("ann"), sender("bob")) == (SERVER, SERVER)
