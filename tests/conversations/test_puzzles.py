"""Puzzles: a board comes by mail, the only move that wins goes back."""

from __future__ import annotations

import json
import re

import pytest
from sqlalchemy import select

from pbm.features.puzzles.tables import puzzles
from pbm.games import get_game
from pbm.rules import Position
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail


def position_in(talk: Conversation, number: int) -> Position:
    """The position of a puzzle, from the database."""
    with talk.server.store.reading() as session:
        query = select(puzzles.c.moves).where(puzzles.c.id == number)
        ((moves,),) = session.tuples(query)
    position = get_game("cradle").setup()
    for move in str(moves).split():
        position = position.play(min(position.to_move), move)
    return position


def find_answers(position: Position) -> tuple[str, str]:
    """The move that wins, and one that does not."""
    solution = position.solve()
    assert solution is not None
    (right,) = solution.best
    moves = position.legal_moves(min(position.to_move))
    return right, next(move for move in moves if move != right)


def states(talk: Conversation) -> list[str]:
    """What counts of each puzzle that was mailed."""
    with talk.server.store.reading() as session:
        return [str(state) for (state,) in session.tuples(select(puzzles.c.state).order_by("id"))]


def asks(talk: Conversation, who: str, strength: str = "easy") -> Mail:
    """Somebody asks for a puzzle; its mail."""
    talk.mails(who, f"cradle puzzle {who} {talk.password(who)} {strength}")
    return talk.any_mail(who)


@pytest.mark.postgresql
def test_a_puzzle_is_solved_by_reply(talk: Conversation) -> None:
    talk.signup("ann")
    mail = asks(talk, "ann")
    assert mail.subject == "[pbm] cradle puzzle 1, easy"
    assert "which is the only move that wins?" in mail.text
    position = position_in(talk, 1)
    right, _ = find_answers(position)
    assert position.picture(None).lines[2] in mail.text
    assert right not in mail.text
    raw = talk.replies(mail, right.upper())
    answer = talk.receives("ann", "[pbm] cradle puzzle 1: right", f"Right: {right} is the only")
    assert "No cradle fits." in answer.text
    assert "1 of 1 easy puzzles of cradle" in answer.text
    assert answer.references[0] == mail.references[0] == "<puzzle.1@example.net>"
    assert raw in answer.references
    assert states(talk) == ["solved"]
    talk.replies(answer, "hard")
    talk.receives("ann", "[pbm] cradle puzzle 2, hard")
    talk.replies(answer, "puzzle")
    talk.receives("ann", "[pbm] cradle puzzle 3, easy")
    talk.replies(answer, "puzzle score")
    talk.receives(
        "ann", "[pbm] puzzles of ann", "cradle easy 1 of 1, 1 open", "cradle hard 0 of 0, 1 open"
    )


@pytest.mark.postgresql
def test_only_the_first_answer_counts(talk: Conversation) -> None:
    talk.signup("ann")
    mail = asks(talk, "ann", "medium")
    right, wrong = find_answers(position_in(talk, 1))
    talk.replies(mail, wrong)
    answer = talk.receives("ann", "[pbm] cradle puzzle 1: wrong", f"Wrong: after {wrong}")
    assert right not in answer.text.replace(",\n", ",")
    assert "does not count" not in answer.text
    talk.replies(answer, right)
    talk.receives(
        "ann", "[pbm] cradle puzzle 1: right", "This does not count", "0 of 1 medium puzzles"
    )
    talk.replies(mail, "solution")
    talk.receives(
        "ann", "[pbm] cradle puzzle 1: the solution", f"The only move that wins is {right}"
    )
    assert states(talk) == ["missed"]


def test_the_solution_is_told_to_who_asks(talk: Conversation) -> None:
    talk.signup("ann")
    mail = asks(talk, "ann")
    right, _ = find_answers(position_in(talk, 1))
    talk.replies(mail, "Solution.")
    talk.receives("ann", "[pbm] cradle puzzle 1: the solution", right, "0 of 1 easy puzzles")
    talk.mails("ann", f"puzzle 1 ann {talk.password('ann')} {right}")
    talk.receives("ann", "[pbm] cradle puzzle 1: right", "This does not count")
    talk.mails("ann", f"puzzle ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] puzzles of ann", "cradle easy 0 of 1")
    assert states(talk) == ["given_up"]


def test_what_is_no_legal_move_does_not_count(talk: Conversation) -> None:
    talk.signup("ann")
    mail = asks(talk, "ann")
    right, _ = find_answers(position_in(talk, 1))
    talk.replies(mail, "I have no idea")
    talk.receives(
        "ann",
        "[pbm] not done: puzzle 1 is still open: 'i' is not a cell: write its four cells ...",
        "puzzle 1 MOVE",
        "puzzle 1 solution",
    )
    talk.replies(mail, "a2,b2,c2,z9")
    talk.receives(
        "ann", "[pbm] not done: puzzle 1 is still open: z9 is not on the board: its rows are 1 to 4"
    )
    refused = position_in(talk, 1)
    placed = next(
        name
        for name in refused.game.setup().legal_moves(0)
        if name not in refused.legal_moves(min(refused.to_move))
    )
    talk.replies(mail, placed)
    again = talk.any_mail("ann")
    assert "puzzle 1 is still open" in again.text
    assert states(talk) == ["open"]
    talk.replies(again, f"my move: ({right})")
    talk.receives("ann", "[pbm] cradle puzzle 1: right", "1 of 1 easy puzzles")


@pytest.mark.config(players={"pictures": True})
def test_a_puzzle_in_words_and_as_a_page(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"set ann {talk.password('ann')} board=words")
    talk.any_mail("ann")
    mail = asks(talk, "ann")
    assert "+--" not in mail.text
    assert "Piece of height 1 on" in mail.text
    talk.mails("bob", f"set bob {talk.password('bob')} mail=picture")
    talk.any_mail("bob")
    mail = asks(talk, "bob")
    right, _ = find_answers(position_in(talk, 2))
    assert b"image/png" in mail.raw
    assert right.encode() not in mail.raw


def test_a_reply_from_elsewhere_or_with_a_forged_token_is_nobodys(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail = asks(talk, "ann")
    right, _ = find_answers(position_in(talk, 1))
    talk.replies(mail, right, who="bob")
    told = talk.any_mail("bob")
    assert "not done: the mail that you answered belongs to another address" in told.subject
    forged = re.sub(r"\+p1-", "+p2-", mail.reply_to)
    asks(talk, "ann")
    talk.mails("ann", "Re: puzzle", right, to=forged)
    told = talk.any_mail("ann")
    assert "not done: the reply address is no longer valid" in told.subject
    talk.mails("bob", f"puzzle 1 bob {talk.password('bob')} {right}")
    talk.receives("bob", "[pbm] not done: you were mailed no puzzle with that number")
    talk.mails("ann", f"puzzle 1 ann wrong-word {right}")
    talk.receives(
        "ann", "[pbm] not done: wrong userid or password", "puzzle NUMBER ann PASSWORD MOVE"
    )
    assert states(talk) == ["open", "open"]


@pytest.mark.postgresql
def test_a_mail_that_comes_twice_counts_once(talk: Conversation) -> None:
    talk.signup("ann")
    mail = asks(talk, "ann")
    _, wrong = find_answers(position_in(talk, 1))
    headers = {"Message_ID": "<same@example.org>", "In_Reply_To": mail.message_id}
    for _ in range(2):
        talk.mails("ann", f"Re: {mail.subject}", wrong, to=mail.reply_to, **headers)
    talk.receives("ann", "[pbm] cradle puzzle 1: wrong", "0 of 1 easy puzzles")
    talk.nothing_more()
    same = {"Message_ID": "<ask@example.org>"}
    for _ in range(2):
        talk.mails("ann", f"cradle puzzle ann {talk.password('ann')}", **same)
    talk.receives("ann", "[pbm] cradle puzzle 2, medium")
    talk.nothing_more()


@pytest.mark.config(limits={"puzzles_a_day": 2})
def test_there_are_so_many_a_day_and_none_twice(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first, second, of_bob = asks(talk, "ann"), asks(talk, "ann"), asks(talk, "bob")
    talk.mails("ann", f"cradle puzzle easy ann {talk.password('ann')}")
    talk.receives(
        "ann",
        "[pbm] not done: you have had as many puzzles as a day allows (2): ask again after "
        "00:00 UTC",
    )
    talk.clock.advance(days=1)
    third = asks(talk, "ann")
    with talk.server.store.reading() as session:
        moves = [row[0] for row in session.tuples(select(puzzles.c.moves).order_by("id"))]
    assert len({moves[0], moves[1], moves[3]}) == 3
    assert {first.subject, second.subject, third.subject, of_bob.subject} == {
        f"[pbm] cradle puzzle {number}, easy" for number in range(1, 5)
    }


def test_other_games_have_none(talk: Conversation) -> None:
    talk.signup("ann")
    ann = talk.password("ann")
    talk.mails("ann", f"chess puzzle ann {ann}")
    talk.receives("ann", "[pbm] not done: there are no puzzles of chess")
    talk.mails("ann", f"cradle puzzle ann {ann} impossible")
    talk.receives(
        "ann",
        "[pbm] not done: a puzzle is easy, medium or hard",
        "cradle puzzle ann PASSWORD medium",
    )
    talk.mails("ann", f"puzzle hard ann {ann}")
    talk.receives("ann", "[pbm] not done: the game is missing", "GAME puzzle ann PASSWORD")
    talk.mails("stranger", "cradle puzzle", to=SERVER)
    talk.receives("stranger", "[pbm] how to play board games by mail")


@pytest.mark.postgresql
def test_puzzles_are_personal_data_and_go_with_the_person(talk: Conversation) -> None:
    talk.signup("ann")
    asks(talk, "ann")
    talk.mails("ann", f"mydata ann {talk.password('ann')}")
    kept = talk.receives("ann", "[pbm] what is kept about ann")
    (part,) = [part for part in kept.message.walk() if part.get_filename()]
    (row,) = json.loads(part.get_content())["puzzles"]
    assert (row["game"], row["state"]) == ("cradle", "open")
    talk.mails("ann", f"erase ann {talk.password('ann')}")
    code = talk.any_mail("ann")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.any_mail("ann")
    assert states(talk) == []
