"""Four play bughouse by mail: the boards take turns, what is captured goes to the partner, who
hears of it, each sees the own men below, and partners win together."""

from __future__ import annotations

import pytest

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
    talk.replies(mails["cat"], "N@e6")
    talk.receives("cat", "[bughouse 1] not done: 'N@e6': you have no N in hand")
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


OPENING = ("ann e4", "cat d4", "bob d5", "dan e5", "ann exd5")
"""After it dan has a pawn in hand, and cat is to move."""


def says(talk: Conversation, who: str, word: str, board: int = 1) -> dict[str, Mail]:
    talk.mails(who, f"bughouse {word} {board} {who} {talk.password(who)}")
    return {who: talk.any_mail(who) for who in PEOPLE}


def test_who_resigns_loses_with_the_partner_until_it_is_taken_back(talk: Conversation) -> None:
    play(talk, begin(talk), *OPENING)
    for mail in says(talk, "cat", "resign").values():
        assert mail.subject == "[bughouse 1] ann and dan won (5)"
    talk.mails("bob", f"bughouse undo 1 bob {talk.password('bob')}")
    talk.receives("bob", "[bughouse 1] not done: board 1 is over")
    mails = says(talk, "cat", "undo")
    assert mails["bob"].subject == "[bughouse 1] cat to move (6), cat took back the resignation"
    play(talk, mails, "cat dxe5", "bob Qxd5", "dan P@e3")


def test_a_draw_needs_all_four_and_nobody_agrees_for_a_partner(talk: Conversation) -> None:
    play(talk, begin(talk), *OPENING)
    says(talk, "bob", "propose")
    mails = says(talk, "cat", "accept")
    assert "Waiting for ann and dan to accept or reject." in mails["cat"].text
    assert says(talk, "ann", "reject")["dan"].subject.endswith("ann rejected the draw")
    for who in ("dan", "cat", "bob"):
        mails = says(talk, who, "propose")
        assert "draw" in mails["ann"].text
    for mail in says(talk, "ann", "accept").values():
        assert mail.subject == "[bughouse 1] draw (5)"


def test_a_move_is_taken_back_by_all_four_and_what_it_captured_with_it(talk: Conversation) -> None:
    mails = play(talk, begin(talk), *OPENING)
    assert "   in hand: white B -, black B P" in mails["dan"].lines
    for who, word in (("ann", "undo"), ("dan", "accept"), ("cat", "accept")):
        assert says(talk, who, word)["bob"].subject.startswith("[bughouse 1] cat to move (6), ")
    mails = says(talk, "bob", "accept")
    assert mails["ann"].subject == "[bughouse 1] your move (5), back to the position after move 4"
    assert "   in hand: white B -, black B -" in mails["dan"].lines
    mails = play(talk, mails, "ann e5", "cat dxe5", "bob c5")
    talk.replies(mails["dan"], "P@e3")
    talk.receives("dan", "[bughouse 1] not done: 'P@e3': you have no P in hand")


@pytest.mark.config(players={"vacation_days": 0})
def test_time_runs_out_for_the_partner_too_as_the_reminders_say(talk: Conversation) -> None:
    play(talk, begin(talk), *OPENING)
    for _ in range(25):
        talk.clock.advance(days=1)
        talk.server.tick(86400)
    mails = talk.everything()
    reminders = [mail for mail in mails if "reminder" in mail.subject]
    assert {mail.address.partition("@")[0] for mail in reminders} == set(PEOPLE)
    for mail in reminders:
        words = " ".join(mail.text.split())
        assert (
            "After that you lose on time." in words
            or "When the time is over, cat loses on time." in words
        )
    ended = [mail for mail in mails if mail.subject == "[bughouse 1] ann and dan won (5)"]
    assert len(ended) == len(PEOPLE)
    assert all("ran out of time" in mail.text for mail in ended)


def test_an_account_that_is_closed_loses_with_the_partner(talk: Conversation) -> None:
    play(talk, begin(talk), *OPENING)
    talk.mails("dan", f"delete dan {talk.password('dan')}")
    asked = talk.receives("dan", "[pbm] close your account?")
    talk.replies(asked, f"confirm {asked.line('Code: ')}")
    mails = [mail for mail in talk.everything() if "bughouse 1" in mail.subject]
    assert {mail.subject for mail in mails} == {"[bughouse 1] bob and cat won (5)"}


def test_two_who_hold_a_side_each_play_and_are_not_rated(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "bughouse challenge ann bob bob ann")
    mails = {who: talk.any_mail(who) for who in ("ann", "bob")}
    for turn in ("ann e4", "bob d4", "bob d5", "ann e5", "ann exd5"):
        who, move = turn.split()
        talk.replies(mails[who], move)
        mails = {who: talk.any_mail(who) for who in ("ann", "bob")}
    assert "   in hand: white B -, black B P" in mails["ann"].lines
    talk.replies(mails["bob"], "resign")
    for who in ("ann", "bob"):
        mail = talk.any_mail(who)
        assert "This game does not affect ratings." in mail.text
        assert "ann" in mail.subject


def test_partners_stay_together_in_a_rematch(talk: Conversation) -> None:
    play(talk, begin(talk), *OPENING)
    assert "Play again, with bob first?" in says(talk, "cat", "resign")["dan"].text
    for mail in says(talk, "cat", "rematch").values():
        assert mail.subject == "[bughouse 2] new board: bob, ann, dan, cat"
