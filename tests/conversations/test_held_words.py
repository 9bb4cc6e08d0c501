"""Words that are held wait for a moderator, who passes them on or deletes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbm.core.player import find_player
from pbm.core.trust import hold, list_held
from tests.conversations.test_silenced import (
    HEARD,
    LINES,
    TRUSTS,
    UNLIMITED,
    VOUCHED_FOR,
    by_password,
    by_player_address,
    by_vouched_from,
    speak,
)
from tests.conversations.test_web import link_of
from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Visitor


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
def test_whoever_declines_a_board_has_not_written(talk: Conversation) -> None:
    welcome_friends(talk)
    _, invited = talk.challenge("hex", "eve", "bob", options="--ask")
    talk.replies(invited, "decline")
    talk.everything()
    talk.mails("eve", f"message eve {talk.password('eve')} bob", "But why?")
    talk.receives("eve", "[pbm] waits for a moderator: your text to bob")


@NEW
def test_a_silence_that_is_undone_makes_nobody_a_newcomer(talk: Conversation) -> None:
    """One that stood does, once it is over."""
    talk.appoint("ann")
    talk.signup("bob", "eve")
    talk.passes(days=5)
    talk.everything()
    moderate, eve = f"moderate ann {talk.password('ann')}", talk.password("eve")
    talk.mails("ann", f"{moderate} silence eve 7", "She is rude.")
    done = talk.receives("ann", "[pbm] done: silence eve 7")
    (undo,) = (line.split()[-1] for line in done.lines if "moderate undo" in line)
    talk.mails("ann", f"{moderate} undo {undo}", "It was somebody else.")
    talk.everything()
    talk.mails("eve", f"message eve {eve} bob", "Good evening!")
    talk.receives("eve", "[pbm] passed on to bob")
    talk.receives("bob", "[pbm] eve writes", "Good evening!")
    talk.mails("ann", f"{moderate} silence eve 1", "She is rude after all.")
    talk.passes(days=2)
    talk.everything()
    talk.mails("eve", f"message eve {eve} bob", "Good evening again!")
    talk.receives("eve", "[pbm] waits for a moderator: your text to bob")


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
    """What waits is bounded, and what is not kept is said; who blocks one account blocks them all,
    and a board that one has played to its end speaks for all of them."""
    welcome_friends(talk)
    others = [f"eve+{number}@example.org" for number in range(1, 10)]
    for number, address in enumerate(others, 1):
        talk.mails(address, f"signup eve{number} {talk.password('eve')}")
        code = talk.any_mail(address).line("Code: ")
        talk.mails(address, f"confirm {code}")
        assert "welcome" in talk.any_mail(address).subject
    accounts = [("eve", "eve"), *((f"eve{n}", address) for n, address in enumerate(others, 1))]
    for number, (userid, address) in enumerate([*accounts, accounts[0]]):
        words = f"message {userid} {talk.password('eve')} bob"
        talk.mails(address, words, f"Boat {number}")
        told = talk.receives(address, "[pbm] waits for a moderator: your text to bob")
        assert ("were not kept" in told.text) is (number == 10)
    with talk.server.store.reading() as session:
        assert len(list_held(session)) == 10
    talk.mails("dora", f"block dora {talk.password('dora')} eve4")
    talk.any_mail("dora")
    mails = talk.agreed("tictactoe", "eve", "bob", options="--ask")
    talk.plays(["a1", "b1", "a2", "b2", "a3"], "eve", "bob", latest=mails)
    talk.everything()
    talk.mails(others[0], f"message eve1 {talk.password('eve')} ann dora", "Ahoy!")
    talk.receives(others[0], "[pbm] passed on to ann and dora")
    talk.receives("ann", "[pbm] eve1 writes", "> Ahoy!")
    talk.nothing_more()


@NEW
def test_an_event_of_a_newcomer_is_announced_when_a_moderator_says_yes(talk: Conversation) -> None:
    """Its name and what is said of it are shown when a moderator says yes to them."""
    welcome_friends(talk)
    eve = talk.password("eve")
    talk.mails("eve", f'event new roundrobin hex eve {eve} --name="Boat Cup"', "Boats for all!")
    assert "Boat Cup" not in talk.any_mail("eve").subject
    for text in ("Boat Cup", "Boats for all!"):
        told = talk.receives("eve", "[pbm] waits for a moderator: your text to everybody")
        assert text in told.text
    for who in ("eve", "dora"):
        talk.mails(who, f"event enter 1 {who} {talk.password(who)}")
        talk.any_mail(who)
    talk.receives("eve", "[pbm] waits for a moderator: your text to everybody")
    assert not any("Boat" in mail.text for mail in talk.everything())
    for number in (1, 2, 3):
        passes_on(talk, number)
    mail = talk.any_mail("bob")
    assert mail.subject.endswith("new: Boat Cup")
    assert "Boats for all!" in mail.text


KNOWN_BY = {"rematch", "join", "accept", "reject", "decline", "resign"}
"""Commands beside which a newcomer writes to somebody who has agreed to a board, or which end one;
and `invite` and `event new` are above."""
NOT_YET = {"note", "plan", "queue", "submit", "confirm", "invite", "event new", "press", "club new"}
"""Commands whose words go to nobody, or not yet."""


@pytest.mark.config(trust={"newcomer": 3}, limits={**UNLIMITED, "open_boards": 0}, server=TRUSTS)
@pytest.mark.parametrize("proof", [by_password, by_player_address, by_vouched_from])
def test_a_newcomers_words_wait_beside_every_command(
    talk: Conversation, proof: Callable[[Conversation, str], None]
) -> None:
    """Nobody who has not agreed to anything reads them before a moderator says yes; then it is as
    if they had come at once."""
    talk.appoint("ann")
    talk.signup("bob", "vic", "kim")
    talk.passes(days=7)
    talk.everything()
    talk.signup("eve")
    waited = set()
    for name in [each for each in LINES if each not in KNOWN_BY | NOT_YET]:
        assert speak(talk, proof, but=LINES.keys() - {name}) == set(), name
        with talk.server.store.reading() as session:
            held = list_held(session)
        for each in held:
            assert "gadzooks" in each.text
            waited.add(name)
            talk.mails("ann", f"moderate ann {talk.password('ann')} deliver {each.id}")
        others = (mail for mail in talk.everything() if mail.address[:3] not in ("eve", "ann"))
        told = [mail.text for mail in others]
        talk.mails("bob", f"seeks bob {talk.password('bob')}")
        told += [mail.text for mail in talk.everything()]
        assert any("gadzooks" in text for text in told) is bool(held), name
        talk.proves("eve", "tictactoe seek none")
        talk.everything()
    assert waited >= VOUCHED_FOR if proof is by_vouched_from else HEARD - KNOWN_BY - NOT_YET


@NEW
def test_names_of_a_newcomer_wait_and_titles_are_for_later(talk: Conversation) -> None:
    welcome_friends(talk)
    eve = talk.password("eve")
    talk.mails("eve", f"set eve {eve} own=no name=Boatswain")
    changed = talk.any_mail("eve")
    assert "own=no" in changed.text
    told = talk.receives("eve", "[pbm] waits for a moderator: your text to everybody")
    assert "Boatswain" in told.text
    passes_on(talk, 1)
    talk.mails("bob", "who eve")
    assert "Boatswain" in talk.any_mail("bob").text
    for line in ("challenge eve bob", "seek", "simul --boards=3", "invite kim@far.example"):
        talk.proves("eve", f'tictactoe {line} --title="Boats here"')
        refused = talk.any_mail("eve")
        assert "everybody reads the title of a board" in " ".join(refused.text.split()), line
        assert "Boats" not in refused.text
    talk.proves("eve", 'event new roundrobin hex --title="Boat Cup"')
    assert "Boat Cup" not in talk.any_mail("eve").subject
    talk.receives("eve", "[pbm] waits for a moderator: your text to everybody", "Boat Cup")


@NEW
def test_a_newcomers_press_waits(talk: Conversation) -> None:
    welcome_friends(talk)
    people = ["eve", "bob", *(f"p{number}" for number in range(5))]
    talk.signup(*people[2:])
    talk.everything()
    talk.proves("eve", f"dip challenge {' '.join(people)}")
    talk.everything()
    talk.mails("eve", f"dip press 1 eve {talk.password('eve')} to england", "Boats, Sir?")
    talk.receives("eve", "[pbm] waits for a moderator: your text to England")
    talk.nothing_more()
    passes_on(talk, 1)
    talk.receives("bob", "[dip 1] press from Austria (eve)", "Boats, Sir?")
    talk.mails("bob", f"dip press 1 bob {talk.password('bob')}")
    assert "Boats, Sir?" in talk.any_mail("bob").text


@NEW
def test_words_beside_what_is_refused_are_not_held(talk: Conversation) -> None:
    """A yes to what is offered in place of the move brings them along."""
    welcome_friends(talk)
    mails = talk.challenge("tictactoe", "eve", "bob")
    talk.replies(mails[0], "a9\n\nGood luck!")
    assert "not done" in talk.any_mail("eve").subject
    with talk.server.store.reading() as session:
        assert list_held(session) == []
    talk.replies(mails[0], "a1\n\nHave fun!")
    talk.receives("eve", "[tictactoe 1] bob to move (2), you played a1")
    talk.receives("eve", "[pbm] waits for a moderator: your text to bob", "> Have fun!")
    played = talk.receives("bob", "[tictactoe 1] your move (2), eve played a1")
    assert "fun" not in played.text
    talk.replies(played, "b1", who="bob")
    talk.everything()
    talk.mails("eve", f"tictactoe move 1 eve {talk.password('eve')} a2", "You know me now.")
    talk.any_mail("eve")
    talk.receives("bob", "[tictactoe 1] your move (4), eve played a2", "> You know me now.")


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
    done = talk.receives(
        "ann", "[pbm] done: no: eve wants to write to bob: a message", "No player was told"
    )
    with talk.server.store.reading() as session:
        assert list_held(session) == []

    # What was deleted waits again once that is undone; who plays against the writer is refused.
    (undo,) = (line.split()[-1] for line in done.lines if "moderate undo" in line)
    talk.mails("ann", f"moderate ann {talk.password('ann')} undo {undo}", "I was too strict.")
    talk.receives("ann", f"[pbm] done: undo {undo}", "No player was told")
    talk.challenge("tictactoe", "max", "eve")
    talk.mails("max", f"moderate max {talk.password('max')} deliver 2")
    talk.receives("max", "[pbm] not done: this concerns your opponent on an open board ...")
    talk.replies(second, "yes")
    talk.receives("ann", "[pbm] done: yes: eve wants to write to bob: a message")
    talk.receives("bob", "[pbm] eve writes", "Buy my boat!")


@pytest.mark.config(trust={"newcomer": 3}, web={"url": HOST, "public": False})
def test_words_on_a_page_wait_too(talk: Conversation, visitor: Visitor) -> None:
    welcome_friends(talk)
    mail, _ = talk.challenge("tictactoe", "eve", "bob")
    page = visitor.get(link_of(mail))
    talk.everything()
    visitor.send(page, page.form("chat"), text="Boats, Sir?")
    talk.receives("eve", "[pbm] waits for a moderator: your text to bob", "> Boats, Sir?")
    talk.nothing_more()
    passes_on(talk, 1)
    talk.receives("bob", "[tictactoe 1] eve writes", "> Boats, Sir?")


@NEW
def test_words_below_a_broken_move_wait_once(talk: Conversation) -> None:
    """A move that a comma may continue on the next line is read again, what stands below it not."""
    welcome_friends(talk)
    mails = talk.challenge("cradle", "eve", "bob")
    opening = next(mail for mail in mails if mail.address.startswith("eve"))
    talk.replies(opening, "b1,c1,d1,d2\n\nBuy my boat!")
    told = "[pbm] waits for a moderator: your text to bob"
    assert [mail.subject for mail in talk.everything()].count(told) == 1
    with talk.server.store.reading() as session:
        assert [words.text for words in list_held(session)] == ["Buy my boat!"]


@NEW
def test_words_below_a_refused_move_wait_for_nothing(talk: Conversation) -> None:
    welcome_friends(talk)
    mails = talk.challenge("cradle", "eve", "bob")
    opening = next(mail for mail in mails if mail.address.startswith("eve"))
    talk.replies(opening, "b1,c1,z1,d2\n\nBuy my boat!")
    (refused,) = talk.everything()
    assert "not done" in refused.subject
    assert refused.text.count("Buy my boat!") <= 1
    with talk.server.store.reading() as session:
        assert list_held(session) == []
