"""The main job: two players sign up, play a whole game of Cradle, and both see every board."""

from __future__ import annotations

import pytest

from tests.games.cradles import FINISHED
from tests.harness.conversation import Conversation


@pytest.mark.postgresql
def test_a_game_from_signup_to_the_win(talk: Conversation) -> None:
    """Moves with userid and password in the Subject, as one would type them."""
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("ann", f"signup ann {ann}")
    mail = talk.receives("ann", "[pbm] confirm this address", "with the word yes")
    talk.mails("ann", f"confirm {mail.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann", "cradle challenge ann OTHER")
    talk.mails("bob", f"signup bob {bob}")
    mail = talk.receives("bob", "[pbm] confirm this address")
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.receives("bob", "[pbm] welcome, bob")

    talk.proves("ann", "cradle challenge ann bob")
    talk.receives(
        "ann", "[cradle 1] new board: ann, bob", "Your move in 21 days. ", "+-----+-----+"
    )
    talk.receives("bob", "[cradle 1] new board: ann, bob", "It is ann's turn (1).", "+-----+-----+")

    for ply, move in enumerate(FINISHED[:-1], 1):
        mover, other = ("ann", "bob") if ply % 2 else ("bob", "ann")
        talk.mails(mover, f"cradle move 1 {mover} {talk.password(mover)} {move}")
        talk.receives(
            mover,
            f"[cradle 1] {other} to move ({ply + 1}), you played {move}",
            f"It is {other}'s turn ({ply + 1}).",
        )
        mail = talk.receives(
            other,
            f"[cradle 1] your move ({ply + 1}), {mover} played {move}",
            "Your move in 21 days: ",
        )
        assert mail.fact("Ply") == str(ply)
        assert mail.fact("ToMove") == other

    talk.mails("ann", f"cradle move 1 ann {ann} {FINISHED[-1]}")
    for who in ("ann", "bob"):
        mail = talk.receives(
            who, "[cradle 1] ann won (7)", "first   you, won" if who == "ann" else "lost"
        )
        winner = "You" if who == "ann" else "ann"
        assert mail.lines[0] == f"{winner} won (7): no cradle fits."
        assert (mail.fact("Result"), mail.fact("ToMove")) == ("1 2", "-")
        assert "  3   /     /   3*/ \\     \\   3" in mail.lines


@pytest.mark.postgresql
def test_the_same_game_by_replies(talk: Conversation) -> None:
    """No userid, no password: an answer to a board's mail is the move."""
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    last = talk.plays(FINISHED, "ann", "bob", latest=latest)
    assert [mail.subject for mail in last] == ["[cradle 1] ann won (7)"] * 2


@pytest.mark.config(players={"confirm_addresses": False})
def test_a_private_server_asks_for_no_code(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] welcome, ann")


@pytest.mark.postgresql
def test_three_players_one_of_whom_resigns(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.proves("carl", "cradle challenge carl ann bob")
    for who in ("carl", "ann", "bob"):
        talk.receives(who, "[cradle 1] new board: carl, ann, bob")
    carl, ann = talk.password("carl"), talk.password("ann")
    talk.mails("carl", f"cradle move 1 carl {carl} b1,c1,d1,d2")
    talk.receives("carl", "[cradle 1] ann to move (2), you played b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] your move (2), carl played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] ann to move (2), carl played b1,c1,d1,d2")
    talk.mails("ann", f"cradle resign 1 ann {ann}", "I must be off, sorry.")
    talk.receives("carl", "[cradle 1] bob to move (2), ann resigned", "> I must be off, sorry.")
    talk.receives("ann", "[cradle 1] bob to move (2), you resigned")
    talk.receives("bob", "[cradle 1] your move (2), ann resigned", "> I must be off, sorry.")
    talk.mails("carl", f"cradle resign 1 carl {carl}")
    for who in ("carl", "ann", "bob"):
        mail = talk.receives(who, "[cradle 1] bob won (1)")
        assert mail.fact("Result") == "2 3 1"


def test_options_of_a_challenge(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "cradle challenge ann -size=3 bob -must-reduce")
    mail = talk.receives("ann", "[cradle 1] new board: ann, bob", "-size=3")
    assert mail.fact("Options") == "-size=3 -must_reduce"
    talk.receives("bob", "[cradle 1] new board: ann, bob", "a  b  c  d  e  f  g  h  i  j  k")
    talk.proves("ann", "cradle challenge ann bob -size=7")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[pbm] not done: ")
    assert "2 to 6" in mail.text or "2..6" in mail.text
    talk.proves("ann", "Cradle Challenge [-size=3] ann bob")
    mail = talk.receives("ann", "[cradle 2] new board: ann, bob")
    assert mail.fact("Options") == "-size=3"
    talk.any_mail("bob")
    talk.proves("ann", "cradle challenge ann bob -colour=red")
    talk.receives("ann", "[pbm] not done: there is no option -colour", "-size", "--forfeit=DAYS")


def test_who_would_cancel_the_board_of_several_is_told_before(talk: Conversation) -> None:
    talk.signup("ann", "bob", "cat")
    mails = talk.challenge("spacecradles", "ann", "bob", "cat")
    talk.replies(mails[2], "resign")
    mail = talk.any_mail("cat")
    assert "cancels the game for everybody" in mail.text
    talk.nothing_more()
    talk.replies(mail, "decline")
    for who in ("ann", "bob", "cat"):
        talk.receives(who, "[spacecradles 1] cancelled (0)", "declined")


def test_help_and_lists(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", "help")
    talk.receives("ann", "[pbm] help", "cradle challenge ann bob")
    talk.mails("ann", "cradle help")
    talk.receives("ann", "[pbm] help cradle", "-size")
    talk.mails("bob", "list")
    talk.receives("bob", "[pbm] boards being played", "cradle", "ann* bob")
    talk.mails("bob", "cradle show 1")
    talk.receives("bob", "[cradle 1] ann to move (1)", "+-----+-----+", "It is ann's turn")
