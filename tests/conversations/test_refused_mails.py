"""What cannot be done: one clear mail to whoever asked, none to others, and nothing changed."""

from __future__ import annotations

import smtplib

import pytest
from sqlalchemy import select

from pbm.store.tables import inbound
from tests.harness.conversation import Conversation
from tests.harness.servers import Sockets


def untouched(talk: Conversation) -> None:
    """The board is as it was at the start."""
    talk.mails("bob", "cradle show 1")
    mail = talk.receives("bob", "[cradle 1] ann to move (1)")
    assert mail.fact("Ply") == "0"


@pytest.fixture
def board(talk: Conversation) -> Conversation:
    """A server with one board between ann and bob."""
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    return talk


def test_a_wrong_move(board: Conversation) -> None:
    ann = board.password("ann")
    board.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d9")
    mail = board.any_mail("ann")
    assert mail.subject.startswith("[cradle 1] not done: ")
    assert "d9" in mail.subject
    assert "cradle move 1 ann PASSWORD MOVE" in mail.text
    assert "The game is unchanged." in mail.text
    untouched(board)


def test_a_move_that_is_none_at_all(board: Conversation) -> None:
    board.mails("ann", f"cradle move 1 ann {board.password('ann')} hello there")
    mail = board.any_mail("ann")
    assert mail.subject.startswith("[cradle 1] not done: ")
    untouched(board)


def test_wrong_password_and_wrong_userid_get_the_same_words(board: Conversation) -> None:
    wrong = board.secret("Sesame-guessed")
    board.mails("ann", f"cradle move 1 ann {wrong} b1,c1,d1,d2")
    known = board.any_mail("ann")
    board.mails("ann", f"cradle move 1 nobody {wrong} b1,c1,d1,d2")
    unknown = board.any_mail("ann")
    assert known.subject == unknown.subject
    assert "wrong userid or password" in known.subject
    assert known.text == unknown.text.replace("nobody", "ann")
    untouched(board)


def test_the_mover_is_not_told_of_a_wrong_password_from_elsewhere(board: Conversation) -> None:
    """The answer goes to the registered address the mail came from, not to the player named."""
    wrong = board.secret("Sesame-guessed")
    board.mails("bob", f"cradle move 1 ann {wrong} b1,c1,d1,d2")
    mail = board.any_mail("bob")
    assert "not done: wrong userid or password" in mail.subject
    untouched(board)


def test_an_unknown_board(board: Conversation) -> None:
    board.mails("ann", f"cradle move 99 ann {board.password('ann')} b1,c1,d1,d2")
    mail = board.any_mail("ann")
    assert "not done: there is no board" in mail.subject
    untouched(board)


def test_a_board_of_others(board: Conversation) -> None:
    board.signup("carl")
    board.mails("carl", f"cradle move 1 carl {board.password('carl')} b1,c1,d1,d2")
    board.receives("carl", "[pbm] not done: you do not play on board 1", "cradle show 1")
    untouched(board)


def test_a_board_of_another_game(board: Conversation) -> None:
    board.mails("ann", f"cyclone move 1 ann {board.password('ann')} b5-b6")
    mail = board.any_mail("ann")
    assert "not done: board 1 is a game of cradle" in mail.subject
    assert "cradle move 1 ann PASSWORD MOVE" in mail.text
    untouched(board)


def test_a_move_out_of_turn(board: Conversation) -> None:
    board.mails("bob", f"cradle move 1 bob {board.password('bob')} b1,c1,d1,d2")
    board.receives(
        "bob",
        "[cradle 1] not done: it is ann's turn",
        "cradle queue 1 bob PASSWORD b1,c1,d1,d2",
        "cradle chat 1 bob PASSWORD TEXT",
    )
    with board.server.store.reading() as session:
        query = select(inbound.c.refusals).order_by(inbound.c.id.desc()).limit(1)
        assert session.execute(query).scalar_one() == "wrong_turn"
    untouched(board)


def test_a_command_for_a_game_that_does_not_exist(board: Conversation) -> None:
    board.proves("ann", "parcheesi challenge ann bob")
    mail = board.any_mail("ann")
    assert mail.subject.startswith("[pbm] not done: ")
    untouched(board)


def test_a_move_for_another_number(board: Conversation) -> None:
    board.mails("ann", f"cradle move#2 1 ann {board.password('ann')} b1,c1,d1,d2")
    board.receives("ann", "[cradle 1] not done: it is move 1 now, not move 2")
    untouched(board)


def test_a_challenge_to_somebody_unknown(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "cradle challenge ann zoe")
    talk.receives("ann", "[pbm] not done: there is no player 'zoe'")


def test_a_userid_that_is_taken(talk: Conversation) -> None:
    """The answer repeats no word: any of them may be a password."""
    talk.signup("ann")
    talk.mails("zoe", f"signup ANN {talk.secret('Sesame-zoe')}")
    mail = talk.any_mail("zoe")
    assert "this userid is taken" in mail.subject
    assert "signup USERID PASSWORD" in mail.text


def test_a_board_that_is_over(board: Conversation) -> None:
    board.mails("ann", f"cradle move 1 ann {board.password('ann')} a2,b2,c2,c3")
    for who in ("ann", "bob"):
        board.any_mail(who)
    board.mails("ann", f"cradle resign 1 ann {board.password('ann')}")
    board.receives("ann", "[cradle 1] bob won (1)", "You resigned. bob won (1).")
    board.receives("bob", "[cradle 1] bob won (1)", "ann resigned. You won (1).")
    board.mails("bob", f"cradle move 1 bob {board.password('bob')} b1,c1,d1,d2")
    board.receives("bob", "[cradle 1] not done: board 1 is over", "cradle show 1")


def test_no_command_at_all(board: Conversation) -> None:
    board.mails("ann", "Dinner on Saturday?", "Will you come?")
    board.receives("ann", "[pbm] not done: there was no command in your mail", "help", "list")
    untouched(board)


# Strangers


@pytest.mark.postgresql
def test_a_stranger_gets_one_mail_a_day(talk: Conversation) -> None:
    talk.mails("zoe", "hello?")
    talk.receives("zoe", "[pbm] how to play board games by mail", "signup USERID PASSWORD")
    talk.mails("zoe", "hello??")
    talk.mails("zoe", "list")
    talk.mails("zoe", f"cradle move 1 ann {talk.secret('Sesame-x')} b1,c1,d1,d2")
    talk.nothing_more()
    talk.clock.advance(days=1)
    talk.mails("zoe", "hello again")
    talk.receives("zoe", "[pbm] how to play board games by mail")


def test_a_stranger_learns_nothing_about_who_plays_here(talk: Conversation) -> None:
    """The same words whatever userid was named."""
    talk.signup("ann")
    wrong = talk.secret("Sesame-guessed")
    talk.mails("zoe", f"cradle move 1 ann {wrong} b1,c1,d1,d2")
    talk.mails("yves", f"cradle move 1 nobody {wrong} b1,c1,d1,d2")
    known = talk.receives("zoe", "[pbm] how to play board games by mail")
    unknown = talk.receives("yves", "[pbm] how to play board games by mail")
    assert known.text == unknown.text


def test_a_player_without_a_confirmed_address_cannot_act(talk: Conversation) -> None:
    ann = talk.password("ann")
    talk.mails("ann", f"signup ann {ann}")
    mail = talk.receives("ann", "[pbm] confirm this address")
    talk.mails("ann", f"set ann {ann} own=no")
    talk.receives("ann", "[pbm] one more step to open your account")
    talk.mails("ann", f"confirm {mail.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")


def test_a_code_counts_once(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] confirm this address")
    code = mail.line("Code: ")
    talk.mails("ann", "confirm 1234-5678-9abc")
    refusal = talk.any_mail("ann")
    assert "this code is wrong, expired" in refusal.subject
    talk.mails("ann", f"confirm {code.upper()}")
    talk.receives("ann", "[pbm] welcome, ann")
    talk.mails("ann", f"confirm {code}")
    talk.receives(
        "ann",
        "[pbm] not done: this code is wrong, expired, already used or replaced by a newer one",
    )


def test_a_code_ends_after_a_week(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] confirm this address", "7 days")
    talk.clock.advance(days=7.1)
    talk.mails("ann", f"confirm {mail.line('Code: ')}")
    refusal = talk.any_mail("ann")
    assert "this code is wrong, expired" in refusal.subject


# The door, and mail of machines


@pytest.mark.sockets
def test_mail_for_others_is_refused_at_the_door(talk: Conversation) -> None:
    assert isinstance(talk.server, Sockets)
    with smtplib.SMTP("127.0.0.1", talk.server.port) as client:
        client.ehlo()
        assert client.mail("ann@example.org")[0] == 250
        for other in ("bob@example.org", "pbm@example.org", "postmaster2@example.net"):
            code, said = client.rcpt(other)
            assert code == 550
            assert b"pbm@example.net" in said
        for own in ("pbm@example.net", "PBM@Example.NET", "pbm+b1-0-1-abc@example.net"):
            assert client.rcpt(own)[0] == 250


def test_machines_get_no_answer_and_nothing_runs(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "list", Auto_Submitted="auto-replied")
    talk.mails("ann", "list", envelope="")
    talk.nothing_more()


def test_the_same_mail_twice_is_done_once(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "cradle challenge ann bob", Message_ID="<same@example.org>")
    talk.receives("ann", "[cradle 1] new board: ann, bob")
    talk.receives("bob", "[cradle 1] new board: ann, bob")
    talk.proves("ann", "cradle challenge ann bob", Message_ID="<same@example.org>")
    talk.nothing_more()
