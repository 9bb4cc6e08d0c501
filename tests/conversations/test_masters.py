"""Seats that somebody else takes over, and what a board's master does."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def say(talk: Conversation, who: str, line: str, body: str = "") -> list[Mail]:
    """What comes of a line with its sender's userid and password behind the board."""
    verb, board, *rest = line.split(" ", 2)
    words = " ".join((f"dip {verb} {board} {who} {talk.password(who)}", *rest))
    talk.mails(who, words, body)
    return talk.everything()


def said(mails: list[Mail], who: str) -> str:
    """The text of somebody's one mail."""
    (mail,) = [mail for mail in mails if mail.address.startswith(f"{who}@")]
    return " ".join(mail.text.split())


def test_a_power_whose_player_has_left_is_taken_over(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    talk.challenge("dip", "ann", "bob", "carl")
    say(talk, "ann", "press 1 to france", "for bob alone")
    say(talk, "ann", "move 1", "F LON - NTH")
    assert "nobody has left a seat" in said(say(talk, "dora", "takeover 1 france"), "dora")
    say(talk, "bob", "resign 1")
    assert "you play on board 1" in said(say(talk, "ann", "takeover 1 france"), "ann")
    talk.mails("dora", f"dip takeover 1 dora {talk.password('dora')} fra")
    mails = talk.everything()
    assert {mail.address.split("@")[0] for mail in mails} == {"ann", "carl", "dora"}
    for who in ("ann", "carl"):
        assert "dora took over France" in said(mails, who)
    assert "Without an order: A MAR, A PAR, F BRE." in said(mails, "dora")
    for line in ("press 1", "move 1 A PAR - BUR"):
        mails = say(talk, "dora", line)
        assert "for bob alone" not in said(mails, "dora")
        assert "NTH" not in said(mails, "dora")
    assert "you do not play on board 1" in said(say(talk, "bob", "move 1 A PAR H"), "bob")
    assert "France resigned" in said(say(talk, "carl", "move 1 A BER H"), "carl")


def test_the_master_runs_the_board_and_everybody_is_told(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    mails = talk.agreed("dip", "ann", "bob", options="--deadline=3 --master=carl")
    assert all("carl: master." in " ".join(mail.text.split()) for mail in mails)
    assert "you are not the master" in said(say(talk, "ann", "master 1 process"), "ann")
    pressed = say(talk, "bob", "press 1 to master", "Help!")
    assert sorted(mail.address.split("@")[0] for mail in pressed) == ["bob", "carl"]
    assert "(bob) writes to the master: > Help!" in said(pressed, "carl")
    talk.replies(next(mail for mail in pressed if mail.address.startswith("carl@")), "What is it?")
    assert "carl writes to you: > What is it?" in said(talk.everything(), "bob")
    until = [line for line in mails[0].lines if "Please order by" in line]
    mails = say(talk, "carl", "master 1 extend 2")
    told = said(mails, "ann")
    assert "Your orders in 5 days: the master, carl, made this phase longer, by 2d" in told
    later = next(mail for mail in mails if mail.address.startswith("ann@"))
    assert [line for line in later.lines if "Please order by" in line] != until
    say(talk, "ann", "move 1 A BUD - SER")
    mails = say(talk, "carl", "master 1 process")
    assert all(
        "the master, carl, ended this phase" in said(mails, who).lower() for who in ("ann", "bob")
    )
    assert all("Fall 1901, movement" in said(mails, who) for who in ("ann", "bob"))
    mails = say(talk, "carl", "master 1 back 1")
    assert "Spring 1901, movement" in said(mails, "bob")
    refused = said(say(talk, "carl", "master 1 vacate france"), "carl")
    assert "that would end the game: replace asks somebody" in refused


def test_a_phase_that_ends_at_an_hour_is_made_longer_by_days(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    mails = talk.agreed("dip", "ann", "bob", options="--deadline=3d@20:00 --master=carl")
    assert "order by Thu 05 Mar 2026, 20:00" in " ".join(mails[0].text.split())
    talk.everything()
    refused = said(say(talk, "carl", "master 1 extend 6h"), "carl")
    assert "phases end at a fixed hour here: say by how many days, as in extend 1" in refused
    mails = say(talk, "carl", "master 1 extend 1")
    assert "order by Fri 06 Mar 2026, 20:00" in said(mails, "ann")


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_master_is_a_player_who_has_no_seat(talk: Conversation, name: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"dip challenge ann bob --master={name}")
    assert talk.any_mail("ann").text.startswith("Not done:")
    assert not talk.waiting("bob")


def test_the_master_sets_positions_and_asks_others_to_play_on(talk: Conversation) -> None:
    """Everybody is told what was set and who was asked; a seat changes when its new player agrees,
    and nothing that the one before ordered or wrote goes over."""
    talk.signup("ann", "bob", "carl", "dora", "emil")
    talk.agreed("dip", "ann", "bob", options="--deadline=9 --master=carl")
    say(talk, "bob", "move 1 A PAR - BUR")
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} set france A BUR, F SPA/SC")
    for who in ("ann", "bob"):
        mail = talk.receives(
            who, "[dip 1] your orders awaited, the master, carl, changed the position of France"
        )
        text = " ".join(mail.text.split())
        assert (
            "The units of France are A BUR, F SPA/SC now; all orders are to be given again" in text
        )
        assert "Without an order: A BUR" in text or who == "ann"
    talk.mails("ann", "dip show 1")
    assert "A BUR, F SPA/SC" in said(talk.everything(), "ann")
    lines = "austria: centres bud vie\nfrance: no units\nfrance A TRI"
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} set", lines)
    (refused,) = talk.everything()
    assert "Austria has a unit in TRI: nothing was set" in " ".join(refused.text.split())
    for words, reason in (
        ("set france A MAO", "no army can stand in MAO"),
        ("set france F STP", "no fleet can stand in STP: name a coast, STP/NC or STP/SC"),
        ("set france centres BUR", "BUR is no supply centre"),
        ("set atlantis A PAR", "name one power: Austria, France"),
        ("replace france nobody", "nobody of that userid can be asked"),
        ("replace france ann", "whoever plays on the board or runs it cannot be asked"),
    ):
        talk.mails("carl", f"dip master 1 carl {talk.password('carl')} {words}")
        (refused,) = talk.everything()
        assert reason in " ".join(refused.text.split()), refused.text
    say(talk, "bob", "move 1 A BUR - MUN")
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} replace france dora")
    mails = talk.everything()
    assert "asks dora to go on with France" in said(mails, "ann")
    asked = next(mail for mail in mails if mail.address.startswith("dora"))
    assert "To agree, reply with yes." in asked.text
    assert "nobody has left a seat" in said(say(talk, "emil", "takeover 1 france"), "emil")
    talk.mails("dora", f"dip takeover 1 dora {talk.password('dora')} france")
    mails = talk.everything()
    assert "dora took over France" in said(mails, "ann")
    assert "dora has taken over France on board 1. You no longer play there" in said(mails, "bob")
    assert not any("A BUR - MUN" in mail.text for mail in mails)
    assert "you do not play on board 1" in said(say(talk, "bob", "move 1 A BUR H"), "bob")
    assert "Your orders: A BUR H" in said(say(talk, "dora", "move 1 A BUR H"), "dora")
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} process")
    told = said(talk.everything(), "ann")
    assert "Your orders in 9 days: the master, carl, ended this phase" in told


def test_a_master_is_told_of_the_board_and_gets_its_mails_when_they_ask(talk: Conversation) -> None:
    """From its beginning, as a spectator; who wants no more of them is answered all the same."""
    talk.signup("ann", "bob", "carl")
    talk.mails("ann", "dip challenge ann bob --master=carl --ask --deadline=3")
    asleep = talk.any_mail("ann")
    talk.nothing_more()
    talk.replies(asleep, "accept")
    talk.any_mail("ann")
    invitation = talk.any_mail("bob")
    assert "Invitation to a game of Diplomacy" in talk.any_mail("carl").text
    talk.replies(invitation, "accept")
    begun = next(mail for mail in talk.everything() if mail.address.startswith("carl"))
    assert "New game of Diplomacy" in begun.text
    assert "What a master can do: help master" in begun.text
    talk.replies(begun, "dip watch 1")
    assert "You will get the mails of board 1" in talk.any_mail("carl").text
    mails = say(talk, "carl", "master 1 extend 2")
    assert "The master, carl, made this phase longer, by 2d" in said(mails, "carl")
    (own,) = [mail for mail in mails if mail.address.startswith("carl")]
    assert own.header("In-Reply-To")
    say(talk, "ann", "move 1 A BUD H; A VIE H; F TRI H")
    assert "Fall 1901, movement" in said(say(talk, "bob", "move 1 ready"), "carl")
    talk.mails("carl", "dip unwatch 1")
    talk.everything()
    assert not [m for m in say(talk, "ann", "move 1 ready") if m.address.startswith("carl")]
    assert "Spring 1902, movement" in said(say(talk, "carl", "master 1 process"), "carl")


def test_nobody_gets_the_mails_of_a_board_because_others_named_them_its_master(
    talk: Conversation,
) -> None:
    """One mail tells them of it; what is played there reaches them only when they ask for it."""
    talk.signup("ann", "bob", "carl", "dora")
    talk.agreed("dip", "ann", "bob", options="--deadline=3 --master=carl")
    told = " ".join(talk.any_mail("carl").text.split())
    assert "You run this board without playing on it. To get its mails, reply with" in told
    assert "dip watch 1" in told
    assert "watching" not in told
    talk.everything()
    for who, line in (
        ("ann", "move 1 A BUD H; A VIE H; F TRI H"),
        ("bob", "move 1 ready"),
        ("ann", "chat 1 Hello!"),
    ):
        assert not [m for m in say(talk, who, line) if m.address.startswith("carl@")]
    assert "Spring 1902, movement" in said(say(talk, "carl", "master 1 process"), "carl")
    talk.signup("emil")
    talk.proves("carl", "block carl emil")
    talk.everything()
    talk.proves("dora", "dip challenge dora emil --master=carl")
    mails = talk.everything()
    invitation = next(mail for mail in mails if mail.address.startswith("emil@"))
    assert "You run this board" in said(mails, "carl")
    talk.replies(invitation, "accept")
    assert not [mail for mail in talk.everything() if mail.address.startswith("carl@")]


def test_a_sleeping_board_with_a_master_can_be_dropped(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.mails("ann", "dip challenge ann bob --master=carl")
    talk.replies(talk.any_mail("ann"), "decline")
    assert "dropped" in talk.any_mail("ann").text
    talk.nothing_more()
    talk.mails("ann", "dip challenge ann bob --master=carl")
    talk.any_mail("ann")
    talk.passes(days=9)
    assert not [mail for mail in talk.everything() if mail.address.startswith("carl")]
    talk.mails("bob", "dip show 2")
    assert "there is no board with that number" in talk.any_mail("bob").text
