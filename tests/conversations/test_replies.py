"""Threads and reply tokens: a board is one conversation in a mail program, and an answer to its
latest mail is a move without userid or password."""

from __future__ import annotations

import pytest

from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail

LOCAL, _, HOST = SERVER.partition("@")


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board between ann and bob."""
    talk.signup("ann", "bob")
    return talk.challenge("cradle", "ann", "bob")


def test_an_answer_names_the_mail_it_answers(talk: Conversation) -> None:
    talk.signup("ann")
    sent = talk.mails("ann", "list")
    mail = talk.receives("ann", "[pbm] boards being played")
    assert mail.in_reply_to == sent
    assert mail.references[-1] == sent
    assert mail.header("Auto-Submitted") == "auto-replied"


@pytest.mark.postgresql
def test_a_board_is_one_thread(talk: Conversation) -> None:
    """Every mail of a board refers to the same first name, the others' to nothing of the mover."""
    talk.signup("ann", "bob")
    sent = talk.proves("ann", "cradle challenge ann bob")
    mine, yours = talk.any_mail("ann"), talk.any_mail("bob")
    first = mine.references[0]
    assert mine.references == [first, sent]
    assert (mine.in_reply_to, yours.in_reply_to) == (sent, first)
    assert yours.references == [first]
    assert yours.header("Auto-Submitted") == "auto-generated"
    moved = talk.replies(mine, "b1,c1,d1,d2")
    mine, yours = talk.any_mail("ann"), talk.any_mail("bob")
    assert mine.references[0] == yours.references[0] == first
    assert (mine.in_reply_to, yours.in_reply_to) == (moved, first)
    talk.proves("ann", "cradle challenge ann bob")
    other = talk.any_mail("ann")
    assert talk.any_mail("bob").references[0] == other.references[0] != first


def test_what_a_mail_carries(talk: Conversation, mails: list[Mail]) -> None:
    """A token in Reply-To: at most 40 characters, board, seat and ply in the open. In Message-ID a
    reference to the same."""
    for seat, mail in enumerate(mails):
        local, _, host = mail.reply_to.partition("@")
        token = local.removeprefix(f"{LOCAL}+")
        assert host == HOST
        assert token.startswith(f"b1-{seat}-1-")
        assert len(token) <= 40
        assert token == token.lower()
        assert mail.message_id == f"<b1-{seat}-1-{mail.number}@{HOST}>"


def test_the_first_own_line_is_the_move_and_the_rest_a_comment(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "D2 c1, B1,d1\n\nGood luck!\n\n-- \nAnn of the sea")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    mail = talk.receives(
        "bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2", "ann writes:\n> Good luck!"
    )
    assert "Ann of the sea" not in mail.text


def test_words_instead_of_a_move(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "chat shall we?")
    talk.receives("bob", "[cradle 1] passed on to ann")
    chat = talk.receives("ann", "[cradle 1] bob writes", "> shall we?")
    talk.plays(["b1,c1,d1,d2"], "ann", "bob", latest=mails)
    talk.replies(chat, "Resign.")
    talk.receives("ann", "[cradle 1] bob won (1)")
    talk.receives("bob", "[cradle 1] bob won (1)", "ann resigned.")


def test_a_comment_that_holds_the_password_is_dropped(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    ann = talk.password("ann")
    talk.mails(
        "ann", f"cradle move 1 ann {ann} b1,c1,d1,d2", f"(my password is {ann}, do not tell)"
    )
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    mail = talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    assert "do not tell" not in mail.text


def answer_without_address(talk: Conversation, mail: Mail, line: str, who: str = "ann") -> None:
    """Some mail programs answer to From whatever Reply-To says."""
    talk.mails(
        who,
        f"Re: {mail.subject}",
        line,
        In_Reply_To=mail.message_id,
        References=mail.message_id,
    )


def test_a_message_id_says_which_board_and_proves_nothing(
    talk: Conversation, mails: list[Mail]
) -> None:
    """Looking is answered; to act, the line to send stands there, and the address to reply to."""
    answer_without_address(talk, mails[0], "show")
    talk.receives("ann", "[cradle 1] ann to move (1)")
    answer_without_address(talk, mails[0], "b1,c1,d1,d2")
    refused = talk.receives(
        "ann",
        "[cradle 1] not done: your answer did not go to the reply address of the mail, which "
        "proves it is you",
        "cradle move 1 ann PASSWORD b1,c1,d1,d2",
        "The board as it is now:",
    )
    for who in ("bob", "eve"):
        answer_without_address(talk, mails[0], "resign", who)
    talk.any_mail("bob")
    talk.any_mail("eve")
    talk.replies(refused, "b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")


def test_no_tag_of_a_token_leaves_with_a_message_id(talk: Conversation, mails: list[Mail]) -> None:
    tag = mails[0].reply_to.partition("@")[0].rpartition("-")[2]
    assert tag not in f"{mails[0].message_id} {mails[0].references}"


def test_a_reply_address_used_from_elsewhere(talk: Conversation, mails: list[Mail]) -> None:
    """Nothing is done; the writer is told so, once a day, whoever it is."""
    words = "add ann PASSWORD ann@home.example"
    title = "[pbm] not done: board 1 belongs to another address: send from there, or add this one"
    for line in ("b1,c1,d1,d2", "resign", "show", "help", "Hello!", "set"):
        talk.replies(mails[0], line, who="ann@home.example")
        if line == "b1,c1,d1,d2":
            told = talk.receives("ann@home.example", title, words)
            assert "+" not in told.reply_to
    talk.replies(mails[0], "resign", who="bob")
    talk.receives("bob", title, "add ann PASSWORD bob@example.org")
    talk.replies(mails[0], "accept", who="bob")
    assert talk.waiting("bob") == 0
    talk.clock.advance(days=1)
    talk.replies(mails[0], "d1,d2", who="ann@home.example")
    talk.receives("ann@home.example", title, words)
    talk.replies(mails[0], "b1,c1,d1,d2")
    talk.any_mail("ann")
    talk.any_mail("bob")


@pytest.mark.parametrize(("dmarc", "is_done"), [("pass", True), ("fail", False), ("none", False)])
@pytest.mark.config(
    server={"address": SERVER, "trusts": "mail.example.net", "trusted_peers": ("127.0.0.1",)}
)
def test_a_reply_from_an_address_that_the_mail_server_could_not_verify(
    talk: Conversation, mails: list[Mail], dmarc: str, *, is_done: bool
) -> None:
    talk.mails(
        "ann",
        "Re: [cradle 1]",
        "b1,c1,d1,d2",
        to=mails[0].reply_to,
        Authentication_Results=f"mail.example.net; dmarc={dmarc} header.from=example.org",
    )
    mail = talk.any_mail("ann")
    if is_done:
        assert mail.subject == "[cradle 1] bob to move (2), you played b1,c1,d1,d2"
        talk.any_mail("bob")
    else:
        assert "the mail server could not verify" in mail.subject
        assert "cradle move 1 ann PASSWORD b1,c1,d1,d2" in mail.text


_FORGED = {"Authentication_Results": "mail.example.net; dmarc=pass header.from=example.org"}


@pytest.mark.sockets
@pytest.mark.config(server={"address": SERVER, "trusts": "mail.example.net"})
def test_a_local_client_that_writes_in_the_name_of_the_mail_server_proves_nothing(
    talk: Conversation,
) -> None:
    """It is not named in the configuration: the game sleeps, and bob hears nothing. A result that
    is no pass still counts against the sender."""
    talk.signup("ann", "bob")
    talk.mails("ann", "cradle challenge ann bob", **_FORGED)
    asked = talk.any_mail("ann")
    assert talk.waiting("bob") == 0
    failed = _FORGED["Authentication_Results"].replace("pass", "fail")
    talk.mails("ann", "Re:", "b1,c1,d1,d2", to=asked.reply_to, Authentication_Results=failed)
    assert "the mail server could not verify" in talk.any_mail("ann").subject
    assert talk.waiting("bob") == 0


@pytest.mark.sockets
@pytest.mark.config(
    server={"address": SERVER, "trusts": "mail.example.net", "trusted_peers": ("127.0.0.0/8",)}
)
def test_a_mail_server_that_is_named_vouches_by_smtp(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", "cradle challenge ann bob", **_FORGED)
    talk.any_mail("ann")
    talk.any_mail("bob")


def test_an_answer_to_an_old_mail_shows_the_board_of_today(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "b1,c1,d1,d2")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "d3,d4,e4,f4")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.replies(mails[0], "a2,b2,c2,c3")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[cradle 1] not done: the board has changed")
    assert "+-----+-----+" in mail.text


def test_a_good_token_from_a_foreign_address_does_nothing(
    talk: Conversation, mails: list[Mail]
) -> None:
    """A player who sees another's mail, and a stranger to whom one was forwarded."""
    talk.replies(mails[0], "b1,c1,d1,d2", who="bob")
    mail = talk.any_mail("bob")
    assert "not done" in mail.subject
    assert "PASSWORD" in mail.text
    talk.replies(mails[0], "b1,c1,d1,d2", who="zoe")
    talk.receives(
        "zoe",
        "[pbm] not done: board 1 belongs to another address: send from there, or add this one",
    )
    talk.mails("bob", "cradle show 1")
    assert talk.any_mail("bob").fact("Ply") == "0"


@pytest.mark.parametrize("change", ["tag", "seat", "board"])
def test_a_forged_token_is_none(talk: Conversation, mails: list[Mail], change: str) -> None:
    """bob changes what stands in his own token: it opens neither ann's seat nor another board."""
    local = mails[1].reply_to.partition("@")[0]
    forged = {
        "tag": local[:-1] + ("b" if local[-1] == "a" else "a"),
        "seat": local.replace("+b1-1-", "+b1-0-"),
        "board": local.replace("+b1-", "+b2-"),
    }[change]
    assert forged != local
    talk.mails("bob", "Re: your move", "b1,c1,d1,d2", to=f"{forged}@{HOST}")
    mail = talk.any_mail("bob")
    assert "not done" in mail.subject
    talk.mails("bob", "cradle show 1")
    assert talk.any_mail("bob").fact("Ply") == "0"


def test_a_reply_without_a_board_is_a_command_of_that_player(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help")
    mail = talk.receives("ann", "[pbm] help")
    talk.replies(mail, "set own=no")
    talk.receives("ann", "[pbm] preferences of ann changed", "own=no")


def test_several_commands_in_one_mail(talk: Conversation, mails: list[Mail]) -> None:
    ann = talk.password("ann")
    talk.mails(
        "ann",
        "multiple",
        f"cradle move 1 ann {ann} b1,c1,d1,d2\n"
        "  my first one\n"
        f"cradle move 1 ann {ann} d3,d4,e4,f4\n"
        "# this line is nothing\n"
        "cradle show 1\n"
        "-- \n"
        "Ann",
    )
    talk.receives(
        "ann",
        "[pbm] 2 of 3 done",
        "cradle move 1 ann ********",
        "it is bob's turn",
        "It is bob's turn",
    )
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2", "> my first one")


def test_letters_beyond_ascii_arrive(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "b1,c1,d1,d2\nVæl mødt, おはよう, ☃!")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    talk.receives(
        "bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2", "> Væl mødt, おはよう, ☃!"
    )


def test_every_mail_to_who_is_to_move_has_an_example(talk: Conversation) -> None:
    """Late in the game, too, and what it shows can be played as it stands."""
    talk.signup("eve", "kim")
    latest = dict(zip(("eve", "kim"), talk.challenge("breakthrough", "eve", "kim"), strict=True))
    for who in 3 * ("eve", "kim"):
        talk.replies(latest[who], latest[who].example)
        latest = {each: talk.any_mail(each) for each in latest}
        assert "You played " in latest[who].text


def test_what_may_be_for_the_server_and_for_the_opponent_goes_to_both(
    talk: Conversation, mails: list[Mail]
) -> None:
    written = "could the clocks ever become a nuisance in such slow games?"
    talk.replies(mails[1], f"{written}\nSee you!")
    talk.receives("bob", "[cradle 1] your question", "Your words were passed on.")
    talk.receives("ann", "[cradle 1] bob writes", f"> {written}", "> See you!")


def test_on_the_own_turn_the_opponent_only_gets_what_is_sent_again(
    talk: Conversation, mails: list[Mail]
) -> None:
    written = "could the clocks ever become a nuisance in such slow games?"
    talk.replies(mails[0], f"{written}\nSee you!")
    talk.receives("ann", "[cradle 1] your question", f"Not passed on: {written} /", "> See you!")


def test_what_addresses_the_opponent_is_only_passed_on(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[1], "do you like rooks with clocks on them?")
    talk.receives("bob", "[cradle 1] passed on to ann")
    talk.receives("ann", "[cradle 1] bob writes", "> do you like rooks with clocks on them?")
