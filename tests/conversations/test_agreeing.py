"""What needs everybody's consent: draws, taking back, ending a board, invitations; and the claim of
a position that stands for the third time."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from pbm.core.model.board_store import load, save
from pbm.games import get_game
from pbm.games.chess import ChessPosition
from pbm.store.tables import boards, moves
from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail
from tests.games.cradles import CLIMB, SPIRAL
from tests.store.statements import all_rows

ROUND = ("e11-e10", "h2-h3", "e10-e11", "h3-h2")


@pytest.fixture
def mails(house: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    house.signup("ann", "bob")
    return house.challenge("hex", "ann", "bob")


def both(house: Conversation, ann: str, bob: str, *says: str) -> list[Mail]:
    """The mails that both receive about one event."""
    return [house.receives("ann", ann, *says), house.receives("bob", bob, *says)]


@pytest.mark.postgresql
def test_a_draw_by_agreement(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"hex propose 1 ann {house.password('ann')}", "It is late.")
    yours, mine = (
        house.receives("bob", "[hex 1] ann to move (1), ann proposed a draw", "> It is late."),
        house.receives("ann", "[hex 1] your move (1), you proposed a draw"),
    )
    assert "ann proposes a draw. Reply with accept or reject, or send" in yours.text
    assert f"    {mine.fact('Game')} accept 1 bob PASSWORD" in yours.lines
    assert "Waiting for" not in yours.text
    assert "You propose a draw. Waiting for bob to accept or reject." in mine.text
    house.replies(yours, "Accept.")
    both(house, "[hex 1] draw (0)", "[hex 1] draw (0)", "A draw by agreement.", "rank 1")


def test_a_draw_is_rejected(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"hex draw 1 ann {house.password('ann')}")
    both(
        house,
        "[hex 1] your move (1), you proposed a draw",
        "[hex 1] ann to move (1), ann proposed a draw",
    )
    house.mails("ann", f"hex draw 1 ann {house.password('ann')}")
    house.receives("ann", "[hex 1] not done: you have already agreed: the others have to answer")
    house.mails("ann", f"hex accept 1 ann {house.password('ann')}")
    house.receives("ann", "[hex 1] not done: there is no proposal to answer")
    house.mails("bob", f"hex reject 1 bob {house.password('bob')}")
    mail, _ = both(
        house,
        "[hex 1] your move (1), bob rejected the draw",
        "[hex 1] ann to move (1), you rejected the draw",
    )
    assert "proposes" not in mail.text


def test_a_move_of_the_other_answers_a_proposal(house: Conversation, mails: list[Mail]) -> None:
    """It stays open while the proposer moves, and ends with the other's move."""
    house.mails("ann", f"hex move 1 ann {house.password('ann')} propose")
    both(
        house,
        "[hex 1] your move (1), you proposed a draw",
        "[hex 1] ann to move (1), ann proposed a draw",
    )
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4")
    _mine, yours = both(
        house, "[hex 1] bob to move (2), you played d4", "[hex 1] your move (2), ann played d4"
    )
    assert "Reply with accept or reject" in yours.text
    house.replies(yours, "e5")
    both(house, "[hex 1] your move (3), bob played e5", "[hex 1] ann to move (3), you played e5")
    house.mails("bob", f"hex accept 1 bob {house.password('bob')}")
    house.receives("bob", "[hex 1] not done: there is no proposal to answer")


def test_three_have_to_agree_and_the_one_who_left_is_last(house: Conversation) -> None:
    house.signup("ann", "bob", "carl")
    people = ("ann", "bob", "carl")
    house.plays(["a2,b2,c2,c3"], *people, latest=house.challenge("cradle", *people))
    house.mails("bob", f"cradle resign 1 bob {house.password('bob')}")
    for who in ("ann", "bob", "carl"):
        house.any_mail(who)
    house.mails("carl", f"cradle propose 1 carl {house.password('carl')}")
    for who in ("ann", "bob", "carl"):
        house.any_mail(who)
    house.mails("bob", f"cradle accept 1 bob {house.password('bob')}")
    house.receives("bob", "[cradle 1] not done: you no longer play on board 1")
    house.mails("ann", f"cradle accept 1 ann {house.password('ann')}")
    for who in ("ann", "bob", "carl"):
        mail = house.any_mail(who)
        assert mail.subject == "[cradle 1] ann and carl tie (1)"
        assert mail.fact("Result") == "1 3 1"


@pytest.mark.postgresql
def test_undo(house: Conversation, mails: list[Mail]) -> None:
    """All agree; the answer to a mail from before is stale then."""
    house.replies(mails[0], "d4")
    mine, yours = both(
        house, "[hex 1] bob to move (2), you played d4", "[hex 1] your move (2), ann played d4"
    )
    house.replies(mine, "undo\nI meant e5, sorry.")
    mine, asked = both(
        house,
        "[hex 1] bob to move (2), you asked to take back move 1",
        "[hex 1] your move (2), ann asked to take back move 1",
    )
    assert "> I meant e5, sorry." in asked.text
    house.replies(asked, "accept")
    mine, _again = both(
        house,
        "[hex 1] your move (1), back to the start",
        "[hex 1] ann to move (1), back to the start",
    )
    house.replies(mails[0], "c3")
    house.receives("ann", "[hex 1] not done: the board has changed since the mail you replied to")
    house.replies(mine, "e5")
    both(house, "[hex 1] bob to move (2), you played e5", "[hex 1] your move (2), ann played e5")
    house.replies(yours, "f6")
    house.receives("bob", "[hex 1] not done: the board has changed since the mail you replied to")
    house.mails("bob", "hex show 1#1")
    mail = house.receives("bob", "[hex 1] after move 1")
    assert "e5" in mail.text
    assert "d4" not in mail.text


def test_undo_takes_back_what_came_after_too(house: Conversation, mails: list[Mail]) -> None:
    latest = house.plays(["d4", "e5", "f6"], "ann", "bob", latest=mails)
    assert latest[1].subject == "[hex 1] your move (4), ann played f6"
    house.mails("bob", f"hex undo 1 bob {house.password('bob')}")
    asked, _ = both(
        house,
        "[hex 1] bob to move (4), bob asked to take back move 2",
        "[hex 1] your move (4), you asked to take back move 2",
    )
    house.replies(asked, "reject")
    both(
        house,
        "[hex 1] bob to move (4), you rejected the undo, nothing is taken back",
        "[hex 1] your move (4), ann rejected the undo, nothing is taken back",
    )
    house.mails("bob", f"hex undo 1 bob {house.password('bob')}")
    both(
        house,
        "[hex 1] bob to move (4), bob asked to take back move 2",
        "[hex 1] your move (4), you asked to take back move 2",
    )
    house.mails("ann", f"hex undo 1 ann {house.password('ann')}")
    both(
        house,
        "[hex 1] bob to move (2), back to the position after move 1",
        "[hex 1] your move (2), back to the position after move 1",
    )


def rolls(house: Conversation) -> list[tuple[int, str]]:
    """Move number and outcome of every answer of chance, undone ones included."""
    with house.server.store.reading() as session:
        query = select(moves.c.ply, moves.c.move).where(moves.c.kind == "chance")
        return [(row.ply, row.move) for row in all_rows(session, query.order_by(moves.c.number))]


def a_turn(house: Conversation) -> str:
    """Moves that fill the turn of cyclone's first seat on board 1."""
    with house.server.store.reading() as session:
        position = get_game("cyclone").decode(
            session.execute(select(boards.c.position)).scalar_one()
        )
    played = []
    while 0 in position.to_move:
        played.append(position.legal_moves(0)[0])
        position = position.play(0, played[-1])
    return " ".join(played)


def test_the_dice_of_an_undone_move_stay_the_same(house: Conversation) -> None:
    """An undo is no second throw."""
    house.signup("ann", "bob")
    house.agreed("cyclone", "ann", "bob")
    turn = a_turn(house)
    opening = rolls(house)
    house.mails("ann", f"cyclone move 1 ann {house.password('ann')} {turn}")
    house.any_mail("ann")
    house.any_mail("bob")
    first = rolls(house)[len(opening) :]
    assert first
    house.mails("ann", f"cyclone undo 1 ann {house.password('ann')}")
    house.any_mail("ann")
    house.replies(house.any_mail("bob"), "accept")
    house.receives("ann", "[cyclone 1] your move (1), back to the start")
    house.any_mail("bob")
    house.mails("ann", f"cyclone move 1 ann {house.password('ann')} {turn}")
    house.any_mail("ann")
    house.any_mail("bob")
    assert rolls(house) == opening + first + first


@pytest.mark.postgresql
def test_cancel_by_consent(house: Conversation, mails: list[Mail]) -> None:
    house.mails("ann", f"hex cancel 1 ann {house.password('ann')}")
    _, asked = both(
        house,
        "[hex 1] your move (1), you proposed to cancel the board",
        "[hex 1] ann to move (1), ann proposed to cancel the board",
    )
    house.mails("bob", f"hex undo 1 bob {house.password('bob')}")
    house.receives("bob", "[hex 1] not done: you have no move to take back")
    house.replies(asked, "accept")
    both(house, "[hex 1] cancelled (0)", "[hex 1] cancelled (0)", "does not affect ratings")
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4")
    house.receives("ann", "[hex 1] not done: board 1 is over")


def test_more_than_one_proposal(house: Conversation, mails: list[Mail]) -> None:
    """accept alone would be a guess."""
    for word in ("propose", "cancel"):
        house.mails("ann", f"hex {word} 1 ann {house.password('ann')}")
        house.any_mail("ann")
        house.any_mail("bob")
    house.mails("bob", f"hex accept 1 bob {house.password('bob')}")
    house.receives(
        "bob",
        "[hex 1] not done: there is more than one proposal: name the one you mean",
        "hex propose 1 bob PASSWORD",
        "hex cancel 1 bob PASSWORD",
    )
    house.mails("bob", f"hex cancel 1 bob {house.password('bob')}")
    both(house, "[hex 1] cancelled (0)", "[hex 1] cancelled (0)")


@pytest.mark.postgresql
def test_decline(house: Conversation, mails: list[Mail]) -> None:
    """Until the own first move, whatever the other has played."""
    house.replies(mails[0], "d4")
    house.any_mail("ann")
    house.replies(house.any_mail("bob"), "decline\nNo time, sorry.")
    both(house, "[hex 1] cancelled (1)", "[hex 1] cancelled (1)")
    house.mails("ann", "all show ann")
    house.receives("ann", "[pbm] open boards of ann", "none")


def test_decline_after_a_move_is_too_late(house: Conversation, mails: list[Mail]) -> None:
    house.replies(mails[0], "d4")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("ann", f"hex decline 1 ann {house.password('ann')}")
    house.receives(
        "ann",
        "[hex 1] not done: you have already moved on this board",
        "hex cancel 1 ann PASSWORD",
        "hex resign 1 ann PASSWORD",
    )


@pytest.mark.postgresql
def test_an_invitation(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.proves("ann", "hex challenge ann bob --ask")
    mine, yours = both(house, *["[hex 1] invitation: ann, bob"] * 2)
    assert "The game starts when everybody has accepted." in mine.text
    assert "hex accept 1 bob PASSWORD" in yours.text
    house.mails("ann", f"hex move 1 ann {house.password('ann')} d4")
    house.receives("ann", "[hex 1] not done: board 1 is waiting for its players to accept")
    house.replies(yours, "accept")
    both(house, *["[hex 1] new board: ann, bob"] * 2)


def test_whoever_wants_to_be_asked_is_asked(house: Conversation) -> None:
    house.signup("ann", "bob")
    house.mails("bob", f"set bob {house.password('bob')} ask=yes")
    house.receives("bob", "[pbm] preferences of bob changed")
    house.proves("ann", "hex challenge bob ann")
    _, yours = both(house, *["[hex 1] invitation: bob, ann"] * 2)
    house.replies(yours, "reject")
    both(house, *["[hex 1] cancelled (0)"] * 2)
    house.proves("bob", "hex challenge bob ann")
    both(house, *["[hex 2] new board: bob, ann"] * 2)


# Repetition


def played(house: Conversation, typed: Sequence[str], latest: list[Mail]) -> list[Mail]:
    """Both play by reply; the mails after the last move."""
    return house.plays(typed, "ann", "bob", latest=latest)


def test_a_position_that_stands_for_the_third_time_may_be_claimed(house: Conversation) -> None:
    house.signup("ann", "bob")
    opening = house.challenge("spacecradles", "ann", "bob")
    latest = played(house, ["e12-e11,m-e12", "h1-h2,m-h1", *ROUND], opening)
    assert "third time" not in latest[0].text
    latest = played(house, ROUND[:3], latest)
    house.replies(latest[1], ROUND[3])
    mine, yours = house.any_mail("ann"), house.any_mail("bob")
    for mail in (mine, yours):
        assert "The position stands for the third time: to claim a draw, reply" in mail.text
    house.replies(mine, "propose")
    both(
        house,
        *["[spacecradles 1] draw (12)"] * 2,
        "The position stands for the third time.",
        "rank 1",
    )


def test_a_climb_that_does_not_end_may_be_claimed_as_a_draw(house: Conversation) -> None:
    house.signup("ann", "bob")
    latest = house.challenge("cradle", "ann", "bob")
    latest = played(house, [*CLIMB, *SPIRAL, *SPIRAL[:-1]], latest)
    assert "third time" not in latest[1].text
    house.replies(latest[0], SPIRAL[-1])
    house.any_mail("ann")
    yours = house.any_mail("bob")
    assert "The position stands for the third time: to claim a draw, reply" in yours.text
    house.replies(yours, "propose")
    mails = both(
        house, *["[cradle 1] draw (23)"] * 2, "The position stands for the third time.", "rank 1"
    )
    assert "1500" in mails[0].text  # it is rated


def test_a_position_that_was_left_cannot_be_claimed(house: Conversation) -> None:
    house.signup("ann", "bob")
    opening = house.challenge("spacecradles", "ann", "bob")
    latest = played(house, ["e12-e11,m-e12", "h1-h2,m-h1", *ROUND, *ROUND], opening)
    latest = played(house, ["e11-f10"], latest)
    assert "third time" not in latest[1].text
    house.replies(latest[1], "propose")
    both(
        house,
        "[spacecradles 1] bob to move (14), bob proposed a draw",
        "[spacecradles 1] your move (14), you proposed a draw",
    )


def test_an_undone_position_does_not_count(house: Conversation) -> None:
    house.signup("ann", "bob")
    opening = house.challenge("spacecradles", "ann", "bob")
    latest = played(house, ["e12-e11,m-e12", "h1-h2,m-h1", *ROUND, *ROUND[:3]], opening)
    house.replies(latest[1], ROUND[3])
    house.any_mail("ann")
    mail = house.any_mail("bob")
    house.replies(mail, "undo")
    asked = house.any_mail("ann")
    house.any_mail("bob")
    house.replies(asked, "accept")
    house.any_mail("ann")
    mail = house.any_mail("bob")
    assert "third time" not in mail.text


def quiet_moves(count: int) -> list[str]:
    """Moves of chess from the beginning without progress, near home, and without a position coming
    a third time."""
    dice, position = random.Random(1), get_game("chess").setup(2)
    seen, played = [position.key], list[str]()
    while len(played) < count:
        seat = min(position.to_move)
        near = [m for m in position.legal_moves(seat) if (m[3] > "5") == bool(seat)]
        move = dice.choice(near)
        after = position.play(seat, move)
        assert isinstance(after, ChessPosition)
        if after.idle > len(played) and seen.count(after.key) < 2:
            position = after
            played.append(move)
            seen.append(position.key)
    return played


def test_fifty_moves_of_chess_may_be_claimed(house: Conversation) -> None:
    """The reason is the game's own. All moves but the last two are played without mails."""
    house.signup("ann", "bob")
    house.challenge("chess", "ann", "bob")
    *many, ann, bob = quiet_moves(100)
    with house.server.store.writing() as session:
        board = load(session, 1)
        for move in many:
            board.play_text(min(board.position.to_move), move, "", house.clock())
        save(session, board, house.clock())
    house.mails("ann", f"chess move 1 ann {house.password('ann')} {ann}")
    house.any_mail("ann")
    mail = house.any_mail("bob")
    assert "fifty" not in mail.text
    house.replies(mail, bob)
    claim = (
        "Each side has made fifty moves without a capture or a pawn move: to claim a draw, "
        "reply with propose."
    )
    for who in ("ann", "bob"):
        mail = house.any_mail(who)
        assert claim in " ".join(mail.text.split())
    house.replies(mail, "propose")
    both(house, *["[chess 1] draw (100)"] * 2, "rank 1")


# Words that are moves


def test_swap_and_pass(house: Conversation, mails: list[Mail]) -> None:
    """Commands of their own, where the game has such moves."""
    house.replies(mails[0], "d4")
    house.any_mail("ann")
    house.any_mail("bob")
    house.mails("bob", f"hex swap#3 1 bob {house.password('bob')}")
    house.receives("bob", "[hex 1] not done: it is move 2 now, not move 3")
    house.mails("bob", f"hex swap#2 1 bob {house.password('bob')}")
    both(
        house, "[hex 1] your move (3), bob played swap", "[hex 1] ann to move (3), you played swap"
    )
    house.mails("ann", f"hex pass 1 ann {house.password('ann')}")
    mail = house.any_mail("ann")
    assert mail.subject.startswith("[hex 1] not done: ")
    first, _ = house.challenge("go", "ann", "bob")
    house.replies(first, "pass")
    both(house, "[go 2] bob to move (2), you played pass", "[go 2] your move (2), ann played pass")
    house.mails("bob", f"go pass 2 bob {house.password('bob')}")
    house.any_mail("ann")
    house.any_mail("bob")
