"""Plans: what a player answers to what the others may do, played the moment they do it."""

from __future__ import annotations

import pytest

from pbm.core.storing import load
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob")


@pytest.mark.postgresql
def test_a_plan_answers_as_far_as_it_reaches(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails(
        "bob",
        f"hex plan 1 bob {talk.password('bob')}",
        "if D4 then e5 if c3 then f6\nif d4 then e5 if b2 then resign\nif any then d4",
    )
    answer = talk.receives(
        "bob",
        "[hex 1] plan",
        "Your plan, which only you can see:",
        "1    if d4 (1) then e5 (2)\n",
        "1.1    if c3 (3) then f6 (4)\n",
        "1.2    if b2 (3) then resign\n",
        "2    if any (1) then d4\n",
        "reply with plan none",
    )
    talk.replies(answer, "plan #1.1")
    talk.receives("bob", "[hex 1] plan 1.1", "The board at the end of this branch", "1.1    if c3")
    talk.replies(answer, "plan #1")
    talk.receives("bob", "[hex 1] plan 1", "The board at the end of this branch", "1    if d4")
    talk.replies(answer, "hex plan 1")
    talk.receives("bob", "[hex 1] plan", "1    if d4 (1) then e5 (2)\n")
    for another in ("plan 2#1", "plan 2 if d4 then e5"):
        talk.replies(answer, another)
        words = "you replied to a mail about board 1: another board needs userid and password"
        talk.receives("bob", f"[hex 1] not done: {words}")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4", "Hello!")
    own = talk.receives(
        "ann",
        "[hex 1] your move (3), you played d4, bob played e5",
        "you played d4. bob played e5 as planned.",
    )
    talk.receives(
        "bob",
        "[hex 1] ann to move (3), ann played d4, you played e5",
        "ann played d4. You played e5 as planned.",
        "Your plan, which only you can see:\n  1  if c3 then f6\n  2  if b2 then resign\n",
    )
    talk.replies(own, "b2")
    talk.receives(
        "ann", "[hex 1] ann won (3)", "You played b2. bob resigned as planned. You won (3)."
    )
    mail = talk.receives("bob", "[hex 1] ann won (3)", "You resigned as planned. ann won (3).")
    talk.replies(mail, "undo")
    talk.receives("bob", "[hex 1] your move (4), you took back the resignation")
    talk.receives("ann", "[hex 1] bob to move (4), bob took back the resignation")


@pytest.mark.postgresql
def test_a_plan_below_a_move_and_plans_that_answer_each_other(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[1], "if d4 then e5 if c3 then b2")
    talk.receives("bob", "[hex 1] plan")
    talk.replies(mails[0], "d4\nif e5 then c3 if b2\n  then g7\nGood luck!")
    talk.receives(
        "ann",
        "[hex 1] bob to move (6), you played d4, bob played e5, you played c3, bob played b2, "
        "you played g7",
        "You played d4. bob played e5 as planned. You played c3 as planned.",
        "Passed on to bob:\n> Good luck!\n",
    )
    mail = talk.receives(
        "bob",
        "[hex 1] your move (6), ann played d4, you played e5, ann played c3, you played b2, "
        "ann played g7",
        "ann writes:\n> Good luck!\n",
    )
    assert "if " not in mail.text.partition("ann writes")[2].partition("It is your")[0]


def test_an_indented_line_goes_on_with_the_branch_above(
    talk: Conversation, mails: list[Mail]
) -> None:
    """Below a move as in a mail that is nothing but a plan; lines that begin alike are branches."""
    talk.replies(mails[0], "d4\n  if e5 then c3\n    if b2 then g7\n  if f6 then c3\n\nHello!")
    own = talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    branches = "  1  if e5 then c3 if b2 then g7\n  2  if f6 then c3\n"
    assert f"Your plan, which only you can see:\n{branches}" in own.text
    mail = talk.receives("bob", "[hex 1] your move (2), ann played d4", "> Hello!")
    for body in (
        "if c3 then e5\n   if b2 then g7\nif f6 then e5",
        "plan\nif c3 then e5\n   if b2 then g7\nif f6 then e5",
        "  plan\n  if c3 then e5\n     if b2 then g7\n  if f6 then e5",
    ):
        talk.replies(mail, body)
        branches = "  1  if c3 then e5 if b2 then g7\n  2  if f6 then e5\n"
        talk.receives("bob", "[hex 1] plan", branches)


def test_an_answer_without_a_branch_ends_the_plan(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "if d4 then e5")
    talk.receives("bob", "[hex 1] plan")
    talk.replies(mails[0], "c3")
    own = talk.receives("ann", "[hex 1] bob to move (2), you played c3")
    assert "plan" not in own.text
    mail = talk.receives(
        "bob",
        "[hex 1] your move (2), ann played c3",
        "ann played c3. It is your move (2).\nYour plan has ended: it has no branch for c3.\n",
    )
    talk.replies(mail, "plan")
    talk.receives("bob", "[hex 1] no plan", "You have no plan on this board.")


def test_a_plan_before_ones_own_move(talk: Conversation, mails: list[Mail]) -> None:
    """What does not fit the move that is then made is cut, and its owner hears of it."""
    talk.replies(mails[0], "plan if e5 then d4\nif d4 then e5\nif any then c3")
    talk.receives("ann", "[hex 1] plan", "It begins after your own next move")
    talk.replies(mails[0], "d4")
    talk.receives(
        "ann",
        "[hex 1] bob to move (2), you played d4",
        "Of your plan, `then d4` is cut: ",
        "Of your plan, `if d4` is cut: ",
        "Your plan, which only you can see:\n  1  if any then c3\n",
    )
    mail = talk.receives("bob", "[hex 1] your move (2), ann played d4")
    talk.replies(mail, "e5")
    talk.receives("bob", "[hex 1] your move (4), you played e5, ann played c3")
    talk.receives("ann", "[hex 1] bob to move (4), bob played e5, you played c3")


def test_draws(talk: Conversation, mails: list[Mail]) -> None:
    latest = talk.plays(["d4"], "ann", "bob", latest=mails)
    talk.replies(latest[0], "if propose then accept\nif e5 then propose")
    talk.receives("ann", "[hex 1] plan", "1 if propose then accept 2 if e5 (2) then propose")
    talk.replies(latest[1], "e5")
    talk.receives("ann", "[hex 1] your move (3), bob played e5, you proposed a draw")
    mail = talk.receives(
        "bob",
        "[hex 1] ann to move (3), you played e5, ann proposed a draw",
        "ann proposed a draw as planned.",
    )
    talk.replies(mail, "reject")
    own = talk.any_mail("ann")
    talk.any_mail("bob")
    talk.replies(own, "c3\nif propose then accept")
    talk.receives("ann", "[hex 1] bob to move (4), you played c3")
    mail = talk.receives("bob", "[hex 1] your move (4), ann played c3")
    talk.replies(mail, "propose")
    talk.receives("bob", "[hex 1] draw (3)", "ann agreed to a draw as planned.")
    talk.receives(
        "ann", "[hex 1] draw (3)", "bob proposed a draw. You agreed to a draw as planned."
    )


def test_an_undo_ends_a_plan(talk: Conversation, mails: list[Mail]) -> None:
    latest = talk.plays(["d4", "e5"], "ann", "bob", latest=mails)
    talk.replies(latest[1], "if c3 then b2")
    talk.receives("bob", "[hex 1] plan")
    talk.replies(latest[1], "undo")
    talk.any_mail("bob")
    talk.replies(talk.any_mail("ann"), "accept")
    own = talk.any_mail("ann")
    assert "plan" not in own.text
    talk.receives(
        "bob",
        "[hex 1] your move (2), back to the position after move 1",
        "Your plan has ended: moves were taken back.",
    )


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("if d4 then d4", "line 1 of your plan, then d4: "),
        ("if d4 then e5\nif z9 then e5", "line 2 of your plan, if z9: z9 is not on the board"),
        (
            "if d4 then e5\nif D4 then f6",
            "line 2 of your plan, then f6: an earlier line has another",
        ),
        ("if d4 then e5\ne6 then e5", "line 2 of your plan: a branch begins with the word if"),
        ("if d4 then", "line 1 of your plan: a move is missing after `then`"),
        ("if d4 then e5 if f6", "line 1 of your plan: it does not say what you answer"),
        ("if d4 if e5 then f6", "line 1 of your plan, if e5: it is your own turn there"),
        ("if d4 then e5 then f6", "line 1 of your plan, then f6: it is ann's turn there"),
        ("if d4 then resign if e5 then f6", "resign is the last word of a branch"),
    ],
)
def test_what_is_wrong_is_named(
    talk: Conversation, mails: list[Mail], body: str, problem: str
) -> None:
    talk.mails("bob", f"hex plan 1 bob {talk.password('bob')}", body)
    answer = talk.any_mail("bob")
    assert problem in " ".join(answer.text.split()), answer
    assert "hex plan 1 bob PASSWORD if MOVE then MOVE" in answer.text
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            "if e4 then c5 if Nf3 then d6\nif e4 then c5 if Nf3 then Nc6",
            "line 2 of your plan, then Nc6: ",
        ),
        ("if e4 then e6 if d4 then Nd5", "line 1 of your plan, then Nd5: no knight of yours"),
    ],
)
def test_a_refusal_names_the_move_once_and_as_it_was_typed(
    talk: Conversation, body: str, problem: str
) -> None:
    talk.signup("ann", "bob")
    talk.replies(talk.challenge("chess", "ann", "bob")[1], body)
    assert problem in " ".join(talk.any_mail("bob").text.split())


def test_a_move_is_not_played_when_the_plan_below_it_is_wrong(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "d4\nif e5 then d4")
    answer = talk.any_mail("ann")
    assert "line 1 of your plan, then d4: " in " ".join(answer.text.split())
    talk.replies(mails[0], "d4\nIf we meet again then I shall bring a cake.")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4", "> If we meet again then")
    talk.receives("bob", "[hex 1] your move (2), ann played d4", "> If we meet again then")


def test_what_may_be_meant_as_a_plan_is_not_passed_on(
    talk: Conversation, mails: list[Mail]
) -> None:
    talk.replies(mails[0], "d4\nof e5 then f6\nif e5\nBest wishes")
    talk.receives(
        "ann",
        "[hex 1] bob to move (2), you played d4",
        "Neither done nor passed on; send each in a mail of its own:\n    of e5 then f6\n    if e5",
    )
    mail = talk.receives("bob", "[hex 1] your move (2), ann played d4", "> Best wishes")
    assert "f6" not in mail.text
    assert "if e5" not in mail.text


def test_three_players(talk: Conversation) -> None:
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    latest = talk.challenge("cradle", *people, options="-size=3")
    talk.replies(latest[2], "if c1,d1,e1,c2 then b3,c3,b4,c4")
    answer = talk.any_mail("carl")
    assert "it is bob's turn there, not yours" in " ".join(answer.text.split())
    talk.replies(latest[2], "if c1,d1,e1,c2 if i1,g2,h2,i2 then b3,c3,b4,c4")
    talk.receives("carl", "[cradle 1] plan")
    talk.replies(latest[0], "c1,d1,e1,c2")
    for who in people:
        latest = [*latest[1:], talk.any_mail(who)]
    assert "Your plan, which only you can see:" in latest[2].text
    talk.replies(latest[1], "i1,g2,h2,i2")
    for who in people:
        mail = talk.any_mail(who)
        told = " ".join(mail.text.split())
        assert f"{'You' if who == 'carl' else 'carl'} played b3,c3,b4,c4 as planned." in told
        assert mail.fact("ToMove") == "ann"


def test_a_roll_is_named(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.agreed("backgammon", "ann", "bob", options="-nocube")
    talk.everything()
    talk.mails("bob", f"backgammon showas bob {talk.password('bob')} 1")
    (shown,) = talk.everything()
    other = "bob" if shown.fact("ToMove") == "ann" else "ann"
    mover = "ann" if other == "bob" else "bob"
    talk.mails(other, f"backgammon plan 1 {other} {talk.password(other)}", "if any then 24/23")
    talk.receives(other, "[backgammon 1] plan")
    with talk.server.store.reading() as session:
        position = load(session, 1).position
    move = position.legal_moves(min(position.to_move))[0]
    talk.mails(
        other,
        f"backgammon plan 1 {other} {talk.password(other)}",
        f"if {move} if 31 then 8/5 6/5\nif {move} then 8/5 6/5",
    )
    answer = talk.any_mail(other)
    assert "chance decides before that: name the roll" in " ".join(answer.text.split()), answer
    branches = [f"if {move} if {a}{b} then resign" for a in range(1, 7) for b in range(1, a + 1)]
    body = "\n".join(branches)
    talk.mails(other, f"backgammon plan 1 {other} {talk.password(other)}", body)
    talk.receives(other, "[backgammon 1] plan", "if 66 then resign")
    talk.mails(mover, f"backgammon move 1 {mover} {talk.password(mover)} {move}")
    for who in ("ann", "bob"):
        mail = talk.any_mail(who)
        assert f"{mover} won" in mail.subject
        assert "resigned as planned." in mail.text


def test_hidden_games_answer_anything_or_nothing(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("darkchess", "ann", "bob")
    talk.replies(latest[1], "if e4 then e5")
    answer = talk.any_mail("bob")
    assert "this game hides moves" in " ".join(answer.text.split())
    talk.replies(latest[1], "if any then e5 if any then d5")
    talk.receives("bob", "[darkchess 1] plan", "1  if any then e5 if any then d5")
    talk.replies(latest[0], "a3")
    mail = talk.any_mail("ann")
    assert " as planned." in mail.text
    assert "e5" not in mail.text.partition("-- \n")[0].partition("+")[0]
    talk.any_mail("bob")
    talk.replies(mail, "b3")
    assert "as planned" in talk.any_mail("ann").text
    assert "You played d5 as planned." in talk.any_mail("bob").text
