"""Time that players give each other: days, a pause until a day, and a time of grace."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob")


@pytest.mark.config(players={"vacation_days": 0})
def test_who_is_given_days_has_so_many_more(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "time 3\nGet well soon!")
    talk.receives("bob", "[hex 1] ann to move (1), you gave ann 3 more days")
    talk.receives(
        "ann",
        "[hex 1] your move (1), bob gave ann 3 more days",
        "> Get well soon!",
        "Please move by Thu 26 Mar 2026, 12:00 UTC",
    )
    talk.passes(days=22)
    talk.everything()
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives(
        "bob", "[hex 1] your move (2), ann played d4", "Please move by Tue 14 Apr 2026, 12:00 UTC"
    )


@pytest.mark.config(players={"vacation_days": 0})
def test_a_gift_does_not_stop_the_clock_for_good(talk: Conversation, mails: list[Mail]) -> None:
    """It lasts for the turn: who uses it up is out of time."""
    talk.mails("bob", f"hex time 1 bob {talk.password('bob')} 1")
    talk.receives("bob", "[hex 1] ann to move (1), you gave ann 1 more day")
    talk.receives("ann", "[hex 1] your move (1), bob gave ann 1 more day")
    talk.passes(days=21.5)
    assert not any("ran out of time" in mail.text for mail in talk.everything())
    talk.passes(days=1)
    talk.receives("ann", "[hex 1] bob won (0)")
    talk.receives("bob", "[hex 1] bob won (0)", "ann ran out of time.")


def test_a_gift_to_who_is_not_on_the_move_is_for_their_next_turn(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "time 2")
    talk.receives("ann", "[hex 1] your move (1), you gave bob 2 more days")
    talk.receives("bob", "[hex 1] ann to move (1), ann gave bob 2 more days")
    talk.mails("bob", f"hex time 1 bob {talk.password('bob')} soon")
    talk.receives(
        "bob",
        "[hex 1] not done: say how many days the others are to have more: a number up to 60",
        "hex time 1 bob PASSWORD DAYS",
    )
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives(
        "bob", "[hex 1] your move (2), ann played d4", "Please move by Wed 25 Mar 2026, 12:00 UTC"
    )
    talk.mails("ann", f"hex time 1 ann {talk.password('ann')} 59")
    talk.receives("ann", "[hex 1] not done: a turn can be given 60 days in all")


def test_a_gift_adds_to_a_bank(talk: Conversation) -> None:
    """What it adds is used first, and the bank after that."""
    talk.signup("ann", "bob")
    talk.agreed("hex", "ann", "bob", options="--time=4d --nag=none")
    talk.mails("bob", f"hex time 1 bob {talk.password('bob')} 3")
    talk.receives("bob", "[hex 1] ann to move (1), you gave ann 3 more days")
    talk.receives(
        "ann",
        "[hex 1] your move (1), bob gave ann 3 more days",
        "Please move by Mon 09 Mar 2026, 12:00 UTC",
    )
    talk.clock.advance(days=5)
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("bob", f"hex move 1 bob {talk.password('bob')} e5")
    talk.any_mail("bob")
    talk.receives(
        "ann", "[hex 1] your move (3), bob played e5", "Please move by Mon 09 Mar 2026, 12:00 UTC"
    )


def test_a_wish_for_a_vacation_is_passed_on_as_it_is(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "I need a vacation, my friend\nSorry!")
    talk.receives("bob", "[hex 1] your question", "Your words were passed on")
    told = talk.receives("ann", "[hex 1] bob writes")
    said = [line for line in told.lines if line.startswith(">")]
    assert said == ["> I need a vacation, my friend", "> Sorry!"]


@pytest.mark.config(players={"vacation_days": 0})
def test_a_pause_that_all_agree_to(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "pause until 2 April\nOff to the sea.")
    talk.receives("ann", "[hex 1] your move (1), you proposed a pause until 2026-04-02")
    mail = talk.receives(
        "bob",
        "[hex 1] ann to move (1), ann proposed a pause until 2026-04-02",
        "> Off to the sea.",
        "ann proposes that all clocks stand still until 2026-04-02. Reply with one of these:",
    )
    talk.replies(mail, "yes")
    talk.receives(
        "bob", "[hex 1] ann to move (1), you agreed: all clocks stand still until 2026-04-02"
    )
    talk.receives(
        "ann",
        "[hex 1] your move (1), bob agreed: all clocks stand still until 2026-04-02",
        "Please move by Fri 24 Apr 2026, 00:00 UTC",
    )
    talk.passes(days=31)
    talk.nothing_more()
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives(
        "bob", "[hex 1] your move (2), ann played d4", "Please move by Fri 24 Apr 2026, 00:00 UTC"
    )


def test_a_pause_is_rejected_or_proposed_anew(talk: Conversation, mails: list[Mail]) -> None:
    """Another day takes the place of the first; moving does not answer one's own proposal."""
    talk.mails("ann", f"hex pause 1 ann {talk.password('ann')} until 2026-03-20")
    talk.receives("ann", "[hex 1] your move (1), you proposed a pause until 2026-03-20")
    talk.receives("bob", "[hex 1] ann to move (1), ann proposed a pause until 2026-03-20")
    talk.mails("ann", f"hex pause 1 ann {talk.password('ann')} until 2026-03-25")
    mail = talk.receives("ann", "[hex 1] your move (1), you proposed a pause until 2026-03-25")
    talk.receives("bob", "[hex 1] ann to move (1), ann proposed a pause until 2026-03-25")
    talk.replies(mail, "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    mail = talk.receives(
        "bob",
        "[hex 1] your move (2), ann played d4",
        "still until 2026-03-25. Reply with one of these",
    )
    assert "2026-03-20" not in mail.text
    talk.replies(mail, "reject")
    talk.receives("bob", "[hex 1] your move (2), you rejected the pause, the clocks go on")
    talk.receives("ann", "[hex 1] bob to move (2), bob rejected the pause, the clocks go on")
    talk.mails("bob", f"hex pause 1 bob {talk.password('bob')} until 2028-03-16")
    talk.receives(
        "bob",
        "[hex 1] not done: say until which day, at most a year ahead, all clocks are to stand "
        "still",
        "hex pause 1 bob PASSWORD until 2026-03-16",
    )


@pytest.mark.parametrize(
    ("line", "days"), [("time 3 days", 3), ("Zeit 3 Tage", 3), ("temps 2 semaines", 14)]
)
def test_days_may_be_named(talk: Conversation, mails: list[Mail], line: str, days: int) -> None:
    talk.replies(mails[1], line)
    talk.receives("bob", f"[hex 1] ann to move (1), you gave ann {days} more days")
    talk.receives("ann", f"[hex 1] your move (1), bob gave ann {days} more days")


@pytest.mark.parametrize(
    "line", ["3 more days please", "time 3 more days", "Zeit 3 Tage mehr", "2 jours de plus stp"]
)
def test_who_wants_more_days_gives_none(talk: Conversation, mails: list[Mail], line: str) -> None:
    """A line of a number and three words is not taken for userid and password."""
    talk.replies(mails[0], line)
    talk.receives("ann", "[hex 1] your question", "by time 3 in a reply")


@pytest.mark.parametrize(
    "line",
    [
        "3 {} more days please",
        "3 ann {} more days please",
        "3 anm {} more days please",
        "time 3 {} more days",
        "time 3 ann {} more days",
        "3 ann holiday more days please",
    ],
)
def test_a_password_beside_such_words_goes_to_nobody(
    talk: Conversation, mails: list[Mail], line: str
) -> None:
    mails = talk.plays(["d4"], "ann", "bob", latest=mails)
    talk.replies(mails[0], line.format(talk.password("ann")))
    assert "not done" in talk.any_mail("ann").subject
    talk.nothing_more()


def test_who_asks_for_a_pause_in_a_sentence_is_offered_one(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "Can we pause until 2 April?")
    mail = talk.receives("ann", "[hex 1] your question", "yes", "pause until 2026-04-02")
    talk.replies(mail, "yes")
    talk.receives("ann", "[hex 1] your move (1), you proposed a pause until 2026-04-02")
    talk.receives("bob", "[hex 1] ann to move (1), ann proposed a pause until 2026-04-02")
    talk.replies(mails[0], "Ich brauche mehr Zeit.")
    talk.receives("ann", "[hex 1] your question", "by time 3 in a reply")


@pytest.mark.parametrize(
    "typed",
    [
        "pause bis zum 2. April",
        "pausa hasta el 2 de abril",
        "pause jusqu'au 2 avril",
        "pauze tot en met 2 april",
        "pausa hasta el jueves",
    ],
)
def test_a_pause_in_words_of_other_languages(
    talk: Conversation, mails: list[Mail], typed: str
) -> None:
    day = "2026-03-05" if "jueves" in typed else "2026-04-02"
    talk.replies(mails[0], f"{typed}\n\nHasta luego.")
    talk.receives("ann", f"[hex 1] your move (1), you proposed a pause until {day}")
    talk.receives("bob", f"[hex 1] ann to move (1), ann proposed a pause until {day}", "> Hasta")


@pytest.mark.config(players={"vacation_days": 0}, web={"url": HOST})
def test_lists_and_feeds_say_the_end_of_the_time_of_grace(
    talk: Conversation, visitor: Visitor
) -> None:
    """Once it has begun, as the mails do; the operator reads it too."""
    talk.signup("ann", "bob", "carl")
    talk.agreed("cradle", "ann", "bob", "carl", options="--forfeit=4 --nag=none --grace=36")
    home = talk.home("ann")
    page = visitor.get(home).text
    assert "your move 1, in 4 days" in page
    talk.passes(days=4.5)
    talk.everything()
    page = visitor.get(home).text
    assert "your move 1, in 1 day" in page
    feed = re.search(r'href="([^"]+)">Your deadlines as a calendar', page)
    assert feed is not None
    assert "DTEND:20260308T000000Z" in visitor.get(urljoin(home, feed[1])).text
    talk.proves("ann", "set digest=06:00")
    talk.any_mail("ann")
    talk.passes(days=0.4)
    (mail,) = talk.everything()
    assert "bob, carl, in 18 hours" in mail.text


@pytest.mark.config(players={"vacation_days": 0})
def test_a_time_of_grace_in_a_game_of_three(talk: Conversation) -> None:
    """All are told who is out of time; within the grace a move is taken, and after it none."""
    talk.signup("ann", "bob", "carl")
    people = ("ann", "bob", "carl")
    talk.agreed("cradle", *people, options="--forfeit=4 --nag=none -grace=36")
    talk.mails("ann", "cradle show 1")
    talk.receives("ann", "[cradle 1] ann to move (1)", "days for a move: 4; hours of grace: 36")
    talk.passes(days=4.5)
    said = [mail for mail in talk.everything() if "out of time" in mail.subject]
    assert [mail.address for mail in said] == [f"{who}@example.org" for who in people]
    told = [" ".join(mail.text.split()) for mail in said]
    assert all("may move until Sun 08 Mar 2026, 00:00 UTC: ann" in text for text in told)
    assert told[0].startswith("Your move in 1 day.")
    assert "Please move by Sun 08 Mar 2026, 00:00 UTC (in 1 day)." in told[0]
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} a2,b2,c2,c3")
    talk.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    talk.everything()
    talk.passes(days=5.4)
    assert not any("ran out of time" in mail.text for mail in talk.everything())
    talk.passes(days=0.3)
    mails = talk.everything()
    assert len(mails) == 3
    assert all("bob ran out of time" in mail.text for mail in mails if "bob" not in mail.address)


def test_grace_is_for_three_and_more(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "cradle challenge ann bob -grace=24")
    mail = talk.any_mail("ann")
    assert "--grace is for boards of three and more" in mail.text
    assert "cradle challenge ann bob" in mail.text
    talk.proves("ann", "hex challenge ann bob -grace=24")
    assert "there is no option -grace" in talk.any_mail("ann").text
