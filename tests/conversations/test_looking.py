"""Looking at boards: any past position, after an undo, a resignation, where things are hidden; and
the lists of boards and players."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def latest(talk: Conversation) -> list[Mail]:
    """The mails after three moves of hex between ann and bob."""
    talk.signup("ann", "bob")
    opening = talk.challenge("hex", "ann", "bob")
    return talk.plays(["d4", "e5", "f6"], "ann", "bob", latest=opening)


def stones(mail: Mail) -> str:
    """The stones of the drawing."""
    rows = [line for line in mail.lines if line.strip()[:1].isdigit() and " . " in line]
    return "".join(letter for row in rows for letter in row if letter in "XO")


@pytest.mark.postgresql
def test_any_past_position(talk: Conversation, latest: list[Mail]) -> None:
    for ply, shown in enumerate(("", "X", "XO", "XOX")):
        talk.mails("ann", f"hex show 1#{ply}")
        mail = talk.receives("ann", f"[hex 1] after move {ply}")
        assert stones(mail) == shown
        assert mail.fact("Ply") == str(ply)
        assert mail.fact("ToMove") == ("bob" if ply % 2 else "ann")
    talk.mails("ann", "hex show 1#4")
    talk.receives("ann", "[hex 1] not done: board 1 has only had 3 moves", "hex show 1#3")


def test_past_positions_after_an_undo(talk: Conversation, latest: list[Mail]) -> None:
    talk.mails("ann", f"hex undo 1 ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    mine = talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("ann", "hex show 1#3")
    talk.receives("ann", "[hex 1] not done: board 1 has only had 2 moves")
    talk.replies(mine, "a1")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("ann", "hex show 1#3")
    mail = talk.receives("ann", "[hex 1] after move 3", "a1")
    assert "f6" not in mail.text
    assert stones(mail) == "XXO"


def test_past_positions_after_the_end(talk: Conversation, latest: list[Mail]) -> None:
    talk.mails("bob", f"hex resign 1 bob {talk.password('bob')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("bob", "hex show 1#1")
    assert stones(talk.receives("bob", "[hex 1] after move 1", "it is bob's turn")) == "X"
    talk.mails("bob", "hex show 1")
    talk.receives("bob", "[hex 1] ann won (3)", "ann won (3): bob resigns.", "lost")


def test_several_boards_are_one_answer(talk: Conversation, latest: list[Mail]) -> None:
    talk.challenge("cradle", "bob", "ann")
    talk.mails("ann", "show 1#2 2, 1")
    mail = talk.receives("ann", "[pbm] boards 1 and 2", "After move 2:", "Cradle, board 2")
    assert mail.text.count("Hex, board 1") == 2
    talk.mails("ann", "show 1 1 1")
    assert talk.any_mail("ann").text.count("Hex, board 1") == 1
    talk.mails("ann", "show 1 99")
    talk.receives("ann", "[pbm] board 1", "Board 99: there is no board with that number.")


@pytest.mark.postgresql
def test_showas(talk: Conversation, latest: list[Mail]) -> None:
    """Sent to the registered address only, whoever asks."""
    bob = talk.password("bob")
    talk.mails("carl@cafe.example", f"hex showas bob {bob} 1")
    talk.receives("bob", "[hex 1] your move (4)", "you, to move")
    talk.mails("carl@cafe.example", f"hex showas bob {bob} next")
    talk.receives("bob", "[pbm] next boards of bob: hex", "ann bob*")
    talk.mails("bob", f"hex showas bob {talk.secret('Sesame-wrong')} 1")
    talk.receives("bob", "[hex 1] not done: wrong userid or password")


def test_showas_of_a_board_of_others(talk: Conversation, latest: list[Mail]) -> None:
    talk.signup("carl")
    talk.mails("carl", f"hex showas carl {talk.password('carl')} 1")
    talk.receives("carl", "[pbm] not done: you do not play on board 1", "hex show 1")


def test_hidden_things_stay_hidden(talk: Conversation) -> None:
    """What ann may see is in her showas, and in no show, of any past position."""
    talk.signup("ann", "bob", "carl")
    opening = talk.agreed("poolside", "ann", "bob", "carl")
    hand = opening[0].line("red        0  ").removesuffix("to bid").strip()
    assert len(hand.split()) == 2
    talk.mails("ann", f"poolside showas ann {talk.password('ann')} 1")
    talk.receives("ann", "[poolside 1] your move (1)", f"red        0  {hand}  ")
    talk.mails("bob", "poolside show 1")
    assert f"0  {hand}  " not in talk.any_mail("bob").text
    talk.mails("bob", "poolside show 1#0")
    assert f"0  {hand}  " not in talk.any_mail("bob").text


@pytest.mark.postgresql
@pytest.mark.config(limits={"unproved_a_day": 0})
def test_lists(talk: Conversation, latest: list[Mail]) -> None:
    talk.plays(["a2,b2,c2,c3"], "bob", "ann", latest=talk.challenge("cradle", "bob", "ann"))
    talk.mails("ann", f"cradle resign 2 ann {talk.password('ann')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
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
        ("cradle history", "finished boards: cradle", ["2"]),
        ("hex history", "finished boards: hex", []),
        ("hex show bob", "open boards of bob: hex", ["1"]),
    ):
        talk.mails("ann", line)
        mail = talk.receives("ann", f"[pbm] {subject}")
        listed = [row.split()[0] for row in mail.lines if row[:6].strip().isdigit()]
        assert listed == boards, mail
        assert mail.text.startswith("No ") or boards
    talk.mails("ann", "cradle standings")
    talk.receives("ann", "[pbm] standings cradle", "bob")
    talk.mails("ann", "cradle ratings")
    talk.receives("ann", "[pbm] ratings cradle", "bob")
    talk.mails("ann", "games")
    assert "hex" in talk.any_mail("ann").text


def test_the_boards_that_wait_stand_in_the_order_of_their_urgency(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for options in ("--forfeit=30", "--forfeit=22", "--forfeit=none", "--forfeit=25"):
        talk.challenge("tictactoe", "ann", "bob", options=options)
    talk.challenge("tictactoe", "bob", "ann")
    talk.mails("ann", "all show ann next")
    mail = talk.receives("ann", "[pbm] next boards of ann", "the most urgent first:")
    assert [line.split()[0] for line in mail.lines if " ann* " in line] == ["2", "4", "1", "3"]
    talk.mails("ann", "tictactoe show bob next")
    mail = talk.receives("ann", "[pbm] next boards of bob: tictactoe")
    assert [line.split()[0] for line in mail.lines if "bob*" in line] == ["5"]


@pytest.mark.parametrize(
    ("game", "move"), [("chess", "Nf3"), ("hex", "f6"), ("dip", "a bud - gal")]
)
def test_moves_come_with_the_board_and_the_answer_plays_one(
    talk: Conversation, game: str, move: str
) -> None:
    people = ("ann", "bob", "cat", "dan", "eva", "fay", "gus")[: 7 if game == "dip" else 2]
    talk.signup(*people)
    opening = talk.challenge(game, *people)
    board = str(opening[0].text.split("\n\n")[1])
    talk.replies(opening[0], "moves")
    mail = talk.any_mail("ann")
    assert board in mail.text
    assert "reply with one of them:" in mail.text
    assert mail.text.startswith("Your legal moves")
    assert move.rpartition(" ")[2].lower() in mail.text.lower()
    talk.replies(mail, move)
    assert "You " in talk.any_mail("ann").text
    talk.everything()
