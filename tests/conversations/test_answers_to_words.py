"""Words in reply to somebody's words go back to where those came from, and to nobody else."""

from __future__ import annotations

import pytest

from tests.conversations.test_clubs import make_club
from tests.conversations.test_parties import make_team, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

pytestmark = pytest.mark.config(limits={"news_a_day": 0, "quick_replies": 0})
WORDS = (
    "Sure, let's play!",
    "Thanks, see you there",
    "What do you mean?",
    "ok",
    "yes",
    "no",
    "thanks",
    "Schöne Grüße!",
    "Oui, volontiers",
)


def write(talk: Conversation, who: str, line: str, text: str) -> dict[str, Mail]:
    """Send a signed command with a text; the mails that come, by their readers."""
    verb, _, rest = line.partition(" ME")
    talk.mails(who, f"{verb} {who} {talk.password(who)}{rest}", text)
    return by_reader(talk)


def by_reader(talk: Conversation) -> dict[str, Mail]:
    """The mails that have come, by their readers."""
    return {mail.address.partition("@")[0]: mail for mail in talk.everything()}


def assert_passed_on(mail: Mail, words: str) -> None:
    """The mail has all of the words."""
    lines = [line.removeprefix("> ") for line in mail.lines]
    assert [line for line in words.split("\n") if line not in lines] == []


def test_words_in_reply_to_a_message_go_to_its_writer(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    make_team(talk, "rooks", "ann", "bob")
    make_club(talk, "kings", "ann", "bob")
    for line, text in (
        ("message ME bob", "Hello Bob, shall we play?"),
        ("team say rooks ME", "Practice on Monday?"),
        ("club say kings ME", "We meet at eight."),
        ("broadcast ME", "A party for all!"),
    ):
        first = write(talk, "ann", line, text)["bob"]
        assert "reply with your text." in first.text
        for words in WORDS if line.startswith("message") else WORDS[:4]:
            talk.replies(first, words)
            mails = by_reader(talk)
            assert sorted(mails) == ["ann", "bob"], (line, words)
            assert_passed_on(mails["ann"], words)
            assert_passed_on(mails["bob"], words)
    talk.replies(mails["ann"], "Fine.\nI am free on Monday.")
    assert_passed_on(by_reader(talk)["bob"], "Fine.\nI am free on Monday.")


def test_what_is_left_out_of_a_reply_to_a_message_is_named(talk: Conversation) -> None:
    """As below any other text: a signature goes to nobody, and the writer is told."""
    talk.signup("ann", "bob")
    first = write(talk, "ann", "message ME bob", "Hello!")["bob"]
    talk.replies(first, "Fine.\n-- \nACME Ltd.")
    mails = by_reader(talk)
    assert "> Fine." in mails["ann"].text
    assert "ACME" not in mails["ann"].text
    assert "Not passed on: ACME Ltd." in " ".join(mails["bob"].text.split())


def test_a_command_in_reply_to_a_message_is_one(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first = write(talk, "ann", "message ME bob", "Hello!")["bob"]
    for line, subject in (
        ("mine", "open boards"),
        ("chess seek", "offer 1"),
        ("challenge ann", "not done"),
        ("forgot", "not done"),
        ("Sesame17", "not done"),
        ("help", "help"),
        ("stop", "no more mails?"),
        ("block ann", "1 blocked"),
    ):
        talk.replies(first, line)
        mails = by_reader(talk)
        assert sorted(mails) == ["bob"], line
        assert subject in mails["bob"].subject


def test_nobody_answers_in_the_name_of_another_reader(talk: Conversation) -> None:
    """A copied reference to a mail that went to somebody else answers nothing."""
    talk.signup("ann", "bob", "carl")
    first = write(talk, "ann", "message ME bob", "Hello!")["bob"]
    own = write(talk, "carl", "mine ME", "")["carl"]
    told = f"Re: {own.subject}", "I know what you wrote."
    talk.mails("carl", *told, to=own.reply_to, In_Reply_To=first.message_id)
    assert sorted(by_reader(talk)) == ["carl"]


def test_an_answer_that_went_to_another_address_is_read_as_any_mail(talk: Conversation) -> None:
    """What answers a mail of a board means nothing at the address of a player."""
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "chess challenge dora @rooks")
    talk.everything()
    first = write(talk, "ann", "chess confer 1 ME", "I am for the Pirc.")["bob"]
    own = write(talk, "bob", "mine ME", "")["bob"]
    told = f"Re: {own.subject}", "So am I."
    talk.mails("bob", *told, to=own.reply_to, In_Reply_To=first.message_id)
    assert sorted(by_reader(talk)) == ["bob"]


def test_words_to_the_own_side_never_reach_the_other(talk: Conversation) -> None:
    """Neither while the other is to move, nor on the own turn, nor below a move."""
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "chess challenge dora @rooks --decide=first")
    talk.everything()
    for move in ("e4", "d4"):
        first = write(talk, "ann", "chess confer 1 ME", "I am for the Pirc.")["bob"]
        for words in (*WORDS, "Sacrifice the rook and we win!", "What about d6?", "d6 it is"):
            talk.replies(first, words)
            mails = by_reader(talk)
            assert sorted(mails) == ["ann", "bob"], words
            assert_passed_on(mails["ann"], words)
        talk.mails("dora", f"chess move 1 dora {talk.password('dora')} {move}")
        talk.everything()
        first = write(talk, "ann", "chess confer 1 ME", "Well?")["bob"]
        talk.replies(first, "I am not sure.")
        assert sorted(by_reader(talk)) == ["ann", "bob"]
        own = "d6" if move == "e4" else "g6"
        talk.replies(first, f"{own}\nAfter {move} and {own} she is lost.")
        all_mails = talk.everything()
        assert readers(all_mails) == ["ann", "ann", "bob", "bob", "dora"]
        assert f"@rooks played {own}" in read(all_mails, "dora")
        assert "lost" not in read(all_mails, "dora")
        told = [mail.text for mail in all_mails if mail.address.startswith("ann@")]
        assert sum(f"> After {move} and {own} she is lost." in text for text in told) == 1
    talk.mails("dora", f"chess export 1 dora {talk.password('dora')}")
    assert "lost" not in by_reader(talk)["dora"].text


@pytest.mark.config(limits={"quick_replies": 3})
def test_a_program_that_answers_words_is_not_passed_on_for_long(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first = write(talk, "ann", "message ME bob", "Hello!")["bob"]
    passed_on = 0
    for number in range(9):
        talk.clock.advance(seconds=60)
        talk.replies(first, f"Your ticket {number} has been received and will be dealt with.")
        mails = by_reader(talk)
        passed_on += "ann" in mails
        first = mails.get("bob", first)
    assert 0 < passed_on < 5


def test_words_in_reply_to_the_servers_answers_are_not_for_the_opponent(
    talk: Conversation,
) -> None:
    """What answers a plan, a note or a question may be about it; a yes passes it on."""
    talk.signup("ann", "bob")
    talk.challenge("chess", "ann", "bob")
    talk.mails("ann", f"chess move 1 ann {talk.password('ann')} e4")
    first = by_reader(talk)["ann"]
    for line in ("if e5 then Nf3", "note I shall castle long", "who is winning?", "e9", "moves"):
        talk.replies(first, line)
        told = by_reader(talk)["ann"]
        talk.replies(told, "Good, then I attack on the queen's side")
        mails = by_reader(talk)
        assert sorted(mails) == ["ann"], line
        assert "nothing was passed on" in " ".join(mails["ann"].text.split()), line
    talk.replies(mails["ann"], "yes")
    assert "attack on the queen's side" in by_reader(talk)["bob"].text
    talk.replies(first, "Good luck, Bob!")
    assert "> Good luck, Bob!" in by_reader(talk)["bob"].text


def test_words_of_a_member_are_for_the_own_side_unless_they_say_chat(talk: Conversation) -> None:
    """On the own turn and on that of the other, in reply to the board."""
    talk.signup("ann", "bob", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", "chess challenge @rooks dora --decide=first")
    opening = by_reader(talk)["bob"]
    talk.replies(opening, "Shall we try the Grob?")
    assert "dora" not in by_reader(talk)
    talk.mails("ann", f"chess move 1 ann {talk.password('ann')} e4")
    for first in (opening, by_reader(talk)["bob"]):
        talk.replies(first, "Then we go for the king's side")
        mails = by_reader(talk)
        assert sorted(mails) == ["bob"]
        assert "for your own side alone" in " ".join(mails["bob"].text.split())
        talk.replies(mails["bob"], "yes")
        assert sorted(by_reader(talk)) == ["ann", "bob"]
    talk.replies(first, "chat Good luck, Dora!")
    assert "> Good luck, Dora!" in by_reader(talk)["dora"].text
