"""However long userids and addresses are, every line of a mail fits: `check_outgoing` looks at each
mail of this conversation, in which everybody is named as long as can be."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation

LONG = ("annabella-of-the-sea", "bartholomew-the-bold", "carolina_of_the_hill")
ADDRESS = f"another-{'a' * 30}@{'b' * 20}.example.org"
BODY = "A line of a comment that goes on and on " * 20 + "\n" + "x" * 300


@pytest.fixture
def board(talk: Conversation) -> Conversation:
    """A board between three people with userids of 20 letters."""
    assert {len(name) for name in LONG} == {20}
    talk.signup(*LONG)
    mails = talk.challenge("cradle", *LONG, options="-size=2 -all_shapes -num_each=99")
    assert [mail.fact("Players") for mail in mails] == [" ".join(LONG)] * 3
    return talk


@pytest.mark.config(limits={"unproved_a_day": 0})
def test_every_answer_fits(board: Conversation) -> None:
    ann, bob, carl = LONG
    secret = board.password(ann)
    board.mails(ann, f"cradle move 1 {ann} {secret} b1,c1,d1,d2", BODY)
    for who in LONG:
        board.any_mail(who)
    for subject in (
        "list",
        "games",
        "cradle history",
        "cradle standings",
        f"cradle show {bob} all",
        f"all show {carl} next",
        "cradle show 1#0",
        f"forgot {'x' * 20}",
        f"cradle move 1 {ann} {secret} nonsense,{'y' * 70}",
        f"cradle challenge {ann} {'z' * 60}",
        f"cradle challenge {ann} {bob} -{'o' * 60}=3",
        f"set {ann} {secret}",
        f"add {ann} {secret} {ADDRESS}",
        "help commands",
    ):
        board.mails(ann, subject)
        assert board.any_mail(ann).text
    board.receives(ADDRESS, "[pbm] confirm this address")


def test_every_notice_to_others_fits(board: Conversation) -> None:
    ann, bob, carl = LONG
    secret = board.password(ann)
    board.mails(ann, f"message {ann} {secret} {bob} {carl}", BODY)
    board.mails(ann, f"cradle chat 1 {ann} {secret}", BODY)
    board.mails(ann, f"cradle propose 1 {ann} {secret}", BODY)
    for who, count in ((ann, 3), (bob, 3), (carl, 3)):
        for _ in range(count):
            assert board.any_mail(who).text
    board.mails(ann, f"cradle move 1 {ann} {secret} b1,c1,d1,d2", BODY)
    for who in LONG:
        assert board.any_mail(who).text
    board.mails(ann, f"cradle resign 1 {ann} {secret}")
    board.mails(bob, f"cradle resign 1 {bob} {board.password(bob)}")
    for _ in range(2):
        for who in LONG:
            last = board.any_mail(who)
    assert last.subject == f"[cradle 1] {carl} won (1)"
    board.mails(ann, f"signoff {ann} {secret}")
    board.receives(ann, f"[pbm] goodbye, {ann}")
