"""Swiss, knockout, league, ladder and tour, each from its announcement to its end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.games.cradles import FINISHED
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

FOUR = ("ann", "bob", "carl", "dora")


def make(talk: Conversation, terms: str, *people: str) -> None:
    """The first of these people makes event 1, and all of them enter it."""
    talk.signup(*people)
    talk.proves(people[0], f"event new {terms}")
    talk.receives(people[0], "[event 1] Cup is open")
    for who in people:
        talk.proves(who, "event enter 1")
        talk.receives(who, "[event 1] you have entered Cup")


def play_open_boards(talk: Conversation, mails: Sequence[Mail]) -> list[str]:
    """Whoever moves first wins each of the new boards; who played whom."""
    boards: dict[int, dict[str, Mail]] = {}
    for mail in mails:
        if "new board" in mail.subject:
            who = mail.address.partition("@")[0]
            boards.setdefault(int(mail.fact("Board")), {})[who] = mail
    played = []
    for first in boards.values():
        names = next(iter(first.values())).fact("Players").split()
        talk.plays(FINISHED, *names, latest=[first[name] for name in names])
        played.append(" ".join(sorted(names)))
    return played


def test_a_swiss_pairs_round_after_round(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=3 --name=Cup", *FOUR)
    talk.passes(days=7)
    played: list[str] = []
    mails = talk.everything()
    for count in (2, 4):  # whoever wins in the second round, the third is the same: it begins too
        found = play_open_boards(talk, mails)
        assert len(found) == count
        played += found
        talk.passes(days=0.5)
        mails = talk.everything()
    assert len(set(played)) == 6
    assert {mail.subject for mail in mails} == {"[event 1] Cup is over"}
    talk.mails("ann", "event standings 1")
    talk.receives("ann", "[event 1] standings", "Buchholz")
    talk.mails("ann", "event why 1")
    talk.receives("ann", "[event 1] why ann", "The pairing:")
    talk.mails("ann", "event record 1 trf")
    report = talk.receives("ann", "[event 1] record of Cup", "FIDE's tournament report")
    assert b"event-1.trf" in report.raw


def test_a_late_entrant_joins_the_next_round(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=4 --name=Cup", "ann", "bob", "carl")
    talk.signup("dora")
    talk.passes(days=7)
    mails = talk.everything()
    free = [mail for mail in mails if "no opponent in round 1" in mail.subject]
    assert len(free) == 1
    talk.proves("dora", "event enter 1")
    talk.receives("dora", "[event 1] you have entered Cup", "The event has begun")
    play_open_boards(talk, mails)
    talk.passes(days=0.5)
    found = play_open_boards(talk, talk.everything())
    assert sum("dora" in names for names in found) == 2  # also the last, which follows


@pytest.mark.postgresql
def test_a_knockout_ends_with_a_winner(talk: Conversation) -> None:
    make(talk, "knockout cradle -size=2 --name=Cup", *FOUR)
    talk.passes(days=7)
    mails = talk.everything()
    for count in (2, 1):
        assert len(play_open_boards(talk, mails)) == count
        talk.passes(days=0.5)
        mails = talk.everything()
    over = [mail for mail in mails if mail.subject == "[event 1] Cup is over"]
    assert len(over) == 4
    assert sum("You are number 1 of 4." in mail.text for mail in over) == 1


@pytest.mark.postgresql
def test_a_league_goes_on_with_promotion(talk: Conversation) -> None:
    make(talk, "league cradle -size=2 --divisions=2 --every=60 --name=Cup", *FOUR)
    talk.passes(days=7)
    assert len(play_open_boards(talk, talk.everything())) == 2
    talk.passes(days=0.5)
    over = talk.everything()
    assert {mail.subject for mail in over} == {"[event 1] Cup is over"}
    assert all("Season 2 is event 2 and begins" in mail.text for mail in over)
    talk.proves("dora", "event leave 2")
    talk.receives("dora", "[event 2] you have left Cup")
    talk.signup("emil")
    talk.proves("emil", "event enter 2")
    talk.receives("emil", "[event 2] you have entered Cup", "season 2")
    talk.passes(days=60)
    begun = talk.everything()
    assert sum(mail.subject == "[event 2] Cup has begun" for mail in begun) == 4
    assert len(play_open_boards(talk, begun)) == 2
    talk.everything()


@pytest.mark.postgresql
def test_a_ladder_is_climbed_by_challenges(talk: Conversation) -> None:
    make(talk, "ladder cradle -size=2 --name=Cup --answer=5", "ann", "bob", "carl")
    talk.passes(days=7)
    talk.everything()
    talk.mails("ann", "event standings 1")
    standings = talk.receives("ann", "[event 1] standings")
    order = [line.split()[1] for line in standings.lines if line.strip()[:2] in ("1 ", "2 ", "3 ")]
    top, middle, lowest = order
    talk.proves(top, f"event challenge 1 {lowest}")
    assert "Not done" in talk.any_mail(top).text
    talk.proves(lowest, f"event challenge 1 {top}")
    talk.receives(lowest, f"[cradle 1] invitation: {top}, {lowest}")
    invitation = talk.receives(
        top,
        f"[cradle 1] invitation: {top}, {lowest}",
        f"Event 1, Cup: {lowest}, on rung 3, challenged {top} on rung 1. Who declines it, or does "
        "not answer by Sat 14 Mar 2026, 12:00 UTC, loses it.",
    )
    talk.proves(lowest, "cradle decline 1")
    for who in (lowest, top):
        talk.receives(who, "[cradle 1] cancelled (0)", "withdrew the challenge")
    talk.mails("ann", "event standings 1")
    assert f"1  {top}" in talk.receives("ann", "[event 1] standings").text
    talk.proves(lowest, f"event challenge 1 {top}")
    talk.any_mail(lowest)
    invitation = talk.any_mail(top)
    talk.replies(invitation, "accept")
    latest = [talk.any_mail(top), talk.any_mail(lowest)]
    talk.replies(latest[0], "resign")
    talk.everything()
    talk.passes(days=1)
    talk.mails("ann", "event standings 1")
    standings = talk.receives("ann", "[event 1] standings")
    assert f"1  {lowest}" in standings.text
    talk.proves(middle, f"event challenge 1 {lowest}")
    talk.everything()
    talk.passes(days=6)
    late = talk.everything()
    assert {mail.subject for mail in late} == {"[cradle 3] cancelled (0)"}
    assert all("not answered in time, and so lost in event 1" in mail.text for mail in late)
    talk.mails("ann", "event standings 1")
    assert f"1  {middle}" in talk.receives("ann", "[event 1] standings").text


@pytest.mark.parametrize("act", ["note 1 think about it", "chat 1 ready when you are"])
def test_a_note_or_chat_does_not_prolong_a_challenge(talk: Conversation, act: str) -> None:
    make(talk, "ladder cradle -size=2 --name=Cup --answer=5", "ann", "bob", "carl")
    talk.passes(days=7)
    talk.everything()
    talk.mails("ann", "event standings 1")
    standings = talk.receives("ann", "[event 1] standings")
    top, _, lowest = [
        line.split()[1] for line in standings.lines if line.strip()[:2] in ("1 ", "2 ", "3 ")
    ]
    talk.proves(lowest, f"event challenge 1 {top}")
    invitation = talk.any_mail(lowest)
    talk.everything()
    talk.replies(invitation, act)
    assert "Not done" not in talk.any_mail(lowest).text
    talk.everything()
    talk.passes(days=4)
    assert talk.everything() == []
    talk.passes(days=2)
    late = talk.everything()
    assert {mail.subject for mail in late} == {"[cradle 1] cancelled (0)"}
    assert all("not answered in time, and so lost in event 1" in mail.text for mail in late)


def test_a_tour_counts_the_places_of_its_events(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "event new tour cradle --name=Tour --ends=2026-06-30")
    talk.receives("ann", "[event 1] Tour is open")
    talk.proves("bob", "event enter 1")
    talk.receives(
        "bob", "[pbm] not done: who plays in the events of tour 1 takes part in it: enter those"
    )
    talk.proves("ann", "event new roundrobin cradle -size=2 --tour=1 --name=Cup")
    talk.receives("ann", "[event 2] Cup is open")
    for who in ("ann", "bob"):
        talk.proves(who, "event enter 2")
        talk.receives(who, "[event 2] you have entered Cup")
    talk.passes(days=8)
    play_open_boards(talk, talk.everything())
    talk.passes(days=1)
    talk.everything()
    talk.mails("ann", "event standings 1")
    talk.receives("ann", "[event 1] standings", "ann", "bob")
    talk.passes(days=115, step=86400.0)
    over = [mail for mail in talk.everything() if mail.subject == "[event 1] Tour is over"]
    assert len(over) == 2


def test_a_bye_is_asked_for_and_taken_back(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=3 --name=Cup", *FOUR)
    talk.proves("dora", "event bye 1 1")
    bye = talk.receives(
        "dora", "[event 1] bye in round 1", "as you asked, and have half a point for it."
    )
    for line, says in (
        ("event bye 1 3", "there is no bye in the last round, and round 3 is the last"),
        ("event bye 1 1 2 4", "there is no bye in the last round"),
        ("event bye 1 later", "name the round in which you are not to be paired, or none"),
    ):
        talk.proves("dora", line)
        assert says in " ".join(talk.any_mail("dora").text.split())
    talk.replies(bye, "event bye 1 none")
    talk.receives("dora", "[event 1] no byes", "You are paired in every round of Cup.")
    talk.proves("dora", "event bye 1 round 1")
    talk.receives("dora", "[event 1] bye in round 1")
    talk.passes(days=7)
    mails = talk.everything()
    (free,) = [
        mail for mail in mails if "no opponent in round 1" in mail.subject and "asked" in mail.text
    ]
    assert free.address == "dora@example.org"
    talk.proves("dora", "event bye 1 none")
    talk.receives("dora", "[event 1] bye in round 1")
    talk.proves("dora", "event bye 1 1 2")
    talk.receives("dora", "[event 1] byes in rounds 1 and 2")
    talk.mails("ann", "event why 1 dora")
    talk.receives("ann", "[event 1] why dora", "dora asked not to be paired in round 1.")


def test_why_is_asked_as_people_write_it(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=2 --name=Cup", *FOUR)
    talk.passes(days=7)
    mails = talk.everything()
    first = next(
        mail for mail in mails if mail.address == "ann@example.org" and "new board" in mail.subject
    )
    rival = next(who for who in first.fact("Players").split() if who != "ann")
    others = [who for who in FOUR if who not in ("ann", rival)]
    begun = next(
        mail for mail in mails if mail.address == "ann@example.org" and "begun" in mail.subject
    )
    for mail in (first, begun):
        talk.replies(mail, f"Why am I paired with {rival}?")
        why = talk.receives("ann", "[event 1] why ann", "Round 1, board", rival)
        assert "moves first" in " ".join(why.text.split())
    for asked, subject in (
        (f"why {rival}?", "[event 1] why ann"),
        ("Who leads?", "[event 1] standings"),
        ("standings", "[event 1] standings"),
        ("Pairings", "[event 1] pairings"),
        ("Whom do I play?", "[event 1] pairings"),
    ):
        talk.replies(begun, asked)
        assert talk.any_mail("ann").subject.startswith(subject)
    talk.proves("ann", f"why was I paired against {others[0]} in round 1 of event 1")
    talk.receives("ann", "[event 1] why ann", f"ann is not paired with {others[0]} in round 1.")
    play_open_boards(talk, mails)
    talk.passes(days=0.5)
    talk.everything()
    talk.mails("bob", f"event why 1 ann with {rival}")
    talk.receives("bob", "[event 1] why ann", "Round 1, board")
    talk.mails("bob", "event why 1 ann 1")
    talk.receives("bob", "[event 1] why ann", "Round 1, board")
    talk.mails("bob", "event why 1 ann round 2")
    talk.receives("bob", "[event 1] why ann", "Round 2, board")
    talk.mails("bob", "event why 1 ann")
    talk.receives("bob", "[event 1] why ann", "Round 2, board")
    talk.signup("emil")
    talk.proves("emil", "Why am I paired with ann?")
    talk.receives("emil", "[pbm] not done: the number of the event is missing", "event why EVENT")
