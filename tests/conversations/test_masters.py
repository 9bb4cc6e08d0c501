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
    until = [line for line in mails[0].lines if "Please order by" in line]
    mails = say(talk, "carl", "master 1 extend 2")
    assert "The master, carl, made this phase longer, by 2d" in said(mails, "ann")
    later = next(mail for mail in mails if mail.address.startswith("ann@"))
    assert [line for line in later.lines if "Please order by" in line] != until
    say(talk, "ann", "move 1 A BUD - SER")
    mails = say(talk, "carl", "master 1 process")
    assert all("Fall 1901, movement" in said(mails, who) for who in ("ann", "bob"))
    mails = say(talk, "carl", "master 1 back 1")
    assert "Spring 1901, movement" in said(mails, "bob")
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} vacate france")
    mails = talk.everything()
    assert "only Austria is left" in said(mails, "ann")


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_a_master_is_a_player_who_has_no_seat(talk: Conversation, name: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", f"dip challenge ann bob --master={name}")
    assert talk.any_mail("ann").text.startswith("Not done:")
    assert not talk.waiting("bob")
