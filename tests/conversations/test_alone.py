"""Words that end or settle something act when they stand alone on their line; a sentence that
begins with one does nothing."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

SENTENCES = {
    "Resign now, you have no chance!": "resign",
    "resign please": "resign",
    "Resign? Never!": "",
    "hex resign 1 now": "resign",
    "Accept my apologies for the delay!": "accept",
    "Reject modernity": "reject",
    "Draw near, my friend": "draw",
    "Propose a toast": "draw",
    "Decline and fall of the Roman empire: e4": "decline",
    "Pass me the salt": "pass",
    "Undo the knot": "undo",
    "Swap seats with me": "swap",
}
"""What an answer begins with, and the word that it tells to send alone."""


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of Go, where one may pass."""
    talk.signup("ann", "bob")
    return talk.challenge("go", "ann", "bob", options="-size=9")


@pytest.mark.config(limits={"unproved_a_day": 0})
@pytest.mark.parametrize("where", ["body", "subject"])
def test_sentences(talk: Conversation, mails: list[Mail], where: str) -> None:
    for sentence, word in SENTENCES.items():
        sentence = sentence.replace("hex", "go")
        if where == "body":
            talk.replies(mails[0], sentence)
        elif word:
            talk.mails("ann", sentence, to=mails[0].reply_to)
        else:
            continue
        mail = talk.any_mail("ann")
        assert mail.subject.startswith("[go 1] not done: "), mail
        if word:
            reason = f"to {word}, reply with the word {word} alone on its line"
            assert mail.subject == f"[go 1] not done: {reason}"
            assert f"    {word}" in mail.lines
        talk.nothing_more()
    talk.mails("ann", "go show 1")
    assert talk.any_mail("ann").fact("Ply") == "0"


def test_a_sentence_can_be_sent_to_the_others(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "Draw would be fair, I think.")
    answer = talk.any_mail("bob")
    line = "chat Draw would be fair, I think."
    assert f"    {line}" in answer.lines
    talk.replies(answer, line)
    talk.receives("bob", "[go 1] passed on to ann")
    talk.receives("ann", "[go 1] bob writes", "> Draw would be fair, I think.")


@pytest.mark.parametrize("word", ["resign", "Resign.", "RESIGN!", "go resign", "resign 1"])
def test_the_word_alone(talk: Conversation, mails: list[Mail], word: str) -> None:
    talk.replies(mails[0], "e5")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.replies(mails[0], f"{word}\n\nI have to go.")
    talk.receives("ann", "[go 1] bob won (1)")
    talk.receives("bob", "[go 1] bob won (1)", "ann resigned.", "> I have to go.")


@pytest.mark.parametrize("sentence", ["I resign", "ok, I resign!"])
def test_a_resignation_in_a_sentence(talk: Conversation, mails: list[Mail], sentence: str) -> None:
    talk.replies(mails[0], sentence)
    reason = "did you mean to resign? Then reply with the word resign alone on its line"
    assert "    resign" in talk.receives("ann", f"[go 1] not done: {reason}").lines
    talk.nothing_more()


def test_the_word_with_userid_and_password(talk: Conversation, mails: list[Mail]) -> None:
    """In an answer, and with a comment in the body in a mail of its own."""
    talk.replies(mails[0], f"pass 1 ann {talk.password('ann')}")
    talk.receives("ann", "[go 1] bob to move (2), you passed")
    talk.receives("bob", "[go 1] your move (2), ann passed")
    talk.mails("bob", f"go resign 1 bob {talk.password('bob')}", "Well played!")
    talk.receives("bob", "[go 1] ann won (1)")
    talk.receives("ann", "[go 1] ann won (1)", "> Well played!")


def test_a_full_command_says_nothing_behind_it(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"go resign 1 ann {talk.password('ann')} not yet")
    talk.receives(
        "ann", "[go 1] not done: resign must stand alone on its line", "go resign 1 ann PASSWORD"
    )


def test_a_draw_is_not_accepted_by_a_sentence(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "draw")
    talk.any_mail("ann")
    offered = talk.receives("bob", "[go 1] ann to move (1), ann proposed a draw")
    talk.replies(offered, "Accept my apologies for the delay!")
    talk.receives("bob", "[go 1] not done: to accept, reply with the word accept alone on its line")
    talk.replies(offered, "Accept!")
    talk.receives("bob", "[go 1] draw (0)")
    talk.receives("ann", "[go 1] draw (0)")


def test_a_subject_of_a_reply_is_no_command_when_a_sentence(
    talk: Conversation, mails: list[Mail]
) -> None:
    """Somebody has written another subject above an answer: the move stands in the body."""
    for at, (who, subject, move) in enumerate(
        [("ann", "Re: Add some drama", "c3"), ("bob", "Re: Resign yourself to it", "d4")], 1
    ):
        mail = mails[at - 1]
        talk.mails(who, subject, move, to=mail.reply_to, In_Reply_To=mail.message_id)
        mails = [talk.any_mail("ann"), talk.any_mail("bob")]
        assert f"played {move}" in mails[0].subject
        assert f"played {move}" in mails[1].subject


@pytest.mark.parametrize("sentence", ["How do I resign?", "Should I resign?"])
def test_a_question_about_the_end_is_told_how_and_ends_nothing(
    talk: Conversation, mails: list[Mail], sentence: str
) -> None:
    talk.replies(mails[0], sentence)
    reason = "did you mean to resign? Then reply with the word resign alone on its line"
    told = talk.receives("ann", f"[go 1] not done: {reason}")
    talk.replies(told, "yes")
    talk.receives("ann", "[go 1] not done: the mail that you answered offers nothing, or no more")
    talk.nothing_more()


def test_a_page_to_read_is_no_move_that_a_yes_sends(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "z99")
    told = talk.any_mail("ann")
    assert "More: help go" in told.lines
    assert "reply with the word yes" not in told.text
