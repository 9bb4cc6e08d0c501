"""Mails about no board: what a list says to reply with, events by their names, and thanks, which
need no answer."""

from __future__ import annotations

from tests.harness.conversation import Conversation


def test_a_list_is_for_its_reader(talk: Conversation) -> None:
    """A reply proves who its reader is, so that no line in it needs userid and password."""
    talk.signup("ann", "bob")
    talk.proves("ann", 'event new knockout chess --name="Winter cup"')
    assert "    event enter 1" in talk.any_mail("ann").text.replace("To enter: ", "    ")
    talk.proves("ann", "hex seek")
    talk.any_mail("ann")
    for asked in ("events", "event show 1", "seeks", "players", "who ann"):
        talk.mails("bob", asked)
        got = talk.any_mail("bob")
        assert "PASSWORD" not in got.text, f"{asked}: {got}"
    talk.mails("bob", "seeks")
    seeks = talk.any_mail("bob")
    assert "    hex join 1" in seeks.lines
    talk.replies(seeks, "hex join 1")
    assert talk.any_mail("bob").text.startswith("Your move in 21 days. ")
    talk.any_mail("ann")


def test_an_event_is_entered_by_its_name(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", 'event new knockout chess --name="Winter cup"')
    talk.proves("ann", 'event new knockout chess --name="Winter cup of beginners"')
    made = [talk.any_mail("ann"), talk.any_mail("ann")]
    talk.proves("bob", "event enter the Winter cup")
    assert talk.any_mail("bob").text.startswith("Not done: there is no event")
    talk.replies(made[0], "enter beginners", who="bob")  # another's reply address proves nothing
    assert "Not done" in talk.any_mail("bob").text
    for written, number in (("event enter winter cup", 1), ("enter beginners", 2)):
        talk.proves("bob", written)
        got = talk.any_mail("bob")
        assert got.subject.startswith(f"[event {number}] you have entered"), got
    talk.mails("ann", "event show beginners")
    talk.receives("ann", "[event 2] Winter cup of beginners", "bob")


def test_a_full_event_begins_at_once_unless_its_day_was_named(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "event new knockout chess --max=2")
    talk.proves("ann", "event new knockout chess --max=2 --begins=2026-03-20")
    for number in (1, 2):
        for who in ("ann", "bob"):
            talk.proves(who, f"enter {number}")
    entered = [mail for mail in talk.everything() if "you have entered" in mail.subject]
    assert ["Begins Mon 02 Mar 2026" in mail.text for mail in entered] == [
        False,
        True,
        False,
        False,
    ]
    talk.passes(days=0.25)
    begun = talk.everything()
    assert {mail.subject for mail in begun if "begun" in mail.subject} == {
        "[event 1] Chess knockout has begun"
    }
    assert sum("[chess 1]" in mail.subject for mail in begun) == 2


def test_thanks_for_a_mail_about_no_board_need_no_answer(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "games")
    listed = talk.any_mail("ann")
    for said in ("Thanks!", "Merci beaucoup :-)", "Thank you, this is fun", "Vielen Dank, Ann"):
        talk.replies(listed, said)
        talk.nothing_more()
    talk.replies(listed, "Thanks, where do I begin?")
    talk.receives("ann", "[pbm] your question", "    chess seek")
    talk.replies(listed, "That helps")
    assert "I could not find a command" in talk.any_mail("ann").text


def test_a_boards_mail_has_none_of_what_a_list_says(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mails = talk.challenge("chess", "ann", "bob")
    for mail in talk.plays(["e4"], "ann", "bob", latest=mails):
        assert "USERID" not in mail.text
        assert "claim a draw" not in mail.text
