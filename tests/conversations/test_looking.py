"""Looking at boards: any past position, after an undo, a resignation, where things are hidden; and
the lists of boards and players."""

from __future__ import annotations

import pytest

from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail


@pytest.fixture
def latest(house: Conversation) -> list[Mail]:
    """The mails after three moves of hex between ann and bob."""
    house.signup("ann", "bob")
    opening = house.challenge("hex", "ann", "bob")
    return house.plays(["d4", "e5", "f6"], "ann", "bob", latest=opening)


def stones(mail: Mail) -> str:
    """The stones of the drawing."""
    rows = [line for line in mail.lines if line.strip()[:1].isdigit() and " . " in line]
    return "".join(letter for row in rows for letter in row if letter in "XO")


@pytest.mark.postgresql
def test_any_past_position(house: Conversation, latest: list[Mail]) -> None:
    for ply, shown in enumerate(("", "X", "XO", "XOX")):
        house.mails("ann", f"hex show 1#{ply}")
        mail = house.receives("ann", f"[hex 1] after move {ply}")
        assert stones(mail) == shown
        assert mail.fact("Ply") == str(ply)
        assert mail.fact("ToMove") == ("bob" if ply % 2 else "ann")
    house.mails("ann", "hex show 1#4")
    house.receives("ann", "[hex 1] not done: board 1 has only had 3 moves", "hex show 1#3")


def test_past_positions_after_an_undo(house: Conversation, latest: list[Mail]) -> None:
    house.mails("ann", f"hex undo 1 ann {house.password('ann')}")
    house.any_mail("ann")
    house.replies(house.any_mail("bob"), "accept")
    mine = house.any_mail("ann")
    house.any_mail("bob")
    house.mails("ann", "hex show 1#3")
    house.receives("ann", "[hex 1] not done: board 1 has only had 2 moves")
    house.replies(mine, "a1")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("ann", "hex show 1#3")
    mail = house.receives("ann", "[hex 1] after move 3", "a1")
    assert "f6" not in mail.text
    assert stones(mail) == "XXO"


def test_past_positions_after_the_end(house: Conversation, latest: list[Mail]) -> None:
    house.mails("bob", f"hex resign 1 bob {house.password('bob')}")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("bob", "hex show 1#1")
    assert stones(house.receives("bob", "[hex 1] after move 1", "To move: bob")) == "X"
    house.mails("bob", "hex show 1")
    house.receives("bob", "[hex 1] ann won (3)", "It is over: bob resigns.", "rank 2")


def test_several_boards_are_one_answer(house: Conversation, latest: list[Mail]) -> None:
    house.challenge("cradle", "bob", "ann")
    house.mails("ann", "show 1#2 2, 1")
    mail = house.receives("ann", "[pbm] boards 1 and 2", "After move 2:", "Cradle, board 2")
    assert mail.text.count("Hex, board 1") == 2
    house.mails("ann", "show 1 99")
    house.receives("ann", "[pbm] not done: there is no board with that number")


@pytest.mark.postgresql
def test_showas(house: Conversation, latest: list[Mail]) -> None:
    """Sent to the registered address only, whoever asks."""
    bob = house.password("bob")
    house.mails("carl@cafe.example", f"hex showas bob {bob} 1")
    house.receives("bob", "[hex 1] your move (4)", "you, to move")
    house.mails("carl@cafe.example", f"hex showas bob {bob} next")
    house.receives("bob", "[pbm] next boards of bob: hex", "ann bob*")
    house.mails("bob", f"hex showas bob {house.secret('Sesame-wrong')} 1")
    house.receives("bob", "[hex 1] not done: wrong userid or password")


def test_showas_of_a_board_of_others(house: Conversation, latest: list[Mail]) -> None:
    house.signup("carl")
    house.mails("carl", f"hex showas carl {house.password('carl')} 1")
    house.receives("carl", "[pbm] not done: you do not play on board 1", "hex show 1")


def test_hidden_things_stay_hidden(house: Conversation) -> None:
    """What ann may see is in her showas, and in no show, of any past position."""
    house.signup("ann", "bob", "carl")
    opening = house.agreed("poolside", "ann", "bob", "carl")
    hand = opening[0].line("red        0  ").removesuffix("to bid").strip()
    assert len(hand.split()) == 2
    house.mails("ann", f"poolside showas ann {house.password('ann')} 1")
    house.receives("ann", "[poolside 1] your move (1)", f"red        0  {hand}  ")
    house.mails("bob", "poolside show 1")
    assert f"0  {hand}  " not in house.any_mail("bob").text
    house.mails("bob", "poolside show 1#0")
    assert f"0  {hand}  " not in house.any_mail("bob").text


@pytest.mark.postgresql
def test_lists(house: Conversation, latest: list[Mail]) -> None:
    house.plays(["a2,b2,c2,c3"], "bob", "ann", latest=house.challenge("cradle", "bob", "ann"))
    house.mails("ann", f"cradle resign 2 ann {house.password('ann')}")
    house.any_mail("ann")
    house.any_mail("bob")
    for line, subject, boards in (
        ("list", "boards being played", ["1"]),
        ("list cradle", "boards being played: cradle", []),
        ("all show ann", "open boards of ann", ["1"]),
        ("all show ann all", "all boards of ann", ["2", "1"]),
        ("all show ann inactive", "inactive boards of ann", ["2"]),
        ("all show ann next", "next boards of ann", []),
        ("all show bob next", "next boards of bob", ["1"]),
        ("hex games", "open boards: hex", ["1"]),
        ("cradle games all", "all boards: cradle", ["2"]),
        ("cradle games bob", "open boards of bob: cradle", []),
        ("cradle history", "boards that have ended: cradle", ["2"]),
        ("hex history", "boards that have ended: hex", []),
        ("hex show bob", "open boards of bob: hex", ["1"]),
    ):
        house.mails("ann", line)
        mail = house.receives("ann", f"[pbm] {subject}")
        listed = [row.split()[0] for row in mail.lines if row[:6].strip().isdigit()]
        assert listed == boards, mail
        assert ": none." in mail.text or boards
    house.mails("ann", "cradle standings")
    house.receives("ann", "[pbm] standings cradle", "bob")
    house.mails("ann", "cradle ratings")
    house.receives("ann", "[pbm] ratings cradle", "bob")
    house.mails("ann", "games")
    assert "hex" in house.any_mail("ann").text


def test_the_boards_that_wait_stand_in_the_order_of_their_urgency(house: Conversation) -> None:
    house.signup("ann", "bob")
    for options in ("--forfeit=30", "--forfeit=22", "--forfeit=none", "--forfeit=25"):
        house.challenge("tictactoe", "ann", "bob", options=options)
    house.challenge("tictactoe", "bob", "ann")
    house.mails("ann", "all show ann next")
    mail = house.receives("ann", "[pbm] next boards of ann", "the most urgent first:")
    assert [line.split()[0] for line in mail.lines if " ann* " in line] == ["2", "4", "1", "3"]
    house.mails("ann", "tictactoe show bob next")
    mail = house.receives("ann", "[pbm] next boards of bob: tictactoe")
    assert [line.split()[0] for line in mail.lines if "bob*" in line] == ["5"]
