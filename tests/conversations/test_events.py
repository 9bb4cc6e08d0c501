"""Events: made, entered, played and ended by themselves."""

from __future__ import annotations

import pytest

from pbm.core.player import Role
from pbm.store.reads import find_event
from tests.games.cradles import FINISHED
from tests.harness.conversation import Conversation, address_of
from tests.harness.mail import Mail, has_name

PEOPLE = ("ann", "bob", "carl")


def make(talk: Conversation, terms: str, *people: str, body: str = "") -> None:
    """The first of these people makes an event, and all of them enter it."""
    talk.proves(people[0], f"event new {terms}", body)
    talk.any_mail(people[0])
    for who in people:
        talk.proves(who, "event enter 1")
        talk.any_mail(who)


def boards_of(mails: list[Mail]) -> dict[int, dict[str, Mail]]:
    """The first mails of new boards, by board and player."""
    boards: dict[int, dict[str, Mail]] = {}
    for mail in mails:
        if "new board" in mail.subject:
            number = int(mail.fact("Board"))
            boards.setdefault(number, {})[mail.address.partition("@")[0]] = mail
            assert mail.fact("Event") == "1"
    return boards


@pytest.mark.postgresql
def test_a_round_robin_runs_from_its_announcement_to_its_prize_list(talk: Conversation) -> None:
    talk.signup(*PEOPLE)
    talk.proves("carl", "set events=yes")
    talk.any_mail("carl")
    talk.mails(
        "ann",
        f"event new roundrobin cradle ann {talk.password('ann')} -size=2 --nag=2 --name=Spring cup",
        "Our first one!",
    )
    made = talk.receives(
        "ann",
        "[event 1] Spring cup is open",
        "those who want such mails hear of it once a second player has entered, or after a day",
        "Begins Mon 09 Mar 2026, 00:00 UTC; ends Mon 01 Jun 2026, 00:00 UTC.",
        "> Our first one!",
        "event enter 1",
    )
    assert len(made.fact("Lots")) == 64
    talk.mails("bob", f"event enter 1 bob {talk.password('bob')}")
    talk.receives("bob", "[event 1] you have entered Spring cup")
    talk.mails("ann", f"event enter 1 ann {talk.password('ann')}")
    talk.receives("ann", "[event 1] you have entered Spring cup", "Entered: 2. Made by ann.")
    announced = talk.receives(
        "carl",
        "[event 1] new: Spring cup",
        "Spring cup: round robin of Cradle; triangles along a side of the hexagon: 2; "
        "days until a reminder: 2.",
    )
    talk.replies(announced, "event enter 1")
    talk.receives("carl", "[event 1] you have entered Spring cup", "Entered: 3. Made by ann.")
    talk.mails("bob", "events")
    talk.receives("bob", "[pbm] events", "1  Spring cup: round robin, cradle, 3 entered, begins")
    talk.passes(days=6.5)
    mails = talk.everything()
    begun = [mail for mail in mails if mail.subject == "[event 1] Spring cup has begun"]
    assert sorted(mail.address for mail in begun) == sorted(map(address_of, PEOPLE))
    boards = boards_of(mails)
    assert len(boards) == 3
    for first in boards.values():
        assert "Round " in first["ann" if "ann" in first else "bob"].text
    talk.mails("bob", "event show 1")
    talk.receives("bob", "[event 1] Spring cup", "points")
    for first in boards.values():
        names = next(iter(first.values())).fact("Players").split()
        last = talk.plays(FINISHED, *names, latest=[first[name] for name in names])
        assert "How event 1 stands: event show 1" in last[0].text
    talk.passes(days=1)
    over = talk.everything()
    assert {mail.subject for mail in over} == {"[event 1] Spring cup is over"}
    assert len(over) == 3
    assert "you are number" in over[0].text.lower()
    talk.mails("ann", "event why 1 bob")
    talk.receives("ann", "[event 1] why bob", "The pairing:", "The place:")
    talk.mails("ann", "event standings 1")
    talk.receives("ann", "[event 1] standings", "won")
    talk.mails("ann", "event pairings 1")
    talk.receives("ann", "[event 1] pairings", "Round 1")
    talk.mails("ann", "event calendar 1")
    talk.receives("ann", "[event 1] calendar", "Spring cup begins")
    talk.mails("ann", "event record 1")
    talk.receives("ann", "[event 1] record of Spring cup")


def test_who_leaves_early_is_struck_from_the_table(talk: Conversation) -> None:
    talk.signup(*PEOPLE)
    make(talk, "roundrobin cradle -size=2", *PEOPLE)
    talk.passes(days=7)
    boards = boards_of(talk.everything())
    played = next(first for first in boards.values() if "bob" not in first)
    names = played["ann"].fact("Players").split()
    talk.plays(FINISHED, *names, latest=[played[name] for name in names])
    talk.proves("bob", "event leave 1")
    left = talk.receives("bob", "[event 1] you have left Cradle round robin")
    assert left.text.count("does not count") == 2
    for who in ("ann", "carl"):
        talk.receives(
            who, f"[cradle {left_board(left.text, who)}] cancelled (0)", "bob left event 1"
        )
    talk.passes(days=1)
    for who in ("ann", "carl"):
        over = talk.receives(who, "[event 1] Cradle round robin is over", "of 2")
        assert not has_name(over.text, "bob")
    talk.proves("bob", "event enter 1")
    talk.receives("bob", "[pbm] not done: event 1 is over")
    for who in PEOPLE:
        while talk.waiting(who):
            talk.any_mail(who)


def left_board(text: str, who: str) -> str:
    """The number of the board that the leaver played against somebody."""
    line = next(line for line in text.splitlines() if f"against {who}" in line)
    return line.split()[1]


def send_word(talk: Conversation) -> None:
    """Ann and Bob do something, so that they do not count as silent."""
    for who in ("ann", "bob"):
        talk.proves(who, "set own=yes")
        talk.receives(who, f"[pbm] preferences of {who} changed")


def test_who_goes_silent_is_taken_out_and_the_event_ends_on_its_day(talk: Conversation) -> None:
    talk.signup(*PEOPLE)
    make(talk, "roundrobin cradle -size=2 --silent=20 --nag=none --forfeit=none", *PEOPLE)
    talk.passes(days=7)
    boards = boards_of(talk.everything())
    talk.passes(days=15)
    send_word(talk)
    talk.passes(days=6)
    mails = talk.everything()
    (gone,) = [mail for mail in mails if mail.subject.startswith("[event")]
    assert gone.subject == "[event 1] you no longer play in Cradle round robin"
    assert gone.address == "carl@example.org"
    assert gone.text.count("does not count") == 2
    assert len(mails) == 3
    for days in (10, 18, 18):
        talk.passes(days=days)
        send_word(talk)
    talk.passes(days=18)
    rest = [mail.subject for mail in talk.everything()]
    number = next(number for number, first in boards.items() if "carl" not in first)
    assert sorted(rest) == sorted(
        2
        * [
            f"[cradle {number}] draw (0)",
            "[event 1] Cradle round robin is over",
            "[event 1] unfinished boards end Mon 01 Jun 2026, 00:00 UTC",
        ]
    )


def test_the_boards_of_an_event_are_not_declined_cancelled_or_replayed(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    make(talk, "roundrobin cradle -size=2", "ann", "bob")
    talk.passes(days=7)
    mails = talk.everything()
    (first,) = boards_of(mails).values()
    names = first["ann"].fact("Players").split()
    talk.replies(first["ann"], "decline")
    talk.receives(
        "ann",
        "[cradle 1] not done: board 1 belongs to event 1 and was agreed to on entering it",
        "event leave 1 ann PASSWORD",
    )
    talk.replies(first["ann"], "cancel")
    talk.receives("ann", "[cradle 1] not done: board 1 belongs to event 1 and ends with a result")
    talk.plays(FINISHED, *names, latest=[first[name] for name in names])
    talk.replies(first["bob"], "rematch")
    talk.receives(
        "bob",
        "[cradle 1] not done: board 1 belongs to event 1: to play again, start a board of its own",
    )
    talk.passes(days=1)
    assert len(talk.everything()) == 2


def test_a_resignation_can_still_be_taken_back(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    make(talk, "roundrobin cradle -size=2", "ann", "bob")
    talk.passes(days=7)
    (first,) = boards_of(talk.everything()).values()
    talk.replies(first["ann"], "resign")
    talk.everything()
    talk.clock.advance(seconds=600)
    talk.server.tick(600)
    talk.replies(first["ann"], "undo")
    talk.everything()
    talk.passes(days=1)
    talk.nothing_more()
    talk.mails("ann", "event pairings 1")
    talk.receives("ann", "[event 1] pairings", "being played")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("event new", "the kind of event is missing"),
        ("event new roundrobin", "the game is missing"),
        (
            "event new roundrobin cradle --begins=soon",
            "--begins is written --begins=YYYY-MM-DD",
        ),
        ("event new roundrobin cradle --begins=2026-02-01", "an event cannot begin in the past"),
        ("event new roundrobin cradle --seats=9", "cradle is for"),
        ("event new roundrobin cradle --ends=2026-03-03", "it ends before it begins"),
        ("event new roundrobin cradle bob", "an event is open to everybody"),
        ("event new roundrobin cradle --ask", "who enters an event agrees to its boards"),
        ("event new roundrobin cradle -size=99", "-size"),
        ("event enter 7", "there is no event with that number"),
        ("event enter", "the number of the event is missing"),
        ("event leave 1", "you do not take part in event 1"),
        ("event why 1 bob", "name a player of event 1"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_send(
    talk: Conversation, line: str, says: str
) -> None:
    talk.signup("ann")
    talk.proves("ann", "event new roundrobin hex --max=2")
    talk.any_mail("ann")
    talk.proves("ann", line)
    refused = talk.any_mail("ann")
    assert f"Not done: {says}" in " ".join(refused.text.split()), refused


@pytest.mark.config(events={"makers": "operator", "open_events": 1})
def test_who_may_make_events_is_configuration(talk: Conversation) -> None:
    talk.appoint("bob", role=Role.MAKER)
    talk.signup("ann")
    talk.proves("ann", "event new roundrobin hex")
    talk.receives(
        "ann",
        "[pbm] not done: on this server only the operator and some players make events: to "
        "propose one ...",
    )
    talk.proves("bob", "event new roundrobin hex")
    talk.receives("bob", "[event 1] Hex round robin is open")
    talk.proves("bob", "event new roundrobin hex")
    talk.receives("bob", "[pbm] not done: a player may have 1 event open or running")


def test_too_few_entries_cancel_an_event(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    make(talk, "roundrobin cradle --max=1", "ann")
    talk.proves("bob", "event enter 1")
    talk.receives("bob", "[pbm] not done: event 1 is full")
    talk.passes(days=7)
    talk.receives("ann", "[event 1] Cradle round robin is cancelled", "It needs 2 players")


def test_a_vacation_stops_clocks_only_as_far_as_the_event_allows(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    make(talk, "roundrobin cradle -size=2 --vacation=5 --forfeit=10 --nag=none", "ann", "bob")
    talk.passes(days=7)
    (first,) = boards_of(talk.everything()).values()
    (late,) = (
        mail.address.partition("@")[0] for mail in first.values() if "your move" in mail.text
    )
    talk.proves(late, "vacation 2026-03-10 2026-04-05")
    talk.everything()
    talk.passes(days=14)
    assert not any("ran out of time" in mail.text for mail in talk.everything())
    talk.passes(days=3)
    assert any(f"{late} ran out of time" in mail.text for mail in talk.everything())


def test_a_season_needs_no_command_of_its_organiser(talk: Conversation) -> None:
    """Everybody enters; the strongest plays, some are silent, some leave; nobody corrects."""
    people = tuple(f"player{number}" for number in range(1, 13))
    talk.signup("ann", *people)
    terms = "league cradle -size=2 --divisions=3 --name=Season --silent=10 --forfeit=6 --nag=none"
    talk.proves("ann", f"event new {terms}")
    for who in people:
        talk.proves(who, "event enter 1")
    talk.everything()
    talk.passes(days=7)
    for first in boards_of(talk.everything()).values():
        names = next(iter(first.values())).fact("Players").split()
        if not {"player3", "player7"} & set(names):
            talk.plays(FINISHED, *names, latest=[first[name] for name in names])
        elif names[0] not in ("player3", "player7"):
            talk.replies(first[names[0]], FINISHED[0])
            talk.everything()
    talk.proves("player5", "event leave 1")
    talk.everything()
    talk.passes(days=84, step=86400.0)
    mails = talk.everything()
    over = [mail for mail in mails if mail.subject == "[event 1] Season is over"]
    assert {mail.address.partition("@")[0] for mail in over} >= set(people) - {
        "player3",
        "player5",
        "player7",
    }
    assert all("Division 3" in mail.text for mail in over)


def test_after_a_downtime_boards_are_decided_only_when_that_was_announced(
    talk: Conversation,
) -> None:
    talk.signup("ann", "bob")
    make(talk, "roundrobin cradle -size=2 --silent=20 --ends=2026-03-20", "ann", "bob")
    talk.passes(days=7)
    talk.everything()
    talk.is_down(days=30)
    talk.nothing_more()
    talk.passes(days=0.5)
    warned = talk.everything()
    day = "Thu 09 Apr 2026, 12:00 UTC"
    assert sum(mail.subject == f"[event 1] unfinished boards end {day}" for mail in warned) == 2
    assert not any("draw" in mail.subject or "over" in mail.subject for mail in warned)
    talk.passes(days=1)
    assert sorted(mail.subject for mail in talk.everything()) == 2 * ["[cradle 1] draw (0)"] + 2 * [
        "[event 1] Cradle round robin is over"
    ]


def test_what_the_operator_is_to_decide_waits(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    terms = "roundrobin cradle -size=2 --unfinished=operator --silent=300 --forfeit=none"
    make(talk, terms, "ann", "bob")
    talk.passes(days=100, step=86400.0)
    assert not any(" is over" in mail.subject for mail in talk.everything())
    with talk.server.store.reading() as session:
        row = find_event(session, 1)
        assert row is not None
        assert row.state == "running"
        assert row.look is not None
        assert row.look > talk.clock.now


def test_an_event_is_announced_to_whoever_asked_after_a_day(talk: Conversation) -> None:
    talk.signup(*PEOPLE)
    talk.proves("carl", "set events=yes")
    talk.proves("bob", "set events=yes")
    ann = talk.password("ann")
    talk.mails("ann", f"event new roundrobin cradle ann {ann} --name=Spring cup")
    talk.everything()
    talk.passes(days=0.75)
    talk.nothing_more()
    talk.passes(days=0.5)
    talk.receives("bob", "[event 1] new: Spring cup")
    talk.receives("carl", "[event 1] new: Spring cup")
    talk.proves("bob", "event enter 1")
    talk.any_mail("bob")
    talk.proves("carl", "event enter 1")
    talk.any_mail("carl")


@pytest.mark.config(events={"open_events": 0}, limits={"mails_a_day": 0})
def test_events_made_and_cancelled_are_announced_thrice_a_day(talk: Conversation) -> None:
    """Two players make events without end, enter them and leave; nothing resets the count."""
    talk.signup(*PEOPLE)
    talk.proves("carl", "set events=yes")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.everything()
    for number in range(1, 11):
        talk.mails("ann", f"event new roundrobin cradle ann {ann} --begins=2026-03-03")
        for who, word in (("ann", ann), ("bob", bob)):
            for _ in range(2):
                talk.mails(who, f"event enter {number} {who} {word}")
                talk.mails(who, f"event leave {number} {who} {word}")
            talk.mails(who, f"event enter {number} {who} {word}")
    heard = [mail for mail in talk.everything() if mail.address == "carl@example.org"]
    assert len(heard) == 3, heard
    talk.mails("ann", f"event new roundrobin cradle ann {ann} --begins=2026-03-02")
    talk.passes(days=0.5)
    heard = [mail for mail in talk.everything() if mail.address == "carl@example.org"]
    assert not heard, heard


def test_a_swiss_breaks_ties_as_its_maker_says(talk: Conversation) -> None:
    """By FIDE's rules of 2024, in the order that was named; the page and the standings say so."""
    talk.signup(*PEOPLE, "dora")
    make(talk, "swiss cradle -size=2 --rounds=2 --tiebreak=cut1,progressive", *PEOPLE, "dora")
    talk.proves("ann", "event 1")
    page = " ".join(talk.any_mail("ann").text.split())
    assert "apart by FIDE's rules of 2024: Buchholz cut 1, Progressive score, Lots." in page
    talk.passes(days=7)
    boards = boards_of(talk.everything())
    for number, mails in boards.items():
        loser = sorted(mails)[0]
        talk.proves(loser, f"cradle resign {number}")
    talk.everything()
    talk.proves("ann", "event standings 1")
    shown = talk.any_mail("ann")
    assert "Buchholz cut 1:" in shown.text
    assert "Progressive score: 1 = 1" in shown.text
    assert "Sonneborn" not in shown.text
