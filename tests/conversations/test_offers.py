"""What cannot be done is answered with what was most likely meant, which one word does: yes, in
reply to that mail, once, within a week."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def start(talk: Conversation) -> dict[str, Mail]:
    """The latest mails at a board of chess; it is ann's turn."""
    talk.signup("ann", "bob")
    first = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4", "e5"], "ann", "bob", latest=first)
    return {"ann": latest[0], "bob": latest[1]}


def test_a_move_out_of_turn_is_queued_with_its_text(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(mails["bob"], "Nf6\nI like this.")
    offer = talk.receives("bob", "[chess 1] not done: it is ann's turn", "    queue Nf6")
    talk.replies(offer, "no")
    talk.nothing_more()
    talk.replies(mails["bob"], "Nf6\nYour turn!")
    offer = talk.any_mail("bob")
    talk.replies(offer, "yes")
    assert "Nf6" in talk.any_mail("bob").text
    talk.replies(mails["ann"], "Nf3")
    assert "> Your turn!" in "\n".join(mail.text for mail in talk.everything())


def test_a_yes_is_taken_once_and_for_a_week(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(mails["ann"], "Nf3 I guess")
    offer = talk.receives(
        "ann", "[chess 1] not done: Nf3 can be played, but something follows it ..."
    )
    talk.replies(offer, "Yes.")
    assert "ann played Nf3" in talk.any_mail("bob").text
    talk.any_mail("ann")
    talk.replies(offer, "yes")
    assert "not done" in talk.any_mail("ann").subject
    talk.proves("ann", "I forgot my password")
    offer = talk.receives("ann", "[pbm] your question", "    forgot ann")
    talk.clock.advance(days=8)
    talk.replies(offer, "yes")
    assert "offers nothing" in talk.any_mail("ann").text


@pytest.mark.parametrize("title", ["space truckin", "Space Truckin'", "spacetruckin"])
def test_a_game_is_offered_by_the_title_that_the_question_has(
    talk: Conversation, title: str
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "", f"Hi, how do I play {title} against bob?")
    talk.receives("ann", "[pbm] your question", "    spacetruckin challenge ann bob")


@pytest.mark.parametrize(
    "said",
    [
        "Hello, I would like to play some hex with my husband carl@example.org if that is possible",
        "can I play hex with carl@example.org?",
        "Ich möchte gern mit carl@example.org Hex spielen",
    ],
)
def test_whoever_has_the_address_in_a_wish_for_a_game_is_invited(
    talk: Conversation, said: str
) -> None:
    talk.signup("ann")
    talk.proves("ann", "", said)
    offer = talk.receives("ann", "[pbm] your question", "    invite carl@example.org hex")
    talk.replies(offer, "yes")
    talk.receives("ann", "[pbm] your invitation to carl@example.org")
    assert "Hex" in talk.any_mail("carl").text


def test_an_address_in_a_wish_that_nobody_proves_is_not_repeated(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "", "I would like to play hex with win-a-prize@elsewhere.example")
    answer = talk.any_mail("ann")
    assert "    hex seek" in answer.lines
    assert "elsewhere" not in answer.text


def test_nobody_else_says_yes(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(mails["ann"], "Nf3 I guess")
    offer = talk.any_mail("ann")
    talk.replies(offer, "yes", who="bob")
    assert all("played Nf3" not in mail.text for mail in talk.everything())


def test_the_whole_line_is_offered(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(mails["ann"], "block bob")
    offer = talk.any_mail("ann")
    assert "    block bob" in offer.lines
    talk.replies(offer, "yes")
    assert "bob" in talk.any_mail("ann").text
    talk.replies(mails["ann"], "vacation until monday")
    offer = talk.receives("ann", "[chess 1] your question", "    vacation until 2026-03-09")
    talk.replies(offer, "ja")
    assert "10 Mar 2026" in " ".join(mail.text for mail in talk.everything())


def test_a_question_brings_a_fact_and_an_empty_mail_says_so(talk: Conversation) -> None:
    mails = start(talk)
    talk.replies(mails["ann"], "Where is my queen?")
    assert "White queen on d1." in talk.any_mail("ann").text
    talk.replies(mails["ann"], "")
    talk.receives("ann", "[pbm] your mail was empty")


def test_a_reply_to_a_list_takes_a_number_and_a_move_a_line(talk: Conversation) -> None:
    start(talk)
    talk.challenge("hex", "ann", "bob")
    talk.proves("ann", "mine")
    talk.replies(talk.any_mail("ann"), "1 Nf3\n2 e4")
    texts = " ".join(mail.text for mail in talk.everything())
    assert "ann played Nf3" in texts
    assert "ann played e4" in texts


@pytest.mark.parametrize(
    ("subject", "offered"),
    [
        ("mine", "mine"),
        ("Mine ann", "mine"),
        ("chess seek", "chess seek"),
        ("chess move 1 Nf3", "chess move 1 Nf3"),
        ("queue 1 nf3", "queue 1 nf3"),
    ],
)
def test_a_line_without_a_password_is_done_with_a_yes(
    talk: Conversation, subject: str, offered: str
) -> None:
    start(talk)
    talk.mails("ann", subject)
    answer = talk.any_mail("ann")
    assert f"    {offered}" in answer.lines
    talk.replies(answer, "yes")
    assert "not done" not in talk.any_mail("ann").subject
    talk.everything()


@pytest.mark.parametrize(
    "subject", ["chess move 1 sesame Nf3", "mine sesame", "resign 1", "signoff", "move Nf3"]
)
def test_what_may_hold_a_password_or_ends_something_is_not_offered(
    talk: Conversation, subject: str
) -> None:
    start(talk)
    talk.mails("ann", subject)
    answer = talk.any_mail("ann")
    assert "not done" in answer.subject
    assert "sesame" not in answer.text
    assert "reply with the word yes" not in " ".join(answer.text.split())


def test_a_text_without_proof_is_neither_repeated_nor_passed_on(talk: Conversation) -> None:
    """Anybody may have written it, and put the address into From."""
    start(talk)
    talk.mails("ann", "message bob", "Visit my shop, Bob")
    answer = talk.any_mail("ann")
    assert "shop" not in answer.text
    talk.replies(answer, "yes")
    assert "not done" in talk.any_mail("ann").subject
