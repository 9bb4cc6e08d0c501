"""Time: reminders, forfeits, vacations, days off, digests, and a server that was down."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from pbm.core.service.fsck import find_differences
from pbm.store.tables import boards, offers
from tests.conversations.conversation import DAY, Conversation
from tests.conversations.mail import Mail
from tests.store.statements import all_rows


def begun(house: Conversation, *people: str, options: str = "") -> None:
    """Accounts, and a board of Cradle whose first mails are read; the others accept its clocks."""
    house.signup(*people)
    (house.agreed if options else house.challenge)("cradle", *people, options=options)


# Monday, 2 March 2026, noon UTC is when a house opens.


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_reminders_to_the_late_player_then_to_all_then_the_forfeit(house: Conversation) -> None:
    begun(house, "ann", "bob")
    house.passes(days=6.9)
    house.nothing_more()
    house.passes(days=0.4)
    mail = house.receives(
        "ann",
        "[cradle 1] reminder: your move (1)",
        "since Mon 02 Mar 2026, 12:00 UTC",
        "Please move by Mon 23 Mar 2026, 12:00 UTC. After that you lose on time.",
        "cradle move 1 ann PASSWORD",
        "vacation ann PASSWORD FROM TO",
    )
    assert mail.fact("ToMove") == "ann"
    house.nothing_more()
    house.passes(days=7)
    house.receives("ann", "[cradle 1] reminder: your move (1)")
    house.nothing_more()
    house.passes(days=5)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Mon 23 Mar 2026, 12:00 UTC")
    house.receives(
        "bob",
        "[cradle 1] reminder: ann to move (1)",
        "has until Mon 23 Mar 2026, 12:00 UTC to move",
        "After that ann loses on time.",
        "reply with chat",
    )
    house.passes(days=1.6)
    house.nothing_more()
    house.passes(days=0.5)
    house.receives("ann", "[cradle 1] bob won (0)", "You ran out of time.", "ann ran out of time")
    mail = house.receives("bob", "[cradle 1] bob won (0)", "ann ran out of time.")
    assert mail.fact("Result") == "2 1"
    assert "cradle rematch 1 bob PASSWORD" in mail.text
    house.passes(days=30)


def test_an_answer_to_a_reminder_is_a_move_and_starts_the_next_clock(house: Conversation) -> None:
    begun(house, "ann", "bob")
    house.passes(days=7.5)
    mail = house.receives("ann", "[cradle 1] reminder: your move (1)")
    house.replies(mail, "a2,b2,c2,c3")
    house.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    house.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Tue 31 Mar 2026, 00:00 UTC.",
    )
    house.passes(days=6)
    house.nothing_more()


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_with_three_players_the_others_play_on(house: Conversation) -> None:
    begun(house, "ann", "bob", "carl", options="--forfeit=4 --nag=1")
    house.passes(days=1.5)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "you are out and the others play")
    house.passes(days=1.5)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "you are out and the others play")
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Fri 06 Mar 2026, 12:00")
    for who in ("bob", "carl"):
        house.receives(
            who, "[cradle 1] reminder: ann to move (1)", "ann is out and the others play on"
        )
    house.passes(days=1.1)
    house.receives("ann", "[cradle 1] bob to move (1), you ran out of time")
    house.receives(
        "bob",
        "[cradle 1] your move (1), ann ran out of time",
        "Please move by Tue 10 Mar 2026",
    )
    house.receives("carl", "[cradle 1] bob to move (1), ann ran out of time")
    house.mails("bob", f"cradle move 1 bob {house.password('bob')} b1,c1,d1,d2")
    house.receives("ann", "[cradle 1] carl to move (2), bob played b1,c1,d1,d2")
    house.receives("bob", "[cradle 1] carl to move (2), you played b1,c1,d1,d2")
    house.receives("carl", "[cradle 1] your move (2), bob played b1,c1,d1,d2")


@pytest.mark.config(players={"vacation_days": 0})
def test_a_bank_of_time_is_used_up_and_gets_its_increment(house: Conversation) -> None:
    begun(house, "ann", "bob", options="--time=4d+1d --nag=none")
    ann, bob = house.password("ann"), house.password("bob")
    house.mails("ann", "cradle show 1")
    house.receives("ann", "[cradle 1] ann to move (1)", "Cradle, board 1, --nag=none --time=4d+1d")
    house.clock.advance(days=2.5)
    house.mails("ann", f"cradle move 1 ann {ann} a2,b2,c2,c3")
    house.any_mail("ann")
    house.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Mon 09 Mar 2026, 00:00 UTC.",
    )
    house.clock.advance(seconds=60)
    house.mails("bob", f"cradle move 1 bob {bob} b1,c1,d1,d2")
    house.any_mail("bob")
    # 4 days, less 2.5, and 1 more: 2.5 days from Thursday, 00:01.
    house.receives(
        "ann",
        "[cradle 1] your move (3), bob played b1,c1,d1,d2",
        "Please move by Sat 07 Mar 2026, 12:01 UTC.",
    )


def test_time_and_total_exclude_each_other(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.proves("ann", "cradle challenge ann bob --time=10d+1d --total=30")
    house.receives("ann", "[pbm] not done: --time and --total cannot be combined")
    house.proves("ann", "cradle challenge ann bob --time=soon")
    house.receives(
        "ann", "[pbm] not done: --time is a number of days and what each move adds: --time=10d+1d"
    )


def test_days_off_make_the_clock_last_longer(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.mails("bob", f"set bob {house.password('bob')} off=sat,sun zone=Europe/Berlin")
    house.receives("bob", "[pbm] preferences of bob changed", "off=sat,sun")
    house.agreed("cradle", "ann", "bob", options="--forfeit=10")
    house.mails("ann", f"cradle move 1 ann {house.password('ann')} a2,b2,c2,c3")
    house.any_mail("ann")
    # Ten days from Monday, 13:00 in Berlin, without two weekends.
    house.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Mon 16 Mar 2026, 13:00 Europe/Berlin.",
    )
    house.mails("bob", f"set bob {house.password('bob')} off=mon,tue,wed,thu")
    house.receives("bob", "[pbm] not done: off must be no or up to 3 days such as sat,sun")


@pytest.mark.postgresql
def test_a_vacation_is_taken_by_itself_and_ends_with_a_move(house: Conversation) -> None:
    begun(house, "ann", "bob", options="--forfeit=2 --nag=none")
    house.passes(days=1.6)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Wed 04 Mar 2026, 12:00")
    house.receives("bob", "[cradle 1] reminder: ann to move (1)")
    house.passes(days=0.6)
    house.receives(
        "ann",
        "[pbm] your vacation has begun",
        "all your clocks are stopped until Fri 03 Apr 2026",
        "or until you move",
        "you will have 0 days of this year's vacation left",
    )
    house.receives(
        "bob",
        "[pbm] ann is on vacation until Fri 03 Apr 2026, 11:59 UTC",
        "You play together on cradle 1.",
    )
    house.passes(days=7)
    house.nothing_more()
    house.mails("ann", f"cradle move 1 ann {house.password('ann')} a2,b2,c2,c3")
    house.receives(
        "ann",
        "[cradle 1] bob to move (2), you played a2,b2,c2,c3",
        "Your vacation is over, since you moved in it.",
    )
    house.receives("bob", "[cradle 1] your move (2), ann played a2,b2,c2,c3")
    house.mails("ann", f"vacation ann {house.password('ann')}")
    house.receives(
        "ann", "[pbm] vacation of ann", "You have no vacation planned", "You have 22.8 days left"
    )


@pytest.mark.postgresql
def test_after_the_vacation_comes_a_last_warning_and_the_forfeit(house: Conversation) -> None:
    begun(house, "ann", "bob", options="--forfeit=2 --nag=none")
    house.passes(days=2.5)
    house.receives("ann", "[cradle 1] reminder: your move (1)")
    house.receives("bob", "[cradle 1] reminder: ann to move (1)")
    house.receives("ann", "[pbm] your vacation has begun")
    house.any_mail("bob")
    house.passes(days=29.5)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Fri 03 Apr 2026, 12:00 UTC")
    house.receives("bob", "[cradle 1] reminder: ann to move (1)")
    house.passes(days=1)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] bob won (0)")


def test_a_planned_vacation(house: Conversation) -> None:
    begun(house, "ann", "bob", options="--forfeit=5")
    ann = house.password("ann")
    house.mails("ann", f"vacation ann {ann} 2026-03-05 2026-03-14")
    house.receives(
        "ann",
        "[pbm] vacation of ann",
        "stopped from Thu 05 Mar 2026, 00:00 UTC until Sun 15 Mar 2026, 00:00",
        "You have 20 days left",
        f"vacation ann {'PASSWORD'} off",
    )
    house.receives(
        "bob",
        "[pbm] ann will be on vacation from Thu 05 Mar 2026, 00:00 UTC until Sun 15 Mar "
        "2026, 00:00 UTC",
    )
    house.passes(days=9)
    house.nothing_more()
    house.mails("ann", f"vacation ann {ann} off")
    house.receives("ann", "[pbm] vacation of ann", "your clocks are running")


@pytest.mark.parametrize(
    ("dates", "why"),
    [
        ("2026-03-01 2026-03-05", "a vacation cannot begin in the past"),
        ("2026-03-09 2026-03-05", "the last day comes before the first"),
        ("2026-03-09", "name the first and the last day of your vacation"),
        ("9.3.2026 12.3.2026", "write dates as YYYY-MM-DD"),
        ("2026-02-30 2026-03-09", "write dates as YYYY-MM-DD"),
        ("2028-03-09 2028-03-10", "a vacation can be planned at most a year ahead"),
        (
            "2026-04-01 2026-05-02",
            "of 30 days of vacation a year you have 30 days left in the year of the first day",
        ),
    ],
)
def test_a_vacation_that_does_not_fit(house: Conversation, dates: str, why: str) -> None:
    house.signup("ann")
    house.mails("ann", f"vacation ann {house.password('ann')} {dates}")
    house.receives("ann", f"[pbm] not done: {why}", "vacation ann PASSWORD 2026-03-09 2026-03-15")


def test_two_vacations_at_once(house: Conversation) -> None:
    house.signup("ann")
    ann = house.password("ann")
    house.mails("ann", f"vacation ann {ann} 2026-03-02 2026-03-08")
    house.receives("ann", "[pbm] vacation of ann", "from Mon 02 Mar 2026, 12:00 UTC")
    house.mails("ann", f"vacation ann {ann} 2026-03-08 2026-03-10")
    house.receives(
        "ann",
        "[pbm] not done: you already have a vacation planned for that time: cancel it first",
        "vacation ann PASSWORD off",
    )


@pytest.mark.postgresql
def test_a_digest_in_place_of_single_reminders(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    house.mails("ann", f"set ann {house.password('ann')} digest=07:00 zone=Europe/Berlin")
    house.receives("ann", "[pbm] preferences of ann changed", "digest=07:00")
    house.challenge("cradle", "ann", "bob")
    house.agreed("cradle", "ann", "carl", options="--forfeit=14")
    house.proves("bob", "cradle challenge ann bob --ask")
    house.any_mail("bob")
    house.any_mail("ann")
    house.passes(days=1)
    mail = house.receives(
        "ann",
        "[pbm] 3 boards wait for you",
        "cradle move 2 MOVE",
        "cradle 2 against carl: move 1 by Mon 16 Mar 2026, 13:00 Europe/Berlin",
        "cradle 1 against bob: move 1 by Mon 23 Mar 2026, 13:00 Europe/Berlin",
        "cradle 3 against bob: invitation, accept or decline",
    )
    assert mail.text.index("cradle 2") < mail.text.index("cradle 1") < mail.text.index("cradle 3")
    house.replies(mail, "cradle move 2 a2,b2,c2,c3")
    house.receives("ann", "[cradle 2] carl to move (2), you played a2,b2,c2,c3")
    house.any_mail("carl")
    for _ in range(5):
        house.passes(days=1)
        house.receives("ann", "[pbm] 2 boards wait for you")
    house.passes(days=2.2)
    house.receives("ann", "[pbm] 2 boards wait for you")
    house.receives("ann", "[pbm] 2 boards wait for you")
    house.receives("carl", "[cradle 2] reminder: your move (2)")
    house.mails("ann", f"set ann {house.password('ann')} digest=no")
    house.any_mail("ann")
    house.passes(days=2)
    house.nothing_more()


def test_no_digest_where_nothing_waits(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.mails("bob", f"set bob {house.password('bob')} digest=07:00")
    house.any_mail("bob")
    house.challenge("cradle", "ann", "bob")
    house.passes(days=3)
    house.nothing_more()


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_a_server_that_was_down_forfeits_nobody(house: Conversation) -> None:
    begun(house, "ann", "bob", options="--forfeit=3 --nag=none")
    house.passes(days=1)
    house.is_down(days=100)
    house.nothing_more()
    house.passes(days=1.3)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Sat 13 Jun 2026, 12:00 UTC")
    house.any_mail("bob")
    house.passes(days=0.6)
    house.nothing_more()
    house.passes(days=0.4)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] bob won (0)")


def warned_late(house: Conversation) -> None:
    """A board whose time is over when all are warned of it, at Thursday, 14:24; three quarters of
    a day are left."""
    begun(house, "ann", "bob", options="--forfeit=3 --nag=none")
    house.passes(days=3.1, step=3.1 * DAY)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Fri 06 Mar 2026, 08:24 UTC")
    house.any_mail("bob")


@pytest.mark.postgresql
@pytest.mark.config(players={"vacation_days": 0})
def test_the_time_after_a_late_warning_rests_while_the_server_is_down(house: Conversation) -> None:
    warned_late(house)
    house.is_down(days=2)
    house.passes(days=0.7)
    house.nothing_more()
    house.passes(days=0.1)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] bob won (0)")


def test_a_vacation_after_a_late_warning_is_kept(house: Conversation) -> None:
    warned_late(house)
    house.mails("ann", f"vacation ann {house.password('ann')} 2026-03-05 2026-03-08")
    house.receives("ann", "[pbm] vacation of ann", "until Mon 09 Mar 2026, 00:00 UTC")
    house.any_mail("bob")
    house.passes(days=2)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Mon 09 Mar 2026, 18:00 UTC")
    house.any_mail("bob")
    house.passes(days=2)
    house.nothing_more()
    house.passes(days=0.5)
    house.receives("ann", "[pbm] your vacation has begun", "until Sun 05 Apr 2026, 08:23 UTC")
    house.receives("bob", "[pbm] ann is on vacation until Sun 05 Apr 2026, 08:23 UTC")
    house.passes(days=1)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Mon 06 Apr 2026, 02:23 UTC")
    house.any_mail("bob")


def test_who_neglects_one_board_and_moves_on_others_bothers_nobody_daily(
    house: Conversation,
) -> None:
    """Ann's vacation begins by itself again and again; bob hears of the first alone for a week."""
    begun(house, "ann", "bob", options="--forfeit=2 --nag=none")
    ann = house.password("ann")
    house.passes(days=2.2)
    house.receives("ann", "[cradle 1] reminder: your move (1)")
    house.receives("ann", "[pbm] your vacation has begun")
    house.receives("bob", "[cradle 1] reminder: ann to move (1)")
    house.receives("bob", "[pbm] ann is on vacation until Fri 03 Apr 2026, 11:59 UTC")
    house.challenge("cradle", "ann", "bob")
    house.mails("ann", f"cradle move 2 ann {ann} a2,b2,c2,c3")
    house.receives("ann", "[cradle 2] bob to move (2), you played a2,b2,c2,c3", "vacation is over")
    house.any_mail("bob")
    house.passes(days=1.5)
    house.receives("ann", "[cradle 1] reminder: your move (1)")
    house.receives("ann", "[pbm] your vacation has begun")
    house.receives("bob", "[cradle 1] reminder: ann to move (1)")
    house.nothing_more()


@pytest.mark.config(players={"vacation_days": 0})
def test_a_clock_that_was_wrong_for_a_while(house: Conversation) -> None:
    begun(house, "ann", "bob", options="--forfeit=3 --nag=none")
    house.is_down(days=1000)
    house.is_down(days=-1000)
    house.passes(days=2.5)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Thu 05 Mar 2026, 12:00 UTC")
    house.any_mail("bob")
    house.passes(days=0.7)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] bob won (0)")


@pytest.mark.config(players={"vacation_days": 0})
def test_what_a_wrong_clock_announced_and_noted_holds_no_longer(house: Conversation) -> None:
    """Board 1 is warned of, board 2 moved on, while the clock is years ahead."""
    begun(house, "ann", "bob", options="--forfeit=3 --nag=none")
    house.agreed("cradle", "bob", "ann", options="--forfeit=4 --nag=none")
    house.passes(days=2.2)
    house.is_down(days=1000)
    house.passes(days=0.1)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Wed 29 Nov 2028, 13:12 UTC")
    house.any_mail("bob")
    house.mails("bob", f"cradle move 2 bob {house.password('bob')} a2,b2,c2,c3")
    house.any_mail("bob")
    house.receives(
        "ann", "[cradle 2] your move (2), bob played a2,b2,c2,c3", "by Sat 02 Dec 2028, 19:12"
    )
    house.is_down(days=-1000)
    house.passes(days=0.1)
    house.receives("ann", "[cradle 1] reminder: your move (1)", "by Thu 05 Mar 2026, 15:36 UTC")
    house.any_mail("bob")
    house.mails("ann", "cradle show 2")
    house.receives("ann", "[cradle 2] ann to move (2)")
    house.passes(days=1)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] bob won (0)")
    house.passes(days=2.5)
    house.receives("ann", "[cradle 2] reminder: your move (2)", "by Sun 08 Mar 2026, 21:36 UTC")
    house.any_mail("bob")
    house.passes(days=1)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 2] bob won (1)")


@pytest.mark.config(players={"vacation_days": 0})
def test_an_invitation_that_nobody_answers(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.challenge("cradle", "ann", "bob", options="--ask")
    house.passes(days=20.5)
    house.nothing_more()
    house.passes(days=1)
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] cancelled (0)", "The invitation was not answered in time.")


@pytest.mark.config(players={"vacation_days": 0})
def test_a_mail_that_came_in_time_counts_whenever_it_is_read(house: Conversation) -> None:
    """In process the mail waits while the clockwork ticks; through sockets it is read at once."""
    begun(house, "ann", "bob", options="--forfeit=3 --nag=none")
    house.passes(days=2.75)
    mail = house.receives("ann", "[cradle 1] reminder: your move (1)")
    house.any_mail("bob")
    house.replies(mail, "a2,b2,c2,c3")
    house.passes(days=1)
    house.receives("ann", "[cradle 1] bob to move (2), you played a2,b2,c2,c3")
    house.receives(
        "bob",
        "[cradle 1] your move (2), ann played a2,b2,c2,c3",
        "Please move by Sun 08 Mar 2026, 06:00 UTC.",
    )


@pytest.mark.config(players={"vacation_days": 0})
def test_a_board_for_which_all_run_out_of_time_together(house: Conversation) -> None:
    """Sealed moves: everybody was to move and nobody did."""
    house.signup("ann", "bob", "carl")
    house.agreed("poolside", "ann", "bob", "carl", options="--forfeit=2 --nag=none")
    house.passes(days=1.6)
    house.passes(days=2)
    for who in ("ann", "bob", "carl"):
        mails: list[Mail] = []
        while not mails or "cancelled" not in mails[-1].subject:
            mails.append(house.any_mail(who))
        assert len(mails) == 4
        assert "The time of all players ran out." in mails[-1].text


def test_help_about_time(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", "help time")
    house.receives("ann", "[pbm] help time", "--time=10d+1d", "vacation ann PASSWORD off")
    house.mails("ann", "help vacation")
    house.receives("ann", "[pbm] help vacation", "vacation USERID PASSWORD [FROM] [TO]")


def test_a_vacation_keeps_the_digest_quiet(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann = house.password("ann")
    house.mails("ann", f"set ann {ann} digest=07:00")
    house.any_mail("ann")
    house.challenge("cradle", "ann", "bob")
    house.mails("ann", f"vacation ann {ann} 2026-03-02 2026-03-06")
    house.any_mail("ann")
    house.any_mail("bob")
    house.passes(days=4)
    house.nothing_more()
    house.passes(days=1)
    house.receives("ann", "[pbm] 1 board waits for you", "by Sat 28 Mar 2026, 00:00 UTC")


@pytest.mark.postgresql
def test_the_check_finds_nothing_after_weeks_and_what_is_wrong(house: Conversation) -> None:
    """A game that ends in a draw after a warning, a forfeit, a vacation, an offer that expired."""
    begun(house, "ann", "bob", options="--forfeit=2 --nag=none --time=9d+1d")
    house.mails("bob", f"cradle seek bob {house.password('bob')}")
    house.any_mail("bob")
    house.challenge("cradle", "bob", "ann")
    house.passes(days=1.6)
    for who in ("ann", "bob"):
        house.receives(
            who, f"[cradle 1] reminder: {'your move' if who == 'ann' else 'ann to move'} (1)"
        )
    for who in ("ann", "bob"):
        house.mails(who, f"cradle propose 1 {who} {house.password(who)}")
        house.any_mail("ann")
        house.any_mail("bob")
    house.passes(days=80)
    while house.waiting("ann"):
        house.any_mail("ann")
    while house.waiting("bob"):
        house.any_mail("bob")
    with house.server.store.reading() as session:
        assert list(find_differences(session)) == []
        states = all_rows(session, select(boards.c.state, boards.c.look).order_by(boards.c.id))
    assert [tuple(row) for row in states] == [("over", None), ("over", None)]
    with house.server.store.writing() as session:
        session.execute(update(boards).where(boards.c.id == 1).values(look=1.0))
        session.execute(update(offers).values(state="lost"))
    with house.server.store.reading() as session:
        assert list(find_differences(session)) == [
            "board 1: it is over, but its clock is still to be looked at",
            "offer 1 is lost, for board None",
        ]


@pytest.mark.parametrize("options", ["--forfeit=0.01", "--time=10d+1d", "--total=20"])
def test_clocks_faster_than_the_usual_ones_need_consent(house: Conversation, options: str) -> None:
    house.signup("ann", "bob")
    asked, _ = house.challenge("cradle", "ann", "bob", options=options)[::-1]
    assert asked.subject == "[cradle 1] invitation: ann, bob"
    house.replies(asked, "accept")
    for who in ("ann", "bob"):
        house.receives(who, "[cradle 1] new board: ann, bob")


@pytest.mark.parametrize("options", ["--forfeit=30", "--nag=1", "--time=30d+1d", "--total=60"])
def test_slower_clocks_need_none(house: Conversation, options: str) -> None:
    house.signup("ann", "bob")
    mails = house.challenge("cradle", "ann", "bob", options=options)
    assert {mail.subject for mail in mails} == {"[cradle 1] new board: ann, bob"}


def test_a_board_that_was_never_agreed_to_takes_no_vacation(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.proves("bob", "cradle challenge ann bob")
    house.any_mail("ann")
    house.any_mail("bob")
    house.passes(days=22)
    for who in ("ann", "bob"):
        while house.waiting(who):
            mail = house.any_mail(who)
            assert "vacation" not in mail.subject
        assert mail.subject == "[cradle 1] bob won (0)"
