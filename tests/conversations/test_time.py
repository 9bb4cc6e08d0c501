"""Time: reminders, forfeits, vacations, days off, digests, and a server that was down."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from pbm.core.fsck import find_differences
from pbm.features.lobby.tables import offers
from pbm.store.tables import boards
from tests.harness.conversation import DAY, Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail


def begun(talk: Conversation, *people: str, options: str = "") -> None:
    """Accounts, and a board of Cradle whose first mails are read; the others accept its clocks."""
    talk.signup(*people)
    (talk.agreed if options else talk.challenge)("cradle", *people, options=options)


# Monday, 2 March 2026, noon UTC is when a conversation begins.


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_reminders_to_the_late_player_then_to_all_then_the_forfeit(talk: Conversation) -> None:
    begun(talk, "ann", "bob")
    talk.passes(days=6.9)
    talk.nothing_more()
    talk.passes(days=0.4)
    mail = talk.receives(
        "ann",
        "[cradle 1] reminder: your move (1)",
        "since Mon 02 Mar 2026, 12:00 UTC",
        "Please move by Mon 23 Mar 2026, 12:00 UTC (in 14 days). After that you lose on time.",
        "Reply with your move, for instance ",
        "vacation FROM TO",
    )
    assert mail.text.startswith("Your move in 14 days: it has been your turn on board 1 since ")
    assert mail.fact("ToMove") == "ann"
    talk.nothing_more()
    talk.passes(days=7)
    talk.receives("ann", "[cradle 1] reminder: your move (1)")
    talk.nothing_more()
    talk.passes(days=5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Mon 23 Mar 2026, 12:00 UTC")
    talk.receives(
        "bob",
        "[cradle 1] reminder: ann to move (1)",
        "has until Mon 23 Mar 2026, 12:00 UTC (in 2 days) to move",
        "When the time is over, ann loses on time.",
        "reply with chat",
    )
    talk.passes(days=1.6)
    talk.nothing_more()
    talk.passes(days=0.5)
    talk.receives("ann", "[cradle 1] bob won (0)", "You ran out of time.", "ann ran out of time")
    mail = talk.receives("bob", "[cradle 1] bob won (0)", "ann ran out of time.")
    assert mail.fact("Result") == "2 1"
    assert "\n    rematch\n" in mail.text
    talk.passes(days=30)


def test_an_answer_to_a_reminder_is_a_move_and_starts_the_next_clock(talk: Conversation) -> None:
    begun(talk, "ann", "bob")
    talk.passes(days=7.5)
    mail = talk.receives("ann", "[cradle 1] reminder: your move (1)")
    talk.replies(mail, "a2,b2,c2,c3")
    talk.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    talk.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Tue 31 Mar 2026, 00:00 UTC (",
    )
    talk.passes(days=6)
    talk.nothing_more()


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_with_three_players_the_others_play_on(talk: Conversation) -> None:
    begun(talk, "ann", "bob", "carl", options="--forfeit=4 --nag=1")
    talk.passes(days=1.5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "you are out and the others play")
    talk.passes(days=1.5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "you are out and the others play")
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Fri 06 Mar 2026, 12:00")
    for who in ("bob", "carl"):
        talk.receives(
            who, "[cradle 1] reminder: ann to move (1)", "ann is out and the others play on"
        )
    talk.passes(days=1.1)
    talk.receives("ann", "[cradle 1] bob to move (1), you ran out of time")
    talk.receives(
        "bob",
        "[cradle 1] your move (1), ann ran out of time",
        "Please move by Tue 10 Mar 2026",
    )
    talk.receives("carl", "[cradle 1] bob to move (1), ann ran out of time")
    talk.mails("bob", f"cradle move 1 bob {talk.password('bob')} b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] carl to move (2), bob played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] carl to move (2), you played b1,c1,d1,d2")
    talk.receives("carl", "[cradle 1] your move (2), bob played b1,c1,d1,d2")


@pytest.mark.config(players={"vacation_days": 0})
def test_a_bank_of_time_is_used_up_and_gets_its_increment(talk: Conversation) -> None:
    begun(talk, "ann", "bob", options="--time=4d+1d --nag=none")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("ann", "cradle show 1")
    talk.receives(
        "ann",
        "[cradle 1] ann to move (1)",
        "Cradle, board 1; no reminders; a clock for the whole game: 4d+1d",
    )
    talk.clock.advance(days=2.5)
    talk.mails("ann", f"cradle move 1 ann {ann} a2,b2,c2,c3")
    talk.any_mail("ann")
    talk.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Mon 09 Mar 2026, 00:00 UTC (",
    )
    talk.clock.advance(seconds=60)
    talk.mails("bob", f"cradle move 1 bob {bob} b1,c1,d1,d2")
    talk.any_mail("bob")
    # 4 days, less 2.5, and 1 more: 2.5 days from Thursday, 00:01.
    talk.receives(
        "ann",
        "[cradle 1] your move (3), bob played b1,c1,d1,d2",
        "Please move by Sat 07 Mar 2026, 12:01 UTC (",
    )


def test_time_and_total_exclude_each_other(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "cradle challenge ann bob --time=10d+1d --total=30")
    talk.receives("ann", "[pbm] not done: --time and --total cannot be combined")
    talk.proves("ann", "cradle challenge ann bob --time=soon")
    talk.receives(
        "ann", "[pbm] not done: --time is a number of days and what each move adds: 10d+1d"
    )


def test_days_off_make_the_clock_last_longer(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("bob", f"set bob {talk.password('bob')} off=sat,sun zone=Europe/Berlin")
    talk.receives("bob", "[pbm] preferences of bob changed", "off=sat,sun")
    talk.agreed("cradle", "ann", "bob", options="--forfeit=10")
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} a2,b2,c2,c3")
    talk.any_mail("ann")
    # Ten days from Monday, 13:00 in Berlin, without two weekends.
    talk.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Mon 16 Mar 2026, 13:00 Europe/Berlin (",
    )
    talk.mails("bob", f"set bob {talk.password('bob')} off=mon,tue,wed,thu")
    talk.receives("bob", "[pbm] not done: off must be no or up to 3 days such as sat,sun")


@pytest.mark.postgresql
def test_a_vacation_is_taken_by_itself_and_ends_with_a_move(talk: Conversation) -> None:
    begun(talk, "ann", "bob", options="--forfeit=2 --nag=none")
    talk.passes(days=1.6)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Wed 04 Mar 2026, 12:00")
    talk.receives("bob", "[cradle 1] reminder: ann to move (1)")
    talk.passes(days=0.6)
    talk.receives(
        "ann",
        "[pbm] your vacation has begun",
        "all your clocks are stopped until Fri 03 Apr 2026",
        "or until you move",
        "you will have 0 days of this year's vacation left",
    )
    talk.receives(
        "bob",
        "[pbm] ann is on vacation until Fri 03 Apr 2026, 11:59 UTC",
        "You play together on cradle 1.",
    )
    talk.passes(days=7)
    talk.nothing_more()
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} a2,b2,c2,c3")
    talk.receives(
        "ann",
        "[cradle 1] bob to move (2), you played a2,b2,c2,c3",
        "Your vacation is over, since you moved in it.",
    )
    talk.receives("bob", "[cradle 1] your move (2), ann played a2,b2,c2,c3")
    talk.mails("ann", f"vacation ann {talk.password('ann')}")
    talk.receives(
        "ann",
        "[pbm] your clocks are running",
        "You have no vacation planned",
        "You have 22.8 days left",
    )


@pytest.mark.postgresql
def test_after_the_vacation_comes_a_last_warning_and_the_forfeit(talk: Conversation) -> None:
    begun(talk, "ann", "bob", options="--forfeit=2 --nag=none")
    talk.passes(days=2.5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)")
    talk.receives("bob", "[cradle 1] reminder: ann to move (1)")
    talk.receives("ann", "[pbm] your vacation has begun")
    talk.any_mail("bob")
    talk.passes(days=29.5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Fri 03 Apr 2026, 12:00 UTC")
    talk.receives("bob", "[cradle 1] reminder: ann to move (1)")
    talk.passes(days=1)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] bob won (0)")


def test_a_planned_vacation(talk: Conversation) -> None:
    begun(talk, "ann", "bob", options="--forfeit=5")
    ann = talk.password("ann")
    talk.mails("ann", f"vacation ann {ann} 2026-03-05 2026-03-14")
    talk.receives(
        "ann",
        "[pbm] your vacation is noted",
        "stopped from Thu 05 Mar 2026, 00:00 UTC until Sun 15 Mar 2026, 00:00",
        "You have 20 days left",
        "vacation off",
    )
    talk.passes(days=2)
    talk.nothing_more()
    talk.passes(days=1)
    talk.receives("bob", "[pbm] ann is on vacation until Sun 15 Mar 2026, 00:00 UTC", "cradle 1")
    talk.passes(days=6)
    talk.nothing_more()
    talk.mails("ann", f"vacation ann {ann} off")
    talk.receives("ann", "[pbm] your clocks are running", "your clocks are running")


def test_a_vacation_called_off_is_announced_to_nobody(talk: Conversation) -> None:
    begun(talk, "ann", "bob")
    ann = talk.password("ann")
    for _ in range(5):
        talk.mails("ann", f"vacation ann {ann} 2026-03-05 2026-03-14")
        talk.receives(
            "ann", "[pbm] your vacation is noted", "Your opponents are told when it begins."
        )
        talk.mails("ann", f"vacation ann {ann} off")
        talk.receives("ann", "[pbm] your clocks are running", "your clocks are running")
    talk.passes(days=5)
    talk.nothing_more()


def test_one_vacation_after_the_other_is_announced_once_a_day(talk: Conversation) -> None:
    begun(talk, "ann", "bob")
    ann = talk.password("ann")
    for _ in range(10):
        talk.mails("ann", f"vacation ann {ann} off")
        talk.mails("ann", f"vacation ann {ann} 2026-03-02 2026-03-14")
    heard = [mail.subject for mail in talk.everything() if mail.address == "bob@example.org"]
    assert heard == ["[pbm] ann is on vacation until Sun 15 Mar 2026, 00:00 UTC"]
    talk.passes(days=2)
    talk.receives("bob", "[pbm] ann is on vacation until Sun 15 Mar 2026, 00:00 UTC")
    talk.passes(days=5)
    talk.nothing_more()


@pytest.mark.parametrize(
    ("dates", "why"),
    [
        ("2026-03-01 2026-03-05", "a vacation cannot begin in the past"),
        ("2026-03-09 2026-03-05", "the last day comes before the first"),
        ("9/3/2026 12/3/2026", "write dates as YYYY-MM-DD"),
        ("2026-02-30 2026-03-09", "write dates as YYYY-MM-DD"),
        ("2028-03-09 2028-03-10", "a vacation can be planned at most a year ahead"),
        (
            "2026-04-01 2026-05-02",
            "of 30 days of vacation a year you have 30 days left in the year of the first day",
        ),
    ],
)
def test_a_vacation_that_does_not_fit(talk: Conversation, dates: str, why: str) -> None:
    talk.signup("ann")
    talk.mails("ann", f"vacation ann {talk.password('ann')} {dates}")
    talk.receives("ann", f"[pbm] not done: {why}", "vacation ann PASSWORD 2026-03-09 2026-03-15")


def test_one_day_may_be_the_last(talk: Conversation) -> None:
    """It is asked about, with the line that says so."""
    talk.signup("ann")
    talk.mails("ann", f"vacation ann {talk.password('ann')} 2026-03-09")
    talk.receives("ann", "[pbm] not done: did you mean until 2026-03-09?", "until 2026-03-09")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("9.3.2026 12.3.2026", "2026-03-09 2026-03-12"),
        ("vom 5.3. bis 9.3.", "2026-03-05 2026-03-09"),
        ("from monday to friday", "2026-03-09 2026-03-13"),
        ("until 12.3.", "until 2026-03-12"),
    ],
)
def test_the_days_that_were_meant_are_offered(talk: Conversation, said: str, meant: str) -> None:
    talk.signup("ann")
    talk.proves("ann", f"vacation {said}")
    asked = talk.any_mail("ann")
    assert f"vacation {meant}" in asked.text
    talk.replies(asked, "yes")
    assert talk.any_mail("ann").text.startswith("Your clocks are stopped")


@pytest.mark.parametrize("said", ["soon", "until 5/6", "7"])
def test_an_example_of_days_is_no_offer(talk: Conversation, said: str) -> None:
    talk.signup("ann")
    talk.proves("ann", f"vacation {said}")
    asked = talk.any_mail("ann")
    assert "vacation 2026-03-09 2026-03-15" in asked.text
    talk.replies(asked, "yes")
    assert talk.any_mail("ann").text.startswith("Not done:")
    talk.proves("ann", "vacation")
    assert "2026-03-15" not in talk.any_mail("ann").text.partition("vacation")[0]


def test_two_vacations_at_once(talk: Conversation) -> None:
    talk.signup("ann")
    ann = talk.password("ann")
    talk.mails("ann", f"vacation ann {ann} 2026-03-02 2026-03-08")
    talk.receives("ann", "[pbm] your vacation is noted", "from Mon 02 Mar 2026, 12:00 UTC")
    talk.mails("ann", f"vacation ann {ann} 2026-03-08 2026-03-10")
    talk.receives(
        "ann",
        "[pbm] not done: you already have a vacation planned for that time: cancel it first",
        "vacation ann PASSWORD off",
    )


@pytest.mark.postgresql
def test_a_digest_in_place_of_single_reminders(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.mails("ann", f"set ann {talk.password('ann')} digest=07:00 zone=Europe/Berlin")
    talk.receives("ann", "[pbm] preferences of ann changed", "digest=07:00")
    talk.challenge("cradle", "ann", "bob")
    talk.agreed("cradle", "ann", "carl", options="--forfeit=14")
    talk.proves("bob", "cradle challenge ann bob --ask")
    talk.any_mail("bob")
    talk.any_mail("ann")
    talk.passes(days=1)
    mail = talk.receives(
        "ann",
        "[pbm] 3 boards wait for you",
        "  2  cradle         your move 1    carl, in 13 days",
        "  1  cradle         your move 1    bob, in 20 days",
        "  3  cradle         to answer      bob",
        "its number and your move, for instance: 2 ",
    )
    numbers = [mail.text.index(f"  {number}  cradle") for number in (2, 1, 3)]
    assert numbers == sorted(numbers)
    talk.replies(mail, "cradle move 2 a2,b2,c2,c3")
    talk.receives("ann", "[cradle 2] carl to move (2), you played a2,b2,c2,c3")
    talk.any_mail("carl")
    for _ in range(5):
        talk.passes(days=1)
        talk.receives("ann", "[pbm] 2 boards wait for you")
    talk.passes(days=2.2)
    talk.receives("ann", "[pbm] 2 boards wait for you")
    talk.receives("ann", "[pbm] 2 boards wait for you")
    talk.receives("carl", "[cradle 2] reminder: your move (2)")
    talk.mails("ann", f"set ann {talk.password('ann')} digest=no")
    talk.any_mail("ann")
    talk.passes(days=2)
    talk.nothing_more()


def test_no_digest_where_nothing_waits(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("bob", f"set bob {talk.password('bob')} digest=07:00")
    talk.any_mail("bob")
    talk.challenge("cradle", "ann", "bob")
    talk.passes(days=3)
    talk.nothing_more()


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_a_server_that_was_down_forfeits_nobody(talk: Conversation) -> None:
    begun(talk, "ann", "bob", options="--forfeit=3 --nag=none")
    talk.passes(days=1)
    talk.is_down(days=100)
    talk.nothing_more()
    talk.passes(days=1.3)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Sat 13 Jun 2026, 12:00 UTC")
    talk.any_mail("bob")
    talk.passes(days=0.6)
    talk.nothing_more()
    talk.passes(days=0.4)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] bob won (0)")


def warned_late(talk: Conversation) -> None:
    """A board whose time is over when all are warned of it, at Thursday, 14:24; three quarters of
    a day are left."""
    begun(talk, "ann", "bob", options="--forfeit=3 --nag=none")
    talk.passes(days=3.1, step=3.1 * DAY)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Fri 06 Mar 2026, 08:24 UTC")
    talk.any_mail("bob")


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_the_time_after_a_late_warning_rests_while_the_server_is_down(talk: Conversation) -> None:
    warned_late(talk)
    talk.is_down(days=2)
    talk.passes(days=0.7)
    talk.nothing_more()
    talk.passes(days=0.1)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] bob won (0)")


def test_a_vacation_after_a_late_warning_is_kept(talk: Conversation) -> None:
    warned_late(talk)
    talk.mails("ann", f"vacation ann {talk.password('ann')} 2026-03-05 2026-03-08")
    talk.receives("ann", "[pbm] your vacation is noted", "until Mon 09 Mar 2026, 00:00 UTC")
    talk.any_mail("bob")
    talk.passes(days=2)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Mon 09 Mar 2026, 18:00 UTC")
    talk.any_mail("bob")
    talk.passes(days=2)
    talk.nothing_more()
    talk.passes(days=0.5)
    talk.receives("ann", "[pbm] your vacation has begun", "until Sun 05 Apr 2026, 08:23 UTC")
    talk.receives("bob", "[pbm] ann is on vacation until Sun 05 Apr 2026, 08:23 UTC")
    talk.passes(days=1)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Mon 06 Apr 2026, 02:23 UTC")
    talk.any_mail("bob")


def test_who_neglects_one_board_and_moves_on_others_bothers_nobody_daily(
    talk: Conversation,
) -> None:
    """Ann's vacation begins by itself again and again; bob hears of the first alone for a week."""
    begun(talk, "ann", "bob", options="--forfeit=2 --nag=none")
    ann = talk.password("ann")
    talk.passes(days=2.2)
    talk.receives("ann", "[cradle 1] reminder: your move (1)")
    talk.receives("ann", "[pbm] your vacation has begun")
    talk.receives("bob", "[cradle 1] reminder: ann to move (1)")
    talk.receives("bob", "[pbm] ann is on vacation until Fri 03 Apr 2026, 11:59 UTC")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", f"cradle move 2 ann {ann} a2,b2,c2,c3")
    talk.receives("ann", "[cradle 2] bob to move (2), you played a2,b2,c2,c3", "vacation is over")
    talk.any_mail("bob")
    talk.passes(days=1.5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)")
    talk.receives("ann", "[pbm] your vacation has begun")
    talk.receives("bob", "[cradle 1] reminder: ann to move (1)")
    talk.nothing_more()


@pytest.mark.config(players={"vacation_days": 0})
def test_a_clock_that_was_wrong_for_a_while(talk: Conversation) -> None:
    begun(talk, "ann", "bob", options="--forfeit=3 --nag=none")
    talk.is_down(days=1000)
    talk.is_down(days=-1000)
    talk.passes(days=2.5)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Thu 05 Mar 2026, 12:00 UTC")
    talk.any_mail("bob")
    talk.passes(days=0.7)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] bob won (0)")


@pytest.mark.config(players={"vacation_days": 0})
def test_what_a_wrong_clock_announced_and_noted_holds_no_longer(talk: Conversation) -> None:
    """Board 1 is warned of, board 2 moved on, while the clock is years ahead."""
    begun(talk, "ann", "bob", options="--forfeit=3 --nag=none")
    talk.agreed("cradle", "bob", "ann", options="--forfeit=4 --nag=none")
    talk.passes(days=2.2)
    talk.is_down(days=1000)
    talk.passes(days=0.1)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Wed 29 Nov 2028, 13:12 UTC")
    talk.any_mail("bob")
    talk.mails("bob", f"cradle move 2 bob {talk.password('bob')} a2,b2,c2,c3")
    talk.any_mail("bob")
    talk.receives(
        "ann", "[cradle 2] your move (2), bob played a2,b2,c2,c3", "by Sat 02 Dec 2028, 19:12"
    )
    talk.is_down(days=-1000)
    talk.passes(days=0.1)
    talk.receives("ann", "[cradle 1] reminder: your move (1)", "by Thu 05 Mar 2026, 15:36 UTC")
    talk.any_mail("bob")
    talk.mails("ann", "cradle show 2")
    talk.receives("ann", "[cradle 2] ann to move (2)")
    talk.passes(days=1)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] bob won (0)")
    talk.passes(days=2.5)
    talk.receives("ann", "[cradle 2] reminder: your move (2)", "by Sun 08 Mar 2026, 21:36 UTC")
    talk.any_mail("bob")
    talk.passes(days=1)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 2] bob won (1)")


@pytest.mark.config(players={"vacation_days": 0})
def test_an_invitation_that_nobody_answers(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob", options="--ask")
    talk.passes(days=20.5)
    talk.nothing_more()
    talk.passes(days=1)
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] cancelled (0)", "The invitation was not answered in time.")


@pytest.mark.config(players={"vacation_days": 0})
def test_a_mail_that_came_in_time_counts_whenever_it_is_read(talk: Conversation) -> None:
    """In process the mail waits while the clockwork ticks; through sockets it is read at once."""
    begun(talk, "ann", "bob", options="--forfeit=3 --nag=none")
    talk.passes(days=2.75)
    mail = talk.receives("ann", "[cradle 1] reminder: your move (1)")
    talk.any_mail("bob")
    talk.replies(mail, "a2,b2,c2,c3")
    talk.passes(days=1)
    talk.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    talk.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Sun 08 Mar 2026, 06:00 UTC (",
    )


@pytest.mark.config(players={"vacation_days": 0})
def test_a_board_for_which_all_run_out_of_time_together(talk: Conversation) -> None:
    """Sealed moves: everybody was to move and nobody did."""
    talk.signup("ann", "bob", "carl")
    talk.agreed("poolside", "ann", "bob", "carl", options="--forfeit=2 --nag=none")
    talk.passes(days=1.6)
    talk.passes(days=2)
    for who in ("ann", "bob", "carl"):
        mails: list[Mail] = []
        while not mails or "cancelled" not in mails[-1].subject:
            mails.append(talk.any_mail(who))
        assert len(mails) == 4
        assert "The time of all players ran out." in mails[-1].text


def test_help_about_time(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help time")
    talk.receives("ann", "[pbm] help time", "--time=10d+1d", "vacation ann PASSWORD off")
    talk.mails("ann", "help vacation")
    talk.receives("ann", "[pbm] help vacation", "vacation USERID PASSWORD [FROM] [TO]")


def test_a_vacation_keeps_the_digest_quiet(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.mails("ann", f"set ann {ann} digest=07:00")
    talk.any_mail("ann")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", f"vacation ann {ann} 2026-03-02 2026-03-06")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.passes(days=4)
    talk.nothing_more()
    talk.passes(days=1)
    talk.receives("ann", "[pbm] 1 board waits for you", "in 20 days")


@pytest.mark.long
@pytest.mark.postgresql
def test_the_check_finds_nothing_after_weeks_and_what_is_wrong(talk: Conversation) -> None:
    """A game that ends in a draw after a warning, a forfeit, a vacation, an offer that expired."""
    begun(talk, "ann", "bob", options="--forfeit=2 --nag=none --time=9d+1d")
    talk.mails("bob", f"cradle seek bob {talk.password('bob')}")
    talk.any_mail("bob")
    talk.challenge("cradle", "bob", "ann")
    talk.passes(days=1.6)
    for who in ("ann", "bob"):
        talk.receives(
            who, f"[cradle 1] reminder: {'your move' if who == 'ann' else 'ann to move'} (1)"
        )
    for who in ("ann", "bob"):
        talk.mails(who, f"cradle propose 1 {who} {talk.password(who)}")
        talk.any_mail("ann")
        talk.any_mail("bob")
    talk.passes(days=80)
    while talk.waiting("ann"):
        talk.any_mail("ann")
    while talk.waiting("bob"):
        talk.any_mail("bob")
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []
        states = all_rows(session, select(boards.c.state, boards.c.look).order_by(boards.c.id))
    assert [tuple(row) for row in states] == [("over", None), ("over", None)]
    with talk.server.store.writing() as session:
        session.execute(update(boards).where(boards.c.id == 1).values(look=1.0))
        session.execute(update(offers).values(state="lost"))
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == [
            "board 1: it is over, but its clock is still to be looked at",
            "offer 1 is lost, for board None",
        ]


@pytest.mark.parametrize("options", ["--forfeit=0.01", "--time=10d+1d", "--total=20"])
def test_clocks_faster_than_the_usual_ones_need_consent(talk: Conversation, options: str) -> None:
    talk.signup("ann", "bob")
    asked, _ = talk.challenge("cradle", "ann", "bob", options=options)[::-1]
    assert asked.subject == "[cradle 1] invitation: ann, bob"
    talk.replies(asked, "accept")
    for who in ("ann", "bob"):
        talk.receives(who, "[cradle 1] new board: ann, bob")


@pytest.mark.parametrize("options", ["--forfeit=30", "--nag=1", "--time=30d+1d", "--total=60"])
def test_slower_clocks_need_none(talk: Conversation, options: str) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("cradle", "ann", "bob", options=options)
    assert {mail.subject for mail in mails} == {"[cradle 1] new board: ann, bob"}


def test_a_board_that_was_never_agreed_to_takes_no_vacation(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("bob", "cradle challenge ann bob")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.passes(days=22)
    for who in ("ann", "bob"):
        while talk.waiting(who):
            mail = talk.any_mail(who)
            assert "vacation" not in mail.subject
        assert mail.subject == "[cradle 1] bob won (0)"
