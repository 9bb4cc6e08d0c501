"""Four play bughouse by mail: the boards take turns, what is captured goes to the partner, who
hears of it, each sees the own men below, and partners win together."""

from __future__ import annotations

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

PEOPLE = ("ann", "bob", "cat", "dan")
"""White and Black on board A, White and Black on board B."""
WHITE_BELOW_ON_A = "   1  R  N  B  Q  K  B  N  R  1     8  r  n  b  k  q  b  n  r  8"
BLACK_BELOW_ON_A = "   8  r  n  b  k  q  b  n  r  8     1  R  N  B  Q  K  B  N  R  1"


def begin(talk: Conversation) -> dict[str, Mail]:
    talk.signup(*PEOPLE)
    return dict(zip(PEOPLE, talk.challenge("bughouse", *PEOPLE), strict=True))


def play(talk: Conversation, mails: dict[str, Mail], *turns: str) -> dict[str, Mail]:
    """Reply with each move; the mails of the last one."""
    for turn in turns:
        who, move = turn.split()
        talk.replies(mails[who], move)
        mails = {who: talk.any_mail(who) for who in PEOPLE}
    return mails


def test_what_is_captured_goes_to_the_partner_who_hears_of_it(talk: Conversation) -> None:
    mails = begin(talk)
    for who, row in zip(
        PEOPLE,
        (WHITE_BELOW_ON_A, BLACK_BELOW_ON_A, BLACK_BELOW_ON_A, WHITE_BELOW_ON_A),
        strict=True,
    ):
        lines = mails[who].lines
        lowest = max(number for number, line in enumerate(lines) if line.count("  R  N  "))
        assert lines[lowest] == row
    mails = play(talk, mails, "ann e4", "cat d4", "bob d5", "dan e5", "ann exd5")
    assert mails["dan"].subject == "[bughouse 1] cat to move (6), ann played exd5"
    assert "dan has one more pawn in hand." in mails["dan"].lines
    assert "   in hand: white B -, black B P" in mails["dan"].lines
    assert mails["cat"].subject == "[bughouse 1] your move (6), ann played exd5"
    talk.replies(mails["bob"], "Qxd5")
    talk.receives("bob", "[bughouse 1] not done: it is cat's turn")
    mails = play(talk, mails, "cat dxe5", "bob Qxd5", "dan P@e3")
    assert mails["ann"].subject == "[bughouse 1] your move (9), dan played P@e3"
    assert "   in hand: white A -, black A P" in mails["ann"].lines


def test_partners_win_together(talk: Conversation) -> None:
    mails = begin(talk)
    mails = play(talk, mails, "ann e4", "cat f3", "bob e5", "dan e5", "ann Nf3", "cat g4")
    mails = play(talk, mails, "bob Nc6", "dan Qh4#")
    for mail in mails.values():
        assert mail.subject == "[bughouse 1] ann and dan won (8)"
    assert "You share the win with ann" in mails["dan"].text
    talk.mails("bob", "bughouse standings")
    told = [line.split() for line in talk.any_mail("bob").lines]
    for who in PEOPLE:
        assert [who, *("1 0 0" if who in ("ann", "dan") else "0 0 1").split()] in told
    talk.mails("ann", "export 1")
    record = talk.any_mail("ann").text
    assert '[BlackB "dan"]' in record
    assert "1A. e4 1B. f3 1a. e5 1b. e5 2A. Nf3 2B. g4 2a. Nc6 2b. Qh4# 1-0" in record


def test_a_place_and_a_whole_board_are_told_in_words(talk: Conversation) -> None:
    mails = begin(talk)
    mails = play(talk, mails, "ann e4")
    talk.mails("bob", "bughouse show 1 b e2")
    assert "white pawn" in talk.any_mail("bob").text.lower()
    talk.mails("bob", "bughouse show 1 a e2")
    assert "empty" in talk.any_mail("bob").text.lower()
    talk.mails("ann", f"set ann {talk.password('ann')} board=words")
    talk.any_mail("ann")
    talk.replies(mails["ann"], "showas 1")
    words = talk.any_mail("ann").text
    assert "On board A: White king on e1." in words
    assert "On board B: White king on e1." in words
