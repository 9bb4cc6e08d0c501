"""Words that are held wait for a moderator, who passes them on or deletes them."""

from __future__ import annotations

import pytest

from pbm.core.player import find_player
from pbm.core.trust import hold, list_held
from tests.harness.conversation import Conversation


@pytest.mark.postgresql
def test_a_moderator_passes_held_words_on_or_deletes_them(talk: Conversation) -> None:
    talk.appoint("ann")
    talk.signup("bob", "eve", "dora")
    talk.mails("dora", f"block dora {talk.password('dora')} eve")
    talk.receives("dora", "[pbm] 1 blocked")
    with talk.server.store.writing() as session:
        number = {
            name: player.id
            for name in ("bob", "eve", "dora")
            if (player := find_player(session, name)) is not None
        }
        people = (str(number["bob"]), str(number["dora"]))
        for text in ("Good evening!", "Buy my boat!"):
            hold(session, number["eve"], "message", people, text, talk.clock())
    with talk.server.store.reading() as session:
        first, second = list_held(session)
    assert (first.userid, first.recipients, first.text) == ("eve", ("bob", "dora"), "Good evening!")

    talk.mails("ann", f"moderate ann {talk.password('ann')} deliver {first.id}")
    talk.receives("ann", "[pbm] done: deliver 1")
    talk.receives("bob", "[pbm] eve writes", "Good evening!")
    talk.mails("ann", f"moderate ann {talk.password('ann')} discard {second.id}")
    talk.receives("ann", "[pbm] done: discard 2")
    with talk.server.store.reading() as session:
        assert list_held(session) == []
    talk.mails("ann", f"moderate ann {talk.password('ann')} deliver {first.id}")
    talk.receives("ann", "[pbm] not done: no words wait under the number 1")


NEW = pytest.mark.config(trust={"newcomer": 3})


def welcome_friends(talk: Conversation) -> None:
    """Ann and bob have been here for a week, eve and dora come today."""
    talk.appoint("ann")
    talk.signup("bob")
    talk.mails("bob", f"set bob {talk.password('bob')} events=yes")
    talk.any_mail("bob")
    talk.passes(days=7)
    talk.everything()
    talk.signup("eve", "dora")


def passes_on(talk: Conversation, number: int) -> None:
    talk.mails("ann", f"moderate ann {talk.password('ann')} deliver {number}")
    talk.receives("ann", f"[pbm] done: deliver {number}")


@NEW
def test_a_newcomers_words_to_people_who_know_nothing_of_them_are_held(
    talk: Conversation,
) -> None:
    welcome_friends(talk)
    eve = talk.password("eve")
    talk.mails("eve", f"message eve {eve} bob dora", "Buy my boat!")
    told = "wait until a moderator of this server has seen them"
    talk.receives("eve", "[pbm] waits for a moderator: your text to bob and dora", told, "my boat")
    talk.mails("eve", f"broadcast eve {eve}", "Boats for everybody!")
    talk.receives("eve", "[pbm] waits for a moderator: your text to everybody", told)
    talk.proves("eve", "invite kim@far.example", "Boats here")
    talk.receives("eve", "[pbm] your invitation to kim@far.example", "waits until a moderator")
    talk.proves("eve", "invite bob@example.org", "Boats there")
    talk.receives("eve", "[pbm] your invitation to bob@example.org", "waits until a moderator")
    talk.nothing_more()
    passes_on(talk, 1)
    for who in ("bob", "dora"):
        talk.receives(who, "[pbm] eve writes", "> Buy my boat!")
    passes_on(talk, 2)
    for who in ("ann", "bob", "dora"):
        talk.receives(who, "[pbm] eve writes to everybody", "> Boats for everybody!")
    passes_on(talk, 3)
    talk.receives(
        "kim@far.example", "[pbm] eve invites you to play board games by mail", "> Boats here"
    )
    passes_on(talk, 4)
    assert "> Boats there" in talk.any_mail("bob").text


@NEW
def test_whoever_is_known_is_not_held(talk: Conversation) -> None:
    """By a board that both have agreed to, by a mail that is answered, by time."""
    welcome_friends(talk)
    talk.agreed("hex", "eve", "bob", options="--ask")
    eve, dora = talk.password("eve"), talk.password("dora")
    talk.mails("eve", f"message eve {eve} bob", "Well met!")
    talk.receives("eve", "[pbm] passed on to bob")
    talk.receives("bob", "[pbm] eve writes", "> Well met!")
    talk.mails("bob", f"message bob {talk.password('bob')} dora", "Welcome!")
    talk.receives("bob", "[pbm] passed on to dora")
    talk.receives("dora", "[pbm] bob writes")
    talk.mails("dora", f"message dora {dora} bob", "Thank you!")
    talk.receives("dora", "[pbm] passed on to bob")
    talk.receives("bob", "[pbm] dora writes", "> Thank you!")
    talk.mails("dora", f"message dora {dora} ann", "And you?")
    talk.receives("dora", "[pbm] waits for a moderator: your text to ann")
    talk.passes(days=3)
    talk.everything()
    talk.mails("dora", f"message dora {dora} ann", "And you?")
    talk.receives("dora", "[pbm] passed on to ann")
    talk.receives("ann", "[pbm] dora writes")


@NEW
def test_a_board_played_to_its_end_makes_a_newcomer_known(talk: Conversation) -> None:
    welcome_friends(talk)
    mails = talk.agreed("tictactoe", "eve", "dora", options="--ask")
    talk.plays(["a1", "b1", "a2", "b2", "a3"], "eve", "dora", latest=mails)
    talk.mails("eve", f"broadcast eve {talk.password('eve')}", "I have won!")
    talk.receives("eve", "[pbm] passed on to everybody")
    for who in ("ann", "bob", "dora"):
        talk.receives(who, "[pbm] eve writes to everybody")


@NEW
def test_ten_accounts_of_one_mailbox_are_one_newcomer(talk: Conversation) -> None:
    """What waits is bounded, and what is not kept is said."""
    welcome_friends(talk)
    eve = talk.password("eve")
    for number in range(11):
        talk.mails("eve", f"message eve {eve} bob", f"Boat {number}")
        told = talk.receives("eve", "[pbm] waits for a moderator: your text to bob")
        assert ("were not kept" in told.text) is (number == 10)
    with talk.server.store.reading() as session:
        assert len(list_held(session)) == 10


@NEW
def test_an_event_of_a_newcomer_is_announced_when_a_moderator_says_yes(talk: Conversation) -> None:
    welcome_friends(talk)
    talk.mails("eve", f"event new roundrobin hex eve {talk.password('eve')}", "Boats for all!")
    talk.any_mail("eve")
    for who in ("eve", "dora"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
        talk.any_mail(who)
    talk.receives("eve", "[pbm] waits for a moderator: your text to everybody")
    talk.everything()
    passes_on(talk, 1)
    assert "new: " in talk.any_mail("bob").subject


def test_held_words_wait_in_the_queue_of_moderators(talk: Conversation) -> None:
    talk.appoint("ann", "max")
    talk.signup("bob", "eve")
    with talk.server.store.writing() as session:
        eve, bob = (find_player(session, name) for name in ("eve", "bob"))
        assert eve is not None
        assert bob is not None
        for text in ("Good evening!", "Buy my boat!"):
            hold(session, eve.id, "message", (str(bob.id),), text, talk.clock())
    talk.mails("ann", f"moderate ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] what waits for a moderator", "Good evening!", "Buy my boat!")
    first, second = talk.any_mail("ann"), talk.any_mail("ann")
    talk.replies(first, "yes")
    talk.receives("ann", "[pbm] done: yes: eve wants to write to bob: a message")
    talk.receives("bob", "[pbm] eve writes", "Good evening!")
    talk.replies(second, "no")
    done = talk.receives("ann", "[pbm] done: no: eve wants to write to bob: a message")
    with talk.server.store.reading() as session:
        assert list_held(session) == []

    # What was deleted waits again once that is undone; who plays against the writer is refused.
    (undo,) = (line.split()[-1] for line in done.lines if "PASSWORD undo" in line)
    talk.mails("ann", f"moderate ann {talk.password('ann')} undo {undo}", "I was too strict.")
    talk.receives("ann", f"[pbm] done: undo {undo}")
    talk.challenge("tictactoe", "max", "eve")
    talk.mails("max", f"moderate max {talk.password('max')} deliver 2")
    talk.receives("max", "[pbm] not done: this concerns your opponent on an open board ...")
    talk.replies(second, "yes")
    talk.receives("ann", "[pbm] done: yes: eve wants to write to bob: a message")
    talk.receives("bob", "[pbm] eve writes", "Buy my boat!")
