"""Commands in an answer to a mail of ours: no word of them is taken for a password that is none,
and whoever answers need not be named."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def mail(talk: Conversation) -> Mail:
    """An answer to ann about no board; bob has an account too."""
    talk.signup("ann", "bob")
    talk.mails("ann", "help")
    return talk.receives("ann", "[pbm] help")


APART = (
    "[pbm] not done: that was the reply address of board 1, which is good for that board only ..."
)
CHALLENGES = (
    "hex challenge ann bob",
    "hex challenge bob",
    "hex challenge bob -size=5",
    "challenge hex bob",
    "hex challenge ann, bob --unrated",
)


def test_a_challenge(talk: Conversation, mail: Mail) -> None:
    """As the first line of the answer, and as the subject of a mail to its address."""
    for at, line in enumerate(CHALLENGES):
        talk.replies(mail, line)
        talk.mails("ann", line, to=mail.reply_to)
        for board in (2 * at + 1, 2 * at + 2):
            talk.receives("ann", f"[hex {board}] new board: ann, bob")
            talk.receives("bob", f"[hex {board}] new board: ann, bob")


def test_a_challenge_in_an_answer_to_a_board(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("hex", "ann", "bob")
    talk.replies(mail, "cradle challenge bob")
    refused = talk.receives("ann", APART, "send the same line in reply to this mail")
    talk.replies(refused, "cradle challenge bob")
    talk.receives("ann", "[cradle 2] new board: ann, bob")
    talk.receives("bob", "[cradle 2] new board: ann, bob")


@pytest.mark.parametrize(
    "line",
    [
        "set own=no",
        "vacation 2026-03-10 2026-03-12",
        "message bob",
        "cradle seek",
        "hex challenge ann bob",
        "block bob",
        "mydata",
        "hex move 2 d4",
        "hex resign 2",
    ],
)
def test_the_reply_address_of_a_board_is_good_for_that_board_only(
    talk: Conversation, line: str
) -> None:
    """The same line in reply to the answer is done: that goes to the player alone."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("hex", "ann", "bob")
    talk.challenge("hex", "ann", "bob")
    talk.replies(mail, f"{line}\n\nSome words.")
    refused = talk.receives("ann", APART, "set" if line.startswith("set") else line)
    assert "/b1-" not in refused.reply_to
    talk.replies(refused, f"{line}\n\nSome words.")
    assert "not done" not in talk.any_mail("ann").subject
    talk.everything()


@pytest.mark.parametrize("line", ["help", "games", "show 2", "rating", "seeks", "mine", "show ann"])
def test_looking_is_answered_from_everywhere(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("hex", "ann", "bob")
    talk.challenge("hex", "ann", "bob")
    talk.replies(mail, line)
    assert "not done" not in talk.any_mail("ann").subject


def test_whoever_challenges_may_move_second(talk: Conversation, mail: Mail) -> None:
    talk.replies(mail, "hex challenge bob ann")
    talk.receives("ann", "[hex 1] new board: bob, ann")
    talk.receives("bob", "[hex 1] new board: bob, ann")


def test_a_challenge_for_three(talk: Conversation, mail: Mail) -> None:
    """Others alone are named, and the game has room for one more."""
    talk.signup("carl")
    talk.replies(mail, "cradle challenge bob carl")
    for who in ("ann", "bob", "carl"):
        talk.receives(who, "[cradle 1] new board: ann, bob, carl")


def test_a_challenge_between_others(talk: Conversation, mail: Mail) -> None:
    """The game has no room for who sends it."""
    talk.signup("carl")
    talk.replies(mail, "hex challenge bob carl")
    talk.receives("ann", "[hex 1] bob to move (1)")
    for who in ("bob", "carl"):
        talk.receives(who, "[hex 1] new board: bob, carl")


def test_a_challenge_to_nobody(talk: Conversation, mail: Mail) -> None:
    talk.replies(mail, "hex challenge")
    talk.receives(
        "ann",
        "[pbm] not done: name both players, starting with the one who moves first",
        "hex challenge ann USERID",
    )


def test_a_challenge_with_a_password(talk: Conversation, mail: Mail) -> None:
    """It is no player's userid, and not repeated (which every mail is held to)."""
    talk.replies(mail, f"hex challenge ann {talk.password('ann')} bob")
    refused = talk.any_mail("ann")
    assert "not done: " in refused.subject
    assert "hex challenge ann" in refused.text


LOOKS = {
    "all show ann next": "[pbm] next boards of ann",
    "all show bob next": "[pbm] next boards of bob",
    "hex show ann next": "[pbm] next boards of ann: hex",
    "hex games ann bob": "[pbm] open boards of ann and bob: hex",
}


def test_looking_keeps_its_userids(talk: Conversation, mail: Mail) -> None:
    for line, subject in LOOKS.items():
        talk.replies(mail, line)
        talk.mails("ann", line, to=mail.reply_to)
        talk.receives("ann", subject)
        talk.receives("ann", subject)


def test_a_move_is_not_taken_for_a_userid(talk: Conversation) -> None:
    """Somebody has a userid that is a square: moves that begin with it are moves still."""
    talk.signup("ann", "bob", "e2")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, "e2 e4")
    talk.receives("ann", "[chess 1] bob to move (2), you played e4")
    talk.receives("bob", "[chess 1] your move (2), ann played e4")


def test_a_chat_is_not_taken_for_a_password(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("hex", "ann", "bob")
    talk.replies(mail, "chat bob you play well")
    talk.receives("ann", "[hex 1] passed on to bob", "> bob you play well")
    talk.receives("bob", "[hex 1] ann writes", "> bob you play well")


def test_another_player_of_the_same_address(talk: Conversation) -> None:
    """Bob reads his mail at ann's address too: in an answer to her mail his userid and password
    say that he sends it."""
    talk.signup("ann", "bob")
    talk.mails("bob", f"add bob {talk.password('bob')} ann@example.org")
    talk.everything()
    mail, _ = talk.challenge("hex", "bob", "ann")
    talk.everything()
    talk.replies(mail, f"move bob {talk.password('bob')} d4", who="ann")
    assert "bob played d4" in "".join(each.text for each in talk.everything())
